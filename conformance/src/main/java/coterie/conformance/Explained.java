// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Reduction;
import coterie.Team;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Explanation.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;

/// Describes briefly which algorithm serves which size on a team; all members get equal text.
final class Explained {
    /// What requests can't go by.
    private static final Set<String> OVER_MEMORY =
            Set.of("round", "oneway", "inline", "bounce", "pull", "partitioned", "push", "copy");

    /// Where ranges begin as a rule.
    static final long[] SIZES = {0, 48, 49, 1024, 4096, 32768, 1L << 40};

    private Explained() {}

    /// The ranges that have these sizes, each with the first of its ladder: "[0, 1024) p2p/ring 10", "1024
    /// none".
    static List<String> ranges(Team team, CollectiveType type, long... sizes) {
        List<String> ranges = LongStream.of(sizes)
                .mapToObj(size -> team.explain(type, size))
                .map(Explained::range)
                .distinct()
                .toList();
        requireSame(team, ranges);
        return ranges;
    }

    private static String range(Explanation explanation) {
        return explanation.candidates().isEmpty()
                ? explanation.bytes() + " none"
                : "[" + explanation.from() + ", "
                        + (explanation.to() == Long.MAX_VALUE ? "inf" : explanation.to()) + ") "
                        + explanation.candidates().getFirst();
    }

    /// The algorithms that come first for these sizes, "-" where there is none.
    static String first(Team team, CollectiveType type, long... sizes) {
        List<String> names = new ArrayList<>();
        for (long size : sizes) {
            List<Candidate> candidates = team.explain(type, size).candidates();
            names.add(candidates.isEmpty() ? "-" : candidates.getFirst().algorithm());
        }
        requireSame(team, names);
        return String.join(" ", names);
    }

    /// Whole ladders, by "allreduce 1024" and the like, with neither groups nor limits.
    static Map<String, List<Candidate>> ladders(Team team) {
        Map<String, List<Candidate>> ladders = new LinkedHashMap<>();
        for (CollectiveType type : CollectiveType.values()) {
            for (long size : SIZES) {
                ladders.put(
                        type.label() + " " + size,
                        team.explain(type, size).candidates().stream()
                                .map(each -> new Candidate(each.component(), each.algorithm(), each.score()))
                                .toList());
            }
        }
        requireSame(team, ladders);
        return ladders;
    }

    /// What requests can go by directly, where members load and store each other's memory.
    private static final Set<String> DIRECT = Set.of("mapped/pull", "mapped/partitioned");

    /// The longest block that is faster in a message.
    private static final long SHORT = 32;

    /// Whether requests can go by it.
    static boolean servesRequests(Candidate candidate) {
        return !OVER_MEMORY.contains(candidate.algorithm()) || DIRECT.contains(name(candidate));
    }

    /// What a request of a vector can go by, the first choice first: a short one goes by messages if it can.
    static List<String> requestOrder(Explanation explanation) {
        Comparator<String> messagesFirst = Comparator.comparing(DIRECT::contains);
        return explanation.candidates().stream()
                .filter(Explained::servesRequests)
                .map(Explained::name)
                .sorted(explanation.bytes() <= SHORT ? messagesFirst : (_, _) -> 0)
                .toList();
    }

    /// The name by which requests say it.
    static String name(Candidate candidate) {
        return candidate.component() + "/" + candidate.algorithm();
    }

    private static void requireSame(Team team, Object words) {
        long mine = words.toString().hashCode();
        assertThat(team.allReduce(Reduction.MIN, mine))
                .as("on each member: %s", words)
                .isEqualTo(team.allReduce(Reduction.MAX, mine));
    }
}
