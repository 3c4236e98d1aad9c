// SPDX-License-Identifier: Apache-2.0
package coterie.collective;

import java.util.ArrayList;
import java.util.List;

/// Who serves a collective of a size on a team, and who would instead: what [coterie.Team#explain] answers.
///
/// @param bytes    the size that was asked for
/// @param teamSize members of the team
/// @param from     the first size for which it is the same, in bytes; `bytes` if nobody serves it
/// @param to       the first size for which it is not, [Long#MAX_VALUE] if there is none; `bytes` if nobody serves
///     it
/// @param candidates    the chosen one, then its fallbacks, the best first; empty if nobody serves it
public record Explanation(
        CollectiveType collective,
        MemoryType memory,
        long bytes,
        int teamSize,
        long from,
        long to,
        List<Candidate> candidates) {

    /// A candidate by its names.
    ///
    /// @param component the layer's name
    /// @param score at least 1; the highest wins, and [Integer#MAX_VALUE] is `inf`
    public record Candidate(String component, String algorithm, int score) {

        /// For people: "p2p/ring 10".
        @Override
        public String toString() {
            return component + "/" + algorithm + " " + (score == Integer.MAX_VALUE ? "inf" : score);
        }
    }

    public Explanation {
        candidates = List.copyOf(candidates);
    }

    /// For people: what was asked, then a line for each rung.
    ///
    /// ```
    /// allreduce in host memory, 8192 bytes, 8 members: [4096, inf)
    ///   mapped/flat 100
    ///   p2p/sra 10
    /// ```
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        String range = "[" + from + ", " + (to == Long.MAX_VALUE ? "inf" : to) + ")";
        lines.add(collective.label() + " in " + memory.label() + " memory, " + bytes + " bytes, " + teamSize
                + " members: " + (candidates.isEmpty() ? "nobody" : range));
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
