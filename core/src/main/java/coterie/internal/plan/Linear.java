// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;

/// Direct algorithms: in one step each member sends to each member that needs its data, and receives from each
/// member whose data it needs. Members begin with their neighbours, so that not all send to the same member first.
///
/// 1 step; a member that sends to all sends n - 1 messages.
final class Linear {

    static Optional<Plan> broadcast(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        if (!shape.isRoot()) {
            return Optional.of(plan.receive(shape.root(), shape.target(0)).build());
        }
        for (int places = 1; places < shape.size(); places++) {
            plan.send(shape.neighbour(places), shape.source(0));
        }
        if (!shape.inPlace()) {
            plan.copy(shape.target(0), shape.source(0));
        }
        return Optional.of(plan.build());
    }

    static Optional<Plan> allgather(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        for (int places = 1; places < shape.size(); places++) {
            int before = shape.neighbour(-places);
            plan.send(shape.neighbour(places), shape.source(0)).receive(before, shape.target(before));
        }
        if (!shape.inPlace()) {
            plan.copy(shape.target(shape.me()), shape.source(0));
        }
        return Optional.of(plan.build());
    }

    /// In place, blocks arrive in scratch memory, from where the plan copies them after all messages.
    static Optional<Plan> alltoall(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        ByteSpan mine = shape.source(shape.me());
        if (!shape.inPlace()) {
            plan.copy(shape.target(shape.me()), mine);
        } else if (shape.target(shape.me()).offset() != mine.offset()) {
            ByteSpan kept = plan.scratch(mine.bytes());
            plan.copy(kept, mine).copy(shape.target(shape.me()), kept);
        }
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
        return Optional.of(plan.build());
    }

    static Optional<Plan> gather(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        if (!shape.isRoot()) {
            return Optional.of(plan.send(shape.root(), shape.source(0)).build());
        }
        for (int places = 1; places < shape.size(); places++) {
            int before = shape.neighbour(-places);
            plan.receive(before, shape.target(before));
        }
        if (!shape.inPlace()) {
            plan.copy(shape.target(shape.me()), shape.source(0));
        }
        return Optional.of(plan.build());
    }

    static Optional<Plan> scatter(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        if (!shape.isRoot()) {
            return Optional.of(plan.receive(shape.root(), shape.target(0)).build());
        }
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            plan.send(after, shape.source(after));
        }
        if (!shape.inPlace()) {
            plan.copy(shape.target(0), shape.source(shape.me()));
        }
        return Optional.of(plan.build());
    }

    private Linear() {}
}
