// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import coterie.ElementType;
import java.util.NavigableMap;
import java.util.TreeMap;

/// What tests know of FLOAT, HALF and BFLOAT16 by other means than the runtime: the numbers of a type in a table, and
/// the nearest of them by a search in it.
final class ShortFloats {
    private static final NavigableMap<Float, Short> HALVES = new TreeMap<>();
    private static final NavigableMap<Float, Short> BFLOATS = new TreeMap<>();

    static {
        for (int bits = 0; bits < 1 << 16; bits++) {
            add(HALVES, number(bits, 5, 10), bits);
            add(BFLOATS, number(bits, 8, 7), bits);
        }
    }

    private ShortFloats() {}

    private static void add(NavigableMap<Float, Short> numbers, float number, int bits) {
        if (!Float.isNaN(number)) {
            numbers.put(number, (short) bits);
        }
    }

    /// The number that bits stand for, by the definition of the formats.
    static float number(int bits, int exponentBits, int fractionBits) {
        int exponent = (bits >>> fractionBits) & ((1 << exponentBits) - 1);
        int fraction = bits & ((1 << fractionBits) - 1);
        int bias = (1 << (exponentBits - 1)) - 1;
        double magnitude = exponent == (1 << exponentBits) - 1
                ? fraction == 0 ? Double.POSITIVE_INFINITY : Double.NaN
                : magnitude(exponent, fraction, fractionBits, bias);
        return (float) ((bits & 0x8000) == 0 ? magnitude : -magnitude);
    }

    /// The finite number of an exponent, as its field has it, and a fraction.
    static double magnitude(int exponent, int fraction, int fractionBits, int bias) {
        return exponent == 0
                ? Math.scalb((double) fraction, 1 - bias - fractionBits)
                : Math.scalb((double) (fraction | (1 << fractionBits)), exponent - bias - fractionBits);
    }

    static float value(ElementType type, long bits) {
        return switch (type) {
            case HALF -> number((int) bits & 0xFFFF, 5, 10);
            case BFLOAT16 -> number((int) bits & 0xFFFF, 8, 7);
            default -> Float.intBitsToFloat((int) bits);
        };
    }

    /// The bits of the nearest number; of a NaN those that reductions give.
    static long bits(ElementType type, float value) {
        return switch (type) {
            case HALF -> Float.isNaN(value) ? 0x7E00 : nearest(HALVES, value);
            case BFLOAT16 -> Float.isNaN(value) ? 0x7FC0 : nearest(BFLOATS, value);
            default -> Float.floatToRawIntBits(value);
        };
    }

    private static long nearest(NavigableMap<Float, Short> numbers, float value) {
        var below = numbers.floorEntry(value);
        var above = numbers.ceilingEntry(value);
        if (below.getKey().equals(above.getKey())) {
            return below.getValue();
        }
        double down = value - finite(numbers, below.getKey());
        double up = finite(numbers, above.getKey()) - value;
        boolean isDown = down < up || (down == up && (below.getValue() & 1) == 0);
        return isDown ? below.getValue() : above.getValue();
    }

    /// Rounding goes on beyond the greatest number as if there were one more: infinity stands there.
    private static double finite(NavigableMap<Float, Short> numbers, float number) {
        if (!Float.isInfinite(number)) {
            return number;
        }
        double greatest = numbers.lowerKey(Float.POSITIVE_INFINITY);
        double step = greatest - numbers.lowerKey((float) greatest);
        return number > 0 ? greatest + step : -greatest - step;
    }
}
