// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Floating-point numbers of 64 bits.
final class DoubleArithmetic {
    private DoubleArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case SUM -> {
                for (long at = 0; at < length; at += Double.BYTES) {
                    double a = left.get(JAVA_DOUBLE, at);
                    double b = right.get(JAVA_DOUBLE, at);
                    left.set(JAVA_DOUBLE, at, a + b);
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Double.BYTES) {
                    double a = left.get(JAVA_DOUBLE, at);
                    double b = right.get(JAVA_DOUBLE, at);
                    left.set(JAVA_DOUBLE, at, a * b);
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Double.BYTES) {
                    double a = left.get(JAVA_DOUBLE, at);
                    double b = right.get(JAVA_DOUBLE, at);
                    left.set(JAVA_DOUBLE, at, Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Double.BYTES) {
                    double a = left.get(JAVA_DOUBLE, at);
                    double b = right.get(JAVA_DOUBLE, at);
                    left.set(JAVA_DOUBLE, at, Math.max(a, b));
                }
            }
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }
}
