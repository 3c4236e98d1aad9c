// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.collective.Explanation;
import coterie.internal.hier.CompositionPlanner;
import coterie.internal.hier.GroupPlanner;
import coterie.internal.hier.Subgroup;
import coterie.internal.hier.SubgroupPlans;
import coterie.internal.plan.Action;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.score.SelectedAlgorithm;
import coterie.layer.Composition;
import coterie.layer.LayerTask;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// A member's part in a collective of groups while it is planned: which groups go by plans, and which by tasks of
/// layers that are still to be prepared.
final class GroupDraft implements GroupPlanner {
    private final GroupLevels levels;
    private final Answers answers;
    private final List<Drafted> tasks = new ArrayList<>();

    /// Tasks of the layer that composes, by their numbers in the plan.
    private final Map<Integer, LayerTask> ownTasks = new TreeMap<>();

    private final Map<TeamComponent, Integer> ordinals = new HashMap<>();
    private final List<Explanation.Group> served = new ArrayList<>();
    private int stages;

    /// A task that a layer is to prepare.
    ///
    /// @param number of the task in the plan
    /// @param stage of the collective, counted on this member
    /// @param ordinal of the task among those of its part
    record Drafted(
            int number,
            int stage,
            GroupLevels.Level level,
            TeamComponent part,
            String algorithm,
            CollectiveShape shape,
            ByteSpan source,
            ByteSpan target,
            int ordinal) {}

    /// What layers have answered when they were asked to prepare stages, by the numbers of the stages.
    static final class Answers {
        private final Map<Integer, Integer> declined = new HashMap<>();
        private final Map<Integer, Composition> compositions = new HashMap<>();

        /// The layer declines: the next in the selection serves the stage.
        void decline(int stage) {
            declined.merge(stage, 1, Integer::sum);
            compositions.remove(stage);
        }

        /// The layer has a composition for the stage instead of a task.
        void compose(int stage, Composition composition) {
            compositions.put(stage, composition);
        }
    }

    GroupDraft(GroupLevels levels, Answers answers) {
        this.levels = levels;
        this.answers = answers;
    }

    List<Drafted> tasks() {
        return tasks;
    }

    /// Returns the tasks of the layer that composes, by their numbers in the plan.
    Map<Integer, LayerTask> ownTasks() {
        return ownTasks;
    }

    /// Returns the number of all tasks.
    int count() {
        return tasks.size() + ownTasks.size();
    }

    @Override
    public Plan planOfTask(LayerTask task) {
        int number = count();
        ownTasks.put(number, task);
        return Plan.of(new Action.Run(number));
    }

    /// Returns what serves the groups of levels with this member, in order.
    List<Explanation.Group> served() {
        return served;
    }

    @Override
    public Optional<Plan> plan(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target) {
        return find(group, shape, source, target, true);
    }

    @Override
    public Optional<Plan> planOfLayer(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target) {
        return find(group, shape, source, target, false);
    }

    @Override
    public boolean admitsPlans(Subgroup group) {
        GroupLevels.Level level = levels.level(group);
        return group.size() == 1 || (level == null ? levels.adHoc() != null : level.admitsPlans());
    }

    /// @param withPlans whether plans may serve; if not, the search ends at the first
    private Optional<Plan> find(
            Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target, boolean withPlans) {
        int stage = stages++;
        GroupLevels.Level level = levels.level(group);
        if (group.size() == 1 || level == null) {
            return withPlans ? planWithoutLevel(group, shape, source, target) : Optional.empty();
        }
        int left = answers.declined.getOrDefault(stage, 0);
        for (SelectedAlgorithm<CollectiveAlgorithm> selected = level.find(shape);
                selected != null;
                selected = selected.next()) {
            Optional<Plan> made = Optional.empty();
            switch (selected.algorithm().factory()) {
                case CollectiveAlgorithm.Planned planned -> {
                    if (!withPlans) {
                        return Optional.empty();
                    }
                    made = planned.algorithm().plan(shape);
                }
                case CollectiveAlgorithm.Plugged plugged -> {
                    made = left > 0 ? Optional.empty() : ofLayer(stage, level, plugged, shape, source, target);
                    left--;
                }
                case CollectiveAlgorithm.Native _, CollectiveAlgorithm.Stacked _ -> {}
            }
            if (made.isPresent()) {
                served.add(level.served(shape.type(), selected.algorithm()));
                return made;
            }
        }
        return Optional.empty();
    }

    /// Makes a plan of a group of no level, or of a member alone, which moves nothing between members.
    private Optional<Plan> planWithoutLevel(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target) {
        GroupPlanner plans = group.size() == 1 ? SubgroupPlans.UNTUNED : levels.adHoc();
        return plans == null ? Optional.empty() : plans.plan(group, shape, source, target);
    }

    /// Makes a plan of a group within what a transport layer has composed for a group of a level. To decline it would
    /// not do: members outside that group would not know.
    private Optional<Plan> planWithin(
            GroupLevels.Level level,
            CollectiveAlgorithm.Plugged plugged,
            Subgroup group,
            CollectiveShape shape,
            ByteSpan source,
            ByteSpan target) {
        if (group.size() > 1 && levels.adHoc() == null) {
            throw new IllegalArgumentException("composition: layer " + plugged.layer() + " composed "
                    + shape.type().label() + " of " + group.size() + " members for level " + level.name()
                    + ", which p2p alone can serve, and the list of layers does not admit p2p; add it to the list, or"
                    + " have layer " + plugged.layer() + " prepare a task");
        }
        return planWithoutLevel(group, shape, source, target);
    }

    private Optional<Plan> ofLayer(
            int stage,
            GroupLevels.Level level,
            CollectiveAlgorithm.Plugged plugged,
            CollectiveShape shape,
            ByteSpan source,
            ByteSpan target) {
        Composition composition = answers.compositions.get(stage);
        if (composition != null) {
            Optional<Plan> plan = CompositionPlanner.plan(
                    composition,
                    shape,
                    (group, its, from, to) -> planWithin(level, plugged, group, its, from, to),
                    _ -> "");
            if (plan.isEmpty()) {
                answers.decline(stage);
            }
            return plan;
        }
        TeamComponent part = level.parts().stream()
                .filter(each -> each.component().name().equals(plugged.layer()))
                .findFirst()
                .orElseThrow();
        int ordinal = ordinals.merge(part, 1, Integer::sum) - 1;
        int number = count();
        tasks.add(new Drafted(number, stage, level, part, plugged.algorithm(), shape, source, target, ordinal));
        return Optional.of(Plan.of(new Action.Run(number)));
    }
}
