// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static coterie.internal.score.Tables.allreduce;
import static coterie.internal.score.Tables.piece;
import static coterie.internal.score.Tables.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import coterie.collective.CollectiveType;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Tuning strings for a component with the algorithms a and b, which offers a for some sizes.
class TuneUpdateTest {
    private static final AlgorithmTable<String> X = AlgorithmTable.<String>builder("x", 30)
            .add(CollectiveType.ALL_REDUCE, "a", "")
            .add(CollectiveType.ALL_REDUCE, "b", "")
            .build();

    private static String updated(ScoreTable<String> table, String tune) {
        TuneResult<String> tuneResult = table.update(Tune.parse(tune, X), 4);
        assertThat(tuneResult.diagnostics()).isEmpty();
        return text(tuneResult.table());
    }

    private static ScoreTable<String> twoPieces() {
        return allreduce("x", piece(0, 100, 10), piece(200, 300, 20));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    allreduce:5            | [0, 100) x/a 5; [200, 300) x/a 5
                    allreduce:50           | [0, 100) x/a 50; [200, 300) x/a 50
                    allreduce:inf          | [0, 100) x/a inf; [200, 300) x/a inf
                    0-50:5                 | [0, 50) x/a 5; [50, 100) x/a 10; [200, 300) x/a 20
                    25-75:5                | [0, 25) x/a 10; [25, 75) x/a 5; [75, 100) x/a 10; [200, 300) x/a 20
                    50-250:7               | [0, 50) x/a 10; [50, 100) x/a 7; [200, 250) x/a 7; [250, 300) x/a 20
                    99-201:2147483646      | [0, 99) x/a 10; [99, 100) x/a 2147483646; [200, 201) x/a 2147483646; \
                    [201, 300) x/a 20
                    """)
    @DisplayName("UC-7 a string's score stands above the component's even when lower, and adds nothing outside")
    void scoreStandsAbove(String tune, String expected) {
        assertThat(updated(twoPieces(), tune)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    100-200:@b:5      | [0, 100) x/a 10; [100, 200) x/b 5; [200, 300) x/a 20
                    100-200:@b        | [0, 100) x/a 10; [100, 200) x/b 30; [200, 300) x/a 20
                    150-250:@b        | [0, 100) x/a 10; [150, 200) x/b 30; [200, 250) x/b 20, x/a 20; [250, 300) x/a 20
                    300-inf:@a:20     | [0, 100) x/a 10; [200, inf) x/a 20
                    """)
    @DisplayName("UC-7 outside the component's ranges a token adds only with an algorithm, at the default score")
    void anAlgorithmAddsRanges(String tune, String expected) {
        assertThat(updated(twoPieces(), tune)).isEqualTo(expected);
    }

    @Test
    @DisplayName("UC-7 an algorithm for a collective that the table lacks is added")
    void anAlgorithmAddsToAnEmptyTable() {
        assertThat(updated(ScoreTable.empty(), "@1")).isEqualTo("[0, inf) x/b 30");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    @b          | [0, 100) x/b 10, x/a 10; [200, 300) x/b 20, x/a 20
                    @b:15       | [0, 100) x/b 15, x/a 10; [200, 300) x/b 15, x/a 15
                    @b:inf      | [0, 100) x/b inf, x/a 10; [200, 300) x/b inf, x/a 20
                    @a          | [0, 100) x/a 10; [200, 300) x/a 20
                    """)
    @DisplayName("UC-7 an algorithm that is replaced is the first fallback, at no more than the new score")
    void theReplacedIsTheFirstFallback(String tune, String expected) {
        assertThat(updated(twoPieces(), tune.replace("@", "0-100,200-300:@"))).isEqualTo(expected);
    }

    @Test
    @DisplayName("UC-7 a second replacement pushes the first down, and each algorithm stands once")
    void replacementsPileUp() {
        ScoreTable<String> once =
                twoPieces().update(Tune.parse("0-100:@b", X), 4).table();
        assertThat(updated(once, "0-100:@a:11")).isEqualTo("[0, 100) x/a 11, x/b 10; [200, 300) x/a 20");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    20-30:0         | [0, 20) x/a 10; [30, 100) x/a 10; [200, 300) x/a 20
                    0-250:0         | [250, 300) x/a 20
                    0-250:@b:0      | [250, 300) x/a 20
                    """)
    @DisplayName("UC-7 score 0 takes ranges away, fallbacks included")
    void zeroTakesAway(String tune, String expected) {
        assertThat(updated(twoPieces(), tune)).isEqualTo(expected);
    }

    @Test
    @DisplayName("UC-7 ranges that a string makes equal are glued")
    void rangesMadeEqualAreGlued() {
        assertThat(updated(allreduce("x", piece(0, 100, 10), piece(100, 200, 20)), "100-200:10"))
                .isEqualTo("[0, 200) x/a 10");
    }

    @ParameterizedTest
    @ValueSource(strings = {"allreduce:5", "0-50:@b:inf", "50-500:@b", "0", "10-20:0#50-60:@b#70-80:9"})
    @DisplayName("UC-7 a string changes its own component's offers, before a merge as after it")
    void otherComponentsAreLeftAlone(String tune) {
        ScoreTable<String> others = allreduce("w", piece(0, 250, 15)).merge(allreduce("y", piece(90, 400, 10)));
        Tune<String> parsed = Tune.parse(tune, X);
        ScoreTable<String> before = twoPieces().update(parsed, 4).table().merge(others);
        assertThat(twoPieces().merge(others).update(parsed, 4).table()).isEqualTo(before);
        assertThat(before).isNotEqualTo(twoPieces().merge(others));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    @b:99         | [0, 50) x/b 99, x/a 10; [50, 100) x/a 10; [200, 300) x/a 20
                    40-120:@b     | [0, 40) x/a 10; [40, 50) x/b 10, x/a 10; [50, 100) x/a 10; [200, 300) x/a 20
                    0-250:@b:0    | [250, 300) x/a 20
                    """)
    @DisplayName("an algorithm acts where it can serve, and score 0 everywhere")
    void algorithmsHaveLimits(String tune, String expected) {
        TuneResult<String> tuneResult = twoPieces().update(Tune.parse(tune, limited(50)), 4);
        assertThat(tuneResult.diagnostics()).isEmpty();
        assertThat(text(tuneResult.table())).isEqualTo(expected);
    }

    private static AlgorithmTable<String> limited(long end) {
        return AlgorithmTable.<String>builder("x", 30)
                .add(CollectiveType.ALL_REDUCE, "a", "")
                .add(CollectiveType.ALL_REDUCE, "b", end, "")
                .build();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
                    50 | 50-100:@b:99   | allreduce [0, 50) by b
                    0  | allreduce:@1   | allreduce nothing by b
                    """)
    @DisplayName("an algorithm that can serve none of its sizes is reported, with those that it can")
    void algorithmsOutsideTheirLimits(long end, String tune, String allowed) {
        TuneResult<String> tuneResult = twoPieces().update(Tune.parse(tune, limited(end)), 4);
        assertThat(tuneResult.diagnostics())
                .singleElement()
                .extracting(Diagnostic::kind, Diagnostic::wrong, Diagnostic::allowed)
                .containsExactly(
                        Diagnostic.Kind.NO_EFFECT,
                        "the algorithm can't serve any of the token's sizes on this " + "team",
                        allowed);
        assertThat(tuneResult.table()).isEqualTo(twoPieces());
    }

    @Test
    @DisplayName("a team has at least one member")
    void aTeamHasAMember() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> twoPieces().update(Tune.parse("", X), 0))
                .withMessage("selection: team size 0 is outside [1, 2^31)");
    }
}
