// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import static coterie.internal.score.Tables.UCP;
import static coterie.internal.score.Tables.text;
import static coterie.internal.score.Tables.tuned;
import static coterie.internal.score.Tables.ucp;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What tuning strings can express, and the diagnostics of those that can't be used.
class TuneTest {
    private static Diagnostic onlyFinding(String tune) {
        List<Diagnostic> diagnostics = tuned(tune).diagnostics();
        assertThat(diagnostics).hasSize(1);
        return diagnostics.getFirst();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#",
                "##allreduce:5#",
                "allreduce:5:",
                "allreduce:1k-4K,64-256:5",
                "20:99-12M:bcast",
                "@ring:[8]:host:AllReduce:7:0-1KB,2kb-3m,4G-5t,6tb-inf",
                "allreduce,allreduce:5",
                "allreduce:0064-0128b:007",
                "allreduce:HOST,Cuda,cuda_managed,CudaManaged,rocm,ROCM_MANAGED,RocmManaged:5",
                "allreduce:[1,3-4,8-inf]:5",
                "allreduce:2147483646",
                "allreduce:INF",
                "allreduce:0-9223372036854775807b:3"
            })
    @DisplayName("UC-8 valid: qualifiers in any order, upper and lower case, several sizes")
    void validStrings(String tune) {
        assertThat(tuned(tune).diagnostics()).isEmpty();
        assertThat(Tune.parse(tune, UCP).errors()).isEmpty();
    }

    @Test
    @DisplayName("UC-8 every collective has its name")
    void everyCollectiveHasItsName() {
        for (CollectiveType collective : CollectiveType.values()) {
            AlgorithmTable<String> one = AlgorithmTable.<String>builder("x", 1)
                    .add(collective, "a", "")
                    .build();
            ScoreTable<String> table = ScoreTable.<String>empty()
                    .update(Tune.parse(collective.label() + ":@a", one), 1)
                    .table();
            assertThat(table.lines()).containsExactly(collective.label() + " in host memory [0, inf) x/a 1");
        }
    }

    @ParameterizedTest
    @EnumSource(CollectiveType.class)
    @DisplayName("UC-8 collectives are found by their names alone")
    void collectivesAreFoundByName(CollectiveType collective) {
        assertThat(CollectiveType.named(collective.label())).contains(collective);
        assertThat(CollectiveType.named(collective.label() + "x")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1k-4K,64-256:allreduce:5 | [0, 64) knomial 10, generic 10; [64, 256) knomial 5, generic 5; \
                [256, 1k) knomial 10, generic 10; [1k, 4k) knomial 5, generic 5; [4k, inf) sra 10, generic 10
            @2:0-1023b:allreduce     | [0, 1023) ring 10, knomial 10, generic 10; [1023, 4k) knomial 10, generic 10; \
                [4k, inf) sra 10, generic 10
            4k-1G:allreduce:0        | [0, 4k) knomial 10, generic 10; [1g, inf) sra 10, generic 10
            """)
    @DisplayName("UC-8 ranges: sizes are what they say")
    void sizesAreWhatTheySay(String tune, String allreduce) {
        assertThat(text(tuned(tune).table())).isEqualTo(allreduce.replaceAll(" +", " "));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            allreduce:@            | 11 | "@" names no algorithm of ucp for allreduce
            allreduce:@ring:@dbt   | 17 | "@dbt" gives the token two algorithms
            bcast:allreduce:5      |  7 | "allreduce" gives the token two lists of collectives
            allreduce:host:cuda:5  | 16 | "cuda" gives the token two lists of memories
            allreduce:0-1:2-3:5    | 15 | "2-3" gives the token two sets of sizes
            allreduce:[1]:[2]:5    | 15 | "[2]" gives the token two sets of team sizes
            allreduce:inf:inf      | 15 | "inf" gives the token two scores
            allreduce,host:5       | 11 | "host" is not a collective
            allreduce,,bcast:5     | 11 | "" is not a collective
            host,bcast:5           |  6 | "bcast" is not a memory
            allreduce:5x           | 11 | "5x" is not a score
            allreduce:2147483647   | 11 | "2147483647" is not a score
            allreduce:99999999999999999999 | 11 | "99999999999999999999" is not a score
            allreduce:٣            | 11 | "٣" is not known
            allreduce:4k-4k:5      | 11 | "4k-4k" is an empty range of sizes
            allreduce:0-4k,2k-8k:5 | 16 | "2k-8k" overlaps an earlier range of the token
            allreduce:0-1,:5       | 15 | "" is not a range of sizes
            allreduce:0-1-2:5      | 11 | "0-1-2" is not a range of sizes
            allreduce:0-:5         | 11 | "0-" is not a range of sizes
            allreduce:0-4kk:5      | 11 | "0-4kk" is not a range of sizes
            allreduce:0-b:5        | 11 | "0-b" is not a range of sizes
            allreduce:0-8388608t:5 | 11 | "0-8388608t" is not a range of sizes
            allreduce:0-9223372036854775808:5 | 11 | "0-9223372036854775808" is not a range of sizes
            allreduce:inf-4k:5     | 11 | "inf-4k" is an empty range of sizes
            allreduce:[2-8:5       | 11 | "[2-8" does not end with ]
            allreduce:[:5          | 11 | "[" does not end with ]
            allreduce:[]:5         | 12 | "" is not a range of team sizes
            allreduce:[2,]:5       | 14 | "" is not a range of team sizes
            allreduce:[inf]:5      | 12 | "inf" is not a range of team sizes
            allreduce:[0]:5        | 12 | "0" is not a range of team sizes
            allreduce:[0-4]:5      | 12 | "0-4" is not a range of team sizes
            allreduce:[1-2-3]:5    | 12 | "1-2-3" is not a range of team sizes
            allreduce:[2147483648]:5 | 12 | "2147483648" is not a range of team sizes
            """)
    @DisplayName("UC-8 invalid: reported with the column and the word; the table stays as it is")
    void invalidStrings(String tune, int column, String wrong) {
        Diagnostic diagnostic = onlyFinding(tune);
        assertThat(diagnostic)
                .extracting(Diagnostic::kind, Diagnostic::column, Diagnostic::token, Diagnostic::wrong)
                .containsExactly(Diagnostic.Kind.ERROR, column, tune, wrong);
        assertThat(diagnostic.allowed()).isNotEmpty();
        assertThat(tuned(tune).table()).isEqualTo(ucp());
    }

    @Test
    @DisplayName("UC-9 an error names what is allowed")
    void errorsNameWhatIsAllowed() {
        assertThat(onlyFinding("bcast:0#allreduce:@nosuch"))
                .hasToString("column 19: \"allreduce:@nosuch\" is not used: \"@nosuch\" names no algorithm of ucp for"
                        + " allreduce; allowed: 0 knomial, 1 sra, 2 ring, 3 dbt, 4 generic");
        assertThat(onlyFinding("@ring").allowed()).isEqualTo("0 generic; only bcast, allreduce has this algorithm");
        assertThat(onlyFinding("gather:@ring").allowed())
                .isEqualTo("nothing; only bcast, allreduce has this " + "algorithm");
        assertThat(onlyFinding("allreducex:10").allowed())
                .contains(
                        "barrier, fanin, fanout, bcast, allreduce,", "inclusive_scan, exclusive_scan", "cuda_managed");
        assertThat(onlyFinding("allreduce:-1").wrong()).isEqualTo("\"-1\" is not known");
        assertThat(onlyFinding("allreduce:0-4k:@ring#allreduce:2k-8k:@dbt").wrong())
                .isEqualTo("it overlaps \"allreduce:0-4k:@ring\" at column 1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            allreduce:0-4k:5#allreduce:4k-8k:6
            allreduce:[2-8]:5#allreduce:[9-inf]:6
            allreduce:host:5#allreduce:cuda:6
            allreduce:5#bcast:6
            allreduce:@nosuch#allreduce:6
            """)
    @DisplayName("UC-8 tokens that differ in one respect do not overlap, and a token that can't be used overlaps none")
    void whatDoesNotOverlap(String tune) {
        assertThat(Tune.parse(tune, UCP).errors())
                .extracting(Diagnostic::wrong)
                .noneMatch(wrong -> wrong.startsWith("it overlaps"));
    }

    @Test
    @DisplayName("UC-8 tokens overlap or not on every team alike")
    void overlapDoesNotDependOnTheTeam() {
        assertThat(onlyFindingKinds("allreduce:[2-4]:5#allreduce:[4-6]:@ring"))
                .containsExactly(Diagnostic.Kind.OTHER_TEAM_SIZE, Diagnostic.Kind.ERROR);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            allreduce:cuda#allreduce#allreduce:@ring | NO_EFFECT 1, NO_EFFECT 16
            allreduce:cuda:5#allreduce:@ring         | NO_EFFECT 1
            0-4k#allreduce:@ring                     | NO_EFFECT 1
            allreduce,gather:@ring#allreduce:@ring   | ERROR 18
            gather:5#gather,bcast:5#allreduce:@ring  | NO_EFFECT 1
            """)
    @DisplayName("a token that has no effect overlaps none")
    void idleTokensAreInNoOnesWay(String tune, String findings) {
        TuneResult<String> tuneResult = tuned(tune);
        assertThat(tuneResult.diagnostics())
                .extracting(diagnostic -> diagnostic.kind() + " " + diagnostic.column())
                .containsExactly(findings.split(", "));
        assertThat(text(tuneResult.table()))
                .isEqualTo("[0, 4k) ring 10, knomial 10, generic 10; [4k, inf) ring 10, sra 10, generic 10");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            gather:50              | ucp offers none of the token's collectives | barrier, bcast, allreduce, alltoall
            allreduce:host         | it has neither a score nor an algorithm | a score such as 10 or inf, @algorithm, or both
            bcast:rocm:5           | Coterie does not use this type of memory | host
            bcast:[16-inf]:5 | the token is for teams of [16-inf], but ucp serves teams of 2 – 8 | [2-8], or no team sizes
            allreduce:[1]:@ring | the token is for teams of [1], but ucp serves teams of 2 – 8 | [2-8], or no team sizes
            bcast:[16]:5 | the token is for teams of [16], but ucp serves teams of 2 – 8 | [2-8], or no team sizes
            """)
    @DisplayName("a token without effect on any offer of the component is reported before the component offers any")
    void idleWithoutOffers(String tune, String wrong, String allowed) {
        String others = "#barrier:[8-16]:5#alltoall:cuda,host:1k-2k:@0";
        assertThat(Tune.parse(tune + others, UCP).diagnostics(2, 8))
                .singleElement()
                .extracting(
                        Diagnostic::kind, Diagnostic::column, Diagnostic::token, Diagnostic::wrong, Diagnostic::allowed)
                .containsExactly(Diagnostic.Kind.NO_EFFECT, 1, tune, wrong, allowed);
        assertThat(Tune.parse("bcast:nonsense" + others, UCP).diagnostics(2, 8))
                .extracting(Diagnostic::kind)
                .containsExactly(Diagnostic.Kind.ERROR);
    }

    @Test
    @DisplayName("the teams on which a string may act differently are small ones, the largest, and those it names")
    void teamSizes() {
        assertThat(Tune.parse("bcast:[2-20,40-inf]:5#bcast:[21]:7", UCP).teamSizes(1, 100))
                .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 20, 21, 40, 100);
        assertThat(Tune.parse("bcast:[2-20]:5", UCP).teamSizes(1, 1)).containsExactly(1);
    }

    private static List<Diagnostic.Kind> onlyFindingKinds(String tune) {
        return tuned(tune).diagnostics().stream().map(Diagnostic::kind).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', textBlock = """
            bcast:host        | it has neither a score nor an algorithm | a score such as 10 or inf, @algorithm, or both
            allreduce:rocm:5  | Coterie does not use this type of memory | host
            gather,scatter:5  | ucp offers none of the token's collectives | barrier, bcast, allreduce, alltoall
            [2-4,16-inf]:5    | the token is for teams of [2-4,16-inf], but this team has 8 | [8], or no team sizes
            """)
    @DisplayName("UC-9 a token without effect is reported, with what would have one")
    void tokensWithoutEffect(String tune, String wrong, String allowed) {
        Diagnostic diagnostic = onlyFinding("##" + tune);
        assertThat(diagnostic)
                .extracting(Diagnostic::column, Diagnostic::token, Diagnostic::wrong, Diagnostic::allowed)
                .containsExactly(3, tune, wrong, allowed);
        assertThat(diagnostic.kind()).isNotEqualTo(Diagnostic.Kind.ERROR);
        assertThat(diagnostic.toString()).contains("has no effect");
    }

    @Test
    @DisplayName("UC-9 a score for sizes that the component does not offer is reported, with those that it does")
    void sizesThatAreNotOffered() {
        ScoreTable<String> small =
                ucp().update(Tune.parse("allreduce:4k-inf:0", UCP), 8).table();
        TuneResult<String> tuneResult = small.update(Tune.parse("allreduce:4k-8k:5", UCP), 8);
        assertThat(tuneResult.diagnostics())
                .singleElement()
                .hasToString("column 1: \"allreduce:4k-8k:5\" has no effect: ucp offers nothing for the token's sizes;"
                        + " allowed: allreduce [0, 4k)");
        assertThat(tuneResult.table()).isEqualTo(small);
    }

    @Test
    @DisplayName("UC-9 the errors of a string are all that can't be used, and none of what has no effect")
    void errors() {
        String tune = "allreduce:10:20#gather:50#cpu:5#allreduce:7";
        assertThat(Tune.parse(tune, UCP).errors())
                .extracting(Diagnostic::toString)
                .satisfiesExactly(
                        twice -> assertThat(twice)
                                .isEqualTo(
                                        "column 14: \"allreduce:10:20\" is not used: \"20\" gives the token two scores;"
                                                + " allowed: one"),
                        unknown -> assertThat(unknown)
                                .startsWith("column 27: \"cpu:5\" is not used: \"cpu\" is not known;"
                                        + " allowed: collectives (")
                                .doesNotContain("gather:50\""));
        Tune<String> right = Tune.parse("gather:50#allreduce:7", UCP);
        assertThat(right.errors()).isEmpty();
        assertThat(right).hasToString("gather:50#allreduce:7");
    }
}
