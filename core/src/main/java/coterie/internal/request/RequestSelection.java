// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CoterieException;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Use;
import coterie.collective.MemoryType;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.component.LayerArguments;
import coterie.internal.component.NotedOperator;
import coterie.internal.component.PreparedWork;
import coterie.internal.component.WorkOrder;
import coterie.internal.hier.Hierarchy;
import coterie.internal.layer.LayerErrors;
import coterie.internal.p2p.ChannelGroup;
import coterie.internal.p2p.Operator;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.plan.Plan;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.TeamSync;
import coterie.layer.Arguments;
import coterie.layer.TeamParameters;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Chooses what a request goes by: the algorithm that the program names, or the first in the selection's order that
/// serves it. Members with the same settings choose alike, as long as no layer fails.
final class RequestSelection {
    private final TeamSync teamSync;
    private final CollectiveResources resources;
    private final AlgorithmSelector selector;
    private final Collective asked;
    private final RequestArgs args;
    private final CollectiveType type;
    private final Operator operator;
    private final ChannelGroup open;

    RequestSelection(
            TeamSync teamSync,
            CollectiveResources resources,
            AlgorithmSelector selector,
            Collective asked,
            RequestArgs args,
            Operator operator,
            ChannelGroup open) {
        this.teamSync = teamSync;
        this.resources = resources;
        this.selector = selector;
        this.asked = asked;
        this.args = args;
        this.type = args.shape().type();
        this.operator = operator;
        this.open = open;
    }

    /// What is done, and whose it is.
    record Chosen(SelectableAlgorithm<CollectiveAlgorithm> algorithm, PreparedWork made) {}

    /// The algorithm that is named, if it serves, or the best that does; all members see alike which that is, as long
    /// as
    /// they have the same settings and no layer fails.
    Chosen choose() {
        List<SelectableAlgorithm<CollectiveAlgorithm>> ladder = ladder();
        String name = asked.algorithm().orElse(null);
        Chosen named = name == null ? null : firstThatServes(named(ladder, name));
        Chosen chosen = named != null ? named : firstThatServes(ladder);
        if (named == null && !ladder.isEmpty()) {
            checkTuning(ladder.getFirst(), chosen);
        }
        if (chosen == null) {
            String others = teamSync.syncRound().differingSettings();
            CoterieException why = new CoterieException(messagePrefix() + "no layer serves requests of " + type.label()
                    + " of " + args.shape().bytes() + " bytes with the current settings tls and tune; of the algorithms"
                    + " that 'coterie info --scores' lists, requests can use those of hier, p2p and layers that the "
                    + "user adds, and pull and partitioned of mapped"
                    + others);
            throw others.isEmpty() ? why : unprepared("no layer serves it on that PE", why);
        }
        return chosen;
    }

    private String messagePrefix() {
        return teamSync.membership().messagePrefix(args.kind().label());
    }

    /// Refuses a request that goes by another algorithm than tuning wants, if tuning is strict.
    private void checkTuning(SelectableAlgorithm<CollectiveAlgorithm> wanted, @Nullable Chosen chosen) {
        if (chosen != null && !chosen.algorithm.equals(wanted)) {
            CoterieException refusal = selector.refusal(
                    args.kind().label(), type, args.shape().bytes(), wanted, Use.REQUEST, "it declines");
            if (refusal != null) {
                chosen.made.close();
                throw refusal;
            }
        }
    }

    /// Those of the selection that requests can go by, the best first.
    private List<SelectableAlgorithm<CollectiveAlgorithm>> ladder() {
        List<SelectableAlgorithm<CollectiveAlgorithm>> ladder = new ArrayList<>();
        SelectedAlgorithm<CollectiveAlgorithm> best =
                selector.made().find(type, MemoryType.HOST, args.shape().bytes());
        for (SelectedAlgorithm<CollectiveAlgorithm> selected = best; selected != null; selected = selected.next()) {
            if (CollectiveAlgorithm.servesRequests(type, selected.algorithm())) {
                ladder.add(selected.algorithm());
            }
        }
        if (DirectAlgorithms.isShort(args.shape())) {
            ladder.sort(
                    Comparator.comparing(each -> each.factory() instanceof CollectiveAlgorithm.Native)); // at the end
        }
        return ladder;
    }

    /// Those of a name that the selection has here, or, if it has none, that the team's layers have. All members
    /// with the same layers come to the same.
    private List<SelectableAlgorithm<CollectiveAlgorithm>> named(
            List<SelectableAlgorithm<CollectiveAlgorithm>> ladder, String name) {
        Predicate<SelectableAlgorithm<CollectiveAlgorithm>> isNamed =
                each -> each.algorithm().equals(name);
        if (ladder.stream().anyMatch(isNamed)) {
            return ladder.stream().filter(isNamed).toList();
        }
        List<SelectableAlgorithm<CollectiveAlgorithm>> all = selector.algorithms(type).stream()
                .filter(each -> CollectiveAlgorithm.servesRequests(type, each))
                .toList();
        if (!all.isEmpty() && all.stream().noneMatch(isNamed)) {
            String settings = teamSync.syncRound().differingSettings();
            IllegalArgumentException why = new IllegalArgumentException(messagePrefix() + "no algorithm \"" + name
                    + "\" for requests of " + type.label() + "; available: "
                    + all.stream()
                            .map(SelectableAlgorithm::algorithm)
                            .distinct()
                            .collect(Collectors.joining(", ")) + settings);
            throw settings.isEmpty() ? why : unprepared("that PE has no algorithm " + name, why);
        }
        return all.stream().filter(isNamed).toList();
    }

    private @Nullable Chosen firstThatServes(List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms) {
        for (SelectableAlgorithm<CollectiveAlgorithm> selectableAlgorithm : algorithms) {
            Optional<PreparedWork> made = make(selectableAlgorithm);
            if (made.isPresent()) {
                return new Chosen(selectableAlgorithm, made.get());
            }
        }
        return null;
    }

    /// Makes what serves the request; empty if that way can't be gone.
    private Optional<PreparedWork> make(SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        if (args.isEmpty()) {
            return Optional.of(PreparedWork.of(Plan.EMPTY));
        }
        return switch (algorithm.factory()) {
            case CollectiveAlgorithm.Native _ ->
                CollectiveAlgorithm.direct(type, algorithm)
                        .flatMap(direct -> prepare(new CollectiveAlgorithm.Planned(direct)));
            case CollectiveAlgorithm.Planned planned -> prepare(planned);
            case CollectiveAlgorithm.Plugged plugged -> ofLayers(plugged, plugged.layer());
            case CollectiveAlgorithm.Stacked stacked -> ofLayers(stacked, Hierarchy.COMPONENT);
        };
    }

    private Optional<PreparedWork> prepare(CollectiveAlgorithm way) {
        ByteSpan unfinished = ReductionOperators.finishes(args.operator()) ? args.result() : null;
        WorkOrder order = new WorkOrder(args.shape(), this::arguments, unfinished, resources.scratch(), true);
        return selector.prepare(way, order);
    }

    /// A layer that fails here may have prepared it for the others.
    private Optional<PreparedWork> ofLayers(CollectiveAlgorithm way, String layer) {
        try {
            return prepare(way);
        } catch (RuntimeException e) {
            String why = LayerErrors.reason(e.getCause() == null ? e : e.getCause());
            throw unprepared(layer + ": " + why, e);
        }
    }

    private LayerArguments arguments(TeamParameters team) {
        return new LayerArguments(
                args.shape(),
                args.elements(),
                args.operator(),
                new NotedOperator(operator),
                args.shape().ordered() ? Arguments.Order.MEMBERS : Arguments.Order.ANY,
                asked.isPersistent(),
                false,
                team,
                resources.conduit().localBase(Region.HEAP),
                args.from(),
                args.to());
    }

    /// Tells the others that I have no part in what they may have posted.
    <E extends RuntimeException> E unprepared(String what, E why) {
        if (teamSync.membership().size() > 1) {
            open.unprepared(args.kind(), what, why);
        }
        return why;
    }
}
