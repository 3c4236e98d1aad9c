// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static coterie.conformance.RequestCalls.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import coterie.ByteView;
import coterie.CollectiveMismatchException;
import coterie.Comparison;
import coterie.DoubleView;
import coterie.ExtendedReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.WaitTimeoutException;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// What requests promise beside their results.
class RequestConformanceTest {

    @EveryTeamSize
    @DisplayName("UC-26 every root; what only the root needs is not looked at on others")
    void everyRoot(World world) {
        int me = world.pe();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * (2 * n + 2))) {
            LongView longs = memory.longs();
            for (int root = 0; root < n; root++) {
                boolean isRoot = me == root;
                longs.set(0, 10L * me + 1);
                postAndAwait(
                        world.team(),
                        Collective.gather(root)
                                .source(longs, 0, 1)
                                .target(longs, isRoot ? 1 : -77, isRoot ? n : 1L << 62));
                for (int member = 0; isRoot && member < n; member++) {
                    assertThat(longs.get(1 + member)).isEqualTo(10L * member + 1);
                }
                postAndAwait(
                        world.team(),
                        Collective.scatter(root)
                                .source(longs, isRoot ? 1 : -1, isRoot ? n : -1)
                                .target(longs, n + 1, 1));
                assertThat(longs.get(n + 1)).isEqualTo(10L * me + 1);
                postAndAwait(
                        world.team(),
                        Collective.reduce(Reduction.SUM, root)
                                .source(longs, 0, 1)
                                .target(longs, isRoot ? n + 1 : 1L << 40, 1));
                if (isRoot) {
                    assertThat(longs.get(n + 1)).isEqualTo(5L * n * (n - 1) + n);
                }
                Collective broadcast = Collective.broadcast(root);
                postAndAwait(
                        world.team(), isRoot ? broadcast.source(longs, n + 1, 1) : broadcast.target(longs, n + 1, 1));
                assertThat(longs.get(n + 1)).isEqualTo(5L * n * (n - 1) + n);
            }
        }
    }

    @EveryTeamSize
    @DisplayName("UC-29 an alltoallv by the way for many members, with blocks of nothing, a little and much")
    void hybridAlltoall(World world) {
        int me = world.pe();
        int n = world.size();
        int most = 500;
        int[] sizes = {0, 1, 63, 64, 65, most};
        try (SymmetricMemory memory = world.allocate(2L * n * most)) {
            ByteView bytes = memory.bytes();
            long[] counts = new long[n];
            long[] gets = new long[n];
            long[] indices = new long[n];
            long[] places = new long[n];
            for (int member = 0; member < n; member++) {
                counts[member] = sizes[(3 * me + member) % sizes.length];
                gets[member] = sizes[(3 * member + me) % sizes.length];
                indices[member] = (long) most * (n - 1 - member);
                places[member] = (long) most * (n + member);
                for (int i = 0; i < counts[member]; i++) {
                    bytes.set(indices[member] + i, me * 31 + member * 7 + i);
                }
            }
            Collective exchange = Collective.allToAllV()
                    .source(bytes, counts, indices)
                    .target(bytes, gets, places)
                    .withAlgorithm("hybrid")
                    .persistent();
            try (Request request = world.team().prepare(exchange)) {
                assertThat(request.algorithm()).isEqualTo("p2p/hybrid");
                for (int round = 0; round < 3; round++) {
                    request.post();
                    request.await();
                    for (int member = 0; member < n; member++) {
                        for (int i = 0; i < gets[member]; i++) {
                            assertThat(bytes.get(places[member] + i)).isEqualTo((byte) (member * 31 + me * 7 + i));
                        }
                    }
                }
            }
        }
    }

    @EveryTeamSize
    @DisplayName("UC-32 no member leaves a barrier before the last has entered it, with several in flight")
    void barriers(World world) {
        int flight = 3;
        int rounds = Rounds.of(100);
        try (SymmetricMemory memory = world.allocate(8)) {
            LongView come = memory.longs();
            List<Request> barriers = new ArrayList<>();
            for (int i = 0; i < flight; i++) {
                barriers.add(world.team().prepare(Collective.barrier().persistent()));
            }
            for (int round = 1; round <= rounds; round++) {
                come.add(0, 1, 0);
                world.context().quiet();
                barriers.forEach(Request::post);
                barriers.get(round % flight).await();
                assertThat(come.getAcquire(0, 0)).isGreaterThanOrEqualTo((long) round * world.size());
                barriers.forEach(Request::await);
            }
            barriers.forEach(Request::close);
            world.team().barrier();
        }
    }

    @EveryTeamSize
    @DisplayName("UC-33 three requests that are posted together are waited for in any order")
    void inAnyOrder(World world) {
        int me = world.pe();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * (4 + 2 * n))) {
            LongView longs = memory.longs();
            Team team = world.team();
            List<Request> requests = List.of(
                    team.prepare(sum(longs).persistent()),
                    team.prepare(Collective.broadcast(n - 1)
                            .source(longs, 0, 1)
                            .target(longs, 2, 1)
                            .persistent()),
                    team.prepare(Collective.allGather()
                            .source(longs, 0, 1)
                            .target(longs, 4, n)
                            .persistent()));
            for (int order = 0; order < 6; order++) {
                longs.set(0, order + me);
                requests.forEach(Request::post);
                int first = (order + me) % 3;
                requests.get(first).await();
                requests.get((first + 1 + order / 3) % 3).await();
                requests.get((first + 2 - order / 3) % 3).await();
                assertThat(longs.get(1)).isEqualTo((long) order * n + n * (n - 1) / 2);
                assertThat(longs.get(2)).isEqualTo(order + n - 1);
                for (int member = 0; member < n; member++) {
                    assertThat(longs.get(4 + member)).isEqualTo(order + member);
                }
            }
            requests.forEach(Request::close);
        }
    }

    @SpmdTest(pes = {2, 3, 5})
    @DisplayName("UC-34 the others time out on a member that does not post, but not on one that posts late and in time")
    void timeout(World world) {
        try (SymmetricMemory memory = world.allocate(24)) {
            LongView longs = memory.longs();
            longs.set(0, 1);
            Collective sum = sum(longs);
            Team team = world.team().duplicate();
            Request inTime = team.prepare(sum.withTimeout(Duration.ofSeconds(60)));
            if (world.pe() == 0) {
                longs.waitUntil(2, Comparison.EQ, 7);
            }
            inTime.post();
            if (world.pe() == 1) {
                assertThat(inTime.test()).as("over without PE 0").isFalse();
                longs.put(2, 7, 0);
            }
            inTime.await();
            assertThat(longs.get(1)).isEqualTo(world.size());
            Request tooLate = team.prepare(sum.withTimeout(Duration.ofMillis(20)));
            if (world.pe() != 0) {
                tooLate.post();
                assertThatThrownBy(tooLate::await)
                        .isInstanceOf(WaitTimeoutException.class)
                        .hasMessageContaining("allReduce #2");
            }
            team.barrier();
            assertThat(team.sum(1L)).isEqualTo(world.size());
            team.close();
        }
    }

    @EveryTeamSize
    @DisplayName("UC-38 posting twice, closing under way and waiting for nothing are refused, and harm nothing")
    void misuse(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            longs.set(0, 1);
            Collective sum = sum(longs);
            Request once = world.team().prepare(sum);
            assertThatThrownBy(once::test).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(once::await).isInstanceOf(IllegalStateException.class);
            once.postWhen(() -> longs.test(1, Comparison.EQ, 3));
            assertThatThrownBy(once::post).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(once::close).isInstanceOf(IllegalStateException.class);
            longs.set(1, 3);
            once.await();
            assertThatThrownBy(once::post).isInstanceOf(IllegalStateException.class);
            once.close();
            assertThatThrownBy(once::test).isInstanceOf(IllegalStateException.class);
            assertThat(longs.get(1)).isEqualTo(world.size());
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-39 collectives of no bytes complete at once, without the other members")
    void nothing(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            postAndAwait(world.team(), Collective.barrier());
            List<Collective> empty = List.of(
                    Collective.allReduce(Reduction.SUM),
                    Collective.reduce(Reduction.SUM, 1),
                    Collective.broadcast(1),
                    Collective.allGather(),
                    Collective.allToAll(),
                    Collective.gather(1),
                    Collective.scatter(1));
            if (world.pe() == 1) {
                for (Collective each : empty) {
                    Request request =
                            world.team().prepare(each.source(longs, 0, 0).target(longs, 1, 0));
                    request.post();
                    assertThat(request.isComplete()).as("%s", each).isTrue();
                    request.close();
                }
            }
            world.team().barrier();
        }
    }

    @SpmdTest(pes = {1, 2, 3, 5, 8})
    @DisplayName("UC-25 the mean is what members' parts of it add up to; of integers there is none")
    void average(World world) {
        int n = world.size();
        int count = 100;
        try (SymmetricMemory memory = world.allocate(16L * count)) {
            DoubleView doubles = memory.doubles();
            double[] expected = new double[count];
            for (int i = 0; i < count; i++) {
                for (int pe = 0; pe < n; pe++) {
                    expected[i] += part(pe, i) / n;
                }
                doubles.set(i, part(world.pe(), i));
            }
            postAndAwait(
                    world.team(),
                    Collective.allReduce(ExtendedReduction.AVERAGE)
                            .source(doubles, 0, count)
                            .target(doubles, count, count));
            for (int i = 0; i < count; i++) {
                assertThat(doubles.get(count + i)).isCloseTo(expected[i], within(1e-12));
            }
            Collective integers = Collective.allReduce(ExtendedReduction.AVERAGE)
                    .source(memory.longs(), 0, 1)
                    .target(memory.longs(), 1, 1);
            assertThatThrownBy(() -> world.team().prepare(integers))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "AVERAGE is no reduction of LONG; allowed are HALF, BFLOAT16, FLOAT and DOUBLE");
        }
    }

    private static double part(int pe, int i) {
        return 1.0 / (1 + pe + i);
    }

    @EveryTeamSize
    @DisplayName("UC-36 root and others reckon with one size, so that all choose one algorithm")
    void oneSize(World world) {
        int n = world.size();
        int most = 1 << 17;
        try (SymmetricMemory memory = world.allocate(2L * most)) {
            ByteView bytes = memory.bytes();
            for (int each = 1; each <= most / n; each *= 8) {
                long all = (long) each * n;
                List<Collective> collectives = List.of(
                        Collective.gather(n - 1).source(bytes, 0, each).target(bytes, most, all),
                        Collective.scatter(n - 1).source(bytes, 0, all).target(bytes, most, each),
                        Collective.reduce(Reduction.MAX, n - 1)
                                .source(bytes, 0, each)
                                .target(bytes, most, each),
                        Collective.broadcast(n - 1).source(bytes, 0, each).target(bytes, most, each));
                for (Collective collective : collectives) {
                    try (Request request = world.team().prepare(collective)) {
                        long mine = request.algorithm().hashCode();
                        assertThat(world.team().allReduce(Reduction.MIN, mine))
                                .as("%s of %d bytes, %s", collective, each, request.algorithm())
                                .isEqualTo(world.team().allReduce(Reduction.MAX, mine));
                    }
                }
            }
        }
    }

    @SpmdTest(pes = {2, 3, 5})
    @DisplayName("members that post different requests are told so, and their barriers go on")
    void mismatch(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            Team team = world.team().duplicate();
            Reduction reduction = world.pe() == 1 ? Reduction.MAX : Reduction.MIN;
            Request request = team.prepare(
                    Collective.allReduce(reduction).source(longs, 0, 1).target(longs, 1, 1));
            team.barrier(); // a member that prepares after the others' mismatch is told at once
            assertThatThrownBy(() -> {
                        request.post(); // as is one that posts
                        request.await();
                    })
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("allReduce #1", "team \"world/copy\"", "PE 1");
            assertThatThrownBy(() -> team.prepare(Collective.barrier()))
                    .isInstanceOf(CollectiveMismatchException.class);
            team.barrier();
            team.close();
        }
    }
}
