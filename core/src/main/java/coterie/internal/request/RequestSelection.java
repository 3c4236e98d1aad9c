// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.CoterieException;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Use;
import coterie.internal.component.AlgorithmSelector;
import coterie.internal.component.AskedCollective;
import coterie.internal.component.CollectiveAlgorithm;
import coterie.internal.component.CollectiveResources;
import coterie.internal.component.NotedOperator;
import coterie.internal.component.PreparedWork;
import coterie.internal.component.WorkOrder;
import coterie.internal.hier.Hierarchy;
import coterie.internal.layer.LayerErrors;
import coterie.internal.p2p.ChannelGroup;
import coterie.internal.p2p.Operator;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.plan.Plan;
import coterie.internal.schedule.Persistence;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.TeamSync;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Chooses what a request goes by: the algorithm that the program names, or the first in the selection's order that
/// serves it. Members with the same settings choose alike, as long as no layer fails.
///
/// @param described by the program, which may name an algorithm
/// @param open tells the others if this member has no part in what they may have posted
record RequestSelection(
        TeamSync teamSync,
        CollectiveResources resources,
        AlgorithmSelector selector,
        Collective described,
        AskedCollective asked,
        Operator operator,
        ChannelGroup open) {

    /// What is done, and whose it is.
    record Chosen(SelectableAlgorithm<CollectiveAlgorithm> algorithm, PreparedWork made) {}

    /// The algorithm that is named, if it serves, or the best that does; all members see alike which that is, as
    /// long as they have the same settings and no layer fails. Where tuning is strict, it refuses another one.
    Chosen choose() {
        List<SelectableAlgorithm<CollectiveAlgorithm>> ladder = ladder();
        Optional<Chosen> named = described.algorithm().flatMap(name -> firstThatServes(named(ladder, name)));
        if (named.isPresent()) {
            return named.get();
        }
        Chosen chosen = firstThatServes(ladder).orElseThrow(this::unserved);
        SelectableAlgorithm<CollectiveAlgorithm> best = ladder.getFirst();
        CoterieException refusal = chosen.algorithm.equals(best)
                ? null
                : selector.refusal(
                        asked.kind().label(), type(), asked.shape().bytes(), best, Use.REQUEST, "it declines");
        if (refusal != null) {
            chosen.made.close();
            throw refusal;
        }
        return chosen;
    }

    private CoterieException unserved() {
        String others = teamSync.syncRound().differingSettings();
        CoterieException why = new CoterieException(messagePrefix() + "no layer serves requests of " + type().label()
                + " of " + asked.shape().bytes() + " bytes with the current settings tls and tune; of the algorithms"
                + " that 'coterie info --scores' lists, requests can use those of hier, p2p and layers that the "
                + "user adds, and pull and partitioned of mapped"
                + others);
        return others.isEmpty() ? why : unprepared("no layer serves it on that PE", why);
    }

    private CollectiveType type() {
        return asked.shape().type();
    }

    private String messagePrefix() {
        return teamSync.membership().messagePrefix(asked.kind().label());
    }

    /// Those of the selection that requests can go by, the best first.
    private List<SelectableAlgorithm<CollectiveAlgorithm>> ladder() {
        Stream<SelectableAlgorithm<CollectiveAlgorithm>> ladder = SelectedAlgorithm.stream(
                        selector.of(type(), asked.shape().bytes()))
                .map(SelectedAlgorithm::algorithm)
                .filter(each -> CollectiveAlgorithm.servesRequests(type(), each));
        Comparator<SelectableAlgorithm<CollectiveAlgorithm>> messagesFirst =
                Comparator.comparing(each -> each.factory() instanceof CollectiveAlgorithm.Native);
        return (DirectAlgorithms.isShort(asked.shape()) ? ladder.sorted(messagesFirst) : ladder).toList();
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
        List<SelectableAlgorithm<CollectiveAlgorithm>> all = selector.algorithms(type()).stream()
                .filter(each -> CollectiveAlgorithm.servesRequests(type(), each))
                .toList();
        if (!all.isEmpty() && all.stream().noneMatch(isNamed)) {
            String settings = teamSync.syncRound().differingSettings();
            IllegalArgumentException why = new IllegalArgumentException(messagePrefix() + "no algorithm \"" + name
                    + "\" for requests of " + type().label() + "; available: "
                    + all.stream()
                            .map(SelectableAlgorithm::algorithm)
                            .distinct()
                            .collect(Collectors.joining(", ")) + settings);
            throw settings.isEmpty() ? why : unprepared("that PE has no algorithm " + name, why);
        }
        return all.stream().filter(isNamed).toList();
    }

    private Optional<Chosen> firstThatServes(List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms) {
        return algorithms.stream()
                .flatMap(each -> make(each).map(made -> new Chosen(each, made)).stream())
                .findFirst();
    }

    /// Makes what serves the request; empty if that way can't be gone.
    private Optional<PreparedWork> make(SelectableAlgorithm<CollectiveAlgorithm> algorithm) {
        if (asked.isEmpty()) {
            return Optional.of(PreparedWork.of(Plan.EMPTY));
        }
        return switch (algorithm.factory()) {
            case CollectiveAlgorithm.Native _ ->
                CollectiveAlgorithm.direct(type(), algorithm)
                        .flatMap(direct -> prepare(new CollectiveAlgorithm.Planned(direct)));
            case CollectiveAlgorithm.Planned planned -> prepare(planned);
            case CollectiveAlgorithm.Plugged plugged -> ofLayers(plugged, plugged.layer());
            case CollectiveAlgorithm.Stacked stacked -> ofLayers(stacked, Hierarchy.COMPONENT);
        };
    }

    private Optional<PreparedWork> prepare(CollectiveAlgorithm way) {
        Operator folding = new NotedOperator(operator);
        return selector.prepare(way, new WorkOrder(asked, folding, persistence(), Use.REQUEST, resources.scratch()));
    }

    /// How often it runs.
    Persistence persistence() {
        return described.isPersistent() ? Persistence.PERSISTENT : Persistence.ONCE;
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

    /// Tells the others that I have no part in what they may have posted.
    <E extends RuntimeException> E unprepared(String what, E why) {
        if (teamSync.membership().size() > 1) {
            open.unprepared(asked.kind(), what, why);
        }
        return why;
    }
}
