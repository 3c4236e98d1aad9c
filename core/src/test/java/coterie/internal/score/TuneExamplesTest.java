// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static coterie.internal.score.Tables.allreduce;
import static coterie.internal.score.Tables.piece;
import static coterie.internal.score.Tables.text;
import static coterie.internal.score.Tables.tuned;
import static coterie.internal.score.Tables.ucp;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Strings that were run through UCC, by their numbers in the spec's table. The results are the same, except where
/// UCC's are worse: a score alone keeps the algorithm, a token that can't be used disables no other, and a
/// diagnostic names each token without effect.
class TuneExamplesTest {
    /// Columns: row, string, ranges of allreduce, of bcast, of barrier and alltoall, findings.
    ///
    /// `=`: as without the string; `-`: nothing is offered; findings are kinds at columns.
    @ParameterizedTest(name = "row {0}: {1}")
    @CsvSource(delimiter = '|', textBlock = """
                    1  | 0 | - | - | - |
                    2  | inf | [0, 4k) knomial inf, generic 10; [4k, inf) sra inf, generic 10 \
                       | [0, inf) knomial inf, generic 10 | [0, inf) generic inf |
                    3  | allreduce:0 | - | = | = |
                    4  | allreduce:host:0 | - | = | = |
                    5  | allreduce:0-1k:@ring \
                       | [0, 1k) ring 10, knomial 10, generic 10; [1k, 4k) knomial 10, generic 10; \
                       [4k, inf) sra 10, generic 10 \
                       | = | = |
                    6  | allreduce:64k-inf:@ring:100 \
                       | [0, 4k) knomial 10, generic 10; [4k, 64k) sra 10, generic 10; \
                       [64k, inf) ring 100, sra 10, generic 10 \
                       | = | = |
                    7  | allreduce:@dbt:inf | [0, 4k) dbt inf, knomial 10, generic 10; \
                       [4k, inf) dbt inf, sra 10, generic 10 | = | = |
                    8  | allreduce,bcast:cuda:20 | = | = | = | NO_EFFECT 1
                    9  | allreduce:[2-8]:@ring | [0, 4k) ring 10, knomial 10, generic 10; \
                       [4k, inf) ring 10, sra 10, generic 10 | = | = |
                    9  | allreduce:[8]:@ring | [0, 4k) ring 10, knomial 10, generic 10; \
                       [4k, inf) ring 10, sra 10, generic 10 | = | = |
                    10 | allreduce:[16-inf]:@ring | = | = | = | OTHER_TEAM_SIZE 1
                    11 | allreduce:0-1k,1m-inf:@ring \
                       | [0, 1k) ring 10, knomial 10, generic 10; [1k, 4k) knomial 10, generic 10; \
                       [4k, 1m) sra 10, generic 10; \
                       [1m, inf) ring 10, sra 10, generic 10 \
                       | = | = |
                    12 | allreduce:0-2k:0#allreduce:1m-inf:0 | [2k, 4k) knomial 10, generic 10; \
                       [4k, 1m) sra 10, generic 10 | = | = |
                    13 | ALLREDUCE:HOST:0-4K:@KNOMIAL:7 | [0, 4k) knomial 7, generic 7; \
                       [4k, inf) sra 10, generic 10 | = | = |
                    14 | allreduce::5##bcast:6 | [0, 4k) knomial 5, generic 5; [4k, inf) sra 5, generic 5 \
                       | [0, inf) knomial 6, generic 6 | = |
                    15 | allreduce:host | = | = | = | NO_EFFECT 1
                    16 | gather:50 | = | = | = | NO_EFFECT 1
                    17 | allreduce:@nosuch | = | = | = | ERROR 11
                    17 | allreduce:@9 | = | = | = | ERROR 11
                    17 | allreduce:@nosuch#bcast:0 | = | - | = | ERROR 11
                    18 | barrier:@ring | = | = | = | ERROR 9
                    18 | bcast:0#barrier:@ring | = | - | = | ERROR 17
                    19 | allreducex:10 | = | = | = | ERROR 1
                    19 | cpu:allreduce:10 | = | = | = | ERROR 1
                    19 | allreduce:4k:@ring | = | = | = | ERROR 11
                    19 | allreduce:8k-4k:@ring | = | = | = | ERROR 11
                    19 | allreduce:-1 | = | = | = | ERROR 11
                    19 | allreduce:[8-4]:@ring | = | = | = | ERROR 12
                    19 | ' allreduce:5' | = | = | = | ERROR 1
                    19 | allreduce:10:20 | = | = | = | ERROR 14
                    19 | allreduce:1.5k-2k:9 | = | = | = | ERROR 11
                    19 | allreduce:10:20#barrier,alltoall:3#cpu:5 | = | = | [0, inf) generic 3 | ERROR 14, ERROR 36
                    20 | allreduce:0-4k:@ring#allreduce:2k-8k:@dbt \
                       | [0, 4k) ring 10, knomial 10, generic 10; [4k, inf) sra 10, generic 10 | = | = | ERROR 22
                    22 | allreduce:0-1k:inf \
                       | [0, 1k) knomial inf, generic 10; [1k, 4k) knomial 10, generic 10; \
                       [4k, inf) sra 10, generic 10 | = | = |
                    24 | @ring | = | = | = | ERROR 1
                    """)
    @DisplayName("UC-8 UC-9 each example does what the spec says, or what is better")
    void examples(int row, String tune, String allreduce, String bcast, String others, String findings) {
        assertThat(row).isBetween(1, 24);
        TuneResult<String> tuneResult = tuned(tune);
        checkRanges(tuneResult, CollectiveType.ALL_REDUCE, allreduce);
        checkRanges(tuneResult, CollectiveType.BROADCAST, bcast);
        checkRanges(tuneResult, CollectiveType.BARRIER, others);
        checkRanges(tuneResult, CollectiveType.ALL_TO_ALL, others);
        assertThat(tuneResult.diagnostics().stream()
                        .map(diagnostic -> diagnostic.kind() + " " + diagnostic.column())
                        .collect(Collectors.joining(", ")))
                .isEqualTo(findings == null ? "" : findings);
    }

    private static void checkRanges(TuneResult<String> tuneResult, CollectiveType collective, String expected) {
        String ranges = switch (expected) {
            case "=" -> text(ucp(), collective);
            case "-" -> "";
            default -> expected.replaceAll(" +", " ");
        };
        assertThat(text(tuneResult.table(), collective)).as("%s", collective).isEqualTo(ranges);
    }

    @Test
    @DisplayName("UC-8 row 1: exactly 0 keeps the component from being made at all")
    void exactlyZeroSwitchesOff() {
        assertThat(Tune.parse("0", Tables.UCP).switchesOff()).isTrue();
        assertThat(Tune.parse("allreduce:0", Tables.UCP).switchesOff()).isFalse();
        assertThat(Tune.parse("", Tables.UCP).switchesOff()).isFalse();
    }

    @Test
    @DisplayName("UC-8 row 21: a component with score 100 up to 4k is chosen there")
    void mergedWithAHigherScore() {
        assertThat(text(ucp().merge(allreduce("shm", piece(0, 4096, 100)))))
                .isEqualTo("[0, 4k) shm/a 100, knomial 10, generic 10; [4k, inf) sra 10, generic 10");
    }

    @Test
    @DisplayName("UC-8 row 22: a score of inf up to 1k stands above the other component's 100")
    void mergedAfterInf() {
        ScoreTable<String> forced = tuned("allreduce:0-1k:inf").table();
        assertThat(text(forced.merge(allreduce("shm", piece(0, 4096, 100)))))
                .isEqualTo("[0, 1k) knomial inf, shm/a 100, generic 10; [1k, 4k) shm/a 100, knomial 10, generic 10;"
                        + " [4k, inf) sra 10, generic 10");
    }

    @Test
    @DisplayName("UC-8 row 23: at equal scores the component whose name is first wins for all sizes")
    void mergedAtEqualScores() {
        assertThat(text(ucp().merge(allreduce("shm", piece(0, Tables.INF, 10)))))
                .isEqualTo("[0, 4k) shm/a 10, knomial 10, generic 10; [4k, inf) shm/a 10, sra 10, generic 10");
        assertThat(text(ucp().merge(allreduce("zed", piece(0, Tables.INF, 10)))))
                .isEqualTo("[0, 4k) knomial 10, generic 10, zed/a 10; [4k, inf) sra 10, generic 10, zed/a 10");
    }
}
