// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Conversions of the two 8-bit floating-point formats of the Open Compute Project, [ElementType#FLOAT8_E4M3] and
/// [ElementType#FLOAT8_E5M2].
///
/// A `float` becomes the nearest number of the format, of two that are as near the one whose last bit is 0. What is
/// too large becomes infinite of E5M2 and NaN of E4M3, which has no infinity: the conversion that does not saturate.
/// A program that wants 448 in place of NaN limits its numbers before. Every NaN becomes 0x7F.
///
/// Threads: any.
public final class Float8 {
    private static final byte NAN = 0x7F;
    private static final int E4M3_LARGEST = 0x7E;
    private static final int E5M2_INFINITY = 0x7C;

    private Float8() {}

    /// Returns the number that 8 bits of E4M3 stand for; exact.
    public static float fromE4m3(byte bits) {
        int magnitude = bits & 0x7F;
        if (magnitude == NAN) {
            return Float.NaN;
        }
        int exponent = magnitude >>> 3;
        float number = exponent == 0
                ? magnitude * 0x1p-9f
                : Float.intBitsToFloat(((exponent + 120) << 23) | ((magnitude & 7) << 20));
        return bits < 0 ? -number : number;
    }

    /// Returns the number that 8 bits of E5M2 stand for; exact.
    public static float fromE5m2(byte bits) {
        return Float.float16ToFloat((short) (bits << 8));
    }

    /// Returns the bits of the nearest number of E4M3.
    public static byte toE4m3(float value) {
        int magnitude = magnitude(value, 3, 7);
        return magnitude > E4M3_LARGEST ? NAN : signed(magnitude, value);
    }

    /// Returns the bits of the nearest number of E5M2.
    public static byte toE5m2(float value) {
        if (Float.isNaN(value)) {
            return NAN;
        }
        return signed(Math.min(magnitude(value, 2, 15), E5M2_INFINITY), value);
    }

    private static byte signed(int magnitude, float value) {
        return (byte) (((Float.floatToRawIntBits(value) >>> 24) & 0x80) | magnitude);
    }

    /// The bits without the sign, as if exponents had no end.
    private static int magnitude(float value, int fractionBits, int bias) {
        int bits = Float.floatToRawIntBits(value) & Integer.MAX_VALUE;
        int exponent = (bits >>> 23) - 127 + bias;
        if (exponent <= 0) { // multiples of the least number
            return (int) Math.rint(Math.abs((double) value) * Math.scalb(1.0, bias - 1 + fractionBits));
        }
        int shift = 23 - fractionBits;
        int rounded = bits + (1 << (shift - 1)) - 1 + ((bits >>> shift) & 1);
        return (rounded >>> shift) - ((127 - bias) << fractionBits);
    }
}
