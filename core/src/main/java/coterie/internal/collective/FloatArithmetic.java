// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Floating-point numbers of 32 bits.
final class FloatArithmetic {
    private FloatArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case SUM -> {
                for (long at = 0; at < length; at += Float.BYTES) {
                    float a = left.get(JAVA_FLOAT, at);
                    float b = right.get(JAVA_FLOAT, at);
                    left.set(JAVA_FLOAT, at, a + b);
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Float.BYTES) {
                    float a = left.get(JAVA_FLOAT, at);
                    float b = right.get(JAVA_FLOAT, at);
                    left.set(JAVA_FLOAT, at, a * b);
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Float.BYTES) {
                    float a = left.get(JAVA_FLOAT, at);
                    float b = right.get(JAVA_FLOAT, at);
                    left.set(JAVA_FLOAT, at, Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Float.BYTES) {
                    float a = left.get(JAVA_FLOAT, at);
                    float b = right.get(JAVA_FLOAT, at);
                    left.set(JAVA_FLOAT, at, Math.max(a, b));
                }
            }
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }
}
