// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.score.Tune;
import coterie.layer.Arguments.Order;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which algorithm of the hierarchy serves what.
class HierarchyTest {
    private static final NodeTopology EVEN = NodeTopology.of(0, 0, 1, 1);
    private static final NodeTopology UNEVEN = NodeTopology.of(0, 0, 0, 1);

    private static List<String> ladder(ScoreTable<Algorithm> table, CollectiveType type, long bytes) {
        List<String> ladder = new ArrayList<>();
        for (SelectedAlgorithm<Algorithm> selected = ScoreMap.of(table, 4).find(type, MemoryType.HOST, bytes);
                selected != null;
                selected = selected.next()) {
            ladder.add(selected.toString());
        }
        return ladder;
    }

    @ParameterizedTest(name = "{0} of {1} bytes: {2}")
    @CsvSource({
        "BARRIER, 0, hier/2step 50",
        "BROADCAST, 4095, hier/2step 50",
        "BROADCAST, 4096, p2p/knomial 10",
        "REDUCE, 4095, hier/2step 50",
        "REDUCE, 4096, p2p/knomial 10",
        "ALL_REDUCE, 4095, hier/rab 50",
        "ALL_REDUCE, 4096, p2p/sra 10",
        "ALL_GATHER_V, 8388607, hier/gab 50",
        "ALL_GATHER_V, 8388608, p2p/ring 10",
        "ALL_GATHER, 100, p2p/knomial 10",
        "ALL_TO_ALL, 100, p2p/bruck 10",
        "ALL_TO_ALL_V, 0, p2p/pairwise 10",
        "SCATTER, 100, p2p/knomial 10",
    })
    @DisplayName("it stands before the algorithms for whole teams, where it is the default")
    void firstChoice(CollectiveType type, long bytes, String first) {
        ScoreTable<Algorithm> table =
                Hierarchy.scores(EVEN, SubgroupPlans.UNTUNED).merge(Algorithms.scores(4));
        assertThat(ladder(table, type, bytes)).startsWith(first);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "ALL_REDUCE, hier/split_rail 1",
        "ALL_GATHER, hier/gab 1",
        "ALL_TO_ALL, hier/node_split 1",
        "ALL_TO_ALL_V, hier/node_split 1",
    })
    @DisplayName("an algorithm without a default score comes after all others, and settings can put it first")
    void manual(CollectiveType type, String last) {
        ScoreTable<Algorithm> table =
                Hierarchy.scores(EVEN, SubgroupPlans.UNTUNED).merge(Algorithms.scores(4));
        assertThat(ladder(table, type, 100)).endsWith(last);
        String name = last.substring(last.indexOf('/') + 1, last.indexOf(' '));
        Tune<Algorithm> tune =
                Tune.parse(type.label() + ":@" + name + ":inf", Hierarchy.table(EVEN, SubgroupPlans.UNTUNED));
        assertThat(ladder(table.update(tune, 4).table(), type, 100)).startsWith("hier/" + name + " inf");
    }

    @Test
    @DisplayName("an algorithm whose name begins with a digit can be named in a tuning string")
    void nameWithDigit() {
        Tune<Algorithm> tune = Tune.parse("bcast:4k-1m:60:@2step", Hierarchy.table(EVEN, SubgroupPlans.UNTUNED));
        assertThat(tune.errors()).isEmpty();
        ScoreTable<Algorithm> table =
                Hierarchy.scores(EVEN, SubgroupPlans.UNTUNED).update(tune, 4).table();
        assertThat(ladder(table, CollectiveType.BROADCAST, 5000)).containsExactly("hier/2step 60");
    }

    @Test
    @DisplayName("if nodes have different numbers of members, no algorithm splits over rails")
    void uneven() {
        assertThat(ladder(Hierarchy.scores(UNEVEN, SubgroupPlans.UNTUNED), CollectiveType.ALL_REDUCE, 100))
                .containsExactly("hier/rab 50");
        assertThat(ladder(Hierarchy.scores(UNEVEN, SubgroupPlans.UNTUNED), CollectiveType.ALL_REDUCE, 5000))
                .isEmpty();
    }

    @Test
    @DisplayName("without a hierarchy nothing is offered")
    void noHierarchy() {
        for (NodeTopology topology : List.of(NodeTopology.of(0), NodeTopology.of(1, 1, 1), NodeTopology.of(0, 1, 2))) {
            assertThat(Hierarchy.scores(topology, SubgroupPlans.UNTUNED)).isEqualTo(ScoreTable.empty());
        }
    }

    @Test
    @DisplayName("the repertoire has all that the table can offer, and each of it is offered")
    void repertoire() {
        for (CollectiveType type : EnumSet.allOf(CollectiveType.class)) {
            List<String> known = Hierarchy.table(EVEN, SubgroupPlans.UNTUNED).algorithms(type).stream()
                    .map(each -> each.toString())
                    .toList();
            List<String> offered = ladder(Hierarchy.scores(EVEN, SubgroupPlans.UNTUNED), type, 0).stream()
                    .map(each -> each.substring(0, each.indexOf(' ')))
                    .toList();
            assertThat(offered).as("%s", type).containsExactlyElementsOf(known);
        }
    }

    @Test
    @DisplayName("a shape of another team is refused")
    void anotherTeam() {
        BlockLayout vector = new BlockLayout.Even(1, 8);
        CollectiveShape shape =
                new CollectiveShape(CollectiveType.ALL_REDUCE, 5, 0, 0, 8, Order.ANY, false, vector, vector, 2);
        Algorithm rab = Hierarchy.table(EVEN, SubgroupPlans.UNTUNED)
                .algorithm(CollectiveType.ALL_REDUCE, "rab")
                .factory();
        assertThatThrownBy(() -> rab.plan(shape))
                .hasMessageContaining("allreduce of 5 members")
                .hasMessageContaining("the nodes have 4 in total");
    }
}
