// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.ElementType;
import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// What a reduction of nothing is: the element that changes no other.
final class ReductionIdentity {
    private ReductionIdentity() {}

    /// Its bits, in the low end of a `long`.
    static long of(Reduction reduction, ElementType type) {
        return switch (reduction) {
            case SUM, OR, XOR -> 0;
            case AND -> -1;
            case PRODUCT ->
                switch (type) {
                    case FLOAT -> Float.floatToRawIntBits(1);
                    case DOUBLE -> Double.doubleToRawLongBits(1);
                    default -> 1;
                };
            case MIN -> max(type);
            case MAX -> min(type);
        };
    }

    private static long max(ElementType type) {
        return switch (type) {
            case BYTE -> Byte.MAX_VALUE;
            case SHORT -> Short.MAX_VALUE;
            case INT -> Integer.MAX_VALUE;
            case LONG -> Long.MAX_VALUE;
            case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> -1;
            case FLOAT -> Float.floatToRawIntBits(Float.POSITIVE_INFINITY);
            case DOUBLE -> Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
        };
    }

    private static long min(ElementType type) {
        return switch (type) {
            case BYTE -> Byte.MIN_VALUE;
            case SHORT -> Short.MIN_VALUE;
            case INT -> Integer.MIN_VALUE;
            case LONG -> Long.MIN_VALUE;
            case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> 0;
            case FLOAT -> Float.floatToRawIntBits(Float.NEGATIVE_INFINITY);
            case DOUBLE -> Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY);
        };
    }

    /// Fills `length` bytes with it.
    static void fill(Reduction reduction, ElementType type, MemorySegment elements, long from, long length) {
        long bits = of(reduction, type);
        int width = type.byteSize();
        for (long at = from; at < from + length; at += width) {
            switch (width) {
                case Byte.BYTES -> elements.set(JAVA_BYTE, at, (byte) bits);
                case Short.BYTES -> elements.set(JAVA_SHORT, at, (short) bits);
                case Integer.BYTES -> elements.set(JAVA_INT, at, (int) bits);
                default -> elements.set(JAVA_LONG, at, bits);
            }
        }
    }
}
