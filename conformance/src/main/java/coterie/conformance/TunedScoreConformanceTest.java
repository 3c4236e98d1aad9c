// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.collective.CollectiveType.ALL_REDUCE;
import static coterie.collective.CollectiveType.BROADCAST;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Candidate;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;

/// What tuning strings make of the scores and algorithms that a layer offers.
class TunedScoreConformanceTest {
    /// Declines integers, as all that has no wide accumulators.
    private static final String OF_SHORT_SUMS = "sequential";

    private static final int KIB = 1024;

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-7 a score stands above the layer's own even when lower, and adds nothing where it offers nothing")
    void scoresOfOthers() {
        String knomial = "p2p/knomial 10";
        assertThat(broadcasts("")).containsExactly("[49, 4096) hier/2step 50", "[4096, 32768) " + knomial);
        assertThat(broadcasts("bcast:5")).containsExactly("[49, 4096) " + knomial, "[4096, 32768) " + knomial);
        assertThat(broadcasts("bcast:4k-16k:60"))
                .containsExactly("[49, 4096) hier/2step 50", "[4096, 32768) " + knomial);
        assertThat(broadcasts("bcast:4k-16k:60:@2step"))
                .containsExactly(
                        "[49, 4096) hier/2step 50", "[4096, 16384) hier/2step 60", "[16384, 32768) " + knomial);
        assertThat(broadcasts("bcast:4k-16k:@2step"))
                .containsExactly("[49, 16384) hier/2step 50", "[16384, 32768) " + knomial);
    }

    private static List<String> broadcasts(String tune) {
        try (Joined joined = Joined.with("cl.hier.tune=" + tune);
                SymmetricMemory memory = joined.world().allocate(16 * KIB)) {
            Team team = joined.world().team();
            for (int bytes : new int[] {64, 8192}) {
                Candidate first = team.explain(BROADCAST, bytes).candidates().getFirst();
                memory.bytes().set(bytes - 1, 100 + team.member());
                try (Request request = team.prepare(
                        Collective.broadcast(3).source(memory.bytes(), 0, bytes).target(memory.bytes(), 8192, bytes))) {
                    assertThat(request.algorithm()).isEqualTo(Explained.name(first));
                    request.post();
                    request.await();
                }
                assertThat(memory.bytes().get(8192 + bytes - 1)).isEqualTo(103);
            }
            boolean isIdle = tune.equals("bcast:4k-16k:60");
            assertThat(joined.told())
                    .hasSize(isIdle && team.member() == 0 ? 1 : 0)
                    .allSatisfy(line -> assertThat(line).contains("hier offers nothing for the token's sizes"));
            return Explained.ranges(team, BROADCAST, 64, 4095, 4096, 16383, 16384);
        }
    }

    @SpmdTest(pes = {2, 3})
    @DisplayName(
            "UC-7 an algorithm that is set comes first at the score of the one before, which is its first fallback")
    void algorithms() {
        Map<String, List<Candidate>> before;
        try (Joined joined = Joined.with("tls=p2p")) {
            before = Explained.ladders(joined.world().team());
        }
        for (int place = 0; place < most(before); place++) {
            checkAlgorithms(before, place);
        }
    }

    /// Sets one algorithm of each collective.
    private static void checkAlgorithms(Map<String, List<Candidate>> before, int place) {
        List<String> tokens = new ArrayList<>();
        Map<String, String> names = new HashMap<>();
        for (CollectiveType type : CollectiveType.values()) {
            List<Candidate> plans = plans(Objects.requireNonNull(before.get(type.label() + " 1024")));
            String name = plans.get(Math.min(place, plans.size() - 1)).algorithm();
            tokens.add(type.label() + ":@" + name);
            names.put(type.label(), name);
        }
        try (Joined joined = Joined.with("tls=p2p", "tl.p2p.tune=" + String.join("#", tokens));
                Sums sums = new Sums(joined.world(), 8 * KIB)) {
            Team team = joined.world().team();
            assertThat(joined.told()).isEmpty();
            Map<String, List<Candidate>> after = Explained.ladders(team);
            before.forEach((what, ladder) -> {
                String word = what.substring(0, what.indexOf(' '));
                String name = Objects.requireNonNull(names.get(word));
                List<Candidate> expected = new ArrayList<>(ladder);
                expected.removeIf(candidate -> candidate.algorithm().equals(name));
                expected.addFirst(new Candidate("p2p", name, ladder.getFirst().score()));
                assertThat(after.get(what)).as("%s by %s", what, name).isEqualTo(expected);
            });
            for (int bytes : new int[] {1024, 8192}) {
                String first = Objects.requireNonNull(names.get(ALL_REDUCE.label()));
                String range = ALL_REDUCE.label() + (bytes < 4 * KIB ? " 1024" : " 4096");
                List<Candidate> ladder = Objects.requireNonNull(before.get(range));
                String serves =
                        first.equals(OF_SHORT_SUMS) ? plans(ladder).getFirst().algorithm() : first;
                assertThat(sums.check(team, bytes)).isEqualTo("p2p/" + serves);
            }
        }
    }

    private static int most(Map<String, List<Candidate>> ladders) {
        return ladders.values().stream()
                .mapToInt(ladder -> plans(ladder).size())
                .max()
                .orElseThrow();
    }

    private static List<Candidate> plans(List<Candidate> ladder) {
        return ladder.stream().filter(Explained::servesRequests).toList();
    }
}
