// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Float8;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class Float8Test {
    @FunctionalInterface
    private interface Format {
        double of(int magnitude);
    }

    /// E4M3 without its NaNs: the number that 0x7F would be stands for what rounds beyond 448.
    private static double e4m3(int magnitude) {
        return ShortFloats.magnitude(magnitude >>> 3, magnitude & 7, 3, 7);
    }

    private static double e5m2(int magnitude) {
        return ShortFloats.magnitude(magnitude >>> 2, magnitude & 3, 2, 15);
    }

    @Test
    @DisplayName("each of the 256 has the number of the format's definition, and comes back from it")
    void all() {
        for (int bits = 0; bits < 256; bits++) {
            int magnitude = bits & 0x7F;
            int sign = bits < 128 ? 1 : -1;
            float fine = magnitude == 0x7F ? Float.NaN : (float) (sign * e4m3(magnitude));
            float wide =
                    magnitude > 0x7C ? Float.NaN : (float) (sign * (magnitude == 0x7C ? 1 / 0.0 : e5m2(magnitude)));
            assertThat(Float.compare(Float8.fromE4m3((byte) bits), fine))
                    .as("E4M3 %x", bits)
                    .isZero();
            assertThat(Float.compare(Float8.fromE5m2((byte) bits), wide))
                    .as("E5M2 %x", bits)
                    .isZero();
            assertThat(Float8.toE4m3(fine)).as("E4M3 %x", bits).isEqualTo((byte) (Float.isNaN(fine) ? 0x7F : bits));
            assertThat(Float8.toE5m2(wide)).as("E5M2 %x", bits).isEqualTo((byte) (Float.isNaN(wide) ? 0x7F : bits));
        }
    }

    /// The nearest of the numbers up to `last`, and one more if nearer; of two as near the even one.
    private static int nearest(Format format, int last, float value) {
        double wanted = Math.min(Math.abs((double) value), 1e6); // exact, and beyond both formats
        int best = 0;
        for (int bits = 1; bits <= last + 1; bits++) {
            double before = Math.abs(wanted - format.of(best));
            double now = Math.abs(wanted - format.of(bits));
            if (now < before || (now == before && bits % 2 == 0)) {
                best = bits;
            }
        }
        return best;
    }

    @Test
    @DisplayName(
            "a float becomes the nearest, of two as near the even one; beyond the greatest NaN of E4M3, else infinite")
    void nearest() {
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 200_000; i++) {
            int bits = random.nextInt();
            float any = Float.intBitsToFloat(i % 2 == 0 ? bits : bits & 0xFFF8_0000); // halfway between two
            float value = i % 4 < 2 ? any : any % 600; // not too large
            int sign = value < 0 || 1 / value < 0 ? 0x80 : 0;
            int fine = nearest(Float8Test::e4m3, 0x7E, value);
            int wide = nearest(Float8Test::e5m2, 0x7B, value);
            boolean isNan = Float.isNaN(value);
            assertThat(Float8.toE4m3(value)).as("E4M3 of %s", value).isEqualTo((byte)
                    (isNan || fine == 0x7F ? 0x7F : sign | fine));
            assertThat(Float8.toE5m2(value)).as("E5M2 of %s", value).isEqualTo((byte) (isNan ? 0x7F : sign | wide));
        }
        assertThat(Float8.toE4m3(464)).isEqualTo((byte) 0x7E); // as near to 448 as to 480, which is not there
        assertThat(Float8.toE4m3(Math.nextUp(464f))).isEqualTo((byte) 0x7F);
        assertThat(Float8.toE5m2(61_440)).isEqualTo((byte) 0x7C);
        assertThat(Float8.toE5m2(Math.nextDown(61_440f))).isEqualTo((byte) 0x7B);
        assertThat(Float8.toE5m2(Float.NEGATIVE_INFINITY)).isEqualTo((byte) 0xFC);
    }
}
