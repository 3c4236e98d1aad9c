// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A candidate that is chosen, and what is next if it declines.
public final class SelectedAlgorithm<F> {
    private final SelectableAlgorithm<F> algorithm;
    private final int score;
    private final @Nullable SelectedAlgorithm<F> next;

    private SelectedAlgorithm(ScoredAlgorithm<F> scoredAlgorithm, @Nullable SelectedAlgorithm<F> next) {
        this.algorithm = scoredAlgorithm.algorithm();
        this.score = scoredAlgorithm.score();
        this.next = next;
    }

    /// The first rung, or null if there is none.
    static <F> @Nullable SelectedAlgorithm<F> of(FallbackList<F> fallbacks) {
        SelectedAlgorithm<F> selected = null;
        List<ScoredAlgorithm<F>> worstFirst = fallbacks.scoredAlgorithms().reversed();
        for (ScoredAlgorithm<F> scoredAlgorithm : worstFirst) {
            selected = new SelectedAlgorithm<>(scoredAlgorithm, selected);
        }
        return selected;
    }

    public SelectableAlgorithm<F> algorithm() {
        return algorithm;
    }

    /// In `[1,` [Score#INFINITE]`]`.
    public int score() {
        return score;
    }

    /// The best fallback, or null if this is the last.
    public @Nullable SelectedAlgorithm<F> next() {
        return next;
    }

    /// For people: "p2p/ring 10".
    @Override
    public String toString() {
        return algorithm + " " + Score.format(score);
    }
}
