// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CoterieException;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.collective.CollectiveAlgorithm;
import coterie.internal.collective.CollectiveResources;
import coterie.internal.collective.DataCollectives;
import coterie.internal.collective.LayerArguments;
import coterie.internal.collective.NotedOperator;
import coterie.internal.collective.PreparedWork;
import coterie.internal.collective.TeamComponents;
import coterie.internal.hier.Hierarchy;
import coterie.internal.layer.LayerErrors;
import coterie.internal.p2p.ChannelGroup;
import coterie.internal.p2p.Operator;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.plan.Plan;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.layer.Arguments;
import coterie.layer.TeamParameters;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Chooses what a request goes by: the algorithm that the program names, or the first in the selection's order that
/// serves it. Members with the same settings choose alike, as long as no layer fails.
final class RequestSelection {
    private final TeamSync teamSync;
    private final Membership membership;
    private final CollectiveResources resources;
    private final DataCollectives data;

    RequestSelection(TeamSync teamSync, CollectiveResources resources, DataCollectives data) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.data = data;
    }

    /// What is done, and whose it is.
    record Chosen(SelectableAlgorithm<CollectiveAlgorithm> selectableAlgorithm, PreparedWork made) {}

    /// The one that is named, if it serves, or the best that does; all members see alike which that is, as long as
    /// they have the same settings and no layer fails.
    Chosen choose(RequestArgs args, Operator operator, ChannelGroup open, Collective asked) {
        ScoreMap<CollectiveAlgorithm> made = data.chosen();
        CollectiveType type = args.shape().type();
        List<SelectableAlgorithm<CollectiveAlgorithm>> ladder =
                algorithms(type, made.find(type, MemoryType.HOST, args.shape().bytes()));
        String name = asked.algorithm().orElse(null);
        Maker maker = new Maker(args, operator, open, asked.isPersistent());
        if (DirectAlgorithms.isShort(args.shape())) {
            ladder.sort(Comparator.comparing(RequestSelection::isNative)); // messages first
        }
        Chosen named = name == null ? null : firstThatServes(maker, named(args, ladder, name, open));
        Chosen chosen = named != null ? named : firstThatServes(maker, ladder);
        if (named == null && !ladder.isEmpty()) {
            checkTuning(args, ladder.getFirst(), chosen);
        }
        if (chosen == null) {
            String others = teamSync.syncRound().differingSettings();
            CoterieException why = new CoterieException(membership.messagePrefix(
                            args.kind().label())
                    + "no layer serves requests of " + type.label()
                    + " of " + args.shape().bytes() + " bytes with the current settings tls and tune; of the algorithms"
                    + " that 'coterie info --scores' lists, requests can use those of hier, p2p and layers that the "
                    + "user adds, and pull and partitioned of mapped"
                    + others);
            throw others.isEmpty() ? why : unprepared(open, args, "no layer serves it on that PE", why);
        }
        return chosen;
    }

    /// Refuses a request that goes by another algorithm than tuning wants, if tuning is strict.
    private void checkTuning(
            RequestArgs args, SelectableAlgorithm<CollectiveAlgorithm> wanted, @Nullable Chosen chosen) {
        if (chosen != null && !chosen.selectableAlgorithm.equals(wanted)) {
            CoterieException refusal = data.selector()
                    .refusal(
                            args.kind().label(),
                            args.shape().type(),
                            args.shape().bytes(),
                            wanted,
                            Explanation.Use.REQUEST,
                            "it declines");
            if (refusal != null) {
                chosen.made.close();
                throw refusal;
            }
        }
    }

    /// Those that requests can go by, the best first.
    private static List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(
            CollectiveType type, @Nullable SelectedAlgorithm<CollectiveAlgorithm> best) {
        List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms = new ArrayList<>();
        for (SelectedAlgorithm<CollectiveAlgorithm> selected = best; selected != null; selected = selected.next()) {
            if (CollectiveAlgorithm.servesRequests(type, selected.algorithm())) {
                algorithms.add(selected.algorithm());
            }
        }
        return algorithms;
    }

    private static boolean isNative(SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        return algorithm.factory() instanceof CollectiveAlgorithm.Native;
    }

    /// Those of a name that the selection has here, or, if it has none, that the team's layers have. All members
    /// with the same layers come to the same.
    private List<SelectableAlgorithm<CollectiveAlgorithm>> named(
            RequestArgs args, List<SelectableAlgorithm<CollectiveAlgorithm>> ladder, String name, ChannelGroup open) {
        List<SelectableAlgorithm<CollectiveAlgorithm>> chosen = named(ladder, name);
        if (!chosen.isEmpty()) {
            return chosen;
        }
        List<SelectableAlgorithm<CollectiveAlgorithm>> all =
                serving(args.shape().type()).toList();
        List<SelectableAlgorithm<CollectiveAlgorithm>> others = named(all, name);
        if (others.isEmpty() && !all.isEmpty()) {
            String settings = teamSync.syncRound().differingSettings();
            IllegalArgumentException why = new IllegalArgumentException(membership.messagePrefix(
                            args.kind().label()) + "no algorithm \"" + name
                    + "\" for requests of " + args.shape().type().label() + "; available: "
                    + all.stream()
                            .map(SelectableAlgorithm::algorithm)
                            .distinct()
                            .collect(Collectors.joining(", ")) + settings);
            throw settings.isEmpty() ? why : unprepared(open, args, "that PE has no algorithm " + name, why);
        }
        return others;
    }

    /// All that the team's layers have for requests.
    Stream<SelectableAlgorithm<CollectiveAlgorithm>> serving(CollectiveType type) {
        return data.algorithms(type).stream().filter(each -> CollectiveAlgorithm.servesRequests(type, each));
    }

    private static List<SelectableAlgorithm<CollectiveAlgorithm>> named(
            List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms, String name) {
        return algorithms.stream().filter(each -> each.algorithm().equals(name)).toList();
    }

    private static @Nullable Chosen firstThatServes(
            Maker maker, List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms) {
        for (SelectableAlgorithm<CollectiveAlgorithm> selectableAlgorithm : algorithms) {
            Optional<PreparedWork> made = maker.make(selectableAlgorithm);
            if (made.isPresent()) {
                return new Chosen(selectableAlgorithm, made.get());
            }
        }
        return null;
    }

    /// Makes what serves a demand.
    private final class Maker {
        private final RequestArgs args;
        private final Operator operator;
        private final ChannelGroup open;
        private final boolean isPersistent;

        /// What of the target must be finished once it is there, or null.
        private final @Nullable ByteSpan unfinished;

        Maker(RequestArgs args, Operator operator, ChannelGroup open, boolean isPersistent) {
            this.args = args;
            this.operator = operator;
            this.open = open;
            this.isPersistent = isPersistent;
            this.unfinished = ReductionOperators.finishes(args.operator()) ? args.result() : null;
        }

        /// Empty if that way can't be gone.
        Optional<PreparedWork> make(SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
            if (args.isEmpty()) {
                return Optional.of(PreparedWork.of(Plan.EMPTY));
            }
            return switch (algorithm.factory()) {
                case CollectiveAlgorithm.Native _ ->
                    CollectiveAlgorithm.direct(args.shape().type(), algorithm)
                            .flatMap(direct -> prepare(new CollectiveAlgorithm.Planned(direct)));
                case CollectiveAlgorithm.Planned planned -> prepare(planned);
                case CollectiveAlgorithm.Plugged plugged -> ofLayers(plugged, plugged.layer());
                case CollectiveAlgorithm.Stacked stacked -> ofLayers(stacked, Hierarchy.COMPONENT);
            };
        }

        private Optional<PreparedWork> prepare(CollectiveAlgorithm way) {
            return data.components()
                    .prepare(
                            way,
                            new TeamComponents.Order(
                                    args.shape(), this::arguments, unfinished, resources.scratch(), true));
        }

        /// A layer that fails here may have prepared it for the others.
        private Optional<PreparedWork> ofLayers(CollectiveAlgorithm way, String layer) {
            try {
                return prepare(way);
            } catch (RuntimeException e) {
                String why = LayerErrors.reason(e.getCause() == null ? e : e.getCause());
                throw unprepared(open, args, layer + ": " + why, e);
            }
        }

        private LayerArguments arguments(TeamParameters team) {
            return new LayerArguments(
                    args.shape(),
                    args.elements(),
                    args.operator(),
                    new NotedOperator(operator),
                    args.shape().ordered() ? Arguments.Order.MEMBERS : Arguments.Order.ANY,
                    isPersistent,
                    false,
                    team,
                    resources.conduit().localBase(Region.HEAP),
                    args.from(),
                    args.to());
        }
    }

    /// Tells the others that I have no part in what they may have posted.
    <E extends RuntimeException> E unprepared(ChannelGroup open, RequestArgs args, String what, E why) {
        if (membership.size() > 1) {
            open.unprepared(args.kind(), what, why);
        }
        return why;
    }
}
