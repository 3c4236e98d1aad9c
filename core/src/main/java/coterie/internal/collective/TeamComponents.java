// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.hier.CompositionPlanner;
import coterie.internal.layer.Component;
import coterie.internal.p2p.Continuation;
import coterie.internal.plan.Action;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.wait.OperationKind;
import coterie.layer.CollectiveLayer;
import coterie.layer.Composition;
import coterie.layer.LayerTask;
import coterie.layer.LayerWork;
import coterie.layer.TeamParameters;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The layers that plug in, on a team. All members open them together, when they first need to know which
/// layer serves what: see [LayerOpening]. A layer serves the team on all members, or on none.
public final class TeamComponents {
    private static final int RADIX = 4;
    private static final BlockLayout NOTHING = new BlockLayout.Even(0, 0);

    private final TeamSync teamSync;
    private final CollectiveResources resources;
    private final RequestEndpoint endpoint;

    /// Begun when it is first needed.
    private volatile @Nullable LayerOpening opening;

    TeamComponents(TeamSync teamSync, CollectiveResources resources, RequestEndpoint endpoint) {
        this.teamSync = teamSync;
        this.resources = resources;
        this.endpoint = endpoint;
        if (!teamSync.syncRound().isAllToAll()) {
            for (Component each : resources.components().list()) {
                ComponentAgreement.warnOfNamed(
                        teamSync.membership(),
                        each,
                        "the team has more members than COTERIE_TREE_SYNC_ABOVE, so it synchronises along a tree");
            }
        }
    }

    /// Whether there is nothing to open any more.
    boolean isOpen() {
        LayerOpening begun = opening;
        return resources.components().isEmpty()
                || !teamSync.syncRound().isAllToAll()
                || (begun != null && begun.isOpen());
    }

    /// Opens them as far as possible without waiting; returns whether they are open.
    ///
    /// @throws RuntimeException as [#open]
    public boolean tryOpen() {
        return isOpen() || opening().advance();
    }

    /// Opens them, together with all members, and waits for these.
    ///
    /// @throws CollectiveMismatchException if members have not the same layers, or one offers other things on
    ///     some than on others, or a member has come to another collective
    /// @throws CoterieException on all members, if a layer that was asked for by its name can't serve the team
    void open() {
        OperationKind kind = OperationKind.LAYERS;
        teamSync.begin(kind);
        try {
            LayerOpening begun = opening();
            while (!begun.await()) {
                teamSync.round(kind, 0, 0); // fails, as a member has come for something else, and names that
            }
        } finally {
            teamSync.leave();
        }
    }

    private synchronized LayerOpening opening() {
        LayerOpening begun = opening;
        if (begun == null) {
            begun = new LayerOpening(teamSync, resources, endpoint);
            opening = begun;
            resources.engine().watch(begun);
        }
        return begun;
    }

    private List<TeamComponent> parts() {
        LayerOpening begun = opening;
        return begun == null ? List.of() : begun.serving();
    }

    /// What they offer, each as people have tuned it.
    List<ScoreTable<CollectiveAlgorithm>> tables() {
        return parts().stream()
                .map(part -> resources
                        .registry()
                        .tuned(
                                part.component(),
                                part.table(),
                                teamSync.membership().size()))
                .toList();
    }

    /// What they have offered for a collective, for whichever sizes.
    List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(CollectiveType type) {
        return parts().stream()
                .flatMap(part -> part.table().algorithms(type, MemoryType.HOST).stream())
                .toList();
    }

    /// What a layer does for a member: a plan, and perhaps something of its own behind it.
    public record PreparedWork(Plan plan, @Nullable Continuation continuation) {
        /// Lets go of what it has.
        public void close() {
            if (continuation != null) {
                continuation.close();
            }
        }
    }

    /// Has a layer prepare what it is asked for.
    ///
    /// @param layerArguments by the team as the layer sees it
    /// @param result what of the target must be finished once it is there, or null
    /// @return empty if it declines
    public Optional<PreparedWork> prepare(
            CollectiveAlgorithm.Plugged way,
            Function<TeamParameters, LayerArguments> layerArguments,
            @Nullable ByteSpan result) {
        TeamComponent part = parts().stream()
                .filter(each -> each.component().name().equals(way.layer()))
                .findFirst()
                .orElseThrow();
        LayerArguments arguments = layerArguments.apply(part.view());
        Optional<LayerWork> work = part.prepare(way.algorithm(), arguments);
        return work.flatMap(its -> switch (its) {
            case Composition composed -> composed(composed, arguments, result);
            case LayerTask task -> {
                if (part.component().layer() instanceof CollectiveLayer) {
                    throw new IllegalStateException(
                            part.component() + " prepared a task; a collective layer must prepare a composition");
                }
                yield Optional.of(new PreparedWork(barrier(), arguments.continuation(task, result, part.component())));
            }
        });
    }

    /// The runtime's algorithms group operands otherwise than one by one.
    private static Optional<PreparedWork> composed(
            Composition composed, LayerArguments arguments, @Nullable ByteSpan result) {
        if (arguments.order() == coterie.layer.Arguments.Order.SEQUENTIAL) {
            return Optional.empty();
        }
        return CompositionPlanner.plan(composed, arguments.shape())
                .map(plan -> new PreparedWork(result == null ? plan : plan.then(new Action.Finish(result)), null));
    }

    /// In which members see that all have come, and for the same.
    private Plan barrier() {
        int size = teamSync.membership().size();
        Algorithm algorithm = Algorithms.table()
                .algorithm(CollectiveType.BARRIER, "dissemination")
                .factory();
        CollectiveShape shape = new CollectiveShape(
                CollectiveType.BARRIER, size, teamSync.membership().me(), 0, 1, false, false, NOTHING, NOTHING, RADIX);
        return size == 1 ? Plan.EMPTY : algorithm.plan(shape).orElseThrow();
    }

    /// Lets go of all; nothing is under way.
    void close() {
        LayerOpening begun = opening;
        if (begun != null) {
            begun.close();
        }
    }
}
