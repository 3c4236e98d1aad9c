// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Context;
import coterie.IntView;
import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// Collectives that move elements and compute nothing.
class CollectiveConformanceTest {
    private static final long GUARD = -77;

    @EveryTeamSize
    @DisplayName("SH-C1 broadcast from each root: every member's target, the root's included, has the root's source")
    void broadcastReachesAll(World world) {
        try (SymmetricMemory source = world.allocate(80);
                SymmetricMemory target = world.allocate(96)) {
            for (int root = 0; root < world.size(); root++) {
                for (int i = 0; i < 10; i++) {
                    Longs.set(source, i, 100L * world.pe() + i);
                }
                target.segment().fill((byte) -1);
                world.team().barrier();
                world.team().broadcast(target.longs(), 1, source.longs(), 0, 10, root);
                assertThat(Longs.get(target, 0)).isEqualTo(-1);
                for (int i = 0; i < 10; i++) {
                    assertThat(Longs.get(target, i + 1)).isEqualTo(100L * root + i);
                }
                assertThat(Longs.get(target, 11)).isEqualTo(-1);
                world.team().barrier();
            }
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C2 broadcast in place: all have what the root had")
    void broadcastInPlace(World world) {
        int root = world.size() / 2;
        try (SymmetricMemory memory = world.allocate(80)) {
            for (int i = 0; i < 10; i++) {
                Longs.set(memory, i, 100L * world.pe() + i);
            }
            world.team().barrier();
            world.team().broadcast(memory.longs(), 0, memory.longs(), 0, 10, root);
            assertThat(Longs.of(memory))
                    .isEqualTo(Longs.counting(100L * root, 10).toArray(JAVA_LONG));
        }
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-C3 collect of 1, 2, 3 and 4 elements lays them end to end; where one gives none others close up")
    void collectJoinsWhatEachGives(World world) {
        int[] first = {0, 1, 3, 6};
        assertThat(collected(world, first[world.pe()], world.pe() + 1))
                .startsWith(LongStream.range(0, 10).toArray())
                .endsWith(GUARD, GUARD);
        int[] firstWithoutOne = {0, 1, 1, 4};
        assertThat(collected(world, firstWithoutOne[world.pe()], world.pe() == 1 ? 0 : world.pe() + 1))
                .startsWith(LongStream.range(0, 8).toArray())
                .endsWith(GUARD, GUARD, GUARD, GUARD);
    }

    @SpmdTest(pes = 4)
    @DisplayName("SH-C4 collect of 0, 1, 2 and 3 elements: six in all, and what follows is untouched")
    void collectLeavesTheRestAlone(World world) {
        int me = world.pe();
        assertThat(collected(world, me * (me - 1) / 2, me))
                .containsExactly(0, 1, 2, 3, 4, 5, GUARD, GUARD, GUARD, GUARD, GUARD, GUARD);
    }

    /// Collects `count` elements of mine, `first` and up, into a target of 12.
    private static long[] collected(World world, int first, int count) {
        try (SymmetricMemory source = world.allocate(80);
                SymmetricMemory target = world.allocate(96)) {
            for (int i = 0; i < 10; i++) {
                Longs.set(source, i, i < count ? first + i : -1);
            }
            for (int i = 0; i < 12; i++) {
                Longs.set(target, i, GUARD);
            }
            world.team().barrier();
            world.team().allGatherV(target.longs(), 0, source.longs(), 0, count);
            return Longs.of(target);
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C5 fcollect over all PEs in reverse order: what they give is in the team's order")
    void fcollectIsInTeamOrder(World world) {
        int n = world.size();
        try (Team reverse = world.team().splitStrided(n - 1, -1, n);
                SymmetricMemory memory = world.allocate(8L * (n + 1))) {
            Longs.set(memory, n, world.pe());
            world.team().barrier();
            reverse.allGather(memory.longs(), 0, memory.longs(), n, 1);
            long[] expected =
                    LongStream.range(0, n).map(member -> n - 1 - member).toArray();
            assertThat(Arrays.copyOf(Longs.of(memory), n)).isEqualTo(expected);
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C7 alltoall: block j of member i becomes block i of member j")
    void alltoallTransposes(World world) {
        int n = world.size();
        try (SymmetricMemory source = world.allocate(16L * n);
                SymmetricMemory target = world.allocate(16L * n)) {
            for (int at = 0; at < 2 * n; at++) {
                Longs.set(source, at, 100L * world.pe() + 10L * (at / 2) + at % 2);
            }
            world.team().barrier();
            world.team().allToAll(target.longs(), 0, source.longs(), 0, 2);
            for (int at = 0; at < 2 * n; at++) {
                assertThat(Longs.get(target, at)).isEqualTo(100L * (at / 2) + 10L * world.pe() + at % 2);
            }
        }
    }

    @EveryTeamSize
    @DisplayName("alltoallStrided: element k of block j is at stride * (j * count + k), and the gaps stay as they are")
    void alltoallStridedLeavesGaps(World world) {
        int n = world.size();
        int count = 3;
        try (SymmetricMemory source = world.allocate(4L * 2 * count * n);
                SymmetricMemory target = world.allocate(4L * 3 * count * n)) {
            IntView from = source.ints();
            IntView to = target.ints();
            for (int at = 0; at < from.length(); at++) {
                from.set(at, at % 2 == 0 ? 1000L * world.pe() + at / 2 : -1);
            }
            for (int at = 0; at < to.length(); at++) {
                to.set(at, GUARD);
            }
            world.team().barrier();
            world.team().allToAllStrided(to, 0, 3, from, 0, 2, count);
            for (int at = 0; at < to.length(); at++) {
                int element = at / 3;
                long expected = 1000L * (element / count) + (long) world.pe() * count + element % count;
                assertThat(to.get(at)).isEqualTo(at % 3 == 0 ? expected : GUARD);
            }
        }
    }

    @EveryTeamSize
    @DisplayName("alltoallStrided with blocks of two longs exchanges 128-bit elements, and the gaps stay as they are")
    void alltoallStridedMovesBlocks(World world) {
        int n = world.size();
        int count = 3;
        try (SymmetricMemory source = world.allocate(8L * 3 * count * n);
                SymmetricMemory target = world.allocate(8L * 5 * count * n)) {
            LongView from = source.longs();
            LongView to = target.longs();
            for (int at = 0; at < from.length(); at++) {
                from.set(at, at % 3 < 2 ? 1000L * world.pe() + 10L * (at / 3) + at % 3 : -1);
            }
            for (int at = 0; at < to.length(); at++) {
                to.set(at, GUARD);
            }
            world.team().barrier();
            world.team().allToAllStrided(to, 0, 5, from, 0, 3, 2, count);
            for (int at = 0; at < to.length(); at++) {
                int block = at / 5;
                long expected = 1000L * (block / count) + 10L * ((long) world.pe() * count + block % count) + at % 5;
                assertThat(to.get(at)).isEqualTo(at % 5 < 2 ? expected : GUARD);
            }
        }
    }

    @SpmdTest(pes = 1)
    @DisplayName("SH-C16 alone, every collective copies")
    void aloneCollectivesCopy(World world) {
        assertCopies(world.team(), world);
    }

    @EveryTeamSize
    @DisplayName("SH-C16 in a team of one's own, every collective copies")
    void inATeamOfOneCollectivesCopy(World world) {
        try (Team alone = world.team().splitByColor(world.pe(), 0)) {
            assertCopies(alone, world);
        }
    }

    private static void assertCopies(Team team, World world) {
        for (Collectives collective : Collectives.values()) {
            try (SymmetricMemory memory = world.allocate(32)) {
                Longs.set(memory, 0, 42);
                Longs.set(memory, 1, 43);
                collective.call(team, memory.longs(), 2, memory.longs(), 0, 2);
                long[] expected = collective == Collectives.EXCLUSIVE_SCAN
                        ? new long[] {42, 43, 0, 0}
                        : new long[] {42, 43, 42, 43};
                assertThat(Longs.of(memory)).as("%s", collective).isEqualTo(expected);
            }
        }
        assertThat(team.sum(-3L)).isEqualTo(-3);
        assertThat(Double.doubleToRawLongBits(team.sum(-0.0))).isEqualTo(Double.doubleToRawLongBits(-0.0));
        team.barrier();
        team.sync();
    }

    @EveryTeamSize
    @DisplayName("SH-C15 zero elements move nothing by any collective, and the next ones are right")
    void zeroElementsAreACollective(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(16);
                SymmetricMemory empty = world.allocate(0)) {
            Longs.set(memory, 0, 1);
            team.barrier();
            for (int i = 0; i < 10; i++) {
                for (Collectives collective : Collectives.values()) {
                    collective.call(team, memory.longs(), 1, memory.longs(), 0, 0);
                    collective.call(team, memory.longs(), 2, memory.longs(), 2, 0);
                    collective.call(team, empty.longs(), 0, empty.longs(), 0, 0);
                }
                assertThat(Longs.get(memory, 1)).isZero();
            }
            Collectives.ALL_REDUCE.call(team, memory.longs(), 1, memory.longs(), 0, 1);
            assertThat(Longs.get(memory, 1)).isEqualTo(world.size());
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C22 what was put and completed before a sync is there after it")
    void quietAndSyncCompletePuts(World world) {
        int n = world.size();
        try (SymmetricMemory cell = world.allocate(8)) {
            for (long round = 1; round <= 200; round++) {
                cell.longs().put(0, round, (world.pe() + 1) % n);
                world.context().quiet();
                world.team().sync();
                assertThat(Longs.get(cell, 0)).isEqualTo(round);
                world.team().sync();
            }
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C23 what was put through a context is there after a barrier once that context was quiet")
    void barriersDontCompleteContexts(World world) {
        int n = world.size();
        try (SymmetricMemory cell = world.allocate(8);
                Context context = world.team().createContext()) {
            for (long round = 1; round <= 200; round++) {
                cell.longs().through(context).put(0, round, (world.pe() + 1) % n);
                context.quiet();
                world.team().barrier();
                assertThat(Longs.get(cell, 0)).isEqualTo(round);
                world.team().barrier();
            }
        }
    }

    @EveryTeamSize
    @DisplayName("threads in collectives of different teams don't get into each other's way")
    void teamsAreApart(World world) throws Exception {
        int n = world.size();
        try (Team first = world.team().duplicate();
                Team second = world.team().splitStrided(n - 1, -1, n);
                SymmetricMemory memory = world.allocate(8 * 3000)) {
            int rounds = Rounds.of(50);
            FutureTask<Void> other = new FutureTask<>(() -> scan(second, memory, 1500, rounds), null);
            new Thread(other, "second").start();
            scan(first, memory, 0, rounds);
            other.get();
        }
    }

    /// Scans 0, 1, 2, …, the same on all members, over and over: member `m` gets each times `m + 1`.
    private static void scan(Team team, SymmetricMemory memory, int begin, int rounds) {
        LongView longs = memory.longs();
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 1500; i++) {
                Longs.set(memory, begin + i, i);
            }
            team.inclusiveScan(Reduction.SUM, longs, begin, longs, begin, 1500);
            for (int i = 0; i < 1500; i++) {
                if (Longs.get(memory, begin + i) != (team.member() + 1L) * i) {
                    throw new AssertionError("round " + round + ", element " + i + ": " + Longs.get(memory, begin + i));
                }
            }
        }
    }

    @EveryTeamSize
    @DisplayName("barrier: what anybody put before is there for all after, 1,000 times")
    void barrierCompletesPuts(World world) {
        int n = world.size();
        try (SymmetricMemory cells = world.allocate(8L * n)) {
            int rounds = Rounds.of(1_000);
            for (long round = 1; round <= rounds; round++) {
                for (int pe = 0; pe < n; pe++) {
                    cells.longs().put(world.pe(), round, pe);
                }
                world.team().barrier();
                for (int pe = 0; pe < n; pe++) {
                    if (Longs.get(cells, pe) != round) {
                        throw new AssertionError("round " + round + ": PE " + pe + " put " + Longs.get(cells, pe));
                    }
                }
                world.team().barrier();
            }
        }
    }
}
