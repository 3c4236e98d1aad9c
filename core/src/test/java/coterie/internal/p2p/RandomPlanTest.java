// SPDX-License-Identifier: Apache-2.0
package coterie.internal.p2p;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ThreadLevel;
import coterie.internal.p2p.TestMembers.Mate;
import coterie.internal.p2p.TestMembers.Reach;
import coterie.internal.wait.OperationKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Random plans, several under way at once, on members that need not keep together.
class RandomPlanTest {
    private static final int RUNS = 8;

    private static Stream<Arguments> crews() {
        Stream<Integer> sizes =
                Boolean.getBoolean("coterie.soak") ? Stream.of(1, 2, 3, 4, 5, 8, 16) : Stream.of(1, 2, 3, 5, 8);
        return sizes.flatMap(size -> Stream.of(Reach.values()).map(reach -> Arguments.of(size, reach)));
    }

    @ParameterizedTest
    @MethodSource("crews")
    void comesToWhatOneAfterAnotherComesTo(int size, Reach reach) throws InterruptedException {
        List<RandomPlans> plans = new ArrayList<>();
        List<List<byte[]>> ends = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            plans.add(new RandomPlans(size, 1000L * size + run));
            ends.add(plans.getLast().after());
        }
        try (TestMembers testMembers = new TestMembers(size, reach)) {
            testMembers.run(mate -> new Rower(mate, plans, ends, size).row());
        }
    }

    /// Two threads of each member advance its runs, and each other's channels.
    @ParameterizedTest
    @EnumSource(names = {"DIRECT", "CHANNEL", "MIXED"})
    void aThreadOfTheRuntimesOwnHelps(Reach reach) throws InterruptedException {
        int size = 4;
        List<RandomPlans> plans = new ArrayList<>();
        List<List<byte[]>> ends = new ArrayList<>();
        for (int run = 0; run < RUNS; run++) {
            plans.add(new RandomPlans(size, 7000L + run));
            ends.add(plans.getLast().after());
        }
        try (TestMembers testMembers = new TestMembers(size, reach, ThreadLevel.MULTIPLE, "")) {
            testMembers.run(mate -> {
                mate.engine.startThread(Thread::new);
                try {
                    new Rower(mate, plans, ends, 5).row();
                } finally {
                    mate.engine.stopThread();
                }
            });
        }
    }

    /// Posts and tests in random order: the plans of each channel begin with another one, and one task runs each
    /// twice in a row.
    private static final class Rower {
        private final Mate mate;
        private final List<RandomPlans> plans;
        private final List<List<byte[]>> ends;
        private final Random random;
        private final int pause;
        private final @Nullable PlanTask[] tasks = new PlanTask[TestMembers.LANES];
        private final int[] begun = new int[TestMembers.LANES];
        private final boolean[] posted = new boolean[TestMembers.LANES];

        Rower(Mate mate, List<RandomPlans> plans, List<List<byte[]>> ends, long seed) {
            this.mate = mate;
            this.plans = plans;
            this.ends = ends;
            this.random = new Random(31 * seed + mate.member);
            this.pause = random.nextInt(4) == 0 ? 2000 : random.nextInt(3);
        }

        void row() {
            int left = TestMembers.LANES * RUNS;
            while (left > 0) {
                int lane = random.nextInt(TestMembers.LANES);
                for (int each = random.nextInt(pause + 1); each > 0; each--) {
                    Thread.onSpinWait();
                }
                if (!posted[lane]) {
                    if (begun[lane] < RUNS) {
                        post(lane);
                    }
                } else if (isOver(lane)) {
                    check(lane);
                    posted[lane] = false;
                    left--;
                } else {
                    TestMembers.pause();
                }
            }
            mate.endpoint.close();
        }

        private int plan(int lane, int run) {
            return (lane * 3 + run / 2) % RUNS;
        }

        private void post(int lane) {
            int run = begun[lane]++;
            RandomPlans chosen = plans.get(plan(lane, run));
            byte[] before = chosen.before(mate.member);
            MemorySegment.copy(before, 0, memory(lane), ValueLayout.JAVA_BYTE, 0, before.length);
            if (run % 2 == 0) {
                tasks[lane] = mate.task(OperationKind.ALL_REDUCE, chosen.plans.get(mate.member), plan(lane, run));
            }
            long source = 3L * RandomPlans.BYTES * lane;
            tasks[lane]
                    .set(lane, 1 + run, source, source + RandomPlans.BYTES, source + 2 * RandomPlans.BYTES)
                    .post();
            posted[lane] = true;
        }

        private boolean isOver(int lane) {
            if (!tasks[lane].test()) {
                return false;
            }
            if (tasks[lane].failure() != null) {
                throw tasks[lane].failure();
            }
            return true;
        }

        private void check(int lane) {
            int plan = plan(lane, begun[lane] - 1);
            byte[] expected = ends.get(plan).get(mate.member);
            long differs = memory(lane).mismatch(MemorySegment.ofArray(expected));
            assertThat(differs)
                    .as("place that differs on member %d, lane %d, plan %d", mate.member, lane, plan)
                    .isEqualTo(-1);
        }

        private MemorySegment memory(int lane) {
            return mate.memory(3L * RandomPlans.BYTES * lane, 3L * RandomPlans.BYTES);
        }
    }
}
