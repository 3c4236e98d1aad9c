// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.hier.CompositionPlanner;
import coterie.internal.layer.Component;
import coterie.internal.layer.LayerErrors;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The layers that plug in, on a team. All members open them together, when they first need to know who serves
/// what:
///
/// ```
///  have we the same? who works, everywhere?     a round
///  everybody's addresses                        rounds, layer by layer
///  each layer opens its part                    without waiting
///  repeat                                       until all are through, or have failed
///    each layer goes on                         without waiting
///    who is through, has failed, gives what?    a round
///    what all give                              rounds
///  does each offer the same everywhere?         a round
/// ```
///
/// So all members come to the same end: a layer serves the team on all members, or on none.
public final class TeamComponents {
    private static final System.Logger LOGGER = System.getLogger("coterie");
    private static final int RADIX = 4;
    private static final BlockLayout NOTHING = new BlockLayout.Even(0, 0);

    private final TeamSync teamSync;
    private final Membership membership;
    private final SyncRound round;
    private final CollectiveResources resources;
    private final ByteAllgather byteAllgather;
    private final ComponentAgreement componentAgreement;
    private volatile List<TeamComponent> parts = List.of();

    /// Written last: who sees it sees the parts.
    private volatile boolean isOpen;

    TeamComponents(TeamSync teamSync, CollectiveResources resources) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.round = teamSync.syncRound();
        this.resources = resources;
        this.byteAllgather = new ByteAllgather(teamSync);
        this.componentAgreement = new ComponentAgreement(teamSync, byteAllgather, components());
        this.isOpen = resources.components().isEmpty() || !round.isAllToAll();
        if (!round.isAllToAll()) {
            for (Component each : components()) {
                componentAgreement.warnOfNamed(
                        each,
                        "the team has more members than COTERIE_TREE_SYNC_ABOVE, so it synchronises along a " + "tree");
            }
        }
    }

    /// Whether there is nothing to open any more.
    boolean isOpen() {
        return isOpen;
    }

    /// Opens them, together with all members, in rounds of their own kind: who comes without any is told.
    ///
    /// @throws CollectiveMismatchException if members have not the same layers, or one offers other things on
    ///     some than on others
    /// @throws CoterieException on all members, if a layer that was asked for by its name can't serve the team
    void open() {
        OperationKind kind = OperationKind.LAYERS;
        teamSync.begin(kind);
        List<TeamComponent> opening = new ArrayList<>();
        try {
            if (isOpen) {
                return; // another thread was faster
            }
            long working = componentAgreement.everywhere(kind);
            for (int place = 0; place < components().size(); place++) {
                if (has(working, place)) {
                    Component component = components().get(place);
                    byte[][] addresses = byteAllgather.exchange(kind, component.address());
                    opening.add(new TeamComponent(component, new TeamView(membership, resources.nodes(), addresses)));
                }
            }
            advance(kind, opening);
            componentAgreement.compareOffers(kind, opening);
            opening.stream()
                    .filter(part -> !part.serves() && part.component().isNamed())
                    .findFirst()
                    .ifPresent(part -> {
                        throw cantServe(kind, part);
                    });
            List<TeamComponent> serving = opening.stream()
                    .filter(TeamComponent::serves)
                    .sorted(Comparator.comparing(part -> part.component().name()))
                    .toList();
            judgeTunes(kind, serving);
            serving.stream()
                    .filter(part -> !part.offersAnything())
                    .forEach(part -> componentAgreement.warnOfNamed(
                            part.component(), "it offers no algorithm to " + "this team"));
            parts = serving;
            isOpen = true;
        } finally {
            opening.stream().filter(part -> !isOpen || !part.serves()).forEach(TeamComponent::close);
            teamSync.leave();
        }
    }

    /// Tells what of tuning strings changes nothing of what layers offer to this team; where tuning is strict, all
    /// members refuse it.
    private void judgeTunes(OperationKind kind, List<TeamComponent> serving) {
        List<String> idle = serving.stream()
                .flatMap(part ->
                        resources.registry().remarks(part.component(), part.table(), membership.size()).stream())
                .toList();
        if (!resources.registry().areStrict()) {
            idle.stream()
                    .filter(each -> membership.me() == 0 && resources.registry().isNews(each))
                    .forEach(each ->
                            LOGGER.log(System.Logger.Level.WARNING, "team \"" + membership.name() + "\": " + each));
            return;
        }
        if (serving.isEmpty()) {
            return;
        }
        round.send(0, idle.size());
        teamSync.round(kind, 1, 0);
        for (int member = 0; member < membership.size(); member++) {
            if (round.received(member, 0) != 0) {
                throw new CoterieException(membership.messagePrefix(kind.label())
                        + (idle.isEmpty()
                                ? "tuning is strict, and PE " + membership.pe(member) + " has tuning tokens without "
                                        + "effect"
                                : String.join("\n", idle)));
            }
        }
    }

    private CoterieException cantServe(OperationKind kind, TeamComponent part) {
        CoterieException why = new CoterieException(membership.messagePrefix(kind.label()) + part.component()
                + ", which the setting TLS names, can't serve this team: " + part.terminationCause());
        Throwable mine = part.failure();
        if (mine != null) {
            why.initCause(mine);
        }
        return why;
    }

    private List<Component> components() {
        return resources.components().list();
    }

    static boolean has(long bits, int place) {
        return (bits >>> place & 1) != 0;
    }

    /// Has all parts go on until each is through on all members, or has failed on one.
    private void advance(OperationKind kind, List<TeamComponent> opening) {
        long begin = resources.room().nanoTime();
        long left = opening.isEmpty() ? 0 : -1L >>> (Long.SIZE - opening.size());
        opening.forEach(TeamComponent::open);
        while (left != 0) {
            long through = 0;
            long failed = 0;
            long gives = 0;
            for (int place = 0; place < opening.size(); place++) {
                if (has(left, place)) {
                    switch (opening.get(place).advance()) {
                        case THROUGH -> through |= 1L << place;
                        case FAILED -> failed |= 1L << place;
                        case GIVES -> gives |= 1L << place;
                        case BUSY -> {}
                    }
                }
            }
            round.send(0, through);
            round.send(1, failed);
            round.send(2, gives);
            round.send(
                    3,
                    resources.room().nanoTime() - begin > resources.components().openTimeoutNanos() ? 1 : 0);
            teamSync.round(kind, 4, 0);
            left = complete(kind, opening, left);
        }
    }

    /// Draws everybody's conclusions from a round; returns who is still at it.
    private long complete(OperationKind kind, List<TeamComponent> opening, long left) {
        int size = membership.size();
        long[][] heard = new long[size][3];
        boolean isLate = false;
        for (int member = 0; member < size; member++) {
            for (int word = 0; word < 3; word++) {
                heard[member][word] = round.received(member, word);
            }
            isLate |= round.received(member, 3) != 0;
        }
        long still = left;
        for (int place = 0; place < opening.size(); place++) {
            if (!has(left, place)) {
                continue;
            }
            TeamComponent part = opening.get(place);
            int failed = first(heard, 1, place, true);
            int busy = first(heard, 0, place, false);
            if (failed >= 0) {
                Throwable mine = part.failure();
                String why = componentAgreement.report(kind, mine == null ? "" : LayerErrors.reason(mine), failed);
                part.drop("it has failed on PE " + membership.pe(failed) + ": " + why);
                still &= ~(1L << place);
            } else if (busy < 0) {
                part.complete();
                still &= ~(1L << place);
            } else if (isLate) {
                part.drop("PE " + membership.pe(busy) + " did not finish opening it within "
                        + resources.components().openTimeoutNanos() / 1_000_000_000
                        + " s (setting LAYER_OPEN_TIMEOUT_S)");
                still &= ~(1L << place);
            } else if (first(heard, 2, place, false) < 0) {
                part.received(byteAllgather.exchange(kind, part.published()));
            }
        }
        return still;
    }

    /// The first member that said so of a layer, or −1.
    private static int first(long[][] heard, int word, int place, boolean so) {
        for (int member = 0; member < heard.length; member++) {
            if (has(heard[member][word], place) == so) {
                return member;
            }
        }
        return -1;
    }

    /// What they offer, each as people have tuned it.
    List<ScoreTable<CollectiveAlgorithm>> tables() {
        return parts.stream()
                .map(part -> resources.registry().tuned(part.component(), part.table(), membership.size()))
                .toList();
    }

    /// What they have offered for a collective, for whichever sizes.
    List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(CollectiveType type) {
        return parts.stream()
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
        TeamComponent part = parts.stream()
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
        int size = membership.size();
        Algorithm algorithm = Algorithms.table()
                .algorithm(CollectiveType.BARRIER, "dissemination")
                .factory();
        CollectiveShape shape = new CollectiveShape(
                CollectiveType.BARRIER, size, membership.me(), 0, 1, false, false, NOTHING, NOTHING, RADIX);
        return size == 1 ? Plan.EMPTY : algorithm.plan(shape).orElseThrow();
    }

    /// Lets go of all; nothing is under way.
    void close() {
        parts.forEach(TeamComponent::close);
        parts = List.of();
    }
}
