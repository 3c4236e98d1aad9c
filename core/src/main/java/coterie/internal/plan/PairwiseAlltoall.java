// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;
import java.util.function.IntFunction;

/// Alltoall(v) in steps in which each member sends one block and receives one, so that no member is
/// overrun: in step i to the member i places after it, from the member i places before it.
///
/// Where blocks of one length are in place, members i and j exchange their blocks in step (i + j) mod n, and what
/// arrives waits until the step is complete. Where their lengths differ, a member does not know the layout of the
/// others' blocks, and copies all of its source to scratch memory first.
///
/// n - 1 steps, n for blocks of one length in place, and nothing to do in one of them for some; each sends n - 1
/// blocks.
final class PairwiseAlltoall {

    static Optional<Plan> alltoall(CollectiveShape shape) {
        if (!shape.inPlace()) {
            return Optional.of(rounds(Plan.builder(), shape, shape::source));
        }
        Plan.Builder plan = Plan.builder();
        ByteSpan inbox = plan.scratch(shape.source().bytes(0));
        for (int sum = 0; sum < shape.size(); sum++) {
            int partner = Math.floorMod((long) sum - shape.me(), shape.size());
            if (partner != shape.me()) {
                plan.send(partner, shape.source(partner)).receive(partner, inbox);
                plan.copy(shape.target(partner), inbox).next();
            }
        }
        return Optional.of(plan.build());
    }

    static Optional<Plan> alltoallv(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        if (!shape.inPlace()) {
            return Optional.of(rounds(plan, shape, shape::source));
        }
        ByteSpan[] kept = new ByteSpan[shape.size()];
        for (int block = 0; block < kept.length; block++) {
            kept[block] = plan.scratch(shape.source().bytes(block));
            plan.copy(kept[block], shape.source(block));
        }
        return Optional.of(rounds(plan.next(), shape, block -> kept[block]));
    }

    private static Plan rounds(Plan.Builder plan, CollectiveShape shape, IntFunction<ByteSpan> source) {
        plan.copy(shape.target(shape.me()), source.apply(shape.me()));
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            int before = shape.neighbour(-places);
            plan.send(after, source.apply(after))
                    .receive(before, shape.target(before))
                    .next();
        }
        return plan.build();
    }

    private PairwiseAlltoall() {}
}
