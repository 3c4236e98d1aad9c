// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// A candidate at a score.
///
/// @param score in `[1,` [Score#INFINITE]`]`
record ScoredAlgorithm<F>(SelectableAlgorithm<F> algorithm, int score) {
    ScoredAlgorithm<F> at(int other) {
        return new ScoredAlgorithm<>(algorithm, other);
    }

    /// For people: "p2p/ring 10".
    @Override
    public String toString() {
        return algorithm + " " + Score.format(score);
    }
}
