// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// A candidate at a score.
///
/// @param score in `[1,` [Score#INFINITE]`]`
record Offer<F>(Candidate<F> candidate, int score) {
    Offer<F> at(int other) {
        return new Offer<>(candidate, other);
    }

    /// For people: "p2p/ring 10".
    @Override
    public String toString() {
        return candidate + " " + Score.format(score);
    }
}
