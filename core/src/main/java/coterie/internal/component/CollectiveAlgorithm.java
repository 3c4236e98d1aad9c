// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.ElementType;
import coterie.collective.CollectiveType;
import coterie.internal.hier.GroupedAlgorithm;
import coterie.internal.layer.LayerAttributes;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.SelectableAlgorithm;
import coterie.spi.ReductionKind;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An algorithm of a layer, and which collectives go by algorithms of its kind.
public sealed interface CollectiveAlgorithm {
    /// Why plans do not serve sums and products of floating-point numbers in calls.
    String ROUNDING = "it groups operands otherwise than one by one in the order of the members";

    /// Why layers that plug in do not serve sums and products of 16-bit numbers.
    String SHORT = "its folds would round 16-bit numbers at each member";

    /// A way that is written over the members' memory, without a plan.
    enum Native implements CollectiveAlgorithm {
        /// a round, and nothing else
        ROUND,
        /// a copy, in a team of one member
        COPY,
        /// the root posts, the others answer, and there is no round
        ONEWAY,
        /// the bytes travel in the round
        INLINE,
        /// the bytes are in the members' bounce buffers when the round is over
        BOUNCE,
        /// each member reads the others' sources
        PULL,
        /// each member reduces its share for all
        PARTITIONED,
        /// each member writes into the others' targets
        PUSH;

        /// Bytes that a member has room for in its bounce buffer, for all others together. Between two members
        /// a second round soon costs less than one more copy; of more, some wait for a processor each time.
        public static int bounceBytes(int size) {
            return size <= 2 ? 2048 : 8192;
        }

        /// Its name in tuning strings.
        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /// A way that goes by plans of the runtime's own.
    record Planned(Algorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of layer `hier` on a team whose groups layers that plug in may serve; see [TeamComponents].
    record Stacked(GroupedAlgorithm algorithm) implements CollectiveAlgorithm {}

    /// A way of a layer that plugs in; see [TeamComponents].
    ///
    /// @param layer its name
    /// @param algorithm its name
    record Plugged(String layer, String algorithm) implements CollectiveAlgorithm {
        /// Returns the algorithms of a layer.
        static AlgorithmTable<CollectiveAlgorithm> table(LayerAttributes layer) {
            return layer.table((type, algorithm) -> new Plugged(layer.name(), algorithm));
        }
    }

    /// Returns the algorithm that makes plans for requests of a way over memory; empty for the others. The component
    /// `mapped` serves no team whose members don't load and store each other's memory.
    static Optional<Algorithm> direct(CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return algorithm.component().equals(DirectAlgorithms.COMPONENT)
                ? DirectAlgorithms.find(type, algorithm.algorithm())
                : Optional.empty();
    }

    /// Returns whether plans serve calls of a collective: all members know all blocks before they meet.
    static boolean isCalledByPlans(CollectiveType type) {
        return switch (type) {
            case BARRIER,
                    BROADCAST,
                    ALL_REDUCE,
                    ALL_GATHER,
                    ALL_TO_ALL,
                    REDUCE_SCATTER,
                    INCLUSIVE_SCAN,
                    EXCLUSIVE_SCAN -> true;
            default -> false;
        };
    }

    /// Returns whether a team has a method for a collective.
    static boolean isCalled(CollectiveType type) {
        return isCalledByPlans(type) || type == CollectiveType.ALL_GATHER_V || type == CollectiveType.ALL_TO_ALL_V;
    }

    /// Returns whether the grouping of operands changes the bits of the result.
    static boolean isRounding(@Nullable ReductionKind reduction, ElementType elements) {
        return elements.isFloatingPoint() && (reduction == ReductionKind.SUM || reduction == ReductionKind.PRODUCT);
    }

    /// Returns whether intermediate results are wider than elements, which layers that plug in have no memory for.
    static boolean needsAccumulators(CollectiveShape shape) {
        return shape.isSequential() && shape.size() > 1;
    }

    /// Returns whether requests can go by an algorithm, and not calls alone.
    static boolean servesRequests(CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return !(algorithm.factory() instanceof Native)
                || direct(type, algorithm).isPresent();
    }
}
