// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.ThreadLevel;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusLabel;
import coterie.internal.order.OrderedConduit;
import coterie.internal.p2p.ChannelGroup;
import coterie.internal.p2p.MemberAddresses;
import coterie.internal.p2p.Operator;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.RunArguments;
import coterie.internal.p2p.TeamEndpoint;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanBuffer;
import coterie.internal.posix.AddressSpace;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.ProgressEngine;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.wait.Counters;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import coterie.spi.Network;
import coterie.spi.PeState;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Plans over a network that uses every freedom of the contract, with the race detector on.
class PlanTasksTest {
    private static final int LANES = 2;
    private static final int RUNS = 4;
    /// Teams of two to five members, in the soak tier twice.
    private static final int SEEDS = Boolean.getBoolean("coterie.soak") ? 8 : 4;

    private static final long LINES = 4096;
    private static final long LANE_BYTES = 2L << 20;
    private static final StatusLabel TEAM = new StatusLabel("sim");

    @ParameterizedTest
    @ValueSource(strings = {"", ",order=weak", ",pressure=2", ",order=weak,pressure=2,mtu=64", ",near=900:20:2"})
    void randomPlansInAnyOrder(String network) {
        for (int seed = 0; seed < SEEDS; seed++) {
            int size = 2 + seed % 4;
            List<Vectors> plans = new ArrayList<>();
            for (int run = 0; run < RUNS; run++) {
                plans.add(new Vectors(size, 100L * seed + run));
            }
            int order = seed;
            SimJob.Outcome outcome = SimJob.runBare(size, "races=on,seed=" + seed + network, (pe, job, net) -> {
                try (Mate mate = new Mate(pe, job, net, order % 2 == 0)) {
                    mate.row(plans, new Random(31L * order + pe));
                }
            });
            assertThat(outcome.failures()).as(outcome.story()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 13, 21, 34, 55})
    void whoDiesIsNamedToAllOthers(int operation) {
        for (String network : List.of("", ",order=weak,pressure=2")) {
            int size = 4;
            Vectors plan = new Vectors(size, operation);
            String script = "seed=" + operation + ",die=2@" + operation + network;
            RuntimeException[] ends = new RuntimeException[size];
            SimJob.Outcome outcome = SimJob.runBare(size, script, (pe, job, net) -> {
                try (Mate mate = new Mate(pe, job, net, true)) {
                    PlanTask task = mate.task(plan);
                    for (int run = 1; ends[pe] == null; run++) {
                        task.set(0, run, 0, 0, 0).post();
                        ends[pe] = mate.failure(task);
                    }
                }
            });
            assertThat(outcome.failures()).as(outcome.story()).isEmpty();
            for (int pe = 0; pe < size; pe++) {
                if (pe != 2) {
                    assertThat(ends[pe])
                            .isInstanceOfSatisfying(
                                    PeFailedException.class,
                                    end -> assertThat(end.failedPes()).containsExactly(2));
                }
            }
        }
    }

    /// A PE with a team endpoint.
    private static final class Mate implements AutoCloseable {
        private final int pe;
        private final PeRuntime runtime;
        private final ProgressEngine engine;
        private final Conduit conduit;
        private final ChannelGroup lanes;
        private final long heap;

        Mate(int pe, JobSegment job, Network network, boolean ordered) {
            this.pe = pe;
            int size = job.size();
            Conduit found = network.open(LINES + (long) ChannelGroup.lines(size, LANES) * JobSegment.LINE);
            this.conduit = found.capabilities().contains(Conduit.Capability.ORDERED) || !ordered
                    ? found
                    : new OrderedConduit(found);
            this.runtime = new PeRuntime(
                    new SegmentJob(job, pe, "a test"),
                    job.status(pe),
                    network.waitStrategy(),
                    conduit,
                    new Counters(),
                    Long.MAX_VALUE,
                    "");
            conduit.createHeap(LANES * LANE_BYTES);
            assertThat(conduit.reserve(Region.HEAP, 0, LANES * LANE_BYTES)).isEmpty();
            this.engine = new ProgressEngine(pe, runtime, ThreadLevel.SINGLE);
            MemberAddresses memberAddresses = new MemberAddresses(TEAM, size, pe, each -> each, each -> LINES);
            this.lanes = new TeamEndpoint(memberAddresses, conduit, runtime)
                    .group(LANES, () -> null, (member, run) -> false, RunArguments.Difference.UNNAMED);
            this.heap = conduit.localBase(Region.HEAP);
            job.status(pe).state(PeState.RUNNING);
        }

        PlanTask task(Vectors plan) {
            TaskDescription description = new TaskDescription("random", OperationKind.ALL_REDUCE, TEAM);
            return new PlanTask(
                    engine,
                    description,
                    Persistence.PERSISTENT,
                    lanes,
                    plan.plans.get(pe),
                    RunArguments.of(plan.length),
                    new Mixing());
        }

        @Nullable
        RuntimeException failure(PlanTask task) {
            while (!task.test()) {
                assertThat(task.failure()).isNull();
            }
            return task.failure();
        }

        void row(List<Vectors> plans, Random random) {
            PlanTask[] tasks = new PlanTask[LANES];
            int[] runs = new int[LANES];
            for (int left = LANES * RUNS; left > 0; ) {
                int lane = random.nextInt(LANES);
                PlanTask task = tasks[lane];
                if (task == null && runs[lane] < RUNS) {
                    Vectors plan = plans.get((lane + runs[lane]) % RUNS);
                    runs[lane]++;
                    fill(lane, plan);
                    tasks[lane] = task(plan);
                    tasks[lane].set(lane, runs[lane], 0, lane * LANE_BYTES, 0).post();
                } else if (task != null && task.test()) {
                    if (task.failure() != null) {
                        throw task.failure();
                    }
                    check(lane, plans.get((lane + runs[lane] - 1) % RUNS));
                    tasks[lane] = null;
                    left--;
                }
            }
        }

        private void fill(int lane, Vectors plan) {
            if (plan.length > 0) {
                runtime.observer().wrote(lane * LANE_BYTES, plan.length);
                AddressSpace.ALL
                        .asSlice(heap + lane * LANE_BYTES, plan.length)
                        .fill(plan.contents.get(pe).getFirst());
            }
        }

        private void check(int lane, Vectors plan) {
            List<Byte> contents = plan.contents.get(pe);
            for (int vector = 0; vector < contents.size() && plan.length > 0; vector++) {
                long at = lane * LANE_BYTES + vector * plan.length;
                runtime.observer().read(at, plan.length);
                assertThat(AddressSpace.ALL.asSlice(heap + at, plan.length).toArray(JAVA_BYTE))
                        .as("vector %d of PE %d", vector, pe)
                        .containsOnly(contents.get(vector));
            }
        }

        @Override
        public void close() {
            lanes.endpoint().close();
            conduit.close();
        }
    }

    /// Plans of vectors of equal length, each of one value: received, copied, or reduced from two.
    private static final class Vectors {
        private static final List<Long> LENGTHS = List.of(0L, 8L, 32L, 33L, 1000L, 20_000L);

        final List<Plan> plans = new ArrayList<>();
        final long length;

        /// By PE, the final values of its vectors.
        final List<List<Byte>> contents = new ArrayList<>();

        Vectors(int size, long seed) {
            Random random = new Random(seed);
            length = LENGTHS.get(random.nextInt(LENGTHS.size()));
            List<Plan.Builder> builders = new ArrayList<>();
            for (int pe = 0; pe < size; pe++) {
                builders.add(Plan.builder());
                contents.add(new ArrayList<>(List.of((byte) (17L * pe + seed))));
            }
            for (int stage = random.nextInt(2, 6); stage > 0; stage--) {
                int[] before = contents.stream().mapToInt(List::size).toArray();
                for (int message = random.nextInt(2 * size + 1); message > 0; message--) {
                    int from = random.nextInt(size);
                    int to = (from + 1 + random.nextInt(size - 1)) % size;
                    int vector = random.nextInt(before[from]);
                    builders.get(from).send(to, span(vector));
                    builders.get(to).receive(from, span(contents.get(to).size()));
                    contents.get(to).add(contents.get(from).get(vector));
                }
                for (int pe = 0; pe < size; pe++) {
                    List<Byte> mine = contents.get(pe);
                    ByteSpan made = span(mine.size());
                    int left = random.nextInt(mine.size());
                    int right = random.nextInt(mine.size());
                    switch (random.nextInt(3)) {
                        case 0 -> {
                            builders.get(pe).copy(made, span(left));
                            mine.add(mine.get(left));
                        }
                        case 1 -> {
                            builders.get(pe).fold(made, span(left), span(right));
                            mine.add(Mixing.mix(mine.get(left), mine.get(right)));
                        }
                        default -> {}
                    }
                    builders.get(pe).next();
                }
            }
            builders.forEach(builder -> plans.add(builder.build()));
        }

        private ByteSpan span(int vector) {
            return new ByteSpan(PlanBuffer.TARGET, vector * length, length);
        }
    }

    private static final class Mixing implements Operator {
        static byte mix(byte left, byte right) {
            return (byte) (31 * left + right + 1);
        }

        @Override
        public void fold(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            for (long at = 0; at < length; at++) {
                byte one = left.get(JAVA_BYTE, leftFrom + at);
                target.set(JAVA_BYTE, to + at, mix(one, right.get(JAVA_BYTE, rightFrom + at)));
            }
        }

        @Override
        public void clear(MemorySegment target, long at, long length) {
            target.asSlice(at, length).fill((byte) 7);
        }
    }
}
