// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static coterie.internal.score.Tables.INF;
import static coterie.internal.score.Tables.TEAM_SIZE;
import static coterie.internal.score.Tables.algorithm;
import static coterie.internal.score.Tables.allreduce;
import static coterie.internal.score.Tables.piece;
import static coterie.internal.score.Tables.ucp;
import static coterie.testing.AllocationAssertions.assertClean;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a team selects from a table.
class ScoreMapTest {
    private static final ScoreMap<String> SELECTION = ScoreMap.of(
            ucp().merge(allreduce("shm", piece(16, 1024, 100), piece(4096, 8192, 5), piece(8192, 9000, 100))),
            TEAM_SIZE);

    private static String find(ScoreMap<String> scoreMap, long bytes) {
        StringBuilder found = new StringBuilder();
        SelectedAlgorithm<String> selected = scoreMap.find(CollectiveType.ALL_REDUCE, MemoryType.HOST, bytes);
        for (; selected != null; selected = selected.next()) {
            found.append(selected).append(';');
        }
        return found.toString();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0                   | ucp/knomial 10;ucp/generic 10;
                    15                  | ucp/knomial 10;ucp/generic 10;
                    16                  | shm/a 100;ucp/knomial 10;ucp/generic 10;
                    1023                | shm/a 100;ucp/knomial 10;ucp/generic 10;
                    1024                | ucp/knomial 10;ucp/generic 10;
                    4095                | ucp/knomial 10;ucp/generic 10;
                    4096                | ucp/sra 10;ucp/generic 10;shm/a 5;
                    8191                | ucp/sra 10;ucp/generic 10;shm/a 5;
                    8192                | shm/a 100;ucp/sra 10;ucp/generic 10;
                    9000                | ucp/sra 10;ucp/generic 10;
                    1099511627776       | ucp/sra 10;ucp/generic 10;
                    9223372036854775807 | ucp/sra 10;ucp/generic 10;
                    """)
    @DisplayName("the choice for a size, then its fallbacks, the best first")
    void choiceAndFallbacks(long bytes, String found) {
        assertThat(find(SELECTION, bytes)).isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource({"0,", "9,", "10, a/a 1;", "19, a/a 1;", "20,", "29,", "30, a/a 2;", "39, a/a 3;", "40,", "1000000,"})
    @DisplayName("no candidate is chosen in gaps, before the first range and after the last")
    void nobodyInGaps(long bytes, String found) {
        ScoreMap<String> gaps =
                ScoreMap.of(allreduce("a", piece(10, 20, 1), piece(30, 35, 2), piece(35, 40, 3)), TEAM_SIZE);
        assertThat(find(gaps, bytes)).isEqualTo(found == null ? "" : found);
    }

    @Test
    @DisplayName("no candidate is chosen for a collective that no component offers")
    void nobodyForOtherCollectives() {
        for (CollectiveType collective : CollectiveType.values()) {
            assertThat(ScoreMap.of(ScoreTable.<String>empty(), 1).find(collective, MemoryType.HOST, 0))
                    .isNull();
            assertThat(ScoreMap.of(allreduce("a", piece(0, INF, 1)), 1).find(collective, MemoryType.HOST, 7) != null)
                    .as("%s", collective)
                    .isEqualTo(collective == CollectiveType.ALL_REDUCE);
        }
    }

    @Test
    @DisplayName("the choice has what its component gave")
    void theChoiceHasItsFactory() {
        SelectedAlgorithm<String> selected = SELECTION.find(CollectiveType.ALL_REDUCE, MemoryType.HOST, 16);
        assertThat(selected).isNotNull();
        assertThat(selected.algorithm().factory()).isEqualTo("shm's a");
        assertThat(selected.score()).isEqualTo(100);
    }

    @Test
    @DisplayName("a negative size and a team without members are refused")
    void refusals() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SELECTION.find(CollectiveType.BARRIER, MemoryType.HOST, -1))
                .withMessage("selection of barrier: -1 bytes are outside [0, 2^63)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SELECTION.explain(CollectiveType.BARRIER, MemoryType.HOST, -1))
                .withMessage("selection of barrier: -1 bytes are outside [0, 2^63)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ScoreMap.of(ucp(), 0))
                .withMessage("selection: team size 0 is outside [1, 2^31)");
    }

    @Test
    @DisplayName("an explanation has the choice, its fallbacks and where the same holds")
    void explanation() {
        Explanation explanation = SELECTION.explain(CollectiveType.ALL_REDUCE, MemoryType.HOST, 100);
        assertThat(explanation)
                .isEqualTo(new Explanation(
                        CollectiveType.ALL_REDUCE,
                        MemoryType.HOST,
                        100,
                        TEAM_SIZE,
                        16,
                        1024,
                        List.of(
                                new Explanation.Candidate("shm", "a", 100),
                                new Explanation.Candidate("ucp", "knomial", 10),
                                new Explanation.Candidate("ucp", "generic", 10))));
        assertThat(explanation.lines())
                .containsExactly(
                        "allReduce of 100 bytes in host memory on 8 members, best first; the same for [16, 1024) bytes",
                        "  shm/a 100",
                        "  ucp/knomial 10",
                        "  ucp/generic 10");
        assertThat(SELECTION.explain(CollectiveType.GATHER, MemoryType.HOST, 5).lines())
                .containsExactly("gather of 5 bytes in host memory on 8 members: no algorithm");
    }

    @Test
    @DisplayName("the digest is the same in every JVM and for every team size")
    void digestIsStable() {
        assertThat(SELECTION.digest())
                .isEqualTo(ScoreMap.of(SELECTION.table(), 3).digest());
        assertThat(ScoreMap.of(allreduce("a", piece(0, INF, 1)), 1).digest()).isEqualTo(-1886126629662510730L);
    }

    @Test
    @DisplayName("the digest sees every number and every name")
    void digestSeesEverything() {
        ScoreTable<String> base = allreduce("a", piece(0, 10, 1));
        List<ScoreTable<String>> tables = List.of(
                ScoreTable.empty(),
                base,
                allreduce("b", piece(0, 10, 1)),
                allreduce("a", piece(1, 10, 1)),
                allreduce("a", piece(0, 11, 1)),
                allreduce("a", piece(0, 10, 2)),
                allreduce("a", piece(0, 10, 1), piece(10, 20, 2)),
                base.merge(allreduce("b", piece(0, 10, 1))),
                ScoreTable.<String>builder()
                        .add(CollectiveType.ALL_REDUCE, MemoryType.HOST, 0, 10, 1, List.of(algorithm("a", "b")))
                        .build(),
                ScoreTable.<String>builder()
                        .add(CollectiveType.REDUCE, MemoryType.HOST, 0, 10, 1, List.of(algorithm("a", "a")))
                        .build());
        assertThat(tables).extracting(table -> ScoreMap.of(table, 2).digest()).doesNotHaveDuplicates();
    }

    @Test
    @DisplayName("a lookup allocates nothing")
    void lookupAllocatesNothing() {
        int[] fallbacks = new int[1];
        assertClean("40,000 lookups", () -> {
            for (int bytes = 0; bytes < 40_000; bytes++) {
                SelectedAlgorithm<String> selected = SELECTION.find(CollectiveType.ALL_REDUCE, MemoryType.HOST, bytes);
                fallbacks[0] += selected != null && selected.next() != null ? 1 : 0;
            }
        });
        assertThat(fallbacks[0]).isPositive().matches(found -> found % 40_000 == 0, "a fallback for each lookup");
    }
}
