// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALLGATHER;
import static coterie.collective.CollectiveType.ALLGATHERV;
import static coterie.collective.CollectiveType.ALLREDUCE;
import static coterie.collective.CollectiveType.ALLTOALL;
import static coterie.collective.CollectiveType.ALLTOALLV;
import static coterie.collective.CollectiveType.BROADCAST;
import static coterie.collective.CollectiveType.EXCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.INCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;
import static coterie.internal.collective.Way.Native.INLINE;
import static coterie.internal.collective.Way.Native.PULL;
import static coterie.internal.collective.Way.Native.PUSH;
import static coterie.internal.collective.Way.Native.SHARE;
import static coterie.internal.collective.Way.Native.STAGE;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.plan.Algorithms;
import coterie.internal.score.Candidate;
import coterie.internal.score.Finding;
import coterie.internal.score.LayerList;
import coterie.internal.score.Repertoire;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.Selection;
import coterie.internal.score.Tune;
import coterie.internal.score.Updated;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The transport layers of a world, and what people want of them.
///
/// | layer | score | serves | ways |
/// |---|--:|---|---|
/// | mapped | 100 | teams whose members load and store each other's memory | inline, stage, pull, share, push |
/// | p2p | 10 | every team, over any conduit | inline, plans by [Algorithms], share, push |
public final class Layers {
    private static final String MAPPED = "mapped";
    private static final String P2P = "p2p";
    private static final int MAPPED_SCORE = 100;
    private static final int P2P_SCORE = 10;
    private static final Set<CollectiveType> REDUCTIONS =
            Set.of(ALLREDUCE, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN);

    /// Null if all are.
    private final @Nullable LayerList admitted;

    private final Map<String, Tune<Way>> tunes;
    private final Map<Footing, Selection<Way>> selections = new ConcurrentHashMap<>();

    /// What all members of a team have in common by nature.
    ///
    /// @param isDirect whether they load and store each other's memory
    /// @param isFlat whether they tell each other everything
    record Footing(int size, boolean isDirect, boolean isFlat) {}

    private Layers(@Nullable LayerList admitted, Map<String, Tune<Way>> tunes) {
        this.admitted = admitted;
        this.tunes = tunes;
    }

    /// The layers as people want them.
    ///
    /// @param list see [LayerList]
    /// @param listSetting its name, for messages
    /// @param tunes for each layer's name, its tuning string, which may be empty; see [Tune]
    /// @throws IllegalArgumentException if the list can't be read
    public static Layers of(String list, String listSetting, Map<String, String> tunes) {
        Map<String, Tune<Way>> parsed = new TreeMap<>();
        for (Map.Entry<String, String> tune : tunes.entrySet()) {
            if (!tune.getValue().isEmpty()) {
                parsed.put(tune.getKey(), Tune.parse(tune.getValue(), repertoire(tune.getKey())));
            }
        }
        return new Layers(list.equals("all") ? null : LayerList.parse(listSetting, list, names()), parsed);
    }

    /// The names of all layers.
    public static List<String> names() {
        return List.of(MAPPED, P2P);
    }

    /// What is to be said of a layer's tuning string, on the largest team of a world and on all others: tokens that
    /// can't be used, or would change nothing whatever the team.
    ///
    /// @param size members of the largest team
    public List<Finding> findings(String layer, int size) {
        Tune<Way> tune = tunes.get(layer);
        if (tune == null) {
            return List.of();
        }
        List<Finding> findings = new ArrayList<>(tune.errors());
        for (Finding each :
                table(layer, new Footing(size, true, true)).update(tune, size).findings()) {
            if (each.kind() == Finding.Kind.NO_EFFECT) {
                findings.add(each);
            }
        }
        return findings.stream().distinct().toList();
    }

    /// Who serves what on a team.
    ///
    /// @param isDirect whether its members load and store each other's memory
    public List<Explanation> explainAll(int size, boolean isDirect) {
        return selection(new Footing(size, isDirect, true)).explainAll();
    }

    /// Who serves what on teams of this footing.
    Selection<Way> selection(Footing footing) {
        return selections.computeIfAbsent(footing, this::select);
    }

    private Selection<Way> select(Footing footing) {
        ScoreTable<Way> merged = ScoreTable.empty();
        for (String layer : serving(footing).filter(this::admits).toList()) {
            ScoreTable<Way> table = table(layer, footing);
            Tune<Way> tune = tunes.get(layer);
            if (tune == null) {
                merged = merged.merge(table);
            } else if (!tune.switchesOff()) {
                Updated<Way> updated = table.update(tune, footing.size);
                merged = merged.merge(updated.table());
            }
        }
        return Selection.of(merged, footing.size);
    }

    private boolean admits(String layer) {
        return admitted == null || admitted.admits(layer);
    }

    private static Stream<String> serving(Footing footing) {
        return names().stream().filter(layer -> layer.equals(P2P) || (footing.isDirect && footing.isFlat));
    }

    private static ScoreTable<Way> table(String layer, Footing footing) {
        ScoreTable<Way> few = natives(layer, footing, true);
        ScoreTable<Way> many = natives(layer, footing, false);
        return layer.equals(P2P) && footing.isFlat
                ? few.merge(planned(footing.size)).merge(many)
                : few.merge(many);
    }

    /// The plans that a call can be given: those for which all members know all blocks before they meet.
    private static ScoreTable<Way> planned(int size) {
        return Algorithms.scores(size).<Way>map(Way.Planned::new).only(PlannedCollectives.SERVED);
    }

    /// The ways over memory of a layer, each up to the size to which it is best.
    private static ScoreTable<Way> natives(String layer, Footing footing, boolean isSmall) {
        int score = layer.equals(MAPPED) ? MAPPED_SCORE : P2P_SCORE;
        Repertoire<Way> repertoire = repertoire(layer);
        ScoreTable<Way> table = ScoreTable.empty();
        for (CollectiveType type : repertoire.collectives()) {
            for (Candidate<Way> each : repertoire.algorithms(type)) {
                if (each.factory() instanceof Way.Native way && isSmall(way) == isSmall) {
                    long end = end(way, type, footing.size);
                    if (footing.isFlat || !isSmall) {
                        table = table.merge(ScoreTable.<Way>builder()
                                .add(type, MemoryType.HOST, 0, end, score, List.of(each))
                                .build());
                    }
                }
            }
        }
        return table;
    }

    private static boolean isSmall(Way.Native way) {
        return way == INLINE || way == STAGE;
    }

    /// The first size of a collective that a way does not serve.
    private static long end(Way.Native way, CollectiveType type, int size) {
        boolean isOfAll = type == ALLGATHER || type == ALLTOALL;
        return switch (way) {
            case INLINE -> FlatMeeting.MOST_BYTES * (isOfAll ? (long) size : 1) + 1;
            case STAGE ->
                switch (type) {
                    case ALLGATHER -> (long) StageCarrier.BYTES * size + 1;
                    case REDUCE_SCATTER -> StageCarrier.BYTES / size + 1;
                    default -> StageCarrier.BYTES + 1;
                };
            default -> Long.MAX_VALUE;
        };
    }

    private static Repertoire<Way> repertoire(String layer) {
        boolean isMapped = layer.equals(MAPPED);
        Repertoire.Builder<Way> builder = Repertoire.builder(layer, isMapped ? MAPPED_SCORE : P2P_SCORE);
        for (CollectiveType type : CollectiveType.values()) {
            natives(isMapped, type).forEach(way -> builder.add(type, way.word(), way));
            if (!isMapped && PlannedCollectives.SERVED.contains(type)) {
                Algorithms.repertoire()
                        .algorithms(type)
                        .forEach(each -> builder.add(type, each.algorithm(), new Way.Planned(each.factory())));
            }
        }
        return builder.build();
    }

    /// The best first.
    private static Stream<Way.Native> natives(boolean isMapped, CollectiveType type) {
        if (REDUCTIONS.contains(type)) {
            return isMapped
                    ? Stream.of(INLINE, STAGE, SHARE)
                    : type == REDUCE_SCATTER ? Stream.of(SHARE) : Stream.of(INLINE, SHARE);
        }
        return switch (type) {
            case BROADCAST -> isMapped ? Stream.of(INLINE, PULL, PUSH) : Stream.of(INLINE, PUSH);
            case ALLGATHER -> isMapped ? Stream.of(INLINE, STAGE, PULL, PUSH) : Stream.of(INLINE, PUSH);
            case ALLTOALL -> isMapped ? Stream.of(INLINE, STAGE, PULL, PUSH) : Stream.of(PUSH);
            case ALLGATHERV -> isMapped ? Stream.of(PULL, PUSH) : Stream.of(PUSH);
            case ALLTOALLV -> Stream.of(PUSH);
            default -> Stream.of();
        };
    }
}
