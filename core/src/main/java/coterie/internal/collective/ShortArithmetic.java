// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 16 bits.
final class ShortArithmetic {
    private ShortArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case SUM -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT, at);
                    short b = right.get(JAVA_SHORT, at);
                    left.set(JAVA_SHORT, at, (short) (a + b));
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT, at);
                    short b = right.get(JAVA_SHORT, at);
                    left.set(JAVA_SHORT, at, (short) (a * b));
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT, at);
                    short b = right.get(JAVA_SHORT, at);
                    left.set(JAVA_SHORT, at, (short) Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT, at);
                    short b = right.get(JAVA_SHORT, at);
                    left.set(JAVA_SHORT, at, (short) Math.max(a, b));
                }
            }
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }

    static void reduceUnsigned(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case MIN -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT, at);
                    short b = right.get(JAVA_SHORT, at);
                    left.set(JAVA_SHORT, at, (a & 0xFFFF) < (b & 0xFFFF) ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT, at);
                    short b = right.get(JAVA_SHORT, at);
                    left.set(JAVA_SHORT, at, (a & 0xFFFF) > (b & 0xFFFF) ? a : b);
                }
            }
            default -> reduce(reduction, left, right, length);
        }
    }
}
