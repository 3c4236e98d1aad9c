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

/// The functions of the device header, one by one: to memory that the device maps, with atomics and without, and by the
/// ring to another node.
@OnDevice
class KernelChecksOnDeviceTest {
    // The mistakes of `kernel_checks.cu`.
    private static final int PUT = 0;
    private static final int GET = 1;
    private static final int SIGNAL = 2;
    private static final int BARRIER = 3;
    private static final int GIN_SIGNAL = 4;
    private static final int LATE_SIGNAL_WAIT = 5;

    private static final long BYTES = 1 << 20;
    private static final DeviceTeamOptions SHORT = DeviceTeamOptions.DEFAULT.withTimeout(Duration.ofMillis(100));

    private static void each(World world, Check check) {
        KernelBench.use(world, KernelBench.CHECKS, bench -> {
            for (int memory : bench.memories()) {
                check.run(bench, memory);
                bench.clear();
            }
        });
    }

    /// A check with a memory's number.
    private interface Check {
        void run(KernelBench bench, int memory);
    }

    @SpmdTest(pes = 2, timeoutSeconds = 60)
    @DisplayName("puts and gets of all sizes and alignments, by a thread and by a block; what is around stays")
    void copies(World world) {
        each(world, (bench, memory) -> bench.run("copies", memory, bench.scratch()));
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 60)
    @DisplayName("the bytes of nbi puts and gets are there after a quiet")
    void nonBlocking(World world) {
        each(world, (bench, memory) -> bench.run("non_blocking", memory, bench.scratch(), KernelBench.rounds(100)));
    }

    @SpmdTest(pes = 2, timeoutSeconds = 60)
    @DisplayName("a fence orders an atomic before a later store, whichever of them goes through the ring")
    void fencedAdds(World world) {
        each(world, (bench, memory) -> bench.run("fenced_adds", memory, KernelBench.rounds(200)));
    }

    @SpmdTest(
            pes = {1, 2, 3, 4},
            timeoutSeconds = 60)
    @DisplayName("a barrier completes the puts before it, by a block and by a thread of another block at a time")
    void twoBarriers(World world) {
        each(world, (bench, memory) -> bench.runTwoBlocks("two_barriers", memory, KernelBench.rounds(50)));
    }

    @SpmdTest(pes = 2, nodes = "a:1,b:1", modes = SpmdMode.PROCESSES, timeoutSeconds = 60)
    @DisplayName("all of it to a PE of another node, whose memory is not mapped")
    void otherNode(World world) {
        KernelBench.use(world, KernelBench.CHECKS, bench -> {
            bench.run("copies", 1, bench.scratch());
            bench.clear();
            bench.run("non_blocking", 1, bench.scratch(), KernelBench.rounds(100));
            bench.clear();
            bench.run("fenced_adds", 1, KernelBench.rounds(200));
            bench.clear();
            bench.runTwoBlocks("two_barriers", 1, KernelBench.rounds(50));
            bench.clear();
            bench.run("gin_block", 1, KernelBench.rounds(20));
            bench.clear();
            bench.run("gin_thread", 1, KernelBench.rounds(100));
        });
    }

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 60)
    @DisplayName(
            "GIN: strong signals follow earlier puts, counters say when a source may change, shadows follow signals")
    void gins(World world) {
        KernelBench.use(world, KernelBench.CHECKS, bench -> bench.run("gin_block", 1, KernelBench.rounds(50)));
        KernelBench.use(world, KernelBench.CHECKS, bench -> {
            // by a new team, for the life of which signals count
            if (bench.device != null) {
                bench.run("gin_block", 2, KernelBench.rounds(50));
            }
        });
    }

    @SpmdTest(
            pes = {1, 2},
            timeoutSeconds = 60)
    @DisplayName("GIN: values with signals, VA signals, shadows, requests, and signals of 8 bits")
    void ginsOfThreads(World world) {
        KernelBench.use(world, KernelBench.CHECKS, bench -> bench.run("gin_thread", 1, KernelBench.rounds(100)));
    }

    @SpmdTest(pes = 2)
    @DisplayName("all threads of a group get the status that the manual names, and not a bare error")
    void statuses(World world) {
        KernelBench.use(world, KernelBench.CHECKS, bench -> {
            bench.launch(bench.team, "statuses", 1, BYTES, bench.scratch());
            bench.stream.synchronize();
            assertThat(bench.status()).isZero();
            world.team().barrier();
        });
    }

    @SpmdTest(pes = 2, timeoutSeconds = 60)
    @DisplayName("arguments out of range are refused with what is allowed")
    void refused(World world) {
        KernelBench.use(world, KernelBench.CHECKS, bench -> {
            refused(bench, DeviceError.BAD_PE, "PE 2 is outside [0, 2)", PUT, 1, 0L, 8L, 2, 0);
            refused(bench, DeviceError.BAD_PE, "PE -1 is outside", GET, 1, 0L, 8L, -1, 0);
            refused(bench, DeviceError.BAD_MEMORY, "block 2 is outside [0, 2)", PUT, 2, 0L, 8L, 0, 0);
            long last = BYTES - 4;
            String leaves = "8 bytes from offset " + last + " leave";
            refused(bench, DeviceError.BAD_RANGE, leaves, PUT, 1, last, 8L, 0, 0);
            refused(bench, DeviceError.BAD_RANGE, "leave", PUT, 1, 8L, -1L, 0, 0);
            String odd = "offset 12 is no multiple of 8";
            refused(bench, DeviceError.MISALIGNED, odd, SIGNAL, 1, 12L, 8L, 0, KernelBench.SET);
            for (int operation : new int[] {0, 3, -7}) {
                String words = "operation " + operation + " on a signal is neither 1 (set) nor 2 (add)";
                refused(bench, DeviceError.BAD_OPERATION, words, SIGNAL, 1, 16L, 8L, 0, operation);
            }
            refused(bench, DeviceError.BAD_INDEX, "index 16 is outside [0, 16)", BARRIER, 1, 0L, 0L, 0, 16);
            refused(bench, DeviceError.BAD_INDEX, "index 4 is outside [0, 4)", GIN_SIGNAL, 1, 0L, 0L, 0, 4);
            refused(bench, DeviceError.BAD_INDEX, "index -1 is outside [0, 4)", GIN_SIGNAL, 1, 0L, 0L, 0, -1);
            refused(bench, DeviceError.BAD_INDEX, "index 64 is outside [0, 64)", GIN_SIGNAL, 1, 64L, 0L, 0, 0);
        });
    }

    /// Makes a mistake with a team of its own, since a team keeps its first error.
    private static void refused(
            KernelBench bench,
            DeviceError error,
            String words,
            int mistake,
            int memory,
            long offset,
            long bytes,
            int pe,
            int argument) {
        try (DeviceTeam team = DeviceTeam.create(bench.cuda, bench.world.team(), bench.registered)) {
            mistake(bench, team, error, words, mistake, memory, offset, bytes, pe, argument);
        }
    }

    private static void mistake(
            KernelBench bench, DeviceTeam team, DeviceError error, String words, int mistake, Object... arguments) {
        Object[] all = new Object[arguments.length + 2];
        all[0] = mistake;
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[all.length - 1] = bench.scratch();
        bench.launch(team, "mistaken", all);
        bench.stream.synchronize();
        assertThat(bench.status()).isEqualTo(error.code());
        assertThatThrownBy(team::check)
                .satisfies(e -> assertThat(errorOf(e)).isEqualTo(error))
                .hasMessageContaining(words);
    }

    private static DeviceError errorOf(Throwable thrown) {
        return thrown instanceof WaitTimeoutException ? DeviceError.TIMEOUT : ((DeviceTeamException) thrown).error();
    }

    @SpmdTest(pes = 2)
    @DisplayName("a wait ends at the timeout with what it found, and poisons later waits")
    void timeout(World world) {
        KernelBench.use(world, SHORT, KernelBench.CHECKS, bench -> {
            bench.host.longs().set(20_480 / Long.BYTES, 3);
            String words = "signal wait of a kernel (block 1, offset 20480, PE " + world.pe()
                    + "): the timeout has passed; the word is 3, waited for GE 5";
            mistake(bench, bench.team, DeviceError.TIMEOUT, words, LATE_SIGNAL_WAIT, 1, 20_480L, 0L, 0, 0);
            world.team().barrier();
        });
    }

    @SpmdTest(pes = 2)
    @DisplayName("a barrier that a member does not enter ends at the timeout")
    void lateMember(World world) {
        KernelBench.use(world, SHORT, KernelBench.CHECKS, bench -> {
            if (world.pe() == 0) {
                String words = "the word is 0, waited for GE 1";
                mistake(bench, bench.team, DeviceError.TIMEOUT, words, BARRIER, 1, 0L, 0L, 0, 2);
            }
            world.team().barrier();
        });
    }
}
