// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import org.jspecify.annotations.Nullable;

/// A candidate that is chosen, and what is next if it declines.
///
/// @param score in `[1,` [Score#INFINITE]`]`
/// @param next  the best fallback, or null if this is the last
public record SelectedAlgorithm<F>(
        SelectableAlgorithm<F> algorithm,
        int score,
        @Nullable SelectedAlgorithm<F> next) {
    /// The first rung, or null if there is none.
    static <F> @Nullable SelectedAlgorithm<F> of(FallbackList<F> fallbacks) {
        SelectedAlgorithm<F> selected = null;
        for (ScoredAlgorithm<F> each : fallbacks.scoredAlgorithms().reversed()) {
            selected = new SelectedAlgorithm<>(each.algorithm(), each.score(), selected);
        }
        return selected;
    }

    /// For people: "p2p/ring 10".
    @Override
    public String toString() {
        return algorithm + " " + Score.format(score);
    }
}
