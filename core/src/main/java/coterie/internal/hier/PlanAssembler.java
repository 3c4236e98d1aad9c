// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.Action;
import coterie.internal.plan.Algorithms;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.plan.PlanComposition;
import coterie.layer.LayerTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// The plan of a member while it grows, collective of a group by collective of a group. In a group that the member
/// is not in there is nothing for it to do.
final class PlanAssembler {
    private final GroupPlanner planner;
    private final NodeTopology topology;
    private final CollectiveShape shape;
    private final PlanComposition plan = new PlanComposition();

    /// Tasks of layers in the block, and what goes on beside them.
    private final List<Action.Run> tasks = new ArrayList<>();

    private final List<Runnable> plans = new ArrayList<>();

    /// Whether nothing serves one of the groups.
    private boolean isUnserved;

    /// @param shape what all members together do
    PlanAssembler(GroupPlanner planner, NodeTopology topology, CollectiveShape shape) {
        this.planner = planner;
        this.topology = topology;
        this.shape = shape;
    }

    CollectiveShape shape() {
        return shape;
    }

    NodeTopology topology() {
        return topology;
    }

    Subgroup group(NodeTopology.Kind kind) {
        return topology.of(kind, shape.me());
    }

    ByteSpan scratch(long bytes) {
        return plan.scratch(bytes);
    }

    /// A collective of a group, after all before.
    ///
    /// @param root its number in the group, or 0
    /// @param inPlace as a [CollectiveShape] has it, in the group
    void then(
            CollectiveType type, Subgroup group, int root, boolean inPlace, BufferLayout source, BufferLayout target) {
        if (group.hasMe()) {
            then(part(type, group, root, inPlace, source, target), group, source, target);
        }
    }

    /// Adds a collective of a group to the block, as [#then]. Collectives of a block begin at the same time, and so do
    /// tasks of the layer that composes: those of layers that plug in go on while the others are done one after the
    /// other.
    void add(CollectiveType type, Subgroup group, int root, boolean inPlace, BufferLayout source, BufferLayout target) {
        Plan part = part(type, group, root, inPlace, source, target);
        Action.Run task = part.onlyTask();
        if (task == null) {
            plans.add(() -> then(part, group, source, target));
        } else {
            tasks.add(task);
        }
    }

    /// Adds a task of the layer itself to the block.
    void add(LayerTask task) {
        tasks.add(Objects.requireNonNull(planner.planOfTask(task).onlyTask()));
    }

    /// Ends the block; the next begins after it.
    void endBlock() {
        if (!tasks.isEmpty()) {
            plan.begin(tasks);
        }
        plans.forEach(Runnable::run);
        if (!tasks.isEmpty()) {
            plan.join();
        }
        tasks.clear();
        plans.clear();
    }

    private void then(Plan part, Subgroup group, BufferLayout source, BufferLayout target) {
        plan.then(part, group::member, source.span(), target.span());
    }

    private Plan part(
            CollectiveType type, Subgroup group, int root, boolean inPlace, BufferLayout source, BufferLayout target) {
        CollectiveShape part = shape(type, group, root, inPlace, source, target);
        Optional<Plan> made = planner.plan(group, part, source.span(), target.span());
        isUnserved |= made.isEmpty();
        return made.orElse(Plan.EMPTY);
    }

    /// The part of a layer that plugs in, or that of an algorithm of `p2p`, which never declines.
    private Plan part(CollectiveType type, String algorithm, Subgroup group, BufferLayout source, BufferLayout target) {
        CollectiveShape part = shape(type, group, 0, false, source, target);
        Optional<Plan> made = planner.planOfLayer(group, part, source.span(), target.span());
        isUnserved |= made.isEmpty() && !planner.admitsPlans(group);
        return made.or(() ->
                        Algorithms.table().algorithm(type, algorithm).factory().plan(part))
                .orElseThrow();
    }

    /// A collective of a group without root, not in place, after all before.
    ///
    /// @param algorithm its name
    /// @param without a group whose members are left alone
    void then(
            CollectiveType type,
            String algorithm,
            Subgroup group,
            Subgroup without,
            BufferLayout source,
            BufferLayout target) {
        Plan part = part(type, algorithm, group, source, target)
                .without(number -> without.indexOf(group.member(number)) != Subgroup.NOBODY);
        then(part, group, source, target);
    }

    /// A collective of a group without root, not in place, while that before is done.
    ///
    /// @param algorithm its name; of one step
    void beside(CollectiveType type, String algorithm, Subgroup group, BufferLayout source, BufferLayout target) {
        Plan part = part(type, algorithm, group, source, target);
        plan.beside(part, group::member, source.span(), target.span());
    }

    /// The root gives its bytes to all of a group, after all before.
    ///
    /// @param bytes where the root has them, and the others get them
    void broadcast(Subgroup group, int root, ByteSpan bytes) {
        BufferLayout target = BufferLayout.vector(bytes);
        BufferLayout source = group.index() == root ? target : new BufferLayout(bytes, BlockLayout.Even.NONE);
        then(CollectiveType.BROADCAST, group, root, true, source, target);
    }

    /// Gives this member's bytes to all of a group that it is in, while that before is done.
    void broadcastBeside(Subgroup group, ByteSpan bytes) {
        BufferLayout vector = BufferLayout.vector(bytes);
        Plan part = part(CollectiveType.BROADCAST, group, group.index(), true, vector, vector);
        plan.beside(part, group::member, bytes, bytes);
    }

    /// Ends a part of the plan; see [Plan#phaseStarts]. On all members, whatever they have in it.
    void phase() {
        plan.phase();
    }

    void copy(ByteSpan target, ByteSpan source) {
        plan.copy(target, source);
    }

    Optional<Plan> build() {
        return isUnserved ? Optional.empty() : Optional.of(plan.build());
    }

    private CollectiveShape shape(
            CollectiveType type, Subgroup group, int root, boolean inPlace, BufferLayout source, BufferLayout target) {
        return new CollectiveShape(
                type,
                group.size(),
                group.index(),
                root,
                shape.width(),
                shape.order(),
                inPlace,
                source.blocks(),
                target.blocks(),
                shape.radix());
    }
}
