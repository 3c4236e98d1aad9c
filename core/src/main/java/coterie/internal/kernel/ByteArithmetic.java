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
            case SUM -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, leftFrom + at);
                    byte b = right.get(JAVA_BYTE, rightFrom + at);
                    target.set(JAVA_BYTE, to + at, (byte) (a + b));
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, leftFrom + at);
                    byte b = right.get(JAVA_BYTE, rightFrom + at);
                    target.set(JAVA_BYTE, to + at, (byte) (a * b));
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, leftFrom + at);
                    byte b = right.get(JAVA_BYTE, rightFrom + at);
                    target.set(JAVA_BYTE, to + at, (byte) Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, leftFrom + at);
                    byte b = right.get(JAVA_BYTE, rightFrom + at);
                    target.set(JAVA_BYTE, to + at, (byte) Math.max(a, b));
                }
            }
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
            case MIN -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, leftFrom + at);
                    byte b = right.get(JAVA_BYTE, rightFrom + at);
                    target.set(JAVA_BYTE, to + at, (a & 0xFF) < (b & 0xFF) ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, leftFrom + at);
                    byte b = right.get(JAVA_BYTE, rightFrom + at);
                    target.set(JAVA_BYTE, to + at, (a & 0xFF) > (b & 0xFF) ? a : b);
                }
            }
            default -> fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
        }
    }
}
