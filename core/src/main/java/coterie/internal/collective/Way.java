// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.internal.plan.Algorithm;

/// An algorithm of a layer, as a team's [DataCollectives] know it.
public sealed interface Way {

    /// A way that is written over the members' memory.
    enum Native implements Way {
        /// see [Barriers]
        ROUND,
        /// see [SelfCollectives]
        COPY,
        /// see [PostedBroadcasts]
        POST,
        /// see [SmallCollectives] and [LineCarrier]
        INLINE,
        /// see [SmallCollectives] and [StageCarrier]
        STAGE,
        /// see [Pulls]
        PULL,
        /// see [ShareReductions]
        SHARE,
        /// see [Exchanges]
        PUSH;

        /// Its name in tuning strings.
        String word() {
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
    record Planned(Algorithm algorithm) implements Way {}

    /// A way of a layer that plugs in; see [TeamComponents].
    ///
    /// @param layer its name
    /// @param algorithm its name
    record Plugged(String layer, String algorithm) implements Way {}
}
