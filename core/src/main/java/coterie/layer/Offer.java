// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.collective.CollectiveType;
import java.util.Objects;

/// An algorithm that a layer offers to a team for a range of sizes.
/// @counterpart a range of `ucc_coll_score_t`; one for each collective, algorithm and range of sizes
/// @param algorithm one of [Attributes#algorithms]
/// @param from the smallest size, in bytes as [CollectiveType] defines it, at least 0
/// @param to the end of the range, exclusive; [Long#MAX_VALUE] for no end
/// @param score in [1, 2^31 − 1]; the greatest is `inf`
public record Offer(CollectiveType collective, String algorithm, long from, long to, int score) {

    /// @throws IllegalArgumentException if the sizes or the score are out of range
    public Offer {
        Objects.requireNonNull(collective, "Offer: collective is null");
        Objects.requireNonNull(algorithm, "Offer: algorithm is null");
        if (from < 0 || to <= from || score < 1) {
            throw new IllegalArgumentException("offer of " + collective.label() + " by " + algorithm + ": sizes ["
                    + from + ", " + to + ") at score " + score
                    + " are out of range; sizes are in [0, 2^63), scores in [1, 2^31)");
        }
    }

    /// Returns an offer for all sizes.
    public static Offer always(CollectiveType collective, String algorithm, int score) {
        Objects.requireNonNull(collective, "Offer.always: collective is null");
        Objects.requireNonNull(algorithm, "Offer.always: algorithm is null");
        return new Offer(collective, algorithm, 0, Long.MAX_VALUE, score);
    }
}
