// SPDX-License-Identifier: Apache-2.0
package coterie.internal.score;

/// Sizes for which the same is offered, at the same scores.
///
/// @param fallbacks never empty
record ScoreRange<F>(ByteRange bytes, FallbackList<F> fallbacks) {
    /// For people: "[4k, inf) p2p/sra 10, p2p/generic 10".
    @Override
    public String toString() {
        return bytes + " " + fallbacks;
    }
}
