// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.TeamTable.element;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerReduction;
import coterie.RecordLayout;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Every collective on numbers, arrays and records on each team of [TeamTable].
class TeamTableArraysConformanceTest {
    private static final RecordLayout<Ends> ENDS = RecordLayout.of(Ends.class);

    /// The first and the last member of those that were combined, if each was combined in its place.
    private record Ends(int first, int last) {
        Ends through(Ends next) {
            return new Ends(first, next.last);
        }
    }

    @SpmdTest(
            pes = {1, 2, 3, 5, 7},
            timeoutSeconds = 300)
    @DisplayName("NV-3 on teams of uneven distances, of every second and third PE, of rows and columns, duplicates, and"
            + " teams in them every collective on numbers, arrays and records gives what its definition says")
    void arrays(World world) {
        everyArray(world);
    }

    @SpmdTest(
            pes = {4, 6, 8, 9, 10, 11, 12, 13},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS},
            timeoutSeconds = 900)
    @EnabledIfSystemProperty(named = "coterie.soak", matches = "true")
    @DisplayName("NV-3 the same with more PEs")
    void moreSizes(World world) {
        everyArray(world);
    }

    private static void everyArray(World world) {
        TeamTable.onEachTeam(world, (row, memory, number) -> {
            if (TeamTable.has(number, 0)) {
                numbers(row.name(), row.team(), number);
            }
            if (TeamTable.has(number, 1)) {
                records(row.name(), row.team());
            }
            if (TeamTable.has(number, 2)) {
                reductions(row.name(), row.team(), number);
            }
            if (TeamTable.has(number, 3)) {
                exchanges(row.name(), row.team(), number);
            }
            for (int root : TeamTable.roots(row.team())) {
                if (TeamTable.has(number, root == 0 ? 4 : 5)) {
                    rooted(row.name(), row.team(), number, root);
                }
            }
        });
    }

    private static void numbers(String name, Team team, int number) {
        IntToLongFunction first = member -> element(number, member, 0);
        int me = team.member();
        int size = team.size();
        assertThat(team.sum(first.applyAsLong(me))).as(name).isEqualTo(sum(team, first));
        assertThat(team.sum((double) me)).as(name).isEqualTo(size * (size - 1) / 2.0);
        assertThat(team.allReduce(Reduction.MAX, first.applyAsLong(me)))
                .as(name)
                .isEqualTo(first.applyAsLong(size - 1));
        assertThat(team.allReduce(IntegerReduction.OR, 1L << me)).as(name).isEqualTo((1L << size) - 1);
    }

    private static void records(String name, Team team) {
        int me = team.member();
        int size = team.size();
        Ends mine = new Ends(me, me);
        assertThat(team.allReduce(ENDS, Ends::through, mine)).as(name).isEqualTo(new Ends(0, size - 1));
        assertThat(team.allGather(ENDS, mine))
                .as(name)
                .isEqualTo(IntStream.range(0, size)
                        .mapToObj(member -> new Ends(member, member))
                        .toList());
        for (int root : TeamTable.roots(team)) {
            assertThat(team.broadcast(ENDS, new Ends(me, -me), root)).as(name).isEqualTo(new Ends(root, -root));
        }
    }

    private static void reductions(String name, Team team, int number) {
        int me = team.member();
        long[] reduced = array(number, me, 2);
        team.allReduce(Reduction.SUM, reduced);
        assertThat(reduced)
                .as(name)
                .containsExactly(
                        sum(team, member -> element(number, member, 0)),
                        sum(team, member -> element(number, member, 1)));
        long[] scattered = new long[1];
        team.reduceScatter(Reduction.SUM, scattered, array(number, me, team.size()));
        assertThat(scattered).as(name).containsExactly(sum(team, member -> element(number, member, me)));
    }

    private static void exchanges(String name, Team team, int number) {
        int me = team.member();
        long[] all = new long[2 * team.size()];
        team.allGather(all, array(number, me, 2));
        assertThat(all).as(name).isEqualTo(gathered(team, number));
        long[] exchanged = new long[team.size()];
        team.allToAll(exchanged, array(number, me, team.size()));
        assertThat(exchanged)
                .as(name)
                .isEqualTo(LongStream.range(0, team.size())
                        .map(member -> element(number, (int) member, me))
                        .toArray());
    }

    private static void rooted(String name, Team team, int number, int root) {
        int me = team.member();
        long[] own = array(number, me, 2);
        long[] copied = own.clone();
        team.broadcast(copied, root);
        assertThat(copied).as(name).isEqualTo(array(number, root, 2));
        long[] reduced = array(number, me, 1);
        team.reduce(Reduction.SUM, reduced, root);
        assertThat(reduced[0])
                .as(name)
                .isEqualTo(me == root ? sum(team, member -> element(number, member, 0)) : element(number, me, 0));
        long[] gathered = new long[2 * team.size()];
        team.gather(gathered, own, root);
        assertThat(gathered).as(name).isEqualTo(me == root ? gathered(team, number) : new long[2 * team.size()]);
        long[] part = new long[2];
        team.scatter(part, array(number, me, 2 * team.size()), root);
        assertThat(part).as(name).containsExactly(element(number, root, 2L * me), element(number, root, 2L * me + 1));
    }

    private static long[] array(int number, int member, int length) {
        return LongStream.range(0, length)
                .map(index -> element(number, member, index))
                .toArray();
    }

    private static long[] gathered(Team team, int number) {
        return LongStream.range(0, 2L * team.size())
                .map(i -> element(number, (int) (i / 2), i % 2))
                .toArray();
    }

    private static long sum(Team team, IntToLongFunction value) {
        return IntStream.range(0, team.size()).mapToLong(value).sum();
    }
}
