// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A candidate that is chosen, and what is next if it declines.
public final class Choice<F> {
    private final Candidate<F> candidate;
    private final int score;
    private final @Nullable Choice<F> next;

    private Choice(Offer<F> offer, @Nullable Choice<F> next) {
        this.candidate = offer.candidate();
        this.score = offer.score();
        this.next = next;
    }

    /// The first rung, or null if there is none.
    static <F> @Nullable Choice<F> of(Ladder<F> ladder) {
        Choice<F> choice = null;
        List<Offer<F>> worstFirst = ladder.offers().reversed();
        for (Offer<F> offer : worstFirst) {
            choice = new Choice<>(offer, choice);
        }
        return choice;
    }

    public Candidate<F> candidate() {
        return candidate;
    }

    /// In `[1,` [Score#INFINITE]`]`.
    public int score() {
        return score;
    }

    /// The best fallback, or null if this is the last.
    public @Nullable Choice<F> next() {
        return next;
    }

    /// For people: "p2p/ring 10".
    @Override
    public String toString() {
        return candidate + " " + Score.format(score);
    }
}
