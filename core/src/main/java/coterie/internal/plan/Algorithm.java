// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/// Makes plans. Shapes that differ only in what [CollectiveShape] allows to differ between members give plans that
/// fit together, whichever member makes them.
@FunctionalInterface
public interface Algorithm {

    /// Returns the plan of member [CollectiveShape#me], or empty if the algorithm can't serve the shape: then it
    /// returns empty on all members, and another algorithm serves.
    Optional<Plan> plan(CollectiveShape shape);

    /// Makes an algorithm that serves all shapes.
    ///
    /// @param steps adds what a member does to its plan
    static Algorithm always(BiConsumer<Plan.Builder, CollectiveShape> steps) {
        return unless(_ -> false, steps);
    }

    /// Makes an algorithm that declines some shapes.
    ///
    /// @param steps adds what a member does to its plan
    static Algorithm unless(Predicate<CollectiveShape> declines, BiConsumer<Plan.Builder, CollectiveShape> steps) {
        return shape -> {
            if (declines.test(shape)) {
                return Optional.empty();
            }
            Plan.Builder plan = Plan.builder();
            steps.accept(plan, shape);
            return Optional.of(plan.build());
        };
    }
}
