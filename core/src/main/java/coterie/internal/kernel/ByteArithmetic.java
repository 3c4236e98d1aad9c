// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 8 bits.
final class ByteArithmetic {
    private ByteArithmetic() {}

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
        for (long at = 0; at < length; at += Byte.BYTES) {
            byte a = left.get(JAVA_BYTE, leftFrom + at);
            byte b = right.get(JAVA_BYTE, rightFrom + at);
            target.set(JAVA_BYTE, to + at, (byte) (a + b));
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
        for (long at = 0; at < length; at += Byte.BYTES) {
            byte a = left.get(JAVA_BYTE, leftFrom + at);
            byte b = right.get(JAVA_BYTE, rightFrom + at);
            target.set(JAVA_BYTE, to + at, (byte) (a * b));
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
        for (long at = 0; at < length; at += Byte.BYTES) {
            byte a = left.get(JAVA_BYTE, leftFrom + at);
            byte b = right.get(JAVA_BYTE, rightFrom + at);
            target.set(JAVA_BYTE, to + at, (byte) Math.min(a, b));
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
        for (long at = 0; at < length; at += Byte.BYTES) {
            byte a = left.get(JAVA_BYTE, leftFrom + at);
            byte b = right.get(JAVA_BYTE, rightFrom + at);
            target.set(JAVA_BYTE, to + at, (byte) Math.max(a, b));
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
        for (long at = 0; at < length; at += Byte.BYTES) {
            byte a = left.get(JAVA_BYTE, leftFrom + at);
            byte b = right.get(JAVA_BYTE, rightFrom + at);
            target.set(JAVA_BYTE, to + at, (a & 0xFF) < (b & 0xFF) ? a : b);
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
        for (long at = 0; at < length; at += Byte.BYTES) {
            byte a = left.get(JAVA_BYTE, leftFrom + at);
            byte b = right.get(JAVA_BYTE, rightFrom + at);
            target.set(JAVA_BYTE, to + at, (a & 0xFF) > (b & 0xFF) ? a : b);
        }
    }
}
