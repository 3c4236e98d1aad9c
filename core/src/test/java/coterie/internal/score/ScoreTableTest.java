// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static coterie.internal.score.Tables.INF;
import static coterie.internal.score.Tables.algorithm;
import static coterie.internal.score.Tables.allreduce;
import static coterie.internal.score.Tables.piece;
import static coterie.internal.score.Tables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Tables as components make them, and merged.
class ScoreTableTest {
    @Test
    @DisplayName("UC-1 ranges come out sorted in whatever order they are added")
    void rangesComeOutSorted() {
        assertThat(text(allreduce("ucp", piece(50, 60, 5), piece(0, 10, 1), piece(60, INF, 6), piece(20, 30, 2))))
                .isEqualTo("[0, 10) a 1; [20, 30) a 2; [50, 60) a 5; [60, inf) a 6");
    }

    @Test
    @DisplayName("UC-1 a range with score 0 is skipped, and overlaps no other")
    void scoreZeroIsSkipped() {
        assertThat(text(allreduce("ucp", piece(0, 10, 0), piece(5, 20, 7)))).isEqualTo("[5, 20) a 7");
        assertThat(allreduce("ucp", piece(0, 10, 0))).isEqualTo(ScoreTable.empty());
    }

    @ParameterizedTest
    @CsvSource({"0, 11", "19, 20", "12, 13", "0, 30", "10, 20", "0, 9223372036854775807"})
    @DisplayName("UC-1 a range that overlaps another is refused, and both are named")
    void overlapIsRefused(long from, long to) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allreduce("ucp", piece(10, 20, 1), piece(from, to, 2)))
                .withMessage("scores for allreduce in host memory: " + new ByteRange(from, to)
                        + " overlaps [10, 20) ucp/a 1, which has been added before");
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "11, 10", "-1, 10", "0, 0", "9223372036854775807, 9223372036854775807"})
    @DisplayName("UC-1 an empty range is refused")
    void emptyRangeIsRefused(long from, long to) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allreduce("ucp", piece(from, to, 1)))
                .withMessageContaining("[%d, %d)", from, to);
    }

    @Test
    @DisplayName("UC-1 a negative score is refused, and so is a range without candidates")
    void onlyScoresAndCandidatesAreTaken() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> allreduce("ucp", piece(0, 10, -1)))
                .withMessage("score -1 is outside [0, 2147483646], or inf");
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ScoreTable.<String>builder().add(CollectiveType.BARRIER, MemoryType.HOST, 0, INF, 1, List.of()))
                .withMessageContaining("barrier in host memory: [0, inf) has no candidate");
    }

    @Test
    @DisplayName("UC-1 a uniform table has one range of all sizes for each collective")
    void uniformTable() {
        Set<CollectiveType> collectives = EnumSet.of(CollectiveType.BARRIER, CollectiveType.EXCLUSIVE_SCAN);
        Set<MemoryType> memories = EnumSet.allOf(MemoryType.class);
        assertThat(uniform(collectives, memories, 50).lines())
                .containsExactly(
                        "barrier in host memory [0, inf) self/copy 50",
                        "exclusive_scan in host memory [0, inf) self/copy 50");
        assertThat(uniform(collectives, memories, 0)).isEqualTo(ScoreTable.empty());
    }

    private static ScoreTable<String> uniform(Set<CollectiveType> collectives, Set<MemoryType> memories, int score) {
        ScoreTable.Builder<String> builder = ScoreTable.builder();
        for (CollectiveType collective : collectives) {
            for (MemoryType memory : memories) {
                builder.add(collective, memory, 0, INF, score, List.of(algorithm("self", "copy")));
            }
        }
        return builder.build();
    }

    @Test
    @DisplayName("UC-2 tables that do not overlap are put together in order")
    void mergeWithoutOverlap() {
        ScoreTable<String> one = allreduce("a", piece(0, 10, 10), piece(40, 50, 5));
        ScoreTable<String> other = allreduce("b", piece(10, 20, 100), piece(30, 35, 1));
        assertThat(text(one.merge(other)))
                .isEqualTo("[0, 10) a/a 10; [10, 20) b/a 100; [30, 35) b/a 1; [40, 50) a/a 5");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    10  | 100 | [0, 50) a/a 10; [50, 100) b/a 100, a/a 10; [100, 150) b/a 100
                    100 | 10  | [0, 50) a/a 100; [50, 100) a/a 100, b/a 10; [100, 150) b/a 10
                    """)
    @DisplayName("UC-3 where tables overlap the higher score wins, and the loser is its fallback there alone")
    void mergeWithOverlap(int first, int second, String merged) {
        ScoreTable<String> one = allreduce("a", piece(0, 100, first));
        ScoreTable<String> other = allreduce("b", piece(50, 150, second));
        assertThat(text(one.merge(other))).isEqualTo(merged);
        assertThat(text(other.merge(one))).isEqualTo(merged);
    }

    @Test
    @DisplayName("UC-5 neighbours with the same offers are glued, as added and as merged")
    void equalNeighboursAreGlued() {
        assertThat(text(allreduce("a", piece(10, 20, 1), piece(0, 10, 1), piece(20, 30, 2))))
                .isEqualTo("[0, 20) a/a 1; [20, 30) a/a 2");
        assertThat(text(allreduce("a", piece(0, 10, 1)).merge(allreduce("a", piece(10, INF, 1)))))
                .isEqualTo("[0, inf) a/a 1");
    }

    @Test
    @DisplayName("UC-5 neighbours of the same choice with other fallbacks are not glued")
    void otherFallbacksAreNotGlued() {
        assertThat(text(allreduce("a", piece(0, 20, 9)).merge(allreduce("b", piece(10, 20, 1)))))
                .isEqualTo("[0, 10) a/a 9; [10, 20) a/a 9, b/a 1");
    }

    @Test
    @DisplayName("UC-6 five components on one range: the best is chosen, the others follow by score, in any order")
    void fallbacksAreSortedByScore() {
        List<ScoreTable<String>> tables = new ArrayList<>(List.of(
                allreduce("a", piece(0, 100, 300)),
                allreduce("b", piece(0, 100, 1000)),
                allreduce("c", piece(0, 100, 100)),
                allreduce("d", piece(0, 100, 500)),
                allreduce("e", piece(0, 100, 400))));
        Random random = new Random(6);
        for (int round = 0; round < 50; round++) {
            Collections.shuffle(tables, random);
            assertThat(text(tables.stream().reduce(ScoreTable.empty(), ScoreTable::merge)))
                    .isEqualTo("[0, 100) b/a 1000, d/a 500, e/a 400, a/a 300, c/a 100");
        }
    }

    @Test
    @DisplayName("UC-6 pieces that do not overlap have no fallbacks")
    void piecesWithoutOverlapHaveNoFallbacks() {
        ScoreTable<String> table = allreduce("a", piece(0, 100, 10))
                .merge(allreduce("b", piece(20, 30, 100)))
                .merge(allreduce("c", piece(25, 40, 50)));
        assertThat(text(table))
                .isEqualTo("[0, 20) a/a 10; [20, 25) b/a 100, a/a 10; [25, 30) b/a 100, c/a 50, a/a 10;"
                        + " [30, 40) c/a 50, a/a 10; [40, 100) a/a 10");
    }

    @Test
    @DisplayName("UC-9 at equal scores the component whose name is first wins, whatever the shapes of the ranges")
    void tiesGoByTheAlphabet() {
        ScoreTable<String> whole = allreduce("mapped", piece(0, INF, 10));
        ScoreTable<String> halves = allreduce("ucp", piece(0, 4096, 10), piece(8192, INF, 10));
        ScoreTable<String> shifted = allreduce("basic", piece(2048, 10_000, 10));
        String expected = "[0, 2k) mapped/a 10, a 10; [2k, 4k) basic/a 10, mapped/a 10, a 10;"
                + " [4k, 8k) basic/a 10, mapped/a 10; [8k, 10000) basic/a 10, mapped/a 10, a 10;"
                + " [10000, inf) mapped/a 10, a 10";
        assertThat(text(whole.merge(halves).merge(shifted))).isEqualTo(expected);
        assertThat(text(shifted.merge(halves.merge(whole)))).isEqualTo(expected);
    }

    @Test
    @DisplayName("one candidate in both tables stands once, at its best score")
    void aCandidateStandsOnce() {
        ScoreTable<String> table = allreduce("a", piece(0, 20, 5)).merge(allreduce("b", piece(0, 20, 7)));
        assertThat(text(table.merge(allreduce("a", piece(10, 20, 9)))))
                .isEqualTo("[0, 10) b/a 7, a/a 5; [10, 20) a/a 9, b/a 7");
        assertThat(table.merge(table)).isEqualTo(table);
    }
}
