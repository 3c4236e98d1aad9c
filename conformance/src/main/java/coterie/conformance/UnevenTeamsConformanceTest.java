// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Collectives on the teams over which a peer's suite runs all of its own: members at distances that grow and
/// shrink, backwards, every second and third PE, and rows and columns of all PEs and of every second one.
class UnevenTeamsConformanceTest {

    /// PEs that begin at a first one, each at a distance from the one before that differs by `growth`.
    private static int[] stepped(int n, int first, int step, int growth) {
        List<Integer> pes = new ArrayList<>();
        int distance = step;
        for (int pe = first; pe >= 0 && pe < n && distance != 0; pe += distance, distance += growth) {
            pes.add(pe);
        }
        return pes.stream().mapToInt(Integer::intValue).toArray();
    }

    private static List<int[]> lists(int n) {
        return List.of(
                stepped(n, 0, 1, 1),
                stepped(n, 0, n / 2 + 1, -1),
                stepped(n, n - 1, -1, -1),
                IntStream.range(0, n).filter(pe -> pe % 2 == 0).toArray(),
                IntStream.range(0, n).filter(pe -> pe % 2 == 1).toArray(),
                IntStream.range(0, n).filter(pe -> pe % 3 == 0).toArray(),
                IntStream.range(0, Math.min(2, n)).toArray());
    }

    /// A team of the parent's members that a list names, in its order.
    private static Team listed(Team parent, int[] members) {
        int me = parent.member();
        int key = IntStream.range(0, members.length)
                .filter(i -> members[i] == me)
                .findFirst()
                .orElse(-1);
        Team team = parent.splitByColor(key < 0 ? -1 : 0, key);
        if (key >= 0) {
            assertThat(team.pes())
                    .isEqualTo(IntStream.of(members).map(parent::pe).toArray());
        }
        return team;
    }

    private static void rows(Team parent, int length, SymmetricMemory memory, long seed) {
        Team.Axes axes = parent.split2D(length);
        for (Team team : List.of(axes.x(), axes.y())) {
            collectives(team, memory, seed);
            team.close();
        }
    }

    private static void collectives(Team team, SymmetricMemory memory, long seed) {
        CollectiveSweepConformanceTest.everyCollective(team, memory, new SplittableRandom(seed));
        RequestSweepConformanceTest.requests(
                team, memory, new SplittableRandom(seed), Rounds.simulated() ? 1 : Rounds.of(1, 40));
    }

    @SpmdTest(
            pes = {1, 2, 3, 4},
            timeoutSeconds = 600)
    @DisplayName("BR-7 BR-11 every collective is right on teams of uneven distances, of multiples, of the first two"
            + " PEs, and of rows and columns")
    void everyCollective(World world) {
        unevenTeams(world);
    }

    @SpmdTest(
            pes = {5, 6, 7, 8, 9, 10, 11, 12, 13},
            timeoutSeconds = 600)
    @EnabledIfSystemProperty(named = "coterie.soak", matches = "true")
    @DisplayName("BR-7 BR-11 the same with more PEs")
    void moreSizes(World world) {
        unevenTeams(world);
    }

    private static void unevenTeams(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(CollectiveSweepConformanceTest.BYTES)) {
            long seed = n;
            for (int[] members : lists(n)) {
                if (members.length > 0) {
                    Team team = listed(world.team(), members);
                    if (team.isValid()) {
                        collectives(team, memory, seed);
                    }
                    team.close();
                }
                seed++;
            }
            if (Rounds.simulated()) {
                return; // rows and columns are teams of strides, as some of the lists are
            }
            for (int length : List.of(1, n, Math.max(1, n / 2), Math.max(1, n / 3))) {
                rows(world.team(), length, memory, seed++);
            }
            Team even = listed(world.team(), lists(n).get(3));
            if (even.isValid()) {
                rows(even, Math.max(1, even.size() / 2), memory, seed);
            }
            even.close();
        }
    }
}
