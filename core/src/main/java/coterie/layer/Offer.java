// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.collective.CollectiveType;

/// An algorithm that a layer offers to a team, for some sizes. Answers to a range of `ucc_coll_score_t`.
///
/// @param algorithm one of [Attributes#algorithms]
/// @param from the first size, in bytes as [CollectiveType] says, at least 0
/// @param to the first size for which it is not offered, [Long#MAX_VALUE] if there is none
/// @param score in [1, 2^31 − 1]; the greatest is `inf`
public record Offer(CollectiveType collective, String algorithm, long from, long to, int score) {

    /// @throws IllegalArgumentException if there is no such size or score
    public Offer {
        if (from < 0 || to <= from || score < 1) {
            throw new IllegalArgumentException("offer of " + collective.label() + " by " + algorithm + ": sizes ["
                    + from + ", " + to + ") at " + score + "; sizes are of [0, 2^63), scores of [1, 2^31)");
        }
    }

    /// An offer for all sizes.
    public static Offer always(CollectiveType collective, String algorithm, int score) {
        return new Offer(collective, algorithm, 0, Long.MAX_VALUE, score);
    }
}
