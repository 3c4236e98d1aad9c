// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import coterie.ThreadLevel;
import coterie.internal.p2p.TestMembers.Mate;
import coterie.internal.p2p.TestMembers.Reach;
import coterie.internal.wait.OperationKind;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What persistent plans allocate once they are warm.
class PlanAllocationTest {
    private static final int PES = 3;
    private static final int RUNS = 200;

    /// The first rounds make what later ones use again; that must end before these nanoseconds have passed.
    private static final long WARM = 60_000_000_000L;

    private static final int CLEAN_ROUNDS = 3;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final int[] clean = new int[PES];
    private final long[] elapsed = new long[PES];

    private static Stream<Arguments> cases() {
        return Stream.of(Reach.DIRECT, Reach.CHANNEL)
                .flatMap(reach -> Stream.of(8L, 1000L)
                        .flatMap(length -> Stream.of(ThreadLevel.SINGLE, ThreadLevel.MULTIPLE)
                                .map(level -> Arguments.of(reach, length, level))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nothing(Reach reach, long length, ThreadLevel level) throws InterruptedException {
        Arrays.fill(clean, 0);
        try (TestMembers testMembers = new TestMembers(PES, reach, level, "")) {
            testMembers.run(mate -> run(mate, length));
        }
        assertThat(clean)
                .as("rounds in a row without allocation, of each member")
                .doesNotContain(0, 1, 2);
    }

    private void run(Mate mate, long length) {
        PlanTask[] tasks = new PlanTask[2];
        for (int lane = 0; lane < tasks.length; lane++) {
            tasks[lane] = mate.task(OperationKind.ALL_REDUCE, Plans.exchange(PES, mate.member, length), 5);
        }
        long sequence = 0;
        boolean done = false;
        long start = System.nanoTime();
        for (long meeting = 0; !done; meeting += 2) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int run = 0; run < RUNS; run++) {
                sequence++;
                tasks[0].set(0, sequence, 0, 8192, 16384).post();
                tasks[1].set(1, sequence, 32768, 40960, 49152).post();
                tasks[0].await();
                while (!tasks[1].test()) {
                    Thread.onSpinWait();
                }
            }
            long allocated = threads.getCurrentThreadAllocatedBytes() - before;
            clean[mate.member] = allocated == 0 ? clean[mate.member] + 1 : 0;
            elapsed[mate.member] = System.nanoTime() - start;
            mate.meet(meeting + 1);
            done = Arrays.stream(clean).allMatch(rounds -> rounds >= CLEAN_ROUNDS)
                    || Arrays.stream(elapsed).max().orElseThrow() >= WARM;
            mate.meet(meeting + 2);
        }
        mate.endpoint.close();
    }
}
