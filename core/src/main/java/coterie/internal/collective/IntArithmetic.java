// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 32 bits.
final class IntArithmetic {
    private IntArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case SUM -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT, at);
                    int b = right.get(JAVA_INT, at);
                    left.set(JAVA_INT, at, a + b);
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT, at);
                    int b = right.get(JAVA_INT, at);
                    left.set(JAVA_INT, at, a * b);
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT, at);
                    int b = right.get(JAVA_INT, at);
                    left.set(JAVA_INT, at, Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT, at);
                    int b = right.get(JAVA_INT, at);
                    left.set(JAVA_INT, at, Math.max(a, b));
                }
            }
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }

    static void reduceUnsigned(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case MIN -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT, at);
                    int b = right.get(JAVA_INT, at);
                    left.set(JAVA_INT, at, Integer.compareUnsigned(a, b) < 0 ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT, at);
                    int b = right.get(JAVA_INT, at);
                    left.set(JAVA_INT, at, Integer.compareUnsigned(a, b) > 0 ? a : b);
                }
            }
            default -> reduce(reduction, left, right, length);
        }
    }
}
