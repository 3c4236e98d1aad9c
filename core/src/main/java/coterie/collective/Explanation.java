// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import java.util.ArrayList;
import java.util.List;

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
    public record Candidate(String component, String algorithm, int score) {

        /// Returns a text such as "p2p/ring 10".
        @Override
        public String toString() {
            return component + "/" + algorithm + " " + (score == Integer.MAX_VALUE ? "inf" : score);
        }
    }

    public Explanation {
        candidates = List.copyOf(candidates);
    }

    /// Returns a text: the question, then a line for each candidate.
    ///
    /// ```
    /// allreduce in host memory, 8192 bytes, 8 members: [4096, inf)
    ///   mapped/partitioned 100
    ///   p2p/sra 10
    /// ```
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String range = "[" + from + ", " + (to == Long.MAX_VALUE ? "inf" : to) + ")";
        lines.add(collective.label() + " in " + memory.label() + " memory, " + bytes + " bytes, " + teamSize
                + " members: " + (candidates.isEmpty() ? "no algorithm" : range));
        for (Candidate candidate : candidates) {
            lines.add("  " + candidate);
        }
        return lines;
    }

    @Override
    public String toString() {
        return String.join("\n", lines());
    }
}
