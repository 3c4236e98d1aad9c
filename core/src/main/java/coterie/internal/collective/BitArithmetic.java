// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Bits, 64 at a time, and what remains in bytes.
final class BitArithmetic {
    private BitArithmetic() {}

    static void reduce(Reduction reduction, MemorySegment left, MemorySegment right, long length) {
        long words = length & -Long.BYTES;
        switch (reduction) {
            case AND -> {
                for (long at = 0; at < words; at += Long.BYTES) {
                    left.set(JAVA_LONG, at, left.get(JAVA_LONG, at) & right.get(JAVA_LONG, at));
                }
                for (long at = words; at < length; at++) {
                    left.set(JAVA_BYTE, at, (byte) (left.get(JAVA_BYTE, at) & right.get(JAVA_BYTE, at)));
                }
            }
            case OR -> {
                for (long at = 0; at < words; at += Long.BYTES) {
                    left.set(JAVA_LONG, at, left.get(JAVA_LONG, at) | right.get(JAVA_LONG, at));
                }
                for (long at = words; at < length; at++) {
                    left.set(JAVA_BYTE, at, (byte) (left.get(JAVA_BYTE, at) | right.get(JAVA_BYTE, at)));
                }
            }
            case XOR -> {
                for (long at = 0; at < words; at += Long.BYTES) {
                    left.set(JAVA_LONG, at, left.get(JAVA_LONG, at) ^ right.get(JAVA_LONG, at));
                }
                for (long at = words; at < length; at++) {
                    left.set(JAVA_BYTE, at, (byte) (left.get(JAVA_BYTE, at) ^ right.get(JAVA_BYTE, at)));
                }
            }
            case SUM, PRODUCT, MIN, MAX -> throw new AssertionError(reduction);
        }
    }
}
