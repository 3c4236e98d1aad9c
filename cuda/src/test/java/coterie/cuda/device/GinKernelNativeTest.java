// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.cuda.DeviceError;
import coterie.cuda.device.HostDevice.Reach;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// GIN's device names on threads of a CPU.
class GinKernelNativeTest {
    private static final int BLOCK = KernelFixture.BLOCK;

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 60)
    @DisplayName("strong signals follow earlier puts, counters say when a source may change, by a block of two threads")
    void exchange(World world) {
        NativeKernels kernels = NativeKernels.open();
        for (Reach reach : Reach.values()) {
            exchange(world, kernels, reach, KernelFixture.rounds(500));
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, nodes = "a:1,b:1")
    @DisplayName("the same between nodes")
    void otherNode(World world) {
        NativeKernels kernels = NativeKernels.open();
        exchange(world, kernels, Reach.LOADS_AND_STORES, 50);
        single(world, kernels, Reach.LOADS_AND_STORES);
    }

    private static void exchange(World world, NativeKernels kernels, Reach reach, int rounds) {
        try (KernelFixture fixture = KernelFixture.open(world, reach)) {
            long team = fixture.team.address();
            assertThat(kernels.block(2, _ -> kernels.call("kernel_gin", team, BLOCK, 1024L, rounds)))
                    .as("%s", reach)
                    .isZero();
            fixture.checkNoError();
            fixture.barrier();
        }
    }

    @SpmdTest(pes = {1, 2})
    @DisplayName("values with signals, VA signals, shadows, requests, and signals of 8 bits")
    void single(World world) {
        NativeKernels kernels = NativeKernels.open();
        for (Reach reach : Reach.values()) {
            single(world, kernels, reach);
        }
    }

    private static void single(World world, NativeKernels kernels, Reach reach) {
        try (KernelFixture fixture = KernelFixture.open(world, reach)) {
            assertThat(kernels.call("kernel_gin_thread", fixture.team.address(), BLOCK, fixture.right))
                    .as("%s", reach)
                    .isZero();
            fixture.checkNoError();
            fixture.barrier();
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("contexts and signals out of range are refused with how many there are")
    void refused(World world) {
        NativeKernels kernels = NativeKernels.open();
        refused(world, kernels, 4, 0, "index 4 is outside [0, 4)");
        refused(world, kernels, -1, 0, "index -1 is outside [0, 4)");
        refused(world, kernels, 0, 64, "index 64 is outside [0, 64)");
    }

    private static void refused(World world, NativeKernels kernels, int context, int signal, String words) {
        try (KernelFixture fixture = KernelFixture.open(world, Reach.ATOMICS)) {
            assertThat(kernels.call("kernel_gin_bad", fixture.team.address(), context, signal))
                    .isEqualTo(DeviceError.BAD_INDEX.code());
            assertThat(fixture.team.describe(DeviceError.BAD_INDEX)).contains(words);
        }
    }
}
