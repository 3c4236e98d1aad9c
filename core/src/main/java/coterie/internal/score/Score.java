// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// How much a candidate is wanted: a whole number, of which the highest wins.
public final class Score {
    /// Not at all: the range is taken away.
    public static final int NONE = 0;

    /// The highest that a number says.
    public static final int HIGHEST = Integer.MAX_VALUE - 1;

    /// `inf`: above all numbers.
    public static final int INFINITE = Integer.MAX_VALUE;

    private Score() {}

    /// Refuses what is no score.
    ///
    /// @throws IllegalArgumentException if it is negative
    static int check(int score) {
        if (score < NONE) {
            throw new IllegalArgumentException("score " + score + " is outside [0, " + HIGHEST + "], or inf");
        }
        return score;
    }

    /// Formats a score as tuning strings have it: "10", "inf".
    static String format(int score) {
        return score == INFINITE ? "inf" : Integer.toString(score);
    }
}
