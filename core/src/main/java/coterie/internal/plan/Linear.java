// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Direct algorithms: in one step each member sends to each member that needs its data, and receives from each
/// member whose data it needs. Members begin with their neighbours, so that not all send to the same member first.
///
/// 1 step; a member that sends to all sends n - 1 messages.
final class Linear {

    /// Broadcast and scatter(v): the root sends to each member the block for it.
    static void fromRoot(Plan.Builder plan, CollectiveShape shape) {
        if (!shape.isRoot()) {
            plan.receive(shape.root(), shape.target(0));
            return;
        }
        shape.others().forEach(member -> plan.send(member, shape.sourceFor(member)));
        plan.copyOwn(shape);
    }

    static void allgather(Plan.Builder plan, CollectiveShape shape) {
        for (int places = 1; places < shape.size(); places++) {
            int before = shape.neighbour(-places);
            plan.send(shape.neighbour(places), shape.source(0)).receive(before, shape.target(before));
        }
        plan.copyOwn(shape);
    }

    /// In place, blocks arrive in scratch memory, from where the plan copies them after all messages.
    static void alltoall(Plan.Builder plan, CollectiveShape shape) {
        plan.move(shape, shape.target(shape.me()), shape.source(shape.me()));
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            int before = shape.neighbour(-places);
            ByteSpan target = shape.target(before);
            ByteSpan inbox = shape.inPlace() ? plan.scratch(target.bytes()) : target;
            plan.send(after, shape.source(after)).receive(before, inbox);
            if (shape.inPlace()) {
                plan.copy(target, inbox);
            }
        }
    }

    static void gather(Plan.Builder plan, CollectiveShape shape) {
        if (!shape.isRoot()) {
            plan.send(shape.root(), shape.source(0));
            return;
        }
        for (int places = 1; places < shape.size(); places++) {
            int before = shape.neighbour(-places);
            plan.receive(before, shape.target(before));
        }
        plan.copyOwn(shape);
    }

    private Linear() {}
}
