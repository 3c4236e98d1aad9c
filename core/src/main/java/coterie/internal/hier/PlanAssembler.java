// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.Action;
import coterie.internal.plan.Algorithms;
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

    /// Whether the operands can be reduced node by node.
    boolean mayReduce() {
        return topology.keepsOrder() || !shape.ordered();
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
            Plan part = part(shape(type, group, root, inPlace, source, target), group, source.span(), target.span());
            plan.then(part, group::member, source.span(), target.span());
        }
    }

    /// Collectives of groups that begin at the same time, and tasks of the layer that composes: those of layers
    /// that plug in go on while the others are done one after the other.
    final class Block {
        private final List<Action.Run> tasks = new ArrayList<>();
        private final List<Runnable> plans = new ArrayList<>();

        /// Adds a collective of a group, as [PlanAssembler#then].
        void add(
                CollectiveType type,
                Subgroup group,
                int root,
                boolean inPlace,
                BufferLayout source,
                BufferLayout target) {
            Plan part = part(shape(type, group, root, inPlace, source, target), group, source.span(), target.span());
            Action.Run task = part.onlyTask();
            if (task == null) {
                plans.add(() -> plan.then(part, group::member, source.span(), target.span()));
            } else {
                tasks.add(task);
            }
        }

        /// Adds a task of the layer itself.
        void add(LayerTask task) {
            tasks.add(Objects.requireNonNull(planner.planOfTask(task).onlyTask()));
        }

        /// Ends the block.
        void end() {
            if (!tasks.isEmpty()) {
                plan.begin(tasks);
            }
            plans.forEach(Runnable::run);
            if (!tasks.isEmpty()) {
                plan.join();
            }
        }
    }

    private Plan part(CollectiveShape part, Subgroup group, ByteSpan source, ByteSpan target) {
        Optional<Plan> made = planner.plan(group, part, source, target);
        isUnserved |= made.isEmpty();
        return made.orElse(Plan.EMPTY);
    }

    /// The part of a layer that plugs in, or that of an algorithm of `p2p`, which never declines.
    private Plan part(CollectiveShape part, String algorithm, Subgroup group, ByteSpan source, ByteSpan target) {
        Optional<Plan> made = planner.planOfLayer(group, part, source, target);
        isUnserved |= made.isEmpty() && !planner.admitsPlans(group);
        return made.orElseGet(() -> Algorithms.table()
                .algorithm(part.type(), algorithm)
                .factory()
                .plan(part)
                .orElseThrow());
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
        Plan part = part(shape(type, group, 0, false, source, target), algorithm, group, source.span(), target.span())
                .without(number -> without.indexOf(group.member(number)) != Subgroup.NOBODY);
        plan.then(part, group::member, source.span(), target.span());
    }

    /// A collective of a group without root, not in place, while that before is done.
    ///
    /// @param algorithm its name; of one step
    void beside(CollectiveType type, String algorithm, Subgroup group, BufferLayout source, BufferLayout target) {
        Plan part = part(shape(type, group, 0, false, source, target), algorithm, group, source.span(), target.span());
        plan.beside(part, group::member, source.span(), target.span());
    }

    /// The root gives its bytes to all of a group, after all before.
    ///
    /// @param bytes where the root has them, and the others get them
    void broadcast(Subgroup group, int root, ByteSpan bytes) {
        if (group.hasMe()) {
            plan.then(broadcastPart(group, root, bytes), group::member, bytes, bytes);
        }
    }

    /// The same while that before is done.
    void broadcastBeside(Subgroup group, int root, ByteSpan bytes) {
        plan.beside(broadcastPart(group, root, bytes), group::member, bytes, bytes);
    }

    private Plan broadcastPart(Subgroup group, int root, ByteSpan bytes) {
        BufferLayout source = group.index() == root ? BufferLayout.vector(bytes) : BufferLayout.NONE;
        return part(
                shape(CollectiveType.BROADCAST, group, root, true, source, BufferLayout.vector(bytes)),
                group,
                bytes,
                bytes);
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
                shape.ordered(),
                inPlace,
                source.blocks(),
                target.blocks(),
                shape.radix());
    }
}
