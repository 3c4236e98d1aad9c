// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Shape;
import coterie.internal.score.Choice;
import coterie.internal.score.Repertoire;
import coterie.internal.score.Selection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Plans of collectives of groups, by the algorithms of component `p2p`: the one that its table chooses for a team
/// of the group's size, unless another is named.
final class Parts {
    private final Repertoire<Algorithm> repertoire = Algorithms.repertoire();
    private final Map<Integer, Selection<Algorithm>> bySize = new ConcurrentHashMap<>();

    Plan plan(Shape shape) {
        Selection<Algorithm> selection =
                bySize.computeIfAbsent(shape.size(), size -> Selection.of(Algorithms.scores(size), size));
        for (Choice<Algorithm> choice = selection.find(shape.type(), MemoryType.HOST, shape.bytes());
                choice != null;
                choice = choice.next()) {
            Optional<Plan> plan = choice.candidate().factory().plan(shape);
            if (plan.isPresent()) {
                return plan.get();
            }
        }
        throw new IllegalStateException(
                "no algorithm of " + Algorithms.COMPONENT + " makes a plan for a group of " + shape);
    }

    /// The plan of an algorithm that never declines.
    Plan plan(Shape shape, CollectiveType type, String algorithm) {
        return repertoire.algorithm(type, algorithm).factory().plan(shape).orElseThrow();
    }
}
