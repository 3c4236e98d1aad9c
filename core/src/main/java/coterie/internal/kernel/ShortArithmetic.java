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
            case SUM -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
                    short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_SHORT_UNALIGNED, to + at, (short) (a + b));
                }
            }
            case PRODUCT -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
                    short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_SHORT_UNALIGNED, to + at, (short) (a * b));
                }
            }
            case MIN -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
                    short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_SHORT_UNALIGNED, to + at, (short) Math.min(a, b));
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
                    short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_SHORT_UNALIGNED, to + at, (short) Math.max(a, b));
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
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
                    short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_SHORT_UNALIGNED, to + at, (a & 0xFFFF) < (b & 0xFFFF) ? a : b);
                }
            }
            case MAX -> {
                for (long at = 0; at < length; at += Short.BYTES) {
                    short a = left.get(JAVA_SHORT_UNALIGNED, leftFrom + at);
                    short b = right.get(JAVA_SHORT_UNALIGNED, rightFrom + at);
                    target.set(JAVA_SHORT_UNALIGNED, to + at, (a & 0xFFFF) > (b & 0xFFFF) ? a : b);
                }
            }
            default -> fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
        }
    }
}
