// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.IntegerReduction;
import coterie.RecordLayout;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// Collectives on arrays and records, which are nowhere symmetric.
class ArrayConformanceTest {
    private record Best(double score, int index, boolean isExact) {
        Best orBetter(Best other) {
            return other.score > score ? other : this;
        }
    }

    private record Pair(int left, int right) {}

    private record Single(long both) {}

    @EveryTeamSize
    @DisplayName("arrays of any length are reduced, in pieces where they are long")
    void reductions(World world) {
        Team team = world.team();
        int n = team.size();
        for (int length : new int[] {0, 1, 7, 200_003}) {
            double[] sums = new double[length];
            Arrays.setAll(sums, i -> i + team.member());
            team.allReduce(Reduction.SUM, sums);
            assertThat(sums).isEqualTo(expected(length, i -> (double) n * i + n * (n - 1) / 2.0));
            long[] bits = new long[length];
            Arrays.fill(bits, 1L << team.member());
            team.reduce(IntegerReduction.OR, bits, n - 1);
            long[] combined = new long[length];
            Arrays.fill(combined, team.member() == n - 1 ? (1L << n) - 1 : 1L << team.member());
            assertThat(bits).isEqualTo(combined);
        }
    }

    private static double[] expected(int length, IntToDoubleFunction value) {
        return IntStream.range(0, length).mapToDouble(value).toArray();
    }

    @EveryTeamSize
    @DisplayName("arrays are copied, gathered, scattered and exchanged in the order of the members")
    void moves(World world) {
        Team team = world.team();
        int n = team.size();
        int me = team.member();
        long[] own = {10L * me, 10L * me + 1};
        long[] all = new long[2 * n];
        team.allGather(all, own);
        long[] every = LongStream.range(0, 2L * n).map(i -> i / 2 * 10 + i % 2).toArray();
        assertThat(all).isEqualTo(every);
        long[] gathered = new long[2 * n];
        team.gather(gathered, own, n - 1);
        assertThat(gathered).isEqualTo(me == n - 1 ? every : new long[2 * n]);
        long[] part = new long[2];
        team.scatter(part, me == 0 ? every : null, 0);
        assertThat(part).isEqualTo(own);
        long[] exchanged = new long[n];
        team.allToAll(
                exchanged, LongStream.range(0, n).map(to -> 100L * me + to).toArray());
        assertThat(exchanged)
                .isEqualTo(LongStream.range(0, n).map(from -> 100 * from + me).toArray());
        long[] root = me == n - 1 ? new long[] {7, 8, 9} : new long[3];
        team.broadcast(root, n - 1);
        assertThat(root).containsExactly(7, 8, 9);
        int[] block = new int[2];
        int[] blocks = IntStream.range(0, 2 * n).toArray();
        team.reduceScatter(Reduction.MAX, block, blocks);
        assertThat(block).containsExactly(2 * me, 2 * me + 1);
    }

    @EveryTeamSize
    @DisplayName("records come from the root, from all, and combined in the order of the members")
    void records(World world) {
        Team team = world.team();
        int n = team.size();
        int me = team.member();
        RecordLayout<Best> layout = RecordLayout.of(Best.class);
        Best mine = new Best(me % 3, me, me % 2 == 0);
        assertThat(team.broadcast(layout, me == n - 1 ? mine : null, n - 1))
                .isEqualTo(new Best((n - 1) % 3, n - 1, n % 2 == 1));
        List<Best> all = team.allGather(layout, mine);
        assertThat(all)
                .isEqualTo(IntStream.range(0, n)
                        .mapToObj(each -> new Best(each % 3, each, each % 2 == 0))
                        .toList());
        int first = Math.min(n - 1, 2); // of the best, the first in the order of the members
        assertThat(team.allReduce(layout, Best::orBetter, mine)).isEqualTo(all.get(first));
    }

    @SpmdTest(pes = 2)
    @DisplayName("members that pass records of other components get an exception, whatever the sizes")
    void otherRecords(World world) {
        Team team = world.team();
        assertThatThrownBy(() -> {
                    if (team.member() == 0) {
                        team.allGather(RecordLayout.of(Pair.class), new Pair(1, 2));
                    } else {
                        team.allGather(RecordLayout.of(Single.class), new Single(3));
                    }
                })
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("has other components than");
        assertThat(team.sum(1)).isEqualTo(2);
    }
}
