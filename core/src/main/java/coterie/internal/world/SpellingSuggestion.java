// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.util.Collection;
import java.util.Optional;

/// Finds the known name that is nearest to a misspelt one.
public final class SpellingSuggestion {
    private SpellingSuggestion() {}

    /// Returns the candidate with the smallest distance from a word.
    ///
    /// @param maxDistance the largest distance of a candidate, in letters
    public static Optional<String> of(String word, Collection<String> candidates, int maxDistance) {
        int smallest = maxDistance + 1;
        String nearest = null;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < smallest && distance < candidate.length() - 1) {
                smallest = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /// Returns the number of insertions, deletions, replacements and swaps of neighbours that make `b` of `a`
    /// (optimal string alignment).
    static int distance(String a, String b) {
        int[][] rows = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    rows[i][j] = i + j;
                    continue;
                }
                int replaced = rows[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                rows[i][j] = Math.min(replaced, 1 + Math.min(rows[i - 1][j], rows[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    rows[i][j] = Math.min(rows[i][j], rows[i - 2][j - 2] + 1);
                }
            }
        }
        return rows[a.length()][b.length()];
    }
}
