// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.Comparison;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.cuda.nvrtc.LibNvrtc;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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

    /// Fewer than the soak tier has.
    private static int rounds(int soak) {
        return Boolean.getBoolean("coterie.soak") ? soak : soak / 500;
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
        }

        /// Launches a kernel of one block, and checks that all is well.
        void run(String kernel, Object... arguments) {
            host.longs().set(STATUS / Long.BYTES, 0);
            Object[] all = java.util.Arrays.copyOf(arguments, arguments.length + 1);
            all[arguments.length] = registered.devicePointer() + STATUS;
            stream.launch(module.kernel(kernel), ONE, BLOCK, 0, all);
            stream.synchronise();
            team.check();
            assertThat(host.ints().get(STATUS / Integer.BYTES)).isZero();
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

    @SpmdTest(pes = 2, timeoutSeconds = 600)
    @DisplayName("put with signal, set and add, to registered memory and to device memory: the bytes come first")
    void messages(World world) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            for (int memory : new int[] {1, 2}) {
                for (int operation : new int[] {SET, ADD}) {
                    long source = bench.device.devicePointer() + (1 << 19);
                    if (world.pe() == 0) {
                        bench.run("send", bench.team.address(), memory, source, 64, operation, 1, rounds(1_000_000));
                    } else {
                        bench.run("receive", bench.team.address(), memory, 64, 0, rounds(1_000_000));
                    }
                    world.team().barrier();
                    bench.host.segment().asSlice(0, 1 << 16).fill((byte) 0);
                    bench.stream.fill(bench.device, 0, 1 << 16, (byte) 0);
                    bench.stream.synchronise();
                    world.team().barrier();
                }
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 600)
    @DisplayName("a kernel signals its host, which answers: flags of host and device, up to 10^6 rounds")
    void flags(World world) {
        int rounds = rounds(1_000_000);
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT)) {
            Thread host = new Thread(() -> {
                for (long round = 1; round <= rounds; round++) { // as the kernel `receive` on another PE would
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
            long source = bench.device.devicePointer() + (1 << 19);
            bench.run("send", bench.team.address(), 1, source, 64, SET, world.pe(), rounds);
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
            bench.run("adds", bench.team.address(), 1, count);
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
            bench.run("meet", bench.team.address(), 1, rounds(50_000));
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("a wait of a kernel ends at the deadline with what it found; the device stays usable")
    void deadline(World world) {
        try (Bench bench = new Bench(world, DeviceTeamOptions.DEFAULT.deadline(Duration.ofMillis(100)))) {
            assertThatThrownBy(() -> bench.run("receive", bench.team.address(), 1, 64, 0, 1))
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.TIMEOUT))
                    .hasMessageContaining("the word is 0, waited for GE 1");
            DeviceTeam second = DeviceTeam.create(bench.cuda, world.team(), bench.registered);
            bench.run("meet", second.address(), 1, 10);
            second.check();
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
