// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectedAlgorithm;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Plans of collectives of groups, by the algorithms of component `p2p`: the one that its table chooses for a team
/// of the group's size, unless another is named.
final class SubgroupPlans {
    private final AlgorithmTable<Algorithm> table = Algorithms.table();
    private final Map<Integer, ScoreMap<Algorithm>> bySize = new ConcurrentHashMap<>();

    Plan plan(CollectiveShape shape) {
        ScoreMap<Algorithm> scoreMap =
                bySize.computeIfAbsent(shape.size(), size -> ScoreMap.of(Algorithms.scores(size), size));
        for (SelectedAlgorithm<Algorithm> selected = scoreMap.find(shape.type(), MemoryType.HOST, shape.bytes());
                selected != null;
                selected = selected.next()) {
            Optional<Plan> plan = selected.algorithm().factory().plan(shape);
            if (plan.isPresent()) {
                return plan.get();
            }
        }
        throw new IllegalStateException(
                "no algorithm of " + Algorithms.COMPONENT + " makes a plan for a group of " + shape);
    }

    /// The plan of an algorithm that never declines.
    Plan plan(CollectiveShape shape, CollectiveType type, String algorithm) {
        return table.algorithm(type, algorithm).factory().plan(shape).orElseThrow();
    }
}
