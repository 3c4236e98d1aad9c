// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;

/// Waits of kernels for several words.
@OnDevice
class KernelWaitsOnDeviceTest {
    private static final int ROUNDS = KernelBench.rounds(40);
    private static final int SCOPES = 3;

    /// The words of `late`.
    private static final long LATE_WORDS = 98_304;

    private static final DeviceTeamOptions SHORT = DeviceTeamOptions.DEFAULT.withTimeout(Duration.ofMillis(100));

    private static void waits(KernelBench bench, int memory) {
        for (int scope = 0; scope < SCOPES; scope++) {
            bench.run("waits", memory, bench.scratch(), scope, ROUNDS);
            bench.clear();
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 90)
    @DisplayName("waits for any, some and all of several words miss none, whenever and in whatever order they are set")
    void waits(World world) {
        KernelBench.each(world, KernelBench.WAITS, KernelWaitsOnDeviceTest::waits);
    }

    @SpmdTest(pes = 1, timeoutSeconds = 90)
    @DisplayName("a wait for several words ends at the timeout with the word that is missing, on all threads alike")
    void late(World world) {
        for (int which = 0; which < 3; which++) {
            int kind = which;
            KernelBench.use(world, SHORT, KernelBench.WAITS, bench -> {
                long first = LATE_WORDS / Long.BYTES;
                for (int word : new int[] {0, 1, 3}) {
                    bench.host.longs().set(first + word, 5);
                }
                bench.host.longs().set(first + 2, 4);
                bench.launch(bench.team, "late", 1, bench.scratch(), kind);
                bench.stream.synchronize();
                assertThat(bench.status()).isEqualTo(DeviceError.TIMEOUT.code());
                assertThatThrownBy(bench.team::check)
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("offset " + (LATE_WORDS + 16) + ", PE 0")
                        .hasMessageContaining("the word is 4, waited for GE 5");
            });
        }
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("the words are set by a PE of another node, by the ring")
    void otherNode(World world) {
        KernelBench.use(world, KernelBench.WAITS, bench -> waits(bench, 1));
    }
}
