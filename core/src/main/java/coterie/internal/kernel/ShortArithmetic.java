// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 16 bits.
final class ShortArithmetic {
    private ShortArithmetic() {}

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
        for (long at = 0; at < length; at += Short.BYTES) {
            short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
            short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
            target.set(JAVA_SHORT_UNALIGNED, to + at, (short) (a + b));
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
        for (long at = 0; at < length; at += Short.BYTES) {
            short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
            short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
            target.set(JAVA_SHORT_UNALIGNED, to + at, (short) (a * b));
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
        for (long at = 0; at < length; at += Short.BYTES) {
            short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
            short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
            target.set(JAVA_SHORT_UNALIGNED, to + at, (short) Math.min(a, b));
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
        for (long at = 0; at < length; at += Short.BYTES) {
            short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
            short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
            target.set(JAVA_SHORT_UNALIGNED, to + at, (short) Math.max(a, b));
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
        for (long at = 0; at < length; at += Short.BYTES) {
            short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
            short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
            target.set(JAVA_SHORT_UNALIGNED, to + at, (a & 0xFFFF) < (b & 0xFFFF) ? a : b);
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
        for (long at = 0; at < length; at += Short.BYTES) {
            short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
            short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
            target.set(JAVA_SHORT_UNALIGNED, to + at, (a & 0xFFFF) > (b & 0xFFFF) ? a : b);
        }
    }
}
