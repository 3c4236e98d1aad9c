// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Bfloat16;
import coterie.ElementType;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class Bfloat16Test {
    @Test
    @DisplayName("each of the 65,536 has the number of the format's definition, and comes back from it")
    void all() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float expected = ShortFloats.value(ElementType.BFLOAT16, bits);
            float number = Bfloat16.toFloat((short) bits);
            assertThat(Float.compare(number, expected)).as("bits %x", bits).isZero();
            short back = Float.isNaN(expected) ? 0x7FC0 : (short) bits;
            assertThat(Bfloat16.of(number)).as("bits %x", bits).isEqualTo(back);
        }
    }

    @Test
    @DisplayName("a float becomes the nearest, of two as near the even one, and infinite beyond the greatest")
    void nearest() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1_000_000; i++) {
            int bits = random.nextInt();
            float number = Float.intBitsToFloat(i % 2 == 0 ? bits : bits & 0xFFFF_8000); // halfway between two
            assertThat(Bfloat16.of(number)).as("%s", number).isEqualTo((short)
                    ShortFloats.bits(ElementType.BFLOAT16, number));
        }
        assertThat(Bfloat16.of(Float.MAX_VALUE)).isEqualTo((short) 0x7F80);
        assertThat(Bfloat16.of(-Float.MAX_VALUE)).isEqualTo((short) 0xFF80);
    }
}
