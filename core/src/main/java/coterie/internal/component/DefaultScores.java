// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import static coterie.collective.CollectiveType.ALL_GATHER;
import static coterie.collective.CollectiveType.ALL_GATHER_V;
import static coterie.collective.CollectiveType.ALL_REDUCE;
import static coterie.collective.CollectiveType.ALL_TO_ALL;
import static coterie.collective.CollectiveType.ALL_TO_ALL_V;
import static coterie.collective.CollectiveType.BARRIER;
import static coterie.collective.CollectiveType.BROADCAST;
import static coterie.collective.CollectiveType.EXCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.INCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;
import static coterie.internal.component.CollectiveAlgorithm.Native.BOUNCE;
import static coterie.internal.component.CollectiveAlgorithm.Native.COPY;
import static coterie.internal.component.CollectiveAlgorithm.Native.INLINE;
import static coterie.internal.component.CollectiveAlgorithm.Native.ONEWAY;
import static coterie.internal.component.CollectiveAlgorithm.Native.PARTITIONED;
import static coterie.internal.component.CollectiveAlgorithm.Native.PULL;
import static coterie.internal.component.CollectiveAlgorithm.Native.PUSH;
import static coterie.internal.component.CollectiveAlgorithm.Native.ROUND;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.hier.GroupPlanner;
import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.sync.FlatRound;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What the layers offer, and at which scores.
///
/// | layer | score | serves | ways |
/// |---|--:|---|---|
/// | self | 150, plans 1 | teams of one | round, copy, plans |
/// | mapped | 100 | teams that load and store each other's memory | all but copy, and no plans |
/// | hier | 50 | teams of several members on several nodes | plans of [Hierarchy] |
/// | p2p | 10, round and inline 90 | every team, over any conduit | round, inline, partitioned, push, plans |
final class DefaultScores {
    private static final String SELF = "self";
    private static final String MAPPED = DirectAlgorithms.COMPONENT;
    private static final String P2P = "p2p";
    private static final String HIER = Hierarchy.COMPONENT;
    private static final int SELF_SCORE = 150;

    /// A plan of one member, for requests, and where users admit no other layer.
    private static final String ALONE = "alone";

    private static final int ALONE_SCORE = 1;
    private static final int MAPPED_SCORE = 100;
    private static final int P2P_SCORE = 10;

    /// What travels with the round in which all agree needs no more messages, whatever the hierarchy.
    private static final int INLINE_SCORE = 90;

    /// Those in which a team of one gets what it brings, as it lies.
    private static final Set<CollectiveType> COPIES =
            Set.of(BROADCAST, ALL_REDUCE, ALL_GATHER, ALL_GATHER_V, ALL_TO_ALL, REDUCE_SCATTER, INCLUSIVE_SCAN);

    /// Each member reduces all that bounces: so much of all members together, and of each as far as it gains.
    private static final long MOST_OPERANDS = 32L << 10;

    private static final long LEAST_OPERANDS = 512;

    /// Two on a node, and one on another.
    private static final int LEAST_LAYERED = 3;

    private DefaultScores() {}

    /// The names of all layers.
    static List<String> names() {
        return List.of(SELF, MAPPED, P2P, HIER);
    }

    /// The scores at which each of them offers what it has.
    static Map<String, Set<Integer>> scores() {
        return Map.of(
                SELF, Set.of(SELF_SCORE, ALONE_SCORE),
                MAPPED, Set.of(MAPPED_SCORE),
                P2P, Set.of(P2P_SCORE, INLINE_SCORE),
                HIER, Set.of(Hierarchy.SCORE, Hierarchy.MANUAL_SCORE));
    }

    /// Whether a layer has anything for teams of this footing.
    static boolean serves(String layer, TeamTopology topology) {
        return switch (layer) {
            case SELF -> topology.size() == 1;
            case MAPPED -> topology.isDirect() && topology.isFlat();
            case HIER -> topology.isHierarchical();
            default -> true;
        };
    }

    /// Members of the smallest team that a layer serves.
    static int minMembers(String layer) {
        return layer.equals(HIER) ? LEAST_LAYERED : 1;
    }

    /// Members of the largest team that a layer serves in a world. What is said of `hier` does not depend on
    /// whether this world is large enough for it.
    static int maxMembers(String layer, int worldSize) {
        return switch (layer) {
            case SELF -> 1;
            case HIER -> Math.max(LEAST_LAYERED + 1, worldSize);
            default -> worldSize;
        };
    }

    /// A footing of so many members on which a layer has all that it ever has.
    static TeamTopology best(String layer, int size) {
        return layer.equals(HIER)
                ? TeamTopology.of(size, member -> member < (size + 1) / 2 ? 0 : 1, false, true)
                : TeamTopology.onOneNode(size, true);
    }

    /// What a layer offers to teams of this footing.
    ///
    /// @param groups serves the groups of `hier`
    static ScoreTable<CollectiveAlgorithm> table(String layer, TeamTopology topology, GroupPlanner groups) {
        if (layer.equals(HIER)) {
            return Hierarchy.scores(topology.topology(), groups).map(CollectiveAlgorithm.Planned::new);
        }
        AlgorithmTable<CollectiveAlgorithm> all = algorithmTable(layer, topology, groups);
        ScoreTable<CollectiveAlgorithm> table = ScoreTable.empty();
        for (CollectiveType type : all.collectives()) {
            for (SelectableAlgorithm<CollectiveAlgorithm> each : all.algorithms(type)) {
                long end = all.end(type, each);
                int score = score(layer, each.factory());
                if (end > 0 && score > 0) {
                    table = table.merge(offer(type, 0, end, score, each));
                }
            }
        }
        if (!layer.equals(P2P)) {
            return table;
        }
        ScoreTable<CollectiveAlgorithm> plans = plans(topology.size());
        return topology.isFlat() ? plans.merge(table) : table.merge(plans); // there for requests
    }

    /// The score of an algorithm, or 0 for the plans of `p2p`, whose scores [Algorithms] has.
    private static int score(String layer, CollectiveAlgorithm algorithm) {
        return switch (layer) {
            case SELF -> algorithm instanceof CollectiveAlgorithm.Native ? SELF_SCORE : ALONE_SCORE;
            case P2P ->
                !(algorithm instanceof CollectiveAlgorithm.Native way) ? 0 : isSmall(way) ? INLINE_SCORE : P2P_SCORE;
            default -> defaultScore(layer);
        };
    }

    /// The score of what a tuning string adds without one.
    private static int defaultScore(String layer) {
        return switch (layer) {
            case SELF -> SELF_SCORE;
            case MAPPED -> MAPPED_SCORE;
            case HIER -> Hierarchy.SCORE;
            default -> P2P_SCORE;
        };
    }

    /// A table that offers an algorithm for sizes in `[from, to)`.
    static ScoreTable<CollectiveAlgorithm> offer(
            CollectiveType type, long from, long to, int score, SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return ScoreTable.<CollectiveAlgorithm>builder()
                .add(type, MemoryType.HOST, from, to, score, List.of(algorithm))
                .build();
    }

    /// What the algorithms of `p2p` that are plans offer to teams of a size.
    static ScoreTable<CollectiveAlgorithm> plans(int size) {
        return Algorithms.scores(size).map(CollectiveAlgorithm.Planned::new);
    }

    private static boolean isSmall(CollectiveAlgorithm.Native way) {
        return way == ROUND || way == ONEWAY || way == INLINE || way == BOUNCE;
    }

    /// The first size of a collective that a way can't serve. What is small goes with the round in which all tell
    /// each other everything.
    private static long end(CollectiveAlgorithm.Native way, CollectiveType type, TeamTopology topology) {
        int size = topology.size();
        boolean isOfAll = type == ALL_GATHER || type == ALL_TO_ALL;
        if (isSmall(way) && way != ROUND && !topology.isFlat()) {
            return 0;
        }
        return switch (way) {
            case INLINE -> FlatRound.MOST_BYTES * (isOfAll ? (long) size : 1) + 1;
            case BOUNCE -> maxBounced(type, size) + 1;
            default -> Long.MAX_VALUE;
        };
    }

    private static long maxBounced(CollectiveType type, int size) {
        long all = CollectiveAlgorithm.Native.bounceBytes(size);
        return switch (type) {
            case ALL_TO_ALL -> all;
            case ALL_GATHER -> all / 2 * size;
            case REDUCE_SCATTER -> Math.min(all / 2, all / size);
            default -> Math.clamp(MOST_OPERANDS / size, LEAST_OPERANDS, all / 2);
        };
    }

    /// All that a layer has, by name.
    ///
    /// @param groups serves the groups of `hier`
    static AlgorithmTable<CollectiveAlgorithm> algorithmTable(
            String layer, TeamTopology topology, GroupPlanner groups) {
        AlgorithmTable.Builder<CollectiveAlgorithm> builder = AlgorithmTable.builder(layer, defaultScore(layer));
        AlgorithmTable<Algorithm> plans = layer.equals(HIER) ? hierarchies(topology, groups) : Algorithms.table();
        for (CollectiveType type : CollectiveType.values()) {
            natives(layer, type).forEach(way -> builder.add(type, way.label(), end(way, type, topology), way));
            if (layer.equals(SELF)) {
                builder.add(type, ALONE, new CollectiveAlgorithm.Planned(alone(type)));
            } else if (!layer.equals(MAPPED)) {
                plans.algorithms(type)
                        .forEach(each -> builder.add(
                                type,
                                each.algorithm(),
                                plans.end(type, each),
                                new CollectiveAlgorithm.Planned(each.factory())));
            }
        }
        return builder.build();
    }

    /// Any hierarchy has all names.
    private static AlgorithmTable<Algorithm> hierarchies(TeamTopology topology, GroupPlanner groups) {
        return Hierarchy.table(topology.isHierarchical() ? topology.topology() : NodeTopology.of(0, 0, 1, 1), groups);
    }

    /// What a lone member does: what any algorithm makes of it.
    private static Algorithm alone(CollectiveType type) {
        List<SelectableAlgorithm<Algorithm>> all = Algorithms.table().algorithms(type);
        return shape -> all.stream()
                .flatMap(each -> each.factory().plan(shape).stream())
                .findFirst();
    }

    /// The ways over memory of a layer, the best first: what is small, then the others.
    private static Stream<CollectiveAlgorithm.Native> natives(String layer, CollectiveType type) {
        boolean isMapped = layer.equals(MAPPED);
        if (layer.equals(SELF) && type != BARRIER) {
            return COPIES.contains(type) ? Stream.of(COPY) : Stream.of();
        }
        if (layer.equals(HIER)) {
            return Stream.of();
        }
        return switch (type) {
            case BARRIER -> Stream.of(ROUND);
            case BROADCAST -> isMapped ? Stream.of(ONEWAY, INLINE, PULL, PUSH) : Stream.of(INLINE, PUSH);
            case ALL_GATHER -> isMapped ? Stream.of(INLINE, BOUNCE, PUSH, PULL) : Stream.of(INLINE, PUSH);
            case ALL_TO_ALL -> isMapped ? Stream.of(INLINE, BOUNCE, PULL, PUSH) : Stream.of(PUSH);
            case ALL_GATHER_V -> isMapped ? Stream.of(PUSH, PULL) : Stream.of(PUSH);
            case ALL_TO_ALL_V -> Stream.of(PUSH);
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN ->
                isMapped ? Stream.of(INLINE, BOUNCE, PARTITIONED) : Stream.of(INLINE, PARTITIONED);
            case REDUCE_SCATTER -> isMapped ? Stream.of(INLINE, BOUNCE, PARTITIONED) : Stream.of(PARTITIONED);
            case REDUCE -> isMapped ? Stream.of(PARTITIONED) : Stream.of(); // requests alone
            case GATHER, SCATTER -> isMapped ? Stream.of(PULL) : Stream.of();
            default -> Stream.of();
        };
    }
}
