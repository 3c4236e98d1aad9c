// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import java.util.Collection;
import java.util.Optional;

/// Finds what somebody may have meant.
public final class SpellingSuggestion {
    private SpellingSuggestion() {}

    /// The candidate that needs the fewest mistakes to become the word.
    ///
    /// @param most mistakes
    public static Optional<String> of(String word, Collection<String> candidates, int most) {
        int least = most + 1;
        String nearest = null;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least && distance < candidate.length() - 1) {
                least = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    /// How many letters must be put in, left out, replaced or swapped with their neighbour to make `b` of `a`
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
