// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.internal.plan.Composition;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Shape;
import coterie.internal.plan.Span;
import java.util.Optional;

/// The plan of a member while it grows, collective of a group by collective of a group. In a group that the member
/// is not in there is nothing for it to do.
final class Assembly {
    private final Parts parts;
    private final Groups groups;
    private final Shape shape;
    private final Composition plan = new Composition();

    /// @param shape what all members together do
    Assembly(Parts parts, Groups groups, Shape shape) {
        this.parts = parts;
        this.groups = groups;
        this.shape = shape;
    }

    Shape shape() {
        return shape;
    }

    Groups groups() {
        return groups;
    }

    Group group(Groups.Kind kind) {
        return groups.of(kind, shape.me());
    }

    /// Whether the operands can be reduced node by node.
    boolean mayReduce() {
        return groups.keepsOrder() || !shape.ordered();
    }

    Span scratch(long bytes) {
        return plan.scratch(bytes);
    }

    /// A collective of a group, after all before.
    ///
    /// @param root its number in the group, or 0
    /// @param inPlace as a [Shape] has it, in the group
    void then(CollectiveType type, Group group, int root, boolean inPlace, Place source, Place target) {
        if (group.hasMe()) {
            Plan part = parts.plan(shape(type, group, root, inPlace, source, target));
            plan.then(part, group::member, source.span(), target.span());
        }
    }

    /// A collective of a group without root, not in place, after all before.
    ///
    /// @param algorithm its name
    /// @param without a group whose members are left alone
    void then(CollectiveType type, String algorithm, Group group, Group without, Place source, Place target) {
        Plan part = parts.plan(shape(type, group, 0, false, source, target), type, algorithm)
                .without(number -> without.indexOf(group.member(number)) != Group.NOBODY);
        plan.then(part, group::member, source.span(), target.span());
    }

    /// A collective of a group without root, not in place, while that before is done.
    ///
    /// @param algorithm its name; of one step
    void beside(CollectiveType type, String algorithm, Group group, Place source, Place target) {
        Plan part = parts.plan(shape(type, group, 0, false, source, target), type, algorithm);
        plan.beside(part, group::member, source.span(), target.span());
    }

    /// The root gives its bytes to all of a group, after all before.
    ///
    /// @param bytes where the root has them, and the others get them
    void broadcast(Group group, int root, Span bytes) {
        if (group.hasMe()) {
            plan.then(broadcastPart(group, root, bytes), group::member, bytes, bytes);
        }
    }

    /// The same while that before is done.
    void broadcastBeside(Group group, int root, Span bytes) {
        plan.beside(broadcastPart(group, root, bytes), group::member, bytes, bytes);
    }

    private Plan broadcastPart(Group group, int root, Span bytes) {
        Place source = group.index() == root ? Place.vector(bytes) : Place.NONE;
        return parts.plan(shape(CollectiveType.BROADCAST, group, root, true, source, Place.vector(bytes)));
    }

    /// Ends a part of the plan; see [Plan#cuts]. On all members, whatever they have in it.
    void cut() {
        plan.cut();
    }

    void copy(Span target, Span source) {
        plan.copy(target, source);
    }

    Optional<Plan> build() {
        return Optional.of(plan.build());
    }

    private Shape shape(CollectiveType type, Group group, int root, boolean inPlace, Place source, Place target) {
        return new Shape(
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
