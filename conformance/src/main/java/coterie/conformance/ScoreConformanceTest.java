// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.collective.CollectiveType.ALL_REDUCE;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Candidate;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;

/// What layers offer, put together by their scores: all members of a job choose the same, and what they choose
/// serves.
class ScoreConformanceTest {
    private static final int KIB = 1024;

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("UC-1 ranges are in order however they were set; score 0 disables an algorithm, and an overlap throws")
    void ranges() {
        try (Joined joined = Joined.with(
                        "tls=p2p",
                        "tl.p2p.tune=allreduce:64k-inf:@ring#allreduce:49-1k:@dbt#allreduce:1k-4k:0"
                                + "#allreduce:32k-128k:@knomial");
                Sums sums = new Sums(joined.world(), 64 * KIB)) {
            Team team = joined.world().team();
            assertThat(Explained.ranges(team, ALL_REDUCE, 48, 49, 1023, 1024, 4095, 4096, 65535, 65536, 1L << 40))
                    .containsExactly(
                            "[0, 49) p2p/inline 90",
                            "[49, 1024) p2p/dbt 10",
                            "1024 none",
                            "4095 none",
                            "[4096, 65536) p2p/sra 10",
                            "[65536, inf) p2p/ring 10");
            assertThat(sums.check(team, 1016)).isEqualTo("p2p/dbt");
            assertThatThrownBy(() -> sums.call(team, 1024))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining(": no layer serves allreduce of 1024 bytes");
            assertThat(sums.check(team, 4096)).isEqualTo("p2p/sra");
            assertThat(sums.check(team, 65536)).isEqualTo("p2p/ring");
            assertThat(joined.told())
                    .hasSize(joined.world().pe() == 0 ? 1 : 0)
                    .allSatisfy(line -> assertThat(line)
                            .contains("column 64: \"allreduce:32k-128k:@knomial\" is not used: it overlaps"
                                    + " \"allreduce:64k-inf:@ring\" at column 1"));
        }
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-2 ranges of layers that do not overlap are all used, and no layer serves the sizes between")
    void sideBySide() {
        try (Joined joined = Joined.with(
                        "tl.p2p.tune=allreduce:0-1k:7#allreduce:1k-16k:0#allreduce:32k-inf:0",
                        "cl.hier.tune=allreduce:0-1k:0#allreduce:1k-4k:100#allreduce:4k-8k:0#allreduce:12k-inf:0");
                Sums sums = new Sums(joined.world(), 32 * KIB)) {
            Team team = joined.world().team();
            assertThat(Explained.ranges(team, ALL_REDUCE, 64, 1024, 4096, 8192, 12288, 16384, 32768))
                    .containsExactly(
                            "[49, 1024) p2p/knomial 7",
                            "[1024, 4096) hier/rab 100",
                            "4096 none",
                            "[8192, 12288) hier/split_rail 1",
                            "12288 none",
                            "[16384, 32768) p2p/sra 10",
                            "32768 none");
            for (int size : new int[] {64, 1024, 8192, 16384}) {
                List<Candidate> ladder = team.explain(ALL_REDUCE, size).candidates();
                assertThat(ladder)
                        .extracting(Candidate::component)
                        .containsOnly(ladder.getFirst().component());
                assertThat(sums.check(team, size)).isEqualTo(Explained.name(ladder.getFirst()));
            }
        }
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-3 where layers overlap the higher score wins, and the other is the fallback there alone")
    void overlap() {
        for (int score : new int[] {100, 5}) {
            boolean wins = score == 100;
            try (Joined joined = Joined.with(
                            "tl.p2p.tune=allreduce:16k-inf:0",
                            "cl.hier.tune=allreduce:0-8k:0#allreduce:8k-32k:@split_rail:" + score
                                    + "#allreduce:32k-inf:0");
                    Sums sums = new Sums(joined.world(), 16 * KIB)) {
                Team team = joined.world().team();
                String hier = "hier/split_rail " + score;
                assertThat(Explained.ranges(team, ALL_REDUCE, 8191, 8192, 16383, 16384, 32767, 32768))
                        .containsExactly(
                                "[4096, 8192) p2p/sra 10",
                                "[8192, 16384) " + (wins ? hier : "p2p/sra 10"),
                                "[16384, 32768) " + hier,
                                "32768 none");
                assertThat(components(team, 8191)).containsExactly("p2p");
                assertThat(components(team, 8192)).containsExactly(wins ? "hier" : "p2p", wins ? "p2p" : "hier");
                assertThat(components(team, 16384)).containsExactly("hier");
                assertThat(sums.check(team, 8184)).isEqualTo("p2p/sra");
                assertThat(sums.check(team, 8192)).isEqualTo(wins ? "hier/split_rail" : "p2p/sra");
                assertThat(sums.check(team, 16384)).isEqualTo("hier/split_rail");
            }
        }
    }

    private static List<String> components(Team team, long bytes) {
        return team.explain(ALL_REDUCE, bytes).candidates().stream()
                .map(Candidate::component)
                .distinct()
                .toList();
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName("UC-5 neighbours that are equal are one range, so that members may say the same in other words")
    void neighbours() {
        int pe = myNumber();
        String whole = "reduce_scatter:20";
        String halves = "reduce_scatter:1k-inf:20#reduce_scatter:0-1k:20";
        try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=" + (pe == 0 ? halves : whole))) {
            Team team = joined.world().team();
            assertThat(Explained.ranges(team, REDUCE_SCATTER, 0, 1023, 1024, 1L << 40))
                    .containsExactly("[0, inf) p2p/ring 20");
            try (Sums sums = new Sums(joined.world(), KIB)) {
                sums.check(team, KIB);
            }
        }
        String others = "reduce_scatter:1k-inf:21#reduce_scatter:0-1k:20";
        try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=" + (pe == 0 ? others : whole));
                Sums sums = new Sums(joined.world(), KIB);
                Team team = joined.world().team().duplicate()) {
            assertThatThrownBy(() -> sums.call(team, KIB))
                    .isInstanceOf(CollectiveMismatchException.class)
                    .hasMessageContainingAll("the selection of algorithms", " on PEs [0], ");
        }
    }

    private static int myNumber() {
        try (Joined plain = Joined.with()) {
            return plain.world().pe();
        }
    }

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("UC-6 fallbacks follow by score: without a layer, those behind it serve, in the same order")
    void fallbacks() {
        checkFallbacks("self", "mapped", "hier", "p2p");
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-6 fallbacks on several nodes, where no layer but p2p serves all collectives")
    void fallbacksBetweenNodes() {
        checkFallbacks("self", "mapped", "hier");
        assertThat(Joined.refusal("tls=^p2p"))
                .hasMessageContainingAll(
                        "setting TLS", "no layer of its list serves allgather", "add a layer such as p2p");
    }

    private static void checkFallbacks(String... layers) {
        Map<String, List<Candidate>> all;
        try (Joined joined = Joined.with()) {
            all = Explained.ladders(joined.world().team());
            checkSums(joined);
        }
        for (List<Candidate> ladder : all.values()) {
            assertThat(ladder)
                    .isNotEmpty()
                    .isSortedAccordingTo(
                            Comparator.comparingInt(Candidate::score).reversed());
            assertThat(ladder).extracting(Explained::name).doesNotHaveDuplicates();
        }
        for (String layer : layers) {
            try (Joined joined = Joined.with("tls=^" + layer)) {
                Map<String, List<Candidate>> left =
                        Explained.ladders(joined.world().team());
                all.forEach((what, ladder) -> assertThat(left.get(what))
                        .as("%s without %s", what, layer)
                        .isEqualTo(ladder.stream()
                                .filter(candidate -> !candidate.component().equals(layer))
                                .toList()));
                checkSums(joined);
            }
        }
    }

    /// Sums of some sizes go by the first of their ladders that can serve them, where there is one.
    private static void checkSums(Joined joined) {
        Team team = joined.world().team();
        try (Sums sums = new Sums(joined.world(), 8 * KIB)) {
            for (int bytes : new int[] {8, 1024, 8192}) {
                List<String> plans = Explained.requestOrder(team.explain(ALL_REDUCE, bytes));
                if (!plans.isEmpty()) {
                    assertThat(sums.check(team, bytes)).isEqualTo(plans.getFirst());
                }
            }
        }
    }

    @SpmdTest(pes = {1, 2, 3})
    @DisplayName("UC-6 the first that can't serve a request leaves it to the next")
    void theNextServes() {
        try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=allgather:0-1k:@neighbor");
                SymmetricMemory memory = joined.world().allocate(16 * 8)) {
            Team team = joined.world().team();
            int n = team.size();
            List<Candidate> ladder = team.explain(CollectiveType.ALL_GATHER, 8L * n).candidates().stream()
                    .filter(Explained::servesRequests)
                    .toList();
            assertThat(ladder).extracting(Candidate::algorithm).startsWith("neighbor", "knomial");
            memory.longs().set(0, 100 + team.member());
            try (Request request = team.prepare(
                    Collective.allGather().source(memory.longs(), 0, 1).target(memory.longs(), 1, n))) {
                assertThat(request.algorithm()).isEqualTo(n % 2 == 0 ? "p2p/neighbor" : "p2p/knomial");
                request.post();
                request.await();
            }
            for (int member = 0; member < n; member++) {
                assertThat(memory.longs().get(1 + member)).isEqualTo(100 + member);
            }
        }
    }
}
