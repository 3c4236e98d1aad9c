// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.layer.Arguments.Order;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// Which algorithm serves what.
class AlgorithmsTableTest {

    private static ScoreMap<Algorithm> scoreMap(int teamSize) {
        return ScoreMap.of(Algorithms.scores(teamSize), teamSize);
    }

    @ParameterizedTest(name = "{0} of {2} bytes, {1} members: {3}")
    @CsvSource({
        "BARRIER, 8, 0, knomial",
        "FAN_IN, 8, 0, knomial",
        "FAN_OUT, 8, 0, knomial",
        "BROADCAST, 2, 1048576, knomial",
        "BROADCAST, 3, 32767, knomial",
        "BROADCAST, 3, 32768, sag",
        "ALL_REDUCE, 8, 4095, knomial",
        "ALL_REDUCE, 8, 4096, sra",
        "REDUCE, 8, 32767, knomial",
        "REDUCE, 8, 32768, srg",
        "ALL_GATHER, 8, 4095, knomial",
        "ALL_GATHER, 8, 4096, neighbor",
        "ALL_GATHER, 7, 4096, ring",
        "ALL_GATHER_V, 8, 4095, knomial",
        "ALL_GATHER_V, 8, 4096, ring",
        "ALL_TO_ALL, 8, 1031, bruck",
        "ALL_TO_ALL, 8, 1032, pairwise",
        "ALL_TO_ALL, 100, 1032, bruck",
        "ALL_TO_ALL_V, 63, 0, pairwise",
        "ALL_TO_ALL_V, 64, 0, hybrid",
        "REDUCE_SCATTER, 8, 8, ring",
        "REDUCE_SCATTER_V, 8, 8, ring",
        "GATHER, 8, 8, knomial",
        "GATHER_V, 8, 0, linear",
        "SCATTER, 8, 8, knomial",
        "SCATTER_V, 8, 0, linear",
        "INCLUSIVE_SCAN, 8, 32767, dissemination",
        "EXCLUSIVE_SCAN, 8, 32768, linear",
    })
    @DisplayName("the first choice changes with the size")
    void firstChoice(CollectiveType type, int teamSize, long bytes, String algorithm) {
        Explanation explanation = scoreMap(teamSize).explain(type, MemoryType.HOST, bytes);
        assertThat(explanation.candidates().getFirst()).isEqualTo(new Explanation.Candidate("p2p", algorithm, 10));
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("for each size of each collective all its algorithms are there, each once")
    void allAreThere(CollectiveType type) {
        AlgorithmTable<Algorithm> table = Algorithms.table();
        for (int teamSize = 1; teamSize < 5; teamSize++) {
            ScoreMap<Algorithm> scoreMap = scoreMap(teamSize);
            for (long bytes : new long[] {0, 100, 5000, 1L << 40}) {
                List<SelectableAlgorithm<Algorithm>> found = new ArrayList<>();
                for (SelectedAlgorithm<Algorithm> selected = scoreMap.find(type, MemoryType.HOST, bytes);
                        selected != null;
                        selected = selected.next()) {
                    found.add(selected.algorithm());
                }
                assertThat(found).containsExactlyInAnyOrderElementsOf(table.algorithms(type));
            }
        }
    }

    @Test
    @DisplayName("numbers and names of algorithms are those that tuning strings use")
    void numbers() {
        AlgorithmTable<Algorithm> table = Algorithms.table();
        assertThat(table.collectives()).isEqualTo(EnumSet.allOf(CollectiveType.class));
        assertThat(names(CollectiveType.ALL_REDUCE)).containsExactly("knomial", "sra", "dbt", "ring", "sequential");
        assertThat(names(CollectiveType.ALL_GATHER)).containsExactly("knomial", "ring", "neighbor", "bruck", "linear");
        assertThat(names(CollectiveType.BROADCAST)).containsExactly("knomial", "sag", "dbt", "linear");
        assertThat(names(CollectiveType.REDUCE)).containsExactly("knomial", "dbt", "srg", "sequential");
    }

    private static List<String> names(CollectiveType type) {
        return Algorithms.table().algorithms(type).stream()
                .map(SelectableAlgorithm::algorithm)
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("some algorithm serves each collective on each team, operands in order and one by one, too")
    void someoneServes(CollectiveType type) {
        for (int size = 1; size <= 9; size++) {
            for (PlanOperation operation : Case.REDUCE.contains(type)
                    ? List.of(PlanOperation.SUM, PlanOperation.AFFINE, PlanOperation.AT_ONCE)
                    : List.of(PlanOperation.NONE)) {
                int members = size;
                assertThat(names(type))
                        .as("algorithms of %s of %s members, %s", type, size, operation)
                        .anyMatch(name -> new Case(type, name, operation, false, members, 0, 4, 1)
                                .run()
                                .cost()
                                .isPresent());
            }
        }
    }

    @Test
    @DisplayName("geometries of teams beyond what can be run: each member's plan is short, and made without overflow")
    void largeTeams() {
        int size = 1_000_000_007;
        for (int me : new int[] {0, 1, size / 2, size - 2, size - 1}) {
            BlockLayout vector = new BlockLayout.Even(1, 8L * size);
            CollectiveShape shape =
                    new CollectiveShape(CollectiveType.ALL_REDUCE, size, me, 0, 8, Order.ANY, false, vector, vector, 4);
            for (String name : List.of("knomial", "sra", "dbt")) {
                Plan plan = Algorithms.table()
                        .algorithm(CollectiveType.ALL_REDUCE, name)
                        .factory()
                        .plan(shape)
                        .orElseThrow();
                assertThat(plan.steps()).as("steps of %s", name).hasSizeLessThanOrEqualTo(70);
            }
        }
    }
}
