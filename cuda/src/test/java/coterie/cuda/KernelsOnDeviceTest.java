// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/// Kernels that communicate, on a device: registered host memory, and device memory for the data.
@Tag("device")
class KernelsOnDeviceTest {
    private static final Extent ONE = Extent.of(1);
    private static final Extent BLOCK = Extent.of(128);
    private static final int SET = 1;
    private static final int ADD = 2;
    private static final long STATUS = 512;
    private static final int[] HOST_AND_DEVICE = {1, 2};
    private static final List<String> KERNELS =
            List.of("sender", "receiver", "adds", "meet", "warps", "gins", "elements");

    /// Rounds of the soak tier, where PEs that wait for each other are threads: their kernels run at one time.
    /// Kernels of processes take turns by time slices, milliseconds for each, unless NVIDIA's MPS runs.
    private static final int SOAK = 1_000_000;

    private static final int SOAK_OF_PROCESSES = 20_000;

    /// Fewer than the soak tier has.
    private static int rounds(int soak) {
        return Boolean.getBoolean("coterie.soak") ? soak : Math.max(soak / 500, 200);
    }

    /// A device, a block of registered memory, and the kernels of `device_team.cu`.
    private static final class Bench implements AutoCloseable {
        final World world;
        final Cuda cuda;
        final SymmetricMemory host;
        final RegisteredMemory registered;
        final DeviceMemory device;
        final DeviceTeam team;
        final CudaModule module;
        final CudaStream stream;

        Bench(World world, DeviceTeamOptions options) {
            this.world = world;
            this.cuda = Device.open(world);
            assumeTrue(LibNvrtc.missing(world.setting("NVRTC_LIBRARY")).isEmpty(), "skipped: no NVRTC");
            this.host = world.allocate(1 << 20, 1 << 16);
            this.registered = cuda.register(host);
            this.device = cuda.allocate(world.team(), 1 << 20);
            this.team = DeviceTeam.create(cuda, world.team(), options, registered, device);
            this.module = cuda.compile("device_team.cu", source());
            this.stream = cuda.createStream("kernels");
            KERNELS.forEach(module::kernel); // the driver may wait for running kernels when it loads one
            world.team().barrier();
        }

        /// Returns memory of the device that no kernel puts to.
        long scratch() {
            return device.devicePointer() + (1 << 19);
        }

        /// Launches a kernel of one block.
        ///
        /// @param arguments between the team and the address of the status
        void launch(DeviceTeam kernels, String kernel, Object... arguments) {
            host.longs().set(STATUS / Long.BYTES, 0);
            List<Object> all = new ArrayList<>(List.of(kernels.address()));
            all.addAll(List.of(arguments));
            all.add(registered.devicePointer() + STATUS);
            stream.launch(module.kernel(kernel), ONE, BLOCK, 0, all.toArray());
        }

        /// Launches a kernel, and checks that all is well.
        void run(DeviceTeam kernels, String kernel, Object... arguments) {
            launch(kernels, kernel, arguments);
            stream.synchronise();
            kernels.check();
            assertThat(host.ints().get(STATUS / Integer.BYTES)).isZero();
        }

        void run(String kernel, Object... arguments) {
            run(team, kernel, arguments);
        }

        /// Clears the words that kernels have put, on all PEs.
        void clear() {
            world.team().barrier();
            host.segment().asSlice(0, 1 << 17).fill((byte) 0);
            stream.fill(device, 0, 1 << 17, (byte) 0);
            stream.synchronise();
            world.team().barrier();
        }

        @Override
        public void close() {
            world.team().barrier();
            stream.close();
            module.close();
            team.close();
            device.close();
            registered.close();
            cuda.close();
            host.close();
        }
    }

    private static String source() {
        try (InputStream stream = KernelsOnDeviceTest.class.getResourceAsStream("device_team.cu")) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void messages(World world, int[] memories, int rounds) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            for (int memory : memories) {
                for (int operation : new int[] {SET, ADD}) {
                    if (world.pe() == 0) {
                        bench.run("sender", memory, bench.scratch(), 64, operation, 1, rounds);
                    } else {
                        bench.run("receiver", memory, 64, 0, rounds);
                    }
                    bench.clear();
                }
            }
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 600)
    @DisplayName("put with signal, set and add, to registered memory and to device memory: the bytes come first")
    void messages(World world) {
        messages(world, HOST_AND_DEVICE, rounds(SOAK));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 600)
    @DisplayName("put with signal between processes, whose kernels take turns")
    void messagesOfProcesses(World world) {
        messages(world, HOST_AND_DEVICE, rounds(SOAK_OF_PROCESSES));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 600)
    @DisplayName("put with signal by the ring, to registered memory that the device does not map")
    void messagesOfNodes(World world) {
        messages(world, new int[] {1}, rounds(SOAK_OF_PROCESSES));
    }

    private static void scopes(World world, int... memories) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            for (int memory : memories) {
                bench.run("warps", memory, bench.scratch(), 100);
                bench.clear();
                bench.run("elements", memory, bench.scratch());
                bench.clear();
            }
        }
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 60)
    @DisplayName("warps put, signal, wait and get; a thread gets elements, and fetches by atomics")
    void scopes(World world) {
        scopes(world, 1, 2);
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 60)
    @DisplayName("the same by the ring; device memory of another node is unreachable, by name")
    void scopesOfNodes(World world) {
        scopes(world, 1);
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            assertThatThrownBy(() -> bench.run("warps", 2, bench.scratch(), 1))
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.UNREACHABLE));
            assertThat(bench.host.ints().get(STATUS / Integer.BYTES))
                    .as("the status that the threads got")
                    .isEqualTo(DeviceError.UNREACHABLE.code());
        }
    }

    private static void gins(World world, int... memories) {
        for (int memory : memories) { // GIN's signals count for the life of a team
            try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
                bench.run("gins", memory, 100);
            }
        }
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 60)
    @DisplayName("GIN's puts, strong signals, counters and barriers, by a block")
    void gins(World world) {
        gins(world, 1, 2);
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 60)
    @DisplayName("GIN's names by the ring")
    void ginsOfNodes(World world) {
        gins(world, 1);
    }

    @SpmdTest(pes = 1, timeoutSeconds = 60)
    @DisplayName("the host ends a wait without a deadline; the device stays usable")
    void abort(World world) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT.deadline(Duration.ZERO))) {
            bench.launch(bench.team, "receiver", 1, 64, 0, 1);
            assertThat(bench.stream.query()).isFalse(); // on its way, or waiting for ever
            bench.team.abort();
            bench.stream.synchronise();
            assertThatThrownBy(bench.team::check)
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.ABORTED));
            try (DeviceTeam second = DeviceTeam.create(bench.cuda, world.team(), bench.registered)) {
                bench.run(second, "meet", 1, 10);
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 600)
    @DisplayName("a kernel signals its host, which answers: flags of host and device, up to 10^6 rounds")
    void flags(World world) {
        int rounds = rounds(SOAK);
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            Thread host = new Thread(() -> {
                for (long round = 1; round <= rounds; round++) { // as the kernel `receiver` on another PE would
                    bench.host.signal(0).waitUntil(Comparison.GE, round);
                    for (int i = 0; i < 64; i++) {
                        long found = bench.host.longs().get(512 + round % 8 * 64 + i);
                        if (found < round) {
                            throw new AssertionError("round " + round + ": word " + i + " is " + found);
                        }
                    }
                    if (round % 8 == 0) {
                        bench.host.signal(8).set(round, world.pe());
                    }
                }
            });
            Throwable[] failure = new Throwable[1];
            host.setUncaughtExceptionHandler((_, e) -> failure[0] = e);
            host.start();
            bench.run("sender", 1, bench.scratch(), 64, SET, world.pe(), rounds);
            try {
                host.join();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            assertThat(failure[0]).isNull();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 600)
    @DisplayName("threads of all devices and hosts add to one word: none is lost")
    void adds(World world) {
        int count = rounds(50_000);
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            for (int i = 0; i < count; i++) {
                bench.host.longs().add(16, 1, 0);
            }
            bench.run("adds", 1, count);
            world.team().barrier();
            if (world.pe() == 0) {
                assertThat(bench.host.longs().get(16)).isEqualTo((2L * 128 + 1) * count * world.size());
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            timeoutSeconds = 600)
    @DisplayName("a barrier of kernels completes the puts before it")
    void barriers(World world) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            bench.run("meet", 1, rounds(10_000));
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a wait of a kernel ends at the deadline with what it found; the device stays usable")
    void deadline(World world) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT.deadline(Duration.ofMillis(100)))) {
            assertThatThrownBy(() -> bench.run("receiver", 1, 64, 0, 1))
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.TIMEOUT))
                    .hasMessageContaining("the word is 0, waited for GE 1");
            DeviceTeam second = DeviceTeam.create(bench.cuda, world.team(), bench.registered);
            bench.run(second, "meet", 1, 10); // the first team keeps its error
            second.close();
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 300)
    @DisplayName("1,000 teams leave the device's free memory as it was")
    void leaks(World world) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            long before = 0;
            for (int round = 0; round < 1000; round++) {
                DeviceTeam.create(bench.cuda, world.team(), bench.registered).close();
                if (round == 100) {
                    before = bench.cuda.freeBytes();
                }
            }
            world.team().barrier();
            assertThat(bench.cuda.freeBytes()).isGreaterThanOrEqualTo(before - (4 << 20));
        }
    }
}
