// SPDX-License-Identifier: Apache-2.0
package coterie;

/// Conversions of bfloat16, whose bits are the upper half of a `float`'s. Java has them for binary16:
/// [Float#float16ToFloat(short)] and [Float#floatToFloat16(float)].
///
/// Threads: any.
public final class Bfloat16 {
    private static final short NAN = 0x7FC0;

    private Bfloat16() {}

    /// Returns the number that 16 bits stand for; exact.
    public static float toFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /// Returns the bits of the nearest bfloat16, of two that are as near the one whose last bit is 0. What is too
    /// large becomes infinite, and every NaN 0x7FC0.
    public static short of(float value) {
        if (Float.isNaN(value)) {
            return NAN;
        }
        int bits = Float.floatToRawIntBits(value);
        return (short) ((bits + 0x7FFF + ((bits >>> 16) & 1)) >>> 16);
    }
}
