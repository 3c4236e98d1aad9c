// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.sum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.BarrierSet;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.FaceSupport;
import coterie.spi.ProgressHook;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Collectives, requests and progress in the shapes in which reports on other systems found them broken.
class ReportedWaitsConformanceTest {

    /// Which round each PE has entered, and which it has left: words of PE 0.
    private record Ledger(IntegerView longs, int me, int n) {
        void enter(long round) {
            longs.setRelease(me, round, 0);
            longs.context().quiet();
        }

        /// Has left it, and finds that all others have entered it.
        void left(long round, Object what) {
            longs.setRelease(n + (long) me, round, 0);
            for (int pe = 0; pe < n; pe++) {
                assertThat(longs.getAcquire(pe, 0))
                        .as("round that PE %s has entered as PE %s leaves %s of round %s", pe, me, what, round)
                        .isGreaterThanOrEqualTo(round);
            }
        }

        /// Waits until all others have entered a round that the caller has not, and finds that none has left.
        void awaitOthers(long round, Object what) {
            for (int pe = 0; pe < n; pe++) {
                while (pe != me && longs.getAcquire(pe, 0) < round) {
                    Thread.onSpinWait();
                }
            }
            for (int pe = 0; pe < n; pe++) {
                assertThat(longs.getAcquire(n + (long) pe, 0))
                        .as("round of %s that PE %s has left before PE %s entered", what, pe, me)
                        .isLessThan(round);
            }
        }
    }

    /// A step that no member leaves before all have entered it.
    private interface Step {
        void run();
    }

    /// The same data in each round; now and then one PE is a round late.
    private static void lap(World world, Object what, Step step) {
        int n = world.size();
        int rounds = Rounds.of(8, 2_000);
        try (SymmetricMemory words = world.allocate(16L * n)) {
            Ledger ledger = new Ledger(words.longs(), world.pe(), n);
            for (long round = 1; round <= rounds; round++) {
                if (round % 2 == 0 && round / 2 % n == world.pe()) {
                    ledger.awaitOthers(round, what);
                }
                ledger.enter(round);
                step.run();
                ledger.left(round, what);
            }
            world.team().barrier();
        }
    }

    @SpmdTest(
            pes = {2, 4},
            timeoutSeconds = 60)
    @DisplayName("BR-19 with the same data in every round, no call of a collective returns before all members"
            + " have come")
    void noLapByCalls(World world) {
        Team team = world.team();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16L * n)) {
            LongView longs = memory.longs();
            lap(world, "barrier", team::barrier);
            lap(world, "sync", team::sync);
            lap(world, "sum", () -> team.sum(1L));
            lap(world, "allReduce", () -> team.allReduce(Reduction.SUM, longs, n, longs, 0, 1));
            lap(world, "allGather", () -> team.allGather(longs, n, longs, 0, 1));
            lap(world, "allGatherV", () -> team.allGatherV(longs, n, longs, 0, 1));
            lap(world, "allToAll", () -> team.allToAll(longs, n, longs, 0, 1));
            lap(world, "reduceScatter", () -> team.reduceScatter(Reduction.SUM, longs, n, longs, 0, 1));
        }
    }

    @SpmdTest(
            pes = {2, 4},
            timeoutSeconds = 60)
    @DisplayName("BR-19 nor is a persistent request complete, nor a phase of a set of barriers")
    void noLapByRequests(World world) {
        Team team = world.team();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(16L * n)) {
            LongView longs = memory.longs();
            for (Collective each : List.of(
                    Collective.barrier(),
                    Collective.allReduce(Reduction.SUM).source(longs, 0, 1).target(longs, n, 1),
                    Collective.allGather().source(longs, 0, 1).target(longs, n, n),
                    Collective.allToAll().source(longs, 0, n).target(longs, n, n))) {
                try (Request request = team.prepare(each.persistent())) {
                    lap(world, "a request of " + each, () -> {
                        request.post();
                        request.await();
                    });
                }
            }
            BarrierSet barriers = team.createBarriers(1);
            lap(world, "a phase", () -> {
                barriers.arrive(0);
                barriers.await(0);
            });
            barriers.close();
        }
    }

    @SpmdTest(
            pes = {2, 3, 4},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS, SpmdMode.SIM})
    @DisplayName("BR-43 a PE that only makes progress, with a hook that puts and tests, takes no part in the barrier in"
            + " which the others are")
    void progressIsNoArrival(World world) {
        int n = world.size();
        int rounds = Rounds.of(20, 2_000);
        try (SymmetricMemory memory = world.allocate(8L * (n + 2))) {
            LongView longs = memory.longs();
            ProgressHook hook = () -> {
                world.progress();
                if (longs.test(n, Comparison.NE, 1)) {
                    longs.put(n, 1, world.pe());
                    return true;
                }
                return false;
            };
            try (ProgressHook.Registration _ = FaceSupport.of(world).addProgress(hook)) {
                for (long round = 1; round <= rounds; round++) {
                    if (round % n == world.pe()) {
                        for (int pe = 0; pe < n; pe++) {
                            int other = pe;
                            long number = round;
                            world.progressUntil(
                                    () -> other == world.pe() || longs.getAcquire(other, world.pe()) >= number);
                        }
                        for (int turn = 0; turn < 50; turn++) {
                            world.progress();
                        }
                        assertThat(longs.getAcquire(n + 1L, world.pe()))
                                .as("PEs that have left the barrier of round %s without PE %s", round, world.pe())
                                .isZero();
                    } else {
                        longs.setRelease(world.pe(), round, (int) (round % n));
                        longs.context().quiet();
                    }
                    world.team().barrier();
                    longs.add(n + 1L, 1, (int) ((round + 1) % n));
                    longs.context().quiet();
                    world.team().barrier();
                    longs.set(n, 0);
                    longs.set(n + 1L, 0);
                    world.team().barrier();
                }
            }
        }
    }

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("BR-43 a callback that posts the next request, of a hundred: all complete, in order")
    void callbacksPost(World world) {
        int many = Rounds.of(100);
        try (SymmetricMemory memory = world.allocate(16)) {
            LongView longs = memory.longs();
            longs.set(0, 1);
            List<Integer> told = new ArrayList<>();
            List<Request> chain = new ArrayList<>();
            for (int i = 0; i < many; i++) {
                int index = i;
                chain.add(world.team().prepare(sum(longs).onComplete(_ -> {
                    told.add(index);
                    if (index + 1 < many) {
                        chain.get(index + 1).post();
                    }
                })));
            }
            chain.getFirst().post();
            world.progressUntil(() -> told.size() == many);
            chain.getLast().await();
            assertThat(told).isSorted().hasSize(many);
            chain.forEach(Request::close);
        }
    }

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("BR-9 a request whose memory was freed, whose team or whose world was closed: each call throws"
            + " with what was closed, and its close has no effect")
    void parentsAreGone() {
        World world = World.join();
        SymmetricMemory memory = world.allocate(16);
        SymmetricMemory freed = world.allocate(16);
        Team team = world.team().duplicate();
        Request ofFreed = world.team().prepare(sum(freed.longs()));
        Request ofTeam = team.prepare(sum(memory.longs()));
        Request ofWorld = world.team().prepare(sum(memory.longs()).persistent());
        ofWorld.post();
        ofWorld.await();
        freed.close();
        assertThatThrownBy(ofFreed::post)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("PE " + world.pe() + ": symmetric memory")
                .hasMessageContaining("was freed");
        team.close();
        refused(ofTeam, "it was closed");
        int pe = world.pe();
        world.close();
        refused(ofFreed, "the world was closed");
        assertThatThrownBy(ofWorld::post)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("the world was closed");
        assertThat(ofWorld.test()).as("its last run is complete").isTrue();
        ofWorld.await();
        for (Request each : List.of(ofFreed, ofTeam, ofWorld)) {
            each.close();
            each.close();
        }
        try (World next = World.join()) {
            assertThat(next.pe()).isEqualTo(pe);
            assertThat(next.team().sum(1L)).isEqualTo(next.size());
        }
    }

    /// A request that was never posted.
    private static void refused(Request request, String what) {
        assertThatThrownBy(request::post)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(what);
        assertThatThrownBy(request::test).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(request::await).isInstanceOf(IllegalStateException.class);
        assertThat(request.isComplete()).isFalse();
    }
}
