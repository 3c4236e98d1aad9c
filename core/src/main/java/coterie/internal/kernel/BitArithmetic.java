// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Bits, 64 at a time, and what remains in bytes.
final class BitArithmetic {
    private BitArithmetic() {}

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
            case AND -> and(target, to, left, leftFrom, right, rightFrom, length);
            case OR -> or(target, to, left, leftFrom, right, rightFrom, length);
            case XOR -> exclude(target, to, left, leftFrom, right, rightFrom, length);
            case SUM, PRODUCT, MIN, MAX -> throw new AssertionError(reduction);
        }
    }

    private static void and(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long words = length & -Long.BYTES;
        for (long at = 0; at < words; at += Long.BYTES) {
            target.set(
                    JAVA_LONG_UNALIGNED,
                    to + at,
                    left.get(JAVA_LONG_UNALIGNED, leftFrom + at) & right.get(JAVA_LONG_UNALIGNED, rightFrom + at));
        }
        for (long at = words; at < length; at++) {
            target.set(JAVA_BYTE, to + at, (byte)
                    (left.get(JAVA_BYTE, leftFrom + at) & right.get(JAVA_BYTE, rightFrom + at)));
        }
    }

    private static void or(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long words = length & -Long.BYTES;
        for (long at = 0; at < words; at += Long.BYTES) {
            target.set(
                    JAVA_LONG_UNALIGNED,
                    to + at,
                    left.get(JAVA_LONG_UNALIGNED, leftFrom + at) | right.get(JAVA_LONG_UNALIGNED, rightFrom + at));
        }
        for (long at = words; at < length; at++) {
            target.set(JAVA_BYTE, to + at, (byte)
                    (left.get(JAVA_BYTE, leftFrom + at) | right.get(JAVA_BYTE, rightFrom + at)));
        }
    }

    private static void exclude(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        long words = length & -Long.BYTES;
        for (long at = 0; at < words; at += Long.BYTES) {
            target.set(
                    JAVA_LONG_UNALIGNED,
                    to + at,
                    left.get(JAVA_LONG_UNALIGNED, leftFrom + at) ^ right.get(JAVA_LONG_UNALIGNED, rightFrom + at));
        }
        for (long at = words; at < length; at++) {
            target.set(JAVA_BYTE, to + at, (byte)
                    (left.get(JAVA_BYTE, leftFrom + at) ^ right.get(JAVA_BYTE, rightFrom + at)));
        }
    }
}
