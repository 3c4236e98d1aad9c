// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Reductions and broadcasts of kernels.
@OnDevice
class KernelReductionsOnDeviceTest {
    private static final int SCOPES = 3;

    @SpmdTest(
            pes = {1, 2, 3},
            modes = SpmdMode.THREADS,
            timeoutSeconds = 90)
    @DisplayName("reductions of all members' elements are those of one thread at each scope; what is around stays")
    void reductions(World world) {
        KernelBench.each(world, KernelBench.REDUCTIONS, (bench, memory) -> {
            for (int scope = 0; scope < SCOPES; scope++) {
                bench.run("reductions", memory, bench.scratch(), scope);
                bench.clear();
            }
        });
    }

    @SpmdTest(pes = 1, timeoutSeconds = 90)
    @DisplayName("16-bit numbers are rounded once, integers wrap around, a NaN is least and greatest, and -0 < 0")
    void roundings(World world) {
        KernelBench.use(world, KernelBench.REDUCTIONS, bench -> bench.run("roundings", bench.scratch()));
    }

    @SpmdTest(pes = 1, timeoutSeconds = 90)
    @DisplayName("a broadcast gives all threads of a warp or a block the value of one of them")
    void broadcasts(World world) {
        KernelBench.use(world, KernelBench.REDUCTIONS, bench -> bench.run("broadcasts"));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("a reduction says that it does not reach a PE of another node")
    void otherNode(World world) {
        KernelBench.use(
                world,
                KernelBench.REDUCTIONS,
                bench -> assertThatThrownBy(() -> bench.run("reductions", 1, bench.scratch(), 2))
                        .isInstanceOfSatisfying(
                                DeviceTeamException.class,
                                e -> assertThat(e.error()).isEqualTo(DeviceError.UNREACHABLE))
                        .hasMessageContaining("reduction of a kernel (block 1, offset "));
    }
}
