// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Rounds enough for faults that are seldom, in the soak tier alone. Kernels of PEs that are threads run at one time;
/// those of processes take turns by time slices, milliseconds for each, unless NVIDIA's MPS runs.
@OnDevice
@EnabledIfSystemProperty(named = "coterie.soak", matches = "true", disabledReason = "for the soak tier")
class KernelsOnDeviceSoakTest {
    private static final int ROUNDS = 1_000_000;
    private static final int ROUNDS_OF_PROCESSES = 20_000;
    private static final DeviceTeamOptions OPTIONS = DeviceTeamOptions.DEFAULT;

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 600)
    @DisplayName("put with signal, set and add, to registered memory and to device memory: the bytes come first")
    void messages(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.messages(bench, false, ROUNDS));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 600)
    @DisplayName("put with signal between processes, whose kernels take turns")
    void messagesOfProcesses(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.messages(bench, false, ROUNDS_OF_PROCESSES));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 600)
    @DisplayName("put with signal by the ring, to registered memory that the device does not map")
    void messagesOfNodes(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.messages(bench, true, ROUNDS_OF_PROCESSES));
    }

    @SpmdTest(pes = 2, timeoutSeconds = 600)
    @DisplayName("a kernel signals its host, which answers: flags of host and device")
    void flags(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.flags(bench, ROUNDS));
    }

    @SpmdTest(
            pes = {1, 2},
            modes = SpmdMode.THREADS,
            timeoutSeconds = 600)
    @DisplayName("threads of all devices and hosts add to one word: none is lost")
    void adds(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.adds(bench, 50_000));
    }

    @SpmdTest(
            pes = {1, 2},
            modes = SpmdMode.PROCESSES,
            timeoutSeconds = 600)
    @DisplayName("threads of the devices of processes, and hosts, add to one word: none is lost")
    void addsOfProcesses(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.adds(bench, 2000));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 600)
    @DisplayName("a fence orders puts, and a quiet completes them before later loads")
    void fences(World world) {
        KernelBench.use(world, OPTIONS, bench -> KernelsOnDeviceTest.fences(bench, ROUNDS, bench.memories()));
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = SpmdMode.THREADS,
            timeoutSeconds = 600)
    @DisplayName("a barrier of kernels completes the puts before it")
    void barriers(World world) {
        KernelBench.use(world, OPTIONS, bench -> bench.run("meet", 1, 10_000));
    }

    @SpmdTest(
            pes = {1, 2, 4},
            modes = SpmdMode.PROCESSES,
            timeoutSeconds = 600)
    @DisplayName("a barrier of the kernels of processes completes the puts before it")
    void barriersOfProcesses(World world) {
        KernelBench.use(world, OPTIONS, bench -> bench.run("meet", 1, 1000));
    }
}
