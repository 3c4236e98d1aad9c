// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MemoryLimitTest {
    @Test
    void namesTheLimitItFound() {
        MemoryLimit limit = MemoryLimit.tightest();
        assertThat(limit.availableBytes()).isBetween(1L, 1L << 48);
        assertThat(limit.source())
                .matches("the machine has .* MiB available|control group /.* is limited to .* MiB and uses .*");
    }
}
