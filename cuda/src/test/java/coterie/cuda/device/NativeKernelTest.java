// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.cuda.DeviceError;
import coterie.cuda.device.HostDevice.Reach;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.DisplayName;

/// The device header's operations on threads of a CPU, with the ring's consumer in Java: mapped with atomics, mapped
/// without, and through the ring.
class NativeKernelTest {
    private static final int BLOCK = KernelFixture.BLOCK;
    private static final int SET = RingLayout.SIGNAL_SET;
    private static final int ADD = RingLayout.SIGNAL_ADD;
    private static final int GE = 3;

    @SpmdTest(pes = 2)
    @DisplayName("puts and gets of all sizes and alignments, by a thread and by a block of three threads")
    void copies(World world) {
        NativeKernels kernels = NativeKernels.open();
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach);
                    Arena arena = Arena.ofShared()) {
                long team = fixture.team.address();
                MemorySegment source = arena.allocate(5000, 16);
                byte[] random = new byte[5000];
                new Random(world.pe()).nextBytes(random);
                source.copyFrom(MemorySegment.ofArray(random));
                MemorySegment target = arena.allocate(5000, 16);
                for (long size : new long[] {0, 1, 15, 16, 17, 64, 1000, 4097}) {
                    for (int skew = 0; skew < 16; skew += reach == Reach.OWN ? 7 : 3) {
                        for (int from : new int[] {0, 1, 4, 8}) {
                            int at = 16384 + skew * 8193;
                            long begin = source.address() + from;
                            int put = size < 1000
                                    ? kernels.call("kernel_put", team, BLOCK, (long) at, begin, size, fixture.right)
                                    : kernels.block(
                                            3,
                                            index -> kernels.call(
                                                    "kernel_put_block",
                                                    team,
                                                    BLOCK,
                                                    (long) at,
                                                    begin,
                                                    size,
                                                    fixture.right));
                            assertThat(put).isZero();
                            target.fill((byte) 0);
                            int get = size < 1000
                                    ? kernels.call(
                                            "kernel_get", team, BLOCK, (long) at, target.address(), size, fixture.right)
                                    : kernels.block(
                                            3,
                                            index -> kernels.call(
                                                    "kernel_get_block",
                                                    team,
                                                    BLOCK,
                                                    (long) at,
                                                    target.address(),
                                                    size,
                                                    fixture.right));
                            assertThat(get).isZero();
                            assertThat(MemorySegment.mismatch(source, from, from + size, target, 0, size))
                                    .as("%s: %d bytes at %d from %d", reach, size, skew, from)
                                    .isEqualTo(-1);
                            assertThat(target.get(java.lang.foreign.ValueLayout.JAVA_BYTE, size))
                                    .isZero();
                            // what is around the bytes is not written
                            assertThat(kernels.call(
                                            "kernel_get",
                                            team,
                                            BLOCK,
                                            at - 1L,
                                            target.address(),
                                            size + 2,
                                            fixture.right))
                                    .isZero();
                            assertThat(target.get(java.lang.foreign.ValueLayout.JAVA_BYTE, 0))
                                    .isZero();
                        }
                    }
                    fixture.barrier();
                    fixture.own(16384, 1 << 18).fill((byte) 0);
                    fixture.barrier();
                }
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("all threads of a group get the status that the manual names, and not a bare error")
    void statuses(World world) {
        NativeKernels kernels = NativeKernels.open();
        try (KernelFixture fixture = KernelFixture.open(world, Reach.LOADS_AND_STORES)) {
            long team = fixture.team.address();
            long own = fixture.own(0, 8).address();
            assertThat(kernels.block(3, _ -> kernels.call("kernel_statuses", team, BLOCK, KernelFixture.BYTES, own)))
                    .isZero();
            fixture.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("single elements of 1 to 8 bytes, and atomics of 4 and 8 bytes, signed and unsigned")
    void elements(World world) {
        NativeKernels kernels = NativeKernels.open();
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                long team = fixture.team.address();
                assertThat(kernels.call("kernel_values", team, BLOCK, fixture.right, 0x8182_8384_8586_8788L))
                        .isZero();
                assertThat(kernels.call("kernel_atomics", team, BLOCK, fixture.right))
                        .isZero();
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("threads of all PEs and their hosts add to one word: none is lost")
    void adds(World world) {
        NativeKernels kernels = NativeKernels.open();
        int each = 4000;
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                long team = fixture.team.address();
                Thread host = new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        fixture.memory.longs().add(3, 1, 0);
                    }
                });
                host.start();
                assertThat(kernels.block(2, index -> kernels.call("kernel_adds", team, BLOCK, 24L, 0, each)))
                        .isZero();
                NativeKernels.join(host);
                fixture.barrier();
                if (world.pe() == 0) {
                    assertThat(fixture.memory.longs().get(3)).as("%s", reach).isEqualTo(3L * each * world.size());
                }
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName(
            "put with signal, set and add, by a thread: the bytes come first, in a million rounds of the soak tier")
    void messages(World world) {
        NativeKernels kernels = NativeKernels.open();
        send(world, kernels, Reach.ATOMICS, ADD, 1, KernelFixture.rounds(1_000_000));
        send(world, kernels, Reach.ATOMICS, SET, 1, KernelFixture.rounds(1_000_000));
        send(world, kernels, Reach.LOADS_AND_STORES, ADD, 1, KernelFixture.rounds(300_000));
        send(world, kernels, Reach.OWN, SET, 1, KernelFixture.rounds(300_000));
        send(world, kernels, Reach.OWN, ADD, 1, KernelFixture.rounds(300_000));
    }

    @SpmdTest(pes = 2, timeoutSeconds = 120)
    @DisplayName("put with signal by a block of three threads: all bytes come before the signal")
    void blockMessages(World world) {
        NativeKernels kernels = NativeKernels.open();
        send(world, kernels, Reach.ATOMICS, SET, 3, KernelFixture.rounds(10_000));
        send(world, kernels, Reach.LOADS_AND_STORES, ADD, 3, KernelFixture.rounds(10_000));
        send(world, kernels, Reach.OWN, SET, 3, KernelFixture.rounds(10_000));
    }

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, nodes = "a:1,b:1")
    @DisplayName("all of it to a PE of another node, whose memory is not mapped")
    void otherNode(World world) {
        NativeKernels kernels = NativeKernels.open();
        send(world, kernels, Reach.LOADS_AND_STORES, SET, 1, 1_000);
        send(world, kernels, Reach.LOADS_AND_STORES, ADD, 2, 1_000);
        try (KernelFixture fixture = KernelFixture.open(world, Reach.LOADS_AND_STORES)) {
            long team = fixture.team.address();
            assertThat(kernels.call("kernel_values", team, BLOCK, fixture.right, 0x8182_8384_8586_8788L))
                    .isZero();
            assertThat(kernels.call("kernel_atomics", team, BLOCK, fixture.right))
                    .isZero();
            assertThat(kernels.call("kernel_rounds", team, BLOCK, 4096L, 1, 50)).isZero();
            fixture.checkNoError();
            fixture.barrier();
        }
    }

    private static void send(World world, NativeKernels kernels, Reach reach, int signal, int threads, int rounds) {
        long bytes = threads == 1 ? 32 : 512;
        try (KernelFixture fixture = KernelFixture.open(world, reach)) {
            long team = fixture.team.address();
            long source = fixture.own(65536, 8 * bytes).address();
            IntUnaryOperator program = world.pe() == 0
                    ? index ->
                            kernels.call("kernel_send", team, BLOCK, 8192L, 64L, 128L, source, bytes, signal, 1, rounds)
                    : index -> kernels.call("kernel_receive", team, BLOCK, 8192L, 64L, 128L, bytes, 0, rounds);
            assertThat(kernels.block(threads, program))
                    .as("%s, signal %d, PE %d", reach, signal, world.pe())
                    .isZero();
            fixture.checkNoError();
            fixture.barrier();
        }
    }

    @SpmdTest(
            pes = {1, 2, 3, 5},
            timeoutSeconds = 120)
    @DisplayName("a barrier completes the puts before it, by a thread and a block, two barriers at a time")
    void barriers(World world) {
        NativeKernels kernels = NativeKernels.open();
        int rounds = KernelFixture.rounds(1_000);
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                long team = fixture.team.address();
                Thread other = new Thread(() -> assertThat(kernels.call("kernel_rounds", team, BLOCK, 8192L, 1, rounds))
                        .isZero());
                Throwable[] failure = new Throwable[1];
                other.setUncaughtExceptionHandler((_, e) -> failure[0] = e);
                other.start();
                assertThat(kernels.block(2, index -> kernels.call("kernel_rounds", team, BLOCK, 4096L, 0, rounds)))
                        .as("%s", reach)
                        .isZero();
                NativeKernels.join(other);
                assertThat(failure[0]).isNull();
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a fence orders an atomic of the ring before a later store, and a store before a later atomic")
    void fences(World world) {
        NativeKernels kernels = NativeKernels.open();
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach)) {
                String program = world.pe() == 0 ? "kernel_fenced_send" : "kernel_fenced_receive";
                assertThat(kernels.call(
                                program,
                                fixture.team.address(),
                                BLOCK,
                                0L,
                                64L,
                                128L,
                                fixture.right,
                                KernelFixture.rounds(10_000)))
                        .as("%s", reach)
                        .isZero();
                fixture.checkNoError();
                fixture.barrier();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("the bytes of nbi puts and gets are there after a quiet")
    void nonBlocking(World world) {
        NativeKernels kernels = NativeKernels.open();
        for (Reach reach : Reach.values()) {
            try (KernelFixture fixture = KernelFixture.open(world, reach);
                    Arena arena = Arena.ofConfined()) {
                long team = fixture.team.address();
                MemorySegment source = arena.allocate(800);
                MemorySegment target = arena.allocate(800);
                for (int i = 0; i < 100; i++) {
                    source.setAtIndex(JAVA_LONG, i, 7L * i + world.pe());
                    assertThat(kernels.call(
                                    "kernel_put_nbi",
                                    team,
                                    BLOCK,
                                    8L * i,
                                    source.address() + 8L * i,
                                    8L,
                                    fixture.right))
                            .isZero();
                }
                assertThat(kernels.call("kernel_quiet", team)).isZero();
                fixture.barrier();
                assertThat(fixture.own(0, 800).getAtIndex(JAVA_LONG, 99)).isEqualTo(7L * 99 + fixture.right);
                for (int i = 0; i < 100; i++) {
                    assertThat(kernels.call(
                                    "kernel_get_nbi",
                                    team,
                                    BLOCK,
                                    8L * i,
                                    target.address() + 8L * i,
                                    8L,
                                    fixture.right))
                            .isZero();
                }
                assertThat(kernels.call("kernel_quiet", team)).isZero();
                assertThat(target.mismatch(source)).isEqualTo(-1);
                fixture.barrier();
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("arguments out of range are refused with what is allowed, and nothing is written")
    void refused(World world) {
        NativeKernels kernels = NativeKernels.open();
        String last = Long.toString(KernelFixture.BYTES - 4);
        refused(
                world,
                DeviceError.BAD_PE,
                "PE 2 is outside [0, 2)",
                team -> kernels.call("kernel_put", team, 1, 0L, 1L, 8L, 2));
        refused(
                world,
                DeviceError.BAD_PE,
                "PE -1 is outside",
                team -> kernels.call("kernel_get", team, 1, 0L, 1L, 8L, -1));
        refused(
                world,
                DeviceError.BAD_MEMORY,
                "block 2 is outside [0, 2)",
                team -> kernels.call("kernel_put", team, 2, 0L, 1L, 8L, 0));
        refused(
                world,
                DeviceError.BAD_RANGE,
                "8 bytes from offset " + last + " leave",
                team -> kernels.call("kernel_put", team, 1, KernelFixture.BYTES - 4, 1L, 8L, 0));
        refused(world, DeviceError.BAD_RANGE, "leave", team -> kernels.call("kernel_put", team, 1, 8L, 1L, -1L, 0));
        refused(
                world,
                DeviceError.MISALIGNED,
                "offset 12 is no multiple of 8",
                team -> kernels.call("kernel_signal", team, 1, 12L, SET, 1L, 0));
        for (int operation : new int[] {0, 3, -7}) {
            refused(
                    world,
                    DeviceError.BAD_OPERATION,
                    "operation " + operation + " on a signal is neither 1 (set) nor 2 (add)",
                    team -> kernels.call("kernel_signal", team, 1, 16L, operation, 1L, 0));
        }
        refused(
                world,
                DeviceError.BAD_INDEX,
                "index 16 is outside [0, 16)",
                team -> kernels.call("kernel_barrier", team, 16));
    }

    private interface Kernel {
        int run(long team);
    }

    private static void refused(World world, DeviceError error, String words, Kernel kernel) {
        try (KernelFixture fixture = KernelFixture.open(world, Reach.LOADS_AND_STORES)) {
            assertThat(kernel.run(fixture.team.address())).isEqualTo(error.code());
            assertThat(fixture.team.error()).contains(error);
            assertThat(fixture.team.describe(error)).contains(words);
            fixture.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a wait ends at the deadline with what it found, and poisons later waits")
    void deadline(World world) {
        NativeKernels kernels = NativeKernels.open();
        var options = KernelFixture.OPTIONS.deadline(java.time.Duration.ofMillis(50));
        try (KernelFixture fixture = new KernelFixture(world, Reach.LOADS_AND_STORES, options)) {
            long team = fixture.team.address();
            fixture.memory.signal(2).set(3);
            assertThat(kernels.call("kernel_signal_wait", team, BLOCK, 16L, GE, 5L))
                    .isEqualTo(DeviceError.TIMEOUT.code());
            assertThat(fixture.team.describe(DeviceError.TIMEOUT))
                    .isEqualTo("signal wait of a kernel (block 1, offset 16, PE " + world.pe()
                            + "): the deadline has passed; the word is 3, waited for GE 5");
            assertThat(kernels.call("kernel_signal", team, BLOCK, 24L, ADD, 1L, fixture.right))
                    .isEqualTo(8);
            assertThat(kernels.call("kernel_signal_wait", team, BLOCK, 16L, GE, 5L))
                    .isEqualTo(8);
            assertThat(kernels.call("kernel_status", team)).isEqualTo(DeviceError.TIMEOUT.code());
            fixture.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("a barrier that a member does not enter ends at the deadline")
    void lateMember(World world) {
        NativeKernels kernels = NativeKernels.open();
        var options = KernelFixture.OPTIONS.deadline(java.time.Duration.ofMillis(50));
        try (KernelFixture fixture = new KernelFixture(world, Reach.OWN, options)) {
            if (world.pe() == 0) {
                assertThat(kernels.call("kernel_barrier", fixture.team.address(), 2))
                        .isEqualTo(DeviceError.TIMEOUT.code());
                assertThat(fixture.team.describe(DeviceError.TIMEOUT))
                        .contains("barrier", "the word is 0, waited for GE 1");
            }
            fixture.barrier();
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("the abort word ends a wait without a deadline")
    void abort(World world) {
        NativeKernels kernels = NativeKernels.open();
        var options = KernelFixture.OPTIONS.deadline(java.time.Duration.ZERO);
        try (KernelFixture fixture = new KernelFixture(world, Reach.OWN, options)) {
            int[] result = new int[1];
            Thread kernel = new Thread(
                    () -> result[0] = kernels.call("kernel_signal_wait", fixture.team.address(), BLOCK, 0L, GE, 5L));
            kernel.start();
            fixture.team.abort();
            NativeKernels.join(kernel);
            assertThat(result[0]).isEqualTo(DeviceError.ABORTED.code());
            fixture.barrier();
        }
    }
}
