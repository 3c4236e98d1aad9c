// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.MemoryType;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectedAlgorithm;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/// Serves the collectives of groups by the algorithms of layer `p2p` alone: by what its table chooses for
/// a team of the group's size.
public final class SubgroupPlans implements GroupPlanner {
    /// Serves by the default table.
    public static final SubgroupPlans UNTUNED = new SubgroupPlans(size -> ScoreMap.of(Algorithms.scores(size), size));

    private final IntFunction<ScoreMap<Algorithm>> maps;
    private final Map<Integer, ScoreMap<Algorithm>> bySize = new ConcurrentHashMap<>();

    /// @param maps the table of a group of a size
    public SubgroupPlans(IntFunction<ScoreMap<Algorithm>> maps) {
        this.maps = maps;
    }

    @Override
    public Optional<Plan> plan(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target) {
        return plan(shape);
    }

    /// Makes a member's part in a group of this shape.
    public Optional<Plan> plan(CollectiveShape shape) {
        return SelectedAlgorithm.stream(map(shape.size()).find(shape.type(), MemoryType.HOST, shape.bytes()))
                .flatMap(each -> each.algorithm().factory().plan(shape).stream())
                .findFirst();
    }

    /// Returns the table of groups of a size.
    public ScoreMap<Algorithm> map(int size) {
        return bySize.computeIfAbsent(size, maps::apply);
    }
}
