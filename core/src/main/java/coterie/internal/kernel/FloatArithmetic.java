// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Floating-point numbers of 32 bits.
final class FloatArithmetic {
    private FloatArithmetic() {}

    static void fold(
            Reduction reduction,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        switch (reduction) {
            case SUM -> sum(target, to, left, leftFrom, right, rightFrom, length);
            case PRODUCT -> multiply(target, to, left, leftFrom, right, rightFrom, length);
            case MIN -> least(target, to, left, leftFrom, right, rightFrom, length);
            case MAX -> greatest(target, to, left, leftFrom, right, rightFrom, length);
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }

    private static void sum(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += Float.BYTES) {
            float a = left.get(JAVA_FLOAT_UNALIGNED, leftFrom + at);
            float b = right.get(JAVA_FLOAT_UNALIGNED, rightFrom + at);
            target.set(JAVA_FLOAT_UNALIGNED, to + at, a + b);
        }
    }

    private static void multiply(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += Float.BYTES) {
            float a = left.get(JAVA_FLOAT_UNALIGNED, leftFrom + at);
            float b = right.get(JAVA_FLOAT_UNALIGNED, rightFrom + at);
            target.set(JAVA_FLOAT_UNALIGNED, to + at, a * b);
        }
    }

    private static void least(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += Float.BYTES) {
            float a = left.get(JAVA_FLOAT_UNALIGNED, leftFrom + at);
            float b = right.get(JAVA_FLOAT_UNALIGNED, rightFrom + at);
            target.set(JAVA_FLOAT_UNALIGNED, to + at, Math.min(a, b));
        }
    }

    private static void greatest(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += Float.BYTES) {
            float a = left.get(JAVA_FLOAT_UNALIGNED, leftFrom + at);
            float b = right.get(JAVA_FLOAT_UNALIGNED, rightFrom + at);
            target.set(JAVA_FLOAT_UNALIGNED, to + at, Math.max(a, b));
        }
    }
}
