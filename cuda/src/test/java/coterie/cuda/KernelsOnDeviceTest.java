// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;

/// Kernels that communicate, on a device: registered host memory, and device memory for the data.
@OnDevice
class KernelsOnDeviceTest {
    /// Each block waits for a block of the other PE, and the other's blocks for those of this one.
    private static final String PAIRS = """
            #include "coterie.cuh"

            extern "C" __global__ void pairs(const coterie_team *team, int memory, int rounds, int *status) {
                const int peer = coterie_size(team) - 1 - coterie_pe(team);
                const coterie_u64 mine = 1024 + 64ull * blockIdx.x;
                const coterie_u64 others = 1024 + 64ull * ((blockIdx.x + 1) % gridDim.x);
                for (int round = 1; round <= rounds; round++) {
                    if (threadIdx.x == 0) {
                        coterie_signal(team, memory, others, COTERIE_SIGNAL_SET, round, peer);
                    }
                    const int result = coterie_signal_wait_block(team, memory, mine, COTERIE_GE, round);
                    if (result != COTERIE_OK) {
                        if (threadIdx.x == 0) {
                            *status = result;
                        }
                        return;
                    }
                }
            }
            """;

    /// Fewer rounds than [KernelsOnDeviceSoakTest] has: whether all works, and not how seldom it fails.
    private static final int ROUNDS = KernelBench.rounds(2000);

    private static final int ROUNDS_OF_PROCESSES = KernelBench.rounds(200);

    /// Puts with signal, set and add, from PE 0 to PE 1.
    ///
    /// @param isInHost whether to registered memory alone
    static void messages(KernelBench bench, boolean isInHost, int rounds) {
        for (int memory : isInHost ? new int[] {1} : bench.memories()) {
            for (int operation : new int[] {KernelBench.SET, KernelBench.ADD}) {
                if (bench.world.pe() == 0) {
                    bench.run("sender", memory, bench.scratch(), 64, operation, 1, rounds);
                } else {
                    bench.run("receiver", memory, 64, 0, rounds);
                }
                bench.clear();
            }
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES)
    @DisplayName("the driver makes handles of device memory for other processes: without them, registered memory alone")
    void handles(World world) {
        try (Cuda cuda = Device.open(world)) {
            String missing = "";
            try {
                cuda.allocate(world.team(), 1 << 20).close();
            } catch (CudaException e) { // on all members alike
                missing = String.valueOf(e.getMessage());
            }
            Device.need("device memory for several processes", missing);
        }
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 90)
    @DisplayName("put with signal, set and add, to registered memory and to device memory: the bytes come first")
    void messages(World world) {
        KernelBench.use(world, bench -> messages(bench, false, ROUNDS));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("put with signal between processes, whose kernels take turns")
    void messagesOfProcesses(World world) {
        KernelBench.use(world, bench -> messages(bench, false, ROUNDS_OF_PROCESSES));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("put with signal by the ring, to registered memory that the device does not map")
    void messagesOfNodes(World world) {
        KernelBench.use(world, bench -> messages(bench, true, ROUNDS_OF_PROCESSES));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.THREADS, timeoutSeconds = 90)
    @DisplayName("cooperative kernels of two PEs in one context wait for each other, block for block")
    void cooperative(World world) {
        KernelBench.use(world, bench -> {
            CudaModule module = bench.cuda.compile("pairs.cu", PAIRS);
            CudaKernel pairs = module.kernel("pairs");
            long status = bench.registered.devicePointer() + KernelBench.STATUS;
            for (int rounds : new int[] {0, 100}) { // the first launch of a kernel may wait for running ones
                world.team().barrier();
                bench.stream.launchCooperative(
                        pairs, Extent.of(4), KernelBench.BLOCK, 0, bench.team.address(), 1, rounds, status);
                bench.stream.synchronize();
                bench.team.check();
                assertThat(bench.host.ints().get(KernelBench.STATUS / Integer.BYTES))
                        .isZero();
            }
            world.team().barrier();
            module.close();
        });
    }

    private static void scopes(KernelBench bench, int... memories) {
        for (int memory : memories) {
            bench.run("warps", memory, bench.scratch(), 100);
            bench.clear();
            bench.run("elements", memory, bench.scratch());
            bench.clear();
        }
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 60)
    @DisplayName("warps put, signal, wait and get; a thread gets elements, and fetches by atomics")
    void scopes(World world) {
        KernelBench.use(world, bench -> scopes(bench, bench.memories()));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 60)
    @DisplayName("the same by the ring; device memory of another node is unreachable, by name")
    void scopesOfNodes(World world) {
        KernelBench.use(world, bench -> scopes(bench, 1));
        KernelBench.use(world, bench -> {
            assertThatThrownBy(() -> bench.run("warps", 2, bench.scratch(), 1))
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.UNREACHABLE));
            assertThat(bench.host.ints().get(KernelBench.STATUS / Integer.BYTES))
                    .as("the status that the threads got")
                    .isEqualTo(DeviceError.UNREACHABLE.code());
        });
    }

    @SpmdTest(pes = 1, timeoutSeconds = 60)
    @DisplayName("the host ends a wait without a timeout; the device stays usable")
    void abort(World world) {
        KernelBench.use(world, DeviceTeamOptions.DEFAULT.withTimeout(Duration.ZERO), bench -> {
            bench.launch(bench.team, "receiver", 1, 64, 0, 1);
            assertThat(bench.stream.query()).isFalse(); // on its way, or waiting for ever
            bench.team.abort();
            bench.stream.synchronize();
            assertThatThrownBy(bench.team::check)
                    .isInstanceOfSatisfying(
                            DeviceTeamException.class,
                            e -> assertThat(e.error()).isEqualTo(DeviceError.ABORTED));
            try (DeviceTeam second = DeviceTeam.create(bench.cuda, world.team(), bench.registered)) {
                bench.run(second, "meet", 1, 10);
            }
        });
    }

    /// Answers the kernel "sender" of this PE, as the kernel "receiver" of another one would.
    private static void answer(KernelBench bench, int rounds) {
        for (long round = 1; round <= rounds; round++) {
            bench.host.signal(0).waitUntil(Comparison.GE, round);
            for (int i = 0; i < 64; i++) {
                long found = bench.host.longs().get(512 + round % 8 * 64 + i);
                if (found < round) {
                    throw new AssertionError("round " + round + ": word " + i + " is " + found);
                }
            }
            if (round % 8 == 0) {
                bench.host.signal(8).set(round, bench.world.pe());
            }
        }
    }

    /// A kernel signals its host, and a thread of the host answers. What the thread has found wrong is thrown first:
    /// the kernel, which the thread ends then, knows only that it was ended.
    static void flags(KernelBench bench, int rounds) {
        AtomicReference<@Nullable Throwable> found = new AtomicReference<>();
        Thread host = Thread.ofPlatform().daemon().start(() -> {
            try {
                answer(bench, rounds);
            } catch (RuntimeException | Error e) {
                found.set(e);
                bench.team.abort();
            }
        });
        AssertionError failure = null;
        try {
            bench.run("sender", 1, bench.scratch(), 64, KernelBench.SET, bench.world.pe(), rounds);
        } catch (RuntimeException | Error e) {
            failure = new AssertionError("the kernel: " + e.getMessage(), e);
        }
        try {
            if (!host.join(Duration.ofSeconds(5)) && failure == null) {
                failure = new AssertionError("the kernel has ended, and the host's thread waits for it");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Throwable first = found.get();
        if (first != null) {
            AssertionError thrown = new AssertionError("the host's thread: " + first.getMessage(), first);
            if (failure != null) {
                thrown.addSuppressed(failure);
            }
            throw thrown;
        }
        if (failure != null) {
            throw failure;
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 90)
    @DisplayName("a kernel signals its host, which answers: flags of host and device")
    void flags(World world) {
        KernelBench.use(world, bench -> flags(bench, ROUNDS));
    }

    /// Each thread of the devices adds twice, and the host once, so many times.
    static void adds(KernelBench bench, int count) {
        for (int i = 0; i < count; i++) {
            bench.host.longs().add(16, 1, 0);
        }
        bench.run("adds", 1, count);
        bench.world.team().barrier();
        if (bench.world.pe() == 0) {
            assertThat(bench.host.longs().get(16)).isEqualTo((2L * 128 + 1) * count * bench.world.size());
        }
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 90)
    @DisplayName("threads of all devices and hosts add to one word: none is lost")
    void adds(World world) {
        KernelBench.use(world, bench -> adds(bench, ROUNDS_OF_PROCESSES));
    }

    @SpmdTest(
            pes = {1, 2, 4},
            timeoutSeconds = 90)
    @DisplayName("a barrier of kernels completes the puts before it")
    void barriers(World world) {
        KernelBench.use(world, bench -> bench.run("meet", 1, ROUNDS_OF_PROCESSES));
    }

    static void fences(KernelBench bench, int rounds, int... memories) {
        for (int memory : memories) {
            bench.run("fences", memory, rounds);
            bench.clear();
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 90)
    @DisplayName("a fence orders puts, and a quiet completes them before later loads")
    void fences(World world) {
        KernelBench.use(world, bench -> fences(bench, ROUNDS_OF_PROCESSES, bench.memories()));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 90)
    @DisplayName("a fence orders puts by the ring, and a quiet completes them")
    void fencesOfNodes(World world) {
        KernelBench.use(world, bench -> fences(bench, ROUNDS_OF_PROCESSES, 1));
    }

    @SpmdTest(pes = 1)
    @DisplayName("a wait of a kernel ends at the timeout with what it found; the device stays usable")
    void timeout(World world) {
        KernelBench.use(world, DeviceTeamOptions.DEFAULT.withTimeout(Duration.ofMillis(100)), bench -> {
            assertThatThrownBy(() -> bench.run("receiver", 1, 64, 0, 1))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("the word is 0, waited for GE 1");
            DeviceTeam second = DeviceTeam.create(bench.cuda, world.team(), bench.registered);
            bench.run(second, "meet", 1, 10); // the first team keeps its error
            second.close();
        });
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("teams that are made and closed leave the device's free memory as it was")
    void leaks(World world) {
        DeviceTeamOptions options = DeviceTeamOptions.DEFAULT.withSignals(4096); // 128 KiB of the device for each team
        KernelBench.use(world, bench -> {
            long before = 0;
            for (int round = 0; round < KernelBench.rounds(1000); round++) {
                DeviceTeam.create(bench.cuda, world.team(), options, bench.registered)
                        .close();
                if (round == 100) {
                    before = bench.cuda.freeBytes();
                }
            }
            world.team().barrier();
            // The driver tells the free bytes of the device, of which other processes take some, too, and it takes
            // blocks of 2 MiB. 150 teams that stay would take 19 MiB of each PE.
            assertThat(bench.cuda.freeBytes()).isGreaterThanOrEqualTo(before - (16 << 20));
        });
    }
}
