// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.LongView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Teams in the shapes in which reports on other systems found them broken.
class ReportedTeamsConformanceTest {

    /// Takes an unpredictable time, so that a PE is late now and then.
    private static void dawdle(SplittableRandom random) {
        if (random.nextInt(16) == 0) {
            for (int turns = random.nextInt(3_000); turns > 0; turns--) {
                Thread.onSpinWait();
            }
        }
    }

    @SpmdTest(pes = {2, 3, 4, 9})
    @DisplayName("BR-1 reductions on teams with the same members by turns, without a barrier between: each has"
            + " its own sum")
    void sameMembersByTurns(World world) {
        int n = world.size();
        List<Team> made = List.of(
                world.team().duplicate(),
                world.team().splitStrided(0, 1, n),
                world.team().splitByColor(3, -world.pe()));
        List<Team> teams = new ArrayList<>(made);
        teams.add(world.team());
        teams.add(world.sharedTeam());
        SplittableRandom random = new SplittableRandom(world.pe());
        int rounds = Rounds.of(60, 20_000);
        for (long round = 0; round < rounds; round++) {
            for (int each = 0; each < teams.size(); each++) {
                Team team = teams.get(each);
                dawdle(random);
                long expected = team.size() * round * (each + 1)
                        + IntStream.of(team.pes()).sum();
                assertThat(team.sum(round * (each + 1) + world.pe()))
                        .as("team %s, round %s", each, round)
                        .isEqualTo(expected);
            }
        }
        made.forEach(Team::close);
    }

    @SpmdTest(pes = {2, 3, 5})
    @DisplayName("BR-1 the same with requests of both teams in flight")
    void requestsOfBoth(World world) {
        int n = world.size();
        Team other = world.team().splitByColor(0, -world.pe());
        try (SymmetricMemory memory = world.allocate(8L * 4)) {
            LongView longs = memory.longs();
            List<Request> requests = new ArrayList<>();
            for (Team team : List.of(world.team(), other)) {
                int at = 2 * requests.size();
                requests.add(team.prepare(Collective.allReduce(Reduction.SUM)
                        .source(longs, at, 1)
                        .target(longs, at + 1L, 1)
                        .persistent()));
            }
            SplittableRandom random = new SplittableRandom(world.pe());
            int rounds = Rounds.of(100, 10_000);
            for (long round = 0; round < rounds; round++) {
                for (int each = 0; each < 2; each++) {
                    longs.set(2L * each, round * (each + 7) + world.pe());
                    dawdle(random);
                    requests.get(each).post();
                }
                for (int each = 1; each >= 0; each--) {
                    requests.get(each).await();
                    assertThat(longs.get(2L * each + 1)).isEqualTo(n * round * (each + 7) + n * (n - 1L) / 2);
                }
            }
            requests.forEach(Request::close);
        }
        other.close();
    }

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 600)
    @DisplayName("BR-5 splits over and over, every third one kept for a while: memory and numbers are those of"
            + " the open ones")
    void splitsForEver(World world) {
        int rounds = Rounds.of(40, 30_000);
        Deque<Team> kept = new ArrayDeque<>();
        long level = 0;
        for (int round = 0; round < rounds; round++) {
            Team all = world.team().splitByColor(0, round % 3 - 1);
            Team alone = world.team().splitByColor(world.pe(), 0);
            Team node = world.nodeTeam().duplicate();
            assertThat(all.sum(1L)).isEqualTo(world.size());
            assertThat(alone.sum(7L)).isEqualTo(7);
            alone.close();
            node.close();
            kept.addLast(all);
            if (kept.size() > 3) {
                kept.removeFirst().close();
            }
            if (round == 20) {
                level = world.heapStatistics().usedBytes();
            }
            if (round > 20) {
                assertThat(world.heapStatistics().usedBytes())
                        .as("round %s", round)
                        .isEqualTo(level);
            }
        }
        kept.forEach(Team::close);
        assertThat(world.heapStatistics().usedBytes()).isZero();
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("BR-39 the first call on a world, on a team of two and on a copy is each collective in turn,"
            + " one PE late")
    void firstCall() {
        for (Collectives collective : Collectives.values()) {
            try (World world = World.join()) {
                if (world.size() == 2) {
                    first(world.team(), world, collective);
                }
                Team pair = world.team().splitByColor(world.pe() / 2, -world.pe());
                first(pair, world, collective);
                pair.close();
            }
        }
    }

    private static void first(Team team, World world, Collectives collective) {
        int n = team.size();
        try (SymmetricMemory memory = world.allocate(16L * n)) {
            for (int i = 0; i < n; i++) {
                Longs.set(memory, n + i, 10L * team.member() + i);
            }
            if (world.pe() == 0) {
                dawdle(new SplittableRandom(collective.ordinal()));
            }
            try (Team fresh = team.duplicate()) {
                collective.call(fresh, memory.longs(), 0, memory.longs(), n, 1);
            }
            long me = team.member();
            long expected = switch (collective) {
                case ALL_REDUCE -> 10;
                case INCLUSIVE_SCAN -> 10 * me;
                case EXCLUSIVE_SCAN -> 0;
                case REDUCE_SCATTER -> 10 + 2 * me;
                case BROADCAST, ALL_GATHER_V, ALL_GATHER -> 0;
                case ALL_TO_ALL, ALL_TO_ALL_STRIDED -> me;
            };
            assertThat(Longs.get(memory, 0)).as("%s", collective).isEqualTo(expected);
        }
    }
}
