// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 8 bits.
final class ByteArithmetic {
    private ByteArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case SUM -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, at);
                    byte b = right.get(JAVA_BYTE, at);
                    left.set(JAVA_BYTE, at, (byte) (a + b));
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, at);
                    byte b = right.get(JAVA_BYTE, at);
                    left.set(JAVA_BYTE, at, (byte) (a * b));
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, at);
                    byte b = right.get(JAVA_BYTE, at);
                    left.set(JAVA_BYTE, at, (byte) Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, at);
                    byte b = right.get(JAVA_BYTE, at);
                    left.set(JAVA_BYTE, at, (byte) Math.max(a, b));
                }
            }
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }

    static void reduceUnsigned(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case MIN -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, at);
                    byte b = right.get(JAVA_BYTE, at);
                    left.set(JAVA_BYTE, at, (a & 0xFF) < (b & 0xFF) ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Byte.BYTES) {
                    byte a = left.get(JAVA_BYTE, at);
                    byte b = right.get(JAVA_BYTE, at);
                    left.set(JAVA_BYTE, at, (a & 0xFF) > (b & 0xFF) ? a : b);
                }
            }
            default -> reduce(reduction, left, right, length);
        }
    }
}
