// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 64 bits.
final class LongArithmetic {
    private LongArithmetic() {}

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

    static void foldUnsigned(
            Reduction reduction,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        switch (reduction) {
            case MIN -> leastUnsigned(target, to, left, leftFrom, right, rightFrom, length);
            case MAX -> greatestUnsigned(target, to, left, leftFrom, right, rightFrom, length);
            default -> fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
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
        for (long at = 0; at < length; at += Long.BYTES) {
            long a = left.get(JAVA_LONG_UNALIGNED, leftFrom + at);
            long b = right.get(JAVA_LONG_UNALIGNED, rightFrom + at);
            target.set(JAVA_LONG_UNALIGNED, to + at, a + b);
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
        for (long at = 0; at < length; at += Long.BYTES) {
            long a = left.get(JAVA_LONG_UNALIGNED, leftFrom + at);
            long b = right.get(JAVA_LONG_UNALIGNED, rightFrom + at);
            target.set(JAVA_LONG_UNALIGNED, to + at, a * b);
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
        for (long at = 0; at < length; at += Long.BYTES) {
            long a = left.get(JAVA_LONG_UNALIGNED, leftFrom + at);
            long b = right.get(JAVA_LONG_UNALIGNED, rightFrom + at);
            target.set(JAVA_LONG_UNALIGNED, to + at, Math.min(a, b));
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
        for (long at = 0; at < length; at += Long.BYTES) {
            long a = left.get(JAVA_LONG_UNALIGNED, leftFrom + at);
            long b = right.get(JAVA_LONG_UNALIGNED, rightFrom + at);
            target.set(JAVA_LONG_UNALIGNED, to + at, Math.max(a, b));
        }
    }

    private static void leastUnsigned(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += Long.BYTES) {
            long a = left.get(JAVA_LONG_UNALIGNED, leftFrom + at);
            long b = right.get(JAVA_LONG_UNALIGNED, rightFrom + at);
            target.set(JAVA_LONG_UNALIGNED, to + at, Long.compareUnsigned(a, b) < 0 ? a : b);
        }
    }

    private static void greatestUnsigned(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += Long.BYTES) {
            long a = left.get(JAVA_LONG_UNALIGNED, leftFrom + at);
            long b = right.get(JAVA_LONG_UNALIGNED, rightFrom + at);
            target.set(JAVA_LONG_UNALIGNED, to + at, Long.compareUnsigned(a, b) > 0 ? a : b);
        }
    }
}
