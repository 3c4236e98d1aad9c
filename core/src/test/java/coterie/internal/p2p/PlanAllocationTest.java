// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static coterie.testing.AllocationAssertions.assertClean;

import coterie.ThreadLevel;
import coterie.internal.p2p.TestMembers.Mate;
import coterie.internal.p2p.TestMembers.Reach;
import coterie.internal.wait.OperationKind;
import java.util.Arrays;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What persistent plans allocate once they are warm.
class PlanAllocationTest {
    private static final int PES = 3;
    private static final int RUNS = 200;

    private final long[] values = new long[PES];

    private static Stream<Arguments> cases() {
        return Stream.of(Reach.DIRECT, Reach.CHANNEL)
                .flatMap(reach -> Stream.of(8L, 1000L)
                        .flatMap(length -> Stream.of(ThreadLevel.SINGLE, ThreadLevel.MULTIPLE)
                                .map(level -> Arguments.of(reach, length, level))));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void nothing(Reach reach, long length, ThreadLevel level) throws InterruptedException {
        try (TestMembers testMembers = new TestMembers(PES, reach, level, "")) {
            testMembers.run(mate -> run(mate, length));
        }
    }

    private void run(Mate mate, long length) {
        PlanTask[] tasks = new PlanTask[2];
        for (int lane = 0; lane < tasks.length; lane++) {
            tasks[lane] = mate.task(OperationKind.ALL_REDUCE, Plans.exchange(PES, mate.member, length), 5);
        }
        long[] sequence = new long[1];
        long[] meetings = new long[1];
        LongUnaryOperator greatest = mine -> {
            values[mate.member] = mine;
            mate.meet(++meetings[0]);
            long worst = Arrays.stream(values).max().orElseThrow();
            mate.meet(++meetings[0]);
            return worst;
        };
        assertClean("plans", greatest, () -> {
            for (int run = 0; run < RUNS; run++) {
                sequence[0]++;
                tasks[0].set(0, sequence[0], 0, 8192, 16384).post();
                tasks[1].set(1, sequence[0], 32768, 40960, 49152).post();
                tasks[0].await();
                while (!tasks[1].test()) {
                    Thread.onSpinWait();
                }
            }
        });
        mate.endpoint.close();
    }
}
