// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RollingComparisonTest {
    private static final long EIGHT = RollingComparison.mask(8);

    private static boolean isAtMost(long least, long value) {
        return RollingComparison.isAtMost(least, value, EIGHT);
    }

    @Test
    @DisplayName("GI-S3 eight bits: 4, after 250 and 10, has met 4, 260 and 250")
    void wraps() {
        long value = (250 + 10) & EIGHT;
        assertThat(value).isEqualTo(4);
        assertThat(isAtMost(4, value)).isTrue();
        assertThat(isAtMost(260, value)).isTrue();
        assertThat(isAtMost(250, value)).isTrue();
        assertThat(isAtMost(5, value)).isFalse();
    }

    @Test
    @DisplayName("GI-S4 eight bits: 127 has met 0, and 128 has not")
    void halfOfTheCircle() {
        assertThat(isAtMost(0, 127)).isTrue();
        assertThat(isAtMost(0, 128)).isFalse();
        assertThat(isAtMost(0, 255)).isFalse();
    }

    @Test
    @DisplayName("GI-S5 eight bits: of 0 and 128 neither is at most the other")
    void opposite() {
        assertThat(isAtMost(0, 128)).isFalse();
        assertThat(isAtMost(128, 0)).isFalse();
    }

    @Test
    @DisplayName("GI-S6 one bit: at most is equal")
    void oneBit() {
        long mask = RollingComparison.mask(1);
        assertThat(RollingComparison.isAtMost(1, 0, mask)).isFalse();
        assertThat(RollingComparison.isAtMost(1, 1, mask)).isTrue();
        assertThat(RollingComparison.isAtMost(1, 2, mask)).isFalse();
    }

    @Test
    @DisplayName("64 bits: an unsigned overflow keeps x < x + 1")
    void allBits() {
        long mask = RollingComparison.mask(64);
        for (long x : new long[] {0, 1, Long.MAX_VALUE, Long.MIN_VALUE, -1}) {
            assertThat(RollingComparison.isAtMost(x, x + 1, mask)).isTrue();
            assertThat(RollingComparison.isAtMost(x + 1, x, mask)).isFalse();
        }
    }

    @Test
    @DisplayName("the distance is the least way up to a value that counts")
    void distance() {
        for (long least = 0; least < 256; least++) {
            for (long value = 0; value < 256; value++) {
                long way = RollingComparison.distance(least, value, EIGHT);
                if (!isAtMost(least, value)) {
                    assertThat(isAtMost(least, value + way)).isTrue();
                    assertThat(isAtMost(least, value + way - 1)).isFalse();
                }
            }
        }
    }
}
