// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.ElementView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.DisplayName;

/// What requests take for arguments, and what they refuse.
class RequestArgumentsConformanceTest {

    /// One behind the other.
    private static long[] indices(long first, long[] counts) {
        long[] indices = new long[counts.length];
        long at = first;
        for (int block = 0; block < counts.length; block++) {
            indices[block] = at;
            at += counts[block];
        }
        return indices;
    }

    @SpmdTest(pes = {1, 2, 3, 5})
    @DisplayName("UC-27 a member without bytes may be in place or not, at any offset")
    void emptyBlocks(World world) {
        int me = world.pe();
        int n = world.size();
        long[] most = new long[n];
        Arrays.fill(most, 3);
        try (SymmetricMemory memory = world.allocate(8L * 6 * n)) {
            LongView longs = memory.longs();
            for (int empty = 0; empty < n; empty++) {
                long[] counts = most.clone();
                counts[empty] = 0;
                long[] indices = indices(0, counts);
                for (boolean looksInPlace : new boolean[] {true, false}) {
                    for (boolean isInPlace : new boolean[] {true, false}) {
                        boolean begins = me == empty ? looksInPlace : isInPlace;
                        long from = begins ? indices[me] : 3L * n;
                        for (int i = 0; i < counts[me]; i++) {
                            longs.set(from + i, 100L * me + i);
                        }
                        postAndAwait(
                                world.team(),
                                Collective.allGatherV()
                                        .source(longs, from, counts[me])
                                        .target(longs, counts, indices));
                        for (int member = 0; member < n; member++) {
                            for (int i = 0; i < counts[member]; i++) {
                                assertThat(longs.get(indices[member] + i)).isEqualTo(100L * member + i);
                            }
                        }
                        for (int i = 0; i < 3 * n; i++) {
                            longs.set(i, i + me);
                        }
                        long to = begins ? 0 : 3L * n;
                        postAndAwait(
                                world.team(),
                                Collective.reduceScatterV(Reduction.SUM)
                                        .source(longs, counts, indices)
                                        .target(longs, to, counts[me]));
                        for (int i = 0; i < counts[me]; i++) {
                            assertThat(longs.get(to + i)).isEqualTo(n * (indices[me] + i) + n * (n - 1) / 2);
                        }
                    }
                }
            }
        }
    }

    @SpmdTest(pes = {2, 3, 5})
    @DisplayName("where no block is empty, members are in place all or none")
    void inPlaceOnSome(World world) {
        int n = world.size();
        long[] counts = new long[n];
        Arrays.fill(counts, 2);
        try (SymmetricMemory memory = world.allocate(8L * 4 * n)) {
            LongView longs = memory.longs();
            Team team = world.team().duplicate();
            long from = world.pe() == 0 ? 0 : 2L * n;
            assertThatThrownBy(() -> postAndAwait(
                            team,
                            Collective.allGatherV().source(longs, from, 2).target(longs, counts, indices(0, counts))))
                    .isInstanceOf(CollectiveMismatchException.class);
            team.barrier();
            team.close();
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("blocks of a target that overlap are refused, in place and not, before anybody meets")
    void overlaps(World world) {
        int me = world.pe();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * 100)) {
            LongView longs = memory.longs();
            long[] counts = new long[n];
            long[] indices = new long[n];
            for (int member = 0; member < n; member++) {
                counts[member] = 4;
                indices[member] = member;
            }
            for (long from : new long[] {me, 50}) {
                Collective allgatherv =
                        Collective.allGatherV().source(longs, from, 4).target(longs, counts, indices);
                Collective gatherv =
                        Collective.gatherV(me).source(longs, from, 4).target(longs, counts, indices);
                for (Collective each : List.of(allgatherv, gatherv)) {
                    assertThatThrownBy(() -> world.team().prepare(each))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll("PE " + me, "block 1 of the target", "block 0 of the target")
                            .hasMessageStartingWith(each.type().method() + " on team");
                }
            }
            Collective sum =
                    Collective.allReduce(Reduction.SUM).source(longs, 0, 4).target(longs, 1, 4);
            assertThatThrownBy(() -> world.team().prepare(sum)).hasMessageContaining("block 0 of the source");
        }
    }

    @SpmdTest(pes = 2)
    @NullUnmarked
    @DisplayName("what is null is refused at once, with the method and the argument")
    void nulls(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            LongView longs = memory.longs();
            Collective sum = Collective.allReduce(Reduction.SUM);
            Duration noLimit = null;
            Consumer<Request> nothing = null;
            ElementView noView = null;
            String noName = null;
            Collective none = null;
            Reduction noOperator = null;
            refused("Collective.withTimeout: timeout is null", () -> sum.withTimeout(noLimit));
            refused("Collective.onComplete: then is null", () -> sum.onComplete(nothing));
            refused("Collective.withAlgorithm: name is null", () -> sum.withAlgorithm(noName));
            refused("Collective.source: view is null", () -> sum.source(noView, 0, 1));
            refused("Collective.target: view is null", () -> sum.target(noView, 0, 1));
            refused("Collective.source: counts is null", () -> sum.source(longs, null, new long[2]));
            refused("Collective.target: indices is null", () -> sum.target(longs, new long[2], null));
            refused("Collective.reduce: operator is null", () -> Collective.reduce(noOperator, 0));
            refused(
                    "prepare on team \"world\", PE " + world.pe() + ": collective is null",
                    () -> world.team().prepare(none));
        }
    }

    private static void refused(String message, Runnable call) {
        assertThatThrownBy(call::run)
                .isExactlyInstanceOf(NullPointerException.class)
                .hasMessage(message);
    }

    @SpmdTest(pes = 2)
    @DisplayName("collectives without data take no buffers, and none takes a time that is over")
    void refusals(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            LongView longs = memory.longs();
            long[] two = {0, 0};
            for (Collective each : List.of(Collective.barrier(), Collective.fanIn(0), Collective.fanOut(1))) {
                assertThatThrownBy(() -> each.source(longs, 0, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(each.type().method(), "has no source");
                assertThatThrownBy(() -> each.target(longs, two, two))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContainingAll(each.type().method(), "has no target");
                for (long millis : new long[] {0, -1}) {
                    Collective late = each.withTimeout(Duration.ofMillis(millis));
                    assertThatThrownBy(() -> world.team().prepare(late))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContainingAll(
                                    "team \"world\"",
                                    "PE " + world.pe(),
                                    "timeout " + Duration.ofMillis(millis) + " is not positive")
                            .hasMessageStartingWith(each.type().method() + " on team");
                }
            }
        }
    }
}
