// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Numbers of 32 bits.
final class IntArithmetic {
    private IntArithmetic() {}

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
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT_UNALIGNED, leftFrom + at);
                    int b = right.get(JAVA_INT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_INT_UNALIGNED, to + at, a + b);
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT_UNALIGNED, leftFrom + at);
                    int b = right.get(JAVA_INT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_INT_UNALIGNED, to + at, a * b);
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT_UNALIGNED, leftFrom + at);
                    int b = right.get(JAVA_INT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_INT_UNALIGNED, to + at, Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT_UNALIGNED, leftFrom + at);
                    int b = right.get(JAVA_INT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_INT_UNALIGNED, to + at, Math.max(a, b));
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
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT_UNALIGNED, leftFrom + at);
                    int b = right.get(JAVA_INT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_INT_UNALIGNED, to + at, Integer.compareUnsigned(a, b) < 0 ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Integer.BYTES) {
                    int a = left.get(JAVA_INT_UNALIGNED, leftFrom + at);
                    int b = right.get(JAVA_INT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_INT_UNALIGNED, to + at, Integer.compareUnsigned(a, b) > 0 ? a : b);
                }
            }
            default -> fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
        }
    }
}
