// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

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

    static void broadcast(Plan.Builder plan, CollectiveShape shape) {
        fromRoot(plan, shape, 0);
    }

    /// Each block is where it belongs; the root has all of them.
    static void scatter(Plan.Builder plan, CollectiveShape shape) {
        fromRoot(plan, shape, shape.me() * shape.target(0).bytes());
    }

    /// @param offset of this member's bytes in the root's source
    private static void fromRoot(Plan.Builder plan, CollectiveShape shape, long offset) {
        if (!shape.isRoot()) {
            ByteSpan target = shape.target(0);
            plan.learn(shape.root())
                    .copy(target, new ByteSpan(PlanBuffer.SOURCE, offset, target.bytes(), shape.root()))
                    .next()
                    .send(shape.root(), ByteSpan.NOTHING);
            return;
        }
        plan.copyOwn(shape);
        shape.others().forEach(plan::publish);
        plan.next();
        shape.others().forEach(member -> plan.receive(member, ByteSpan.NOTHING));
    }

    static void gather(Plan.Builder plan, CollectiveShape shape) {
        if (!shape.isRoot()) {
            plan.publish(shape.root()).next().receive(shape.root(), ByteSpan.NOTHING);
            return;
        }
        shape.others().forEach(plan::learn);
        readAll(plan, shape);
        plan.next();
        shape.others().forEach(member -> plan.send(member, ByteSpan.NOTHING));
    }

    static void allgather(Plan.Builder plan, CollectiveShape shape) {
        open(plan, shape);
        readAll(plan, shape);
        close(plan, shape);
    }

    /// Declines in place: a member would read blocks that their owner has overwritten.
    static void alltoall(Plan.Builder plan, CollectiveShape shape) {
        open(plan, shape);
        for (int places = 0; places < shape.size(); places++) {
            int member = shape.neighbour(places);
            plan.copy(shape.target(member), at(shape, member, shape.source(shape.me())));
        }
        close(plan, shape);
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
        plan.copyOwn(shape);
        shape.others().forEach(member -> {
            ByteSpan target = shape.target(member);
            plan.copy(target, new ByteSpan(PlanBuffer.SOURCE, 0, target.bytes(), member));
        });
    }

    private DirectCopies() {}
}
