// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Use;
import coterie.collective.MemoryType;
import coterie.internal.hier.CompositionPlanner;
import coterie.internal.hier.GroupPlanner;
import coterie.internal.hier.GroupedAlgorithm;
import coterie.internal.hier.Hierarchy;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.p2p.TeamPort;
import coterie.internal.plan.Action;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.DisseminationBarrier;
import coterie.internal.plan.Plan;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.sync.CallGate;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.wait.OperationKind;
import coterie.layer.Arguments;
import coterie.layer.CollectiveLayer;
import coterie.layer.Composition;
import coterie.layer.LayerTask;
import coterie.layer.LayerWork;
import coterie.spi.Conduit.Region;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/// The layers that plug in, on a team. All members open them together, when they first need to know which
/// layer serves what: see [LayerOpening]. A layer serves the team on all members, or on none.
final class TeamComponents {
    private final TeamSync teamSync;
    private final Membership membership;
    private final CollectiveResources resources;
    private final TeamPort port;

    /// Begun when it is first needed.
    private volatile @Nullable LayerOpening opening;

    TeamComponents(TeamSync teamSync, CollectiveResources resources, TeamPort port) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.resources = resources;
        this.port = port;
        if (teamSync.syncRound().isAllToAll()) {
            if (!resources.components().isEmpty()) {
                port.withLayers();
            }
        } else {
            for (Component each : resources.components().list()) {
                ComponentAgreement.warnOfNamed(
                        membership,
                        each,
                        "the team has more members than COTERIE_TREE_SYNC_ABOVE, so it synchronizes along a tree");
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
    boolean tryOpen() {
        return isOpen() || opening().advance();
    }

    /// Opens them, together with all members, and waits for these.
    ///
    /// @throws CollectiveMismatchException if members have not the same layers, or one offers other things on
    ///     some than on others, or a member has come to another collective
    /// @throws CoterieException on all members, if a layer that was asked for by its name can't serve the team
    void open() {
        try (CallGate.Passage _ = teamSync.gate().enter(OperationKind.LAYERS)) {
            LayerOpening begun = opening();
            while (!begun.await()) {
                // fails, as a member has come for something else, and names that
                teamSync.round(OperationKind.LAYERS, 0);
            }
        }
    }

    private synchronized LayerOpening opening() {
        LayerOpening begun = opening;
        if (begun == null) {
            begun = new LayerOpening(teamSync, resources, port);
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
        ComponentRegistry registry = resources.registry();
        return parts().stream()
                .map(part -> registry.tuned(part.component(), part.table(), membership.size()))
                .toList();
    }

    /// What they offer, whatever users have tuned.
    List<ScoreTable<CollectiveAlgorithm>> offeredTables() {
        return parts().stream().map(TeamComponent::table).toList();
    }

    /// What they have offered for a collective, for whichever sizes.
    List<SelectableAlgorithm<CollectiveAlgorithm>> algorithms(CollectiveType type) {
        return parts().stream()
                .flatMap(part -> part.table().algorithms(type, MemoryType.HOST).stream())
                .toList();
    }

    /// Whether what a layer serves is composed of collectives of groups, so that no sum is in the members' order.
    boolean areComposed(String layer) {
        return parts().stream()
                .map(TeamComponent::component)
                .anyMatch(each -> each.name().equals(layer) && each.layer() instanceof CollectiveLayer);
    }

    /// Returns the algorithms with those of `hier` by the layers of its groups, if any may serve these.
    ScoreMap<CollectiveAlgorithm> stacked(ScoreMap<CollectiveAlgorithm> map) {
        return isStacked() ? ScoreMap.of(map.table().map(TeamComponents::stacked), membership.size()) : map;
    }

    /// Does the same for a list.
    List<SelectableAlgorithm<CollectiveAlgorithm>> stacked(List<SelectableAlgorithm<CollectiveAlgorithm>> all) {
        return isStacked()
                ? all.stream()
                        .map(each ->
                                new SelectableAlgorithm<>(each.component(), each.algorithm(), stacked(each.factory())))
                        .toList()
                : all;
    }

    private static CollectiveAlgorithm stacked(CollectiveAlgorithm algorithm) {
        return algorithm instanceof CollectiveAlgorithm.Planned(GroupedAlgorithm grouped)
                ? new CollectiveAlgorithm.Stacked(grouped)
                : algorithm;
    }

    private boolean isStacked() {
        GroupLevels levels = levels().get(Hierarchy.COMPONENT);
        return levels != null && levels.isStacked();
    }

    /// Returns what serves the groups of collective layers, by their names; empty as long as the layers are not
    /// open.
    Map<String, GroupLevels> levels() {
        LayerOpening begun = opening;
        return begun == null ? Map.of() : begun.levels();
    }

    /// Has a layer prepare what it is asked for.
    ///
    /// @param way other than a native one
    /// @return empty if it declines
    Optional<PreparedWork> prepare(CollectiveAlgorithm way, WorkOrder order) {
        return switch (way) {
            case CollectiveAlgorithm.Plugged plugged -> prepare(plugged, order);
            case CollectiveAlgorithm.Stacked stacked ->
                prepare(
                        stacked.algorithm()::plan,
                        Objects.requireNonNull(levels().get(Hierarchy.COMPONENT), "levels"),
                        null,
                        arguments(order, wholeTeam()));
            case CollectiveAlgorithm.Planned planned -> {
                AskedCollective asked = order.asked();
                yield planned.algorithm().plan(asked.shape()).map(plan -> PreparedWork.of(asked.finished(plan)));
            }
            case CollectiveAlgorithm.Native _ -> throw new AssertionError(way + " needs nothing that is prepared");
        };
    }

    private TeamView wholeTeam() {
        return new TeamView(membership, "", resources.nodes(), new byte[membership.size()][0]);
    }

    private LayerArguments arguments(WorkOrder order, TeamView team) {
        return new LayerArguments(
                order, order.asked(), team, resources.conduit().localBase(Region.HEAP));
    }

    private Optional<PreparedWork> prepare(CollectiveAlgorithm.Plugged way, WorkOrder order) {
        if (CollectiveAlgorithm.needsAccumulators(order.asked().shape())) {
            return Optional.empty();
        }
        TeamComponent part = parts().stream()
                .filter(each -> each.component().name().equals(way.layer()))
                .findFirst()
                .orElseThrow();
        LayerArguments arguments = arguments(order, part.view());
        Optional<LayerWork> work = part.prepare(way.algorithm(), arguments);
        return work.flatMap(its -> switch (its) {
            case Composition composed -> composed(composed, part, arguments);
            case LayerTask task -> Optional.of(task(task, way.algorithm(), part, arguments));
        });
    }

    private PreparedWork task(LayerTask task, String algorithm, TeamComponent part, LayerArguments arguments) {
        if (part.component().layer() instanceof CollectiveLayer) {
            throw new IllegalStateException(
                    part.component() + " prepared a task; a collective layer must prepare a composition");
        }
        Action.Run whole = new Action.Run(0);
        Plan plan = arguments.work().use() == Use.CALL
                ? Plan.of(whole)
                : DisseminationBarrier.before(whole, membership.size(), membership.me());
        LayerTaskRun run = new LayerTaskRun(part, algorithm, "", arguments, task, 0, resources.runtime());
        return new PreparedWork(arguments.asked().finished(plan), List.of(run), true, PreparedWork.NONE);
    }

    private Optional<PreparedWork> composed(Composition composed, TeamComponent part, LayerArguments arguments) {
        String owner = part.component().name();
        GroupLevels known = levels().get(owner);
        GroupLevels levels = known == null ? resources.registry().groups().levels(owner, Map.of(), false) : known;
        Optional<PreparedWork> work = Optional.empty();
        try {
            work = prepare(
                    (shape, planner) -> CompositionPlanner.plan(composed, shape, planner, levels::levelOf),
                    levels,
                    part,
                    arguments);
            return work;
        } finally {
            if (work.isEmpty()) {
                closeOwn(composed, part.component());
            }
        }
    }

    /// Closes the tasks that a layer has made for a composition which is not used.
    private static void closeOwn(Composition composed, Component component) {
        for (Composition.Stage stage : composed.stages()) {
            if (stage instanceof Composition.OwnTask own) {
                Components.quietly(component + "'s task", () -> component.callGuarded(own.task()::close));
            }
        }
    }

    /// Plans a collective of groups, and has layers prepare those that they serve; where one declines, again with
    /// the next layer.
    ///
    /// @param planning makes the plans
    /// @param owner of the tasks that are the composing layer's own, or null if it has none
    private Optional<PreparedWork> prepare(
            BiFunction<CollectiveShape, GroupPlanner, Optional<Plan>> planning,
            GroupLevels levels,
            @Nullable TeamComponent owner,
            LayerArguments whole) {
        if (whole.order() == Arguments.Order.SEQUENTIAL) {
            return Optional.empty(); // the algorithms of groups do not combine operands one by one
        }
        GroupDraft.Answers answers = new GroupDraft.Answers();
        while (true) {
            GroupDraft draft = new GroupDraft(levels, answers);
            Optional<Plan> plan = planning.apply(whole.shape(), draft);
            if (plan.isEmpty()) {
                return Optional.empty();
            }
            Plan finished = whole.asked().finished(plan.get());
            if (draft.count() == 0) {
                return Optional.of(PreparedWork.of(finished));
            }
            PreparedWork bound = bind(finished, draft, answers, owner, whole);
            if (bound != null) {
                return Optional.of(bound);
            }
        }
    }

    /// Has layers prepare the tasks of a draft; null if one has answered otherwise than the draft has it.
    private @Nullable PreparedWork bind(
            Plan plan,
            GroupDraft draft,
            GroupDraft.Answers answers,
            @Nullable TeamComponent owner,
            LayerArguments whole) {
        ScratchMemory lent = whole.work().scratch();
        long scratch = plan.scratchBytes() == 0 ? PreparedWork.NONE : lent.acquire(plan.scratchBytes());
        if (plan.scratchBytes() > 0 && scratch == PreparedWork.NONE) {
            throw new CoterieException(membership.messagePrefix(whole.type().label()) + "no " + plan.scratchBytes()
                    + " bytes of scratch memory are free in the heap, or the heap has no block yet");
        }
        Map<Integer, LayerTaskRun> tasks = new TreeMap<>();
        boolean isBound = false;
        try {
            for (GroupDraft.Drafted each : draft.tasks()) {
                LayerArguments its = whole.ofGroup(
                        each.shape(), each.part().view(), each.source(), each.target(), Math.max(0, scratch));
                switch (each.part().prepare(each.algorithm(), its).orElse(null)) {
                    case null -> {
                        answers.decline(each.stage());
                        return null;
                    }
                    case Composition composition -> {
                        answers.compose(each.stage(), composition);
                        return null;
                    }
                    case LayerTask task ->
                        tasks.put(
                                each.number(),
                                new LayerTaskRun(
                                        each.part(),
                                        each.algorithm(),
                                        each.level().name(),
                                        its,
                                        task,
                                        each.ordinal(),
                                        resources.runtime()));
                }
            }
            bindOwn(draft, owner, whole, tasks);
            isBound = true;
            return new PreparedWork(plan, List.copyOf(tasks.values()), false, scratch);
        } finally {
            if (!isBound) {
                tasks.values().forEach(LayerTaskRun::close);
                if (scratch != PreparedWork.NONE) {
                    lent.release(scratch, plan.scratchBytes());
                }
            }
        }
    }

    /// Own tasks are bound last: they are the same when a draft is made again.
    private void bindOwn(
            GroupDraft draft, @Nullable TeamComponent owner, LayerArguments whole, Map<Integer, LayerTaskRun> tasks) {
        int ordinal = LayerTaskRun.FIRST_OWN;
        for (Map.Entry<Integer, LayerTask> each : draft.ownTasks().entrySet()) {
            TeamComponent part = Objects.requireNonNull(owner);
            tasks.put(
                    each.getKey(),
                    new LayerTaskRun(part, "its own task", "", whole, each.getValue(), ordinal, resources.runtime()));
            ordinal++;
        }
    }

    /// Lets go of all; nothing is under way.
    void close() {
        LayerOpening begun = opening;
        if (begun != null) {
            begun.close();
        }
    }
}
