// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The algorithms that can serve a collective of a size on a team, the selected one first: the result of
/// [coterie.Team#explain].
///
/// @param bytes the size that the caller asked for
/// @param teamSize members of the team
/// @param from the first size with this result, in bytes; `bytes` if no algorithm serves it
/// @param to the first size after `from` with another result, [Long#MAX_VALUE] if none has; `bytes` if no
///     algorithm serves it
/// @param candidates the selected one, then its fallbacks, the best first; empty if no algorithm serves it
public record Explanation(
        CollectiveType collective,
        MemoryType memory,
        long bytes,
        int teamSize,
        long from,
        long to,
        List<Candidate> candidates) {

    /// An algorithm with its layer and score.
    ///
    /// @param component the layer's name
    /// @param score at least 1; the highest wins, and [Integer#MAX_VALUE] is `inf`
    /// @param groups for an algorithm of a collective layer, what serves the groups of members of which it
    ///     consists, as far as the caller is in them; for other algorithms empty
    /// @param limits which uses the algorithm does not serve and why, as far as the question tells; the next
    ///     candidate serves these
    public record Candidate(String component, String algorithm, int score, List<Group> groups, List<Limit> limits) {
        public Candidate {
            Objects.requireNonNull(component, "Candidate: component is null");
            Objects.requireNonNull(algorithm, "Candidate: algorithm is null");
            Objects.requireNonNull(groups, "Candidate: groups is null");
            Objects.requireNonNull(limits, "Candidate: limits is null");
            groups = List.copyOf(groups);
            limits = List.copyOf(limits);
        }

        /// Makes a candidate without groups and limits.
        public Candidate(String component, String algorithm, int score) {
            this(component, algorithm, score, List.of(), List.of());
        }

        /// Returns whether it serves a use, as far as the question tells.
        public boolean serves(Use use) {
            Objects.requireNonNull(use, "Candidate.serves: use is null");
            return limits.stream().noneMatch(limit -> limit.use() == use);
        }

        /// Returns a text such as "p2p/ring 10".
        @Override
        public String toString() {
            return component + "/" + algorithm + " " + (score == Integer.MAX_VALUE ? "inf" : score);
        }
    }

    /// How a program uses a collective.
    public enum Use {
        /// by a method of the team, which waits
        CALL("calls"),
        /// by [coterie.Team#prepare]
        REQUEST("requests");

        private final String label;

        Use(String label) {
            this.label = label;
        }
    }

    /// A use that an algorithm does not serve.
    ///
    /// @param reason such as "it groups operands otherwise than in the order of the members"
    public record Limit(Use use, String reason) {
        public Limit {
            Objects.requireNonNull(use, "Limit: use is null");
            Objects.requireNonNull(reason, "Limit: reason is null");
        }

        /// Returns a text such as "not for calls: …".
        @Override
        public String toString() {
            return "not for " + use.label + ": " + reason;
        }
    }

    /// A collective of a group of members, as a part of a collective of the team.
    ///
    /// @param level of the group, such as NODE; empty if it has none
    /// @param members of the group
    /// @param component the layer that serves it
    public record Group(String level, int members, CollectiveType collective, String component, String algorithm) {
        public Group {
            Objects.requireNonNull(level, "Group: level is null");
            Objects.requireNonNull(collective, "Group: collective is null");
            Objects.requireNonNull(component, "Group: component is null");
            Objects.requireNonNull(algorithm, "Group: algorithm is null");
        }

        /// Returns a text such as "NODE of 4: reduce by p2p/knomial".
        @Override
        public String toString() {
            return (level.isEmpty() ? "group" : level) + " of " + members + ": " + collective.label() + " by "
                    + component + "/" + algorithm;
        }
    }

    /// Returns the candidate that serves a use, as far as the question tells; empty if none does.
    public Optional<Candidate> selected(Use use) {
        Objects.requireNonNull(use, "Explanation.selected: use is null");
        return candidates.stream().filter(each -> each.serves(use)).findFirst();
    }

    public Explanation {
        Objects.requireNonNull(collective, "Explanation: collective is null");
        Objects.requireNonNull(memory, "Explanation: memory is null");
        Objects.requireNonNull(candidates, "Explanation: candidates is null");
        candidates = List.copyOf(candidates);
    }

    /// Returns a text: the question, then a line for each candidate.
    ///
    /// ```
    /// allReduce of 8192 bytes in host memory on 8 members, best first; the same for [4096, inf) bytes
    ///   mapped/partitioned 100
    ///   hier/rab 1
    ///     NODE of 4: reduce by p2p/knomial
    ///     NODE of 4: bcast by p2p/knomial
    ///   p2p/sra 10
    ///     not for calls: it groups operands otherwise than one by one in the order of the members
    /// ```
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String range = "[" + from + ", " + (to == Long.MAX_VALUE ? "inf" : to) + ")";
        lines.add(collective.method() + " of " + count(bytes, "byte") + " in " + memory.label() + " memory on "
                + count(teamSize, "member")
                + (candidates.isEmpty() ? ": no algorithm" : ", best first; the same for " + range + " bytes"));
        for (Candidate candidate : candidates) {
            lines.add("  " + candidate);
            candidate.groups().forEach(group -> lines.add("    " + group));
            candidate.limits().forEach(limit -> lines.add("    " + limit));
        }
        return lines;
    }

    private static String count(long number, String noun) {
        return number + " " + noun + (number == 1 ? "" : "s");
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }
}
