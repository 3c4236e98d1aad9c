// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;

/// Direct algorithms that move bytes, for members that load and store each other's memory: each member copies what
/// it needs out of the others' sources.
///
/// ```
///  owner of a source      reader
///    │── publish ──────────▶│     the source is complete, and is here
///    │                      │     copies what it needs
///    │◀─────── notify ──────│     the source is its owner's again
/// ```
///
/// What a member reads is in its cache, where it will use it. Members begin with their neighbours, so that not all
/// read from the same member first.
final class DirectCopies {

    static Optional<Plan> broadcast(CollectiveShape shape) {
        if (!shape.isRoot()) {
            ByteSpan target = shape.target(0);
            return Optional.of(fromRoot(shape, target, new ByteSpan(PlanBuffer.SOURCE, 0, target.bytes())));
        }
        Plan.Builder plan = Plan.builder();
        if (!shape.inPlace()) {
            plan.copy(shape.target(0), shape.source(0));
        }
        return Optional.of(toAll(shape, plan));
    }

    /// Each block is where it belongs; the root has all of them.
    static Optional<Plan> scatter(CollectiveShape shape) {
        if (!shape.isRoot()) {
            ByteSpan target = shape.target(0);
            long offset = shape.me() * target.bytes();
            return Optional.of(fromRoot(shape, target, new ByteSpan(PlanBuffer.SOURCE, offset, target.bytes())));
        }
        Plan.Builder plan = Plan.builder();
        if (!shape.inPlace()) {
            plan.copy(shape.target(0), shape.source(shape.me()));
        }
        return Optional.of(toAll(shape, plan));
    }

    static Optional<Plan> gather(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        if (!shape.isRoot()) {
            plan.publish(shape.root()).next().receive(shape.root(), ByteSpan.NOTHING);
            return Optional.of(plan.build());
        }
        for (int places = 1; places < shape.size(); places++) {
            plan.learn(shape.neighbour(places));
        }
        readAll(plan, shape);
        plan.next();
        for (int places = 1; places < shape.size(); places++) {
            plan.send(shape.neighbour(places), ByteSpan.NOTHING);
        }
        return Optional.of(plan.build());
    }

    static Optional<Plan> allgather(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        open(plan, shape);
        readAll(plan, shape);
        close(plan, shape);
        return Optional.of(plan.build());
    }

    /// Declines in place: a member would read blocks that their owner has overwritten.
    static Optional<Plan> alltoall(CollectiveShape shape) {
        if (shape.inPlace()) {
            return Optional.empty();
        }
        Plan.Builder plan = Plan.builder();
        open(plan, shape);
        for (int places = 0; places < shape.size(); places++) {
            int member = shape.neighbour(places);
            plan.copy(shape.target(member), at(shape, member, shape.source(shape.me())));
        }
        close(plan, shape);
        return Optional.of(plan.build());
    }

    /// The bytes of a member's buffer that have the same place there as these have here.
    static ByteSpan at(CollectiveShape shape, int member, ByteSpan span) {
        return member == shape.me() ? span : span.of(member);
    }

    /// All members learn where the others' buffers are.
    static void open(Plan.Builder plan, CollectiveShape shape) {
        for (int places = 1; places < shape.size(); places++) {
            plan.publish(shape.neighbour(places)).learn(shape.neighbour(-places));
        }
    }

    /// All members wait until no other one works on their buffers.
    static void close(Plan.Builder plan, CollectiveShape shape) {
        plan.next();
        for (int places = 1; places < shape.size(); places++) {
            plan.send(shape.neighbour(places), ByteSpan.NOTHING).receive(shape.neighbour(-places), ByteSpan.NOTHING);
        }
    }

    /// Reads all members' sources into the blocks of the target.
    private static void readAll(Plan.Builder plan, CollectiveShape shape) {
        if (!shape.inPlace()) {
            plan.copy(shape.target(shape.me()), shape.source(0));
        }
        for (int places = 1; places < shape.size(); places++) {
            int member = shape.neighbour(places);
            ByteSpan target = shape.target(member);
            plan.copy(target, new ByteSpan(PlanBuffer.SOURCE, 0, target.bytes()).of(member));
        }
    }

    private static Plan fromRoot(CollectiveShape shape, ByteSpan target, ByteSpan source) {
        return Plan.builder()
                .learn(shape.root())
                .copy(target, source.of(shape.root()))
                .next()
                .send(shape.root(), ByteSpan.NOTHING)
                .build();
    }

    /// @param plan the root's own work
    private static Plan toAll(CollectiveShape shape, Plan.Builder plan) {
        for (int places = 1; places < shape.size(); places++) {
            plan.publish(shape.neighbour(places));
        }
        plan.next();
        for (int places = 1; places < shape.size(); places++) {
            plan.receive(shape.neighbour(places), ByteSpan.NOTHING);
        }
        return plan.build();
    }

    private DirectCopies() {}
}
