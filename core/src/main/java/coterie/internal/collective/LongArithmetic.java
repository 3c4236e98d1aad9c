// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 64 bits.
final class LongArithmetic {
    private LongArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case SUM -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    long a = left.get(JAVA_LONG, at);
                    long b = right.get(JAVA_LONG, at);
                    left.set(JAVA_LONG, at, a + b);
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    long a = left.get(JAVA_LONG, at);
                    long b = right.get(JAVA_LONG, at);
                    left.set(JAVA_LONG, at, a * b);
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    long a = left.get(JAVA_LONG, at);
                    long b = right.get(JAVA_LONG, at);
                    left.set(JAVA_LONG, at, Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    long a = left.get(JAVA_LONG, at);
                    long b = right.get(JAVA_LONG, at);
                    left.set(JAVA_LONG, at, Math.max(a, b));
                }
            }
            case AND, OR, XOR -> throw new AssertionError(reduction);
        }
    }

    static void reduceUnsigned(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case MIN -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    long a = left.get(JAVA_LONG, at);
                    long b = right.get(JAVA_LONG, at);
                    left.set(JAVA_LONG, at, Long.compareUnsigned(a, b) < 0 ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Long.BYTES) {
                    long a = left.get(JAVA_LONG, at);
                    long b = right.get(JAVA_LONG, at);
                    left.set(JAVA_LONG, at, Long.compareUnsigned(a, b) > 0 ? a : b);
                }
            }
            default -> reduce(reduction, left, right, length);
        }
    }
}
