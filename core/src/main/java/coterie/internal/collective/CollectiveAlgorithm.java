// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.hier.GroupedAlgorithm;
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
        ONEWAY,
        /// see [EagerCollectives] and [InlineTransport]
        INLINE,
        /// see [EagerCollectives] and [BounceBuffers]
        BOUNCE,
        /// see [GetCollectives]
        PULL,
        /// see [PartitionedReductions]
        PARTITIONED,
        /// see [PutCollectives]
        PUSH;

        /// Its name in tuning strings.
        String label() {
            return switch (this) {
                case ROUND -> "round";
                case COPY -> "copy";
                case ONEWAY -> "oneway";
                case INLINE -> "inline";
                case BOUNCE -> "bounce";
                case PULL -> "pull";
                case PARTITIONED -> "partitioned";
                case PUSH -> "push";
            };
        }
    }

    /// A way that goes by plans; see [PlannedCollectives].
    record Planned(Algorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of layer `hier` on a team whose groups layers that plug in may serve; see [TeamComponents].
    record Stacked(GroupedAlgorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of a layer that plugs in; see [TeamComponents].
    ///
    /// @param layer its name
    /// @param algorithm its name
    record Plugged(String layer, String algorithm) implements CollectiveAlgorithm {}
}
