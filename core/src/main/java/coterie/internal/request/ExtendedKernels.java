// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.IntegerReduction;
import java.lang.foreign.MemorySegment;

/// Loops and words of the reductions that requests have alone. Offsets and lengths are in bytes.
final class ExtendedKernels {
    private ExtendedKernels() {}

    static void scaleFloats(MemorySegment elements, long from, long length, float factor, int divisor) {
        for (long at = from; at < from + length; at += Float.BYTES) {
            elements.set(JAVA_FLOAT_UNALIGNED, at, elements.get(JAVA_FLOAT_UNALIGNED, at) * factor / divisor);
        }
    }

    static void scaleDoubles(MemorySegment elements, long from, long length, double factor, int divisor) {
        for (long at = from; at < from + length; at += Double.BYTES) {
            elements.set(JAVA_DOUBLE_UNALIGNED, at, elements.get(JAVA_DOUBLE_UNALIGNED, at) * factor / divisor);
        }
    }

    static void scaleShorts(ElementType type, MemorySegment elements, long from, long length, float factor) {
        for (long at = from; at < from + length; at += Short.BYTES) {
            short bits = elements.get(JAVA_SHORT_UNALIGNED, at);
            boolean isHalf = type == ElementType.HALF;
            float value = (isHalf ? Float.float16ToFloat(bits) : Bfloat16.toFloat(bits)) * factor;
            short half = Float.isNaN(value) ? 0x7E00 : Float.floatToFloat16(value);
            elements.set(JAVA_SHORT_UNALIGNED, at, isHalf ? half : Bfloat16.of(value));
        }
    }

    /// Fills 16-bit numbers of either format with −0, which changes no sum.
    static void negativeZeros(MemorySegment elements, long from, long length) {
        for (long at = from; at < from + length; at += Short.BYTES) {
            elements.set(JAVA_SHORT_UNALIGNED, at, Short.MIN_VALUE);
        }
    }

    /// Makes each integer of the target 1 or 0.
    static void combineTruths(
            IntegerReduction reduction,
            int width,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        for (long at = 0; at < length; at += width) {
            boolean one = bits(left, leftFrom + at, width) != 0;
            boolean other = bits(right, rightFrom + at, width) != 0;
            boolean both = switch (reduction) {
                case LOGICAL_AND -> one && other;
                case LOGICAL_OR -> one || other;
                default -> one ^ other;
            };
            setBits(target, to + at, width, both ? 1 : 0);
        }
    }

    /// An element's bits, with its sign.
    static long bits(MemorySegment elements, long at, int width) {
        return switch (width) {
            case Byte.BYTES -> elements.get(JAVA_BYTE, at);
            case Short.BYTES -> elements.get(JAVA_SHORT_UNALIGNED, at);
            case Integer.BYTES -> elements.get(JAVA_INT_UNALIGNED, at);
            default -> elements.get(JAVA_LONG_UNALIGNED, at);
        };
    }

    static void setBits(MemorySegment elements, long at, int width, long bits) {
        switch (width) {
            case Byte.BYTES -> elements.set(JAVA_BYTE, at, (byte) bits);
            case Short.BYTES -> elements.set(JAVA_SHORT_UNALIGNED, at, (short) bits);
            case Integer.BYTES -> elements.set(JAVA_INT_UNALIGNED, at, (int) bits);
            default -> elements.set(JAVA_LONG_UNALIGNED, at, bits);
        }
    }

    /// A number that is ordered among others as the element is: unsigned where it is, and a negative zero before
    /// the positive one.
    ///
    /// @param bits see [#bits]
    /// @param isNanLast whether what is no number comes behind all others, or before them
    static long rank(ElementType type, long bits, boolean isNanLast) {
        return switch (type) {
            case BYTE, SHORT, INT, LONG -> bits;
            case UNSIGNED_BYTE -> bits & 0xFF;
            case UNSIGNED_SHORT -> bits & 0xFFFF;
            case UNSIGNED_INT -> bits & 0xFFFF_FFFFL;
            case UNSIGNED_LONG -> bits ^ Long.MIN_VALUE;
            case FLOAT -> rank(Float.intBitsToFloat((int) bits), isNanLast);
            case DOUBLE -> rank(Double.longBitsToDouble(bits), isNanLast);
            case HALF -> rank(Float.float16ToFloat((short) bits), isNanLast);
            case BFLOAT16 -> rank(Bfloat16.toFloat((short) bits), isNanLast);
            case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new AssertionError(type);
        };
    }

    private static long rank(double value, boolean isNanLast) {
        if (Double.isNaN(value)) {
            return isNanLast ? Long.MAX_VALUE : Long.MIN_VALUE;
        }
        long bits = Double.doubleToRawLongBits(value);
        return bits ^ (bits >> 63 & Long.MAX_VALUE);
    }
}
