// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;

/// What a reduction of nothing is: the element that changes no other.
final class ReductionIdentity {
    private ReductionIdentity() {}

    /// Its bits, in the low end of a `long`.
    static long of(ReductionKind reduction, ElementType type) {
        return switch (reduction) {
            case SUM, OR, XOR -> 0;
            case AND -> -1;
            case PRODUCT ->
                switch (type) {
                    case FLOAT -> Float.floatToRawIntBits(1);
                    case DOUBLE -> Double.doubleToRawLongBits(1);
                    case HALF -> Float.floatToFloat16(1);
                    case BFLOAT16 -> Bfloat16.of(1);
                    case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new AssertionError(type);
                    case BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, LONG, UNSIGNED_LONG -> 1;
                };
            case MIN -> bound(type, true);
            case MAX -> bound(type, false);
        };
    }

    /// The bits of the greatest element, or of the least.
    private static long bound(ElementType type, boolean isUpper) {
        return switch (type) {
            case BYTE -> isUpper ? Byte.MAX_VALUE : Byte.MIN_VALUE;
            case SHORT -> isUpper ? Short.MAX_VALUE : Short.MIN_VALUE;
            case INT -> isUpper ? Integer.MAX_VALUE : Integer.MIN_VALUE;
            case LONG -> isUpper ? Long.MAX_VALUE : Long.MIN_VALUE;
            case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> isUpper ? -1 : 0;
            case FLOAT -> Float.floatToRawIntBits(infinity(isUpper));
            case HALF -> Float.floatToFloat16(infinity(isUpper));
            case BFLOAT16 -> Bfloat16.of(infinity(isUpper));
            case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new AssertionError(type);
            case DOUBLE -> Double.doubleToRawLongBits(isUpper ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
        };
    }

    private static float infinity(boolean isUpper) {
        return isUpper ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY;
    }

    /// Fills `length` bytes with it.
    static void fill(ReductionKind reduction, ElementType type, MemorySegment elements, long from, long length) {
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
