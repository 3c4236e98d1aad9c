// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.stream.Stream;
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

    /// Returns all from one on, the best first; none from null on.
    public static <F> Stream<SelectedAlgorithm<F>> stream(@Nullable SelectedAlgorithm<F> best) {
        Stream.Builder<SelectedAlgorithm<F>> all = Stream.builder();
        for (SelectedAlgorithm<F> each = best; each != null; each = each.next) {
            all.add(each);
        }
        return all.build();
    }

    /// For people: "p2p/ring 10".
    @Override
    public String toString() {
        return algorithm + " " + Score.format(score);
    }
}
