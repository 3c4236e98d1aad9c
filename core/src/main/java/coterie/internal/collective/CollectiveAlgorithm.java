// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.collective.CollectiveType;
import coterie.internal.hier.GroupedAlgorithm;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.score.SelectableAlgorithm;
import java.util.Locale;
import java.util.Optional;

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
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A way that goes by plans of the runtime's own; see [PlannedCollectives].
    record Planned(Algorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of layer `hier` on a team whose groups layers that plug in may serve; see [TeamComponents].
    record Stacked(GroupedAlgorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of a layer that plugs in; see [TeamComponents].
    ///
    /// @param layer its name
    /// @param algorithm its name
    record Plugged(String layer, String algorithm) implements CollectiveAlgorithm {}

    /// Returns the algorithm that makes plans for requests of a way over memory; empty for the others. The component
    /// `mapped` serves no team whose members don't load and store each other's memory.
    static Optional<Algorithm> direct(CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return algorithm.component().equals(DirectAlgorithms.COMPONENT)
                ? DirectAlgorithms.find(type, algorithm.algorithm())
                : Optional.empty();
    }

    /// Returns whether requests can go by an algorithm, and not calls alone.
    static boolean servesRequests(CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return !(algorithm.factory() instanceof Native)
                || direct(type, algorithm).isPresent();
    }
}
