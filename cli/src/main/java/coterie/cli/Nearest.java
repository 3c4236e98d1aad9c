// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.util.List;

/// Finds what somebody may have meant.
final class Nearest {
    private Nearest() {}

    /// "; did you mean …?" with the candidate nearest to a mistyped word, or nothing if none is near.
    static String question(String word, List<String> candidates) {
        int least = 2 + word.length() / 4; // more mistakes than that in one word are no mistakes
        String nearest = null;
        for (String candidate : candidates) {
            int distance = distance(word, candidate);
            if (distance < least && distance < candidate.length() - 1) {
                least = distance;
                nearest = candidate;
            }
        }
        return nearest == null ? "" : "; did you mean " + nearest + "?";
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
