// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.plan.Algorithm;

/// An algorithm of a layer, as a team's [DataCollectives] know it.
public sealed interface CollectiveAlgorithm {

    /// A way that is written over the members' memory.
    enum Native implements CollectiveAlgorithm {
        /// see [Barriers]
        ROUND,
        /// see [SingletonCollectives]
        COPY,
        /// see [OnewayCollectives]
        POST,
        /// see [EagerCollectives] and [InlineTransport]
        INLINE,
        /// see [EagerCollectives] and [BounceBuffers]
        STAGE,
        /// see [GetCollectives]
        PULL,
        /// see [PartitionedReductions]
        SHARE,
        /// see [PutCollectives]
        PUSH;

        /// Its name in tuning strings.
        String label() {
            return switch (this) {
                case ROUND -> "round";
                case COPY -> "copy";
                case POST -> "post";
                case INLINE -> "inline";
                case STAGE -> "stage";
                case PULL -> "pull";
                case SHARE -> "share";
                case PUSH -> "push";
            };
        }
    }

    /// A way that goes by plans; see [PlannedCollectives].
    record Planned(Algorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of a layer that plugs in; see [TeamComponents].
    ///
    /// @param layer its name
    /// @param algorithm its name
    record Plugged(String layer, String algorithm) implements CollectiveAlgorithm {}
}
