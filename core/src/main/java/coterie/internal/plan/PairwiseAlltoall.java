// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.function.IntFunction;

/// Alltoall(v) in steps in which each member sends one block and receives one, so that no member gets several
/// messages at a time. In step i a member sends to the member i places after it, and receives from the member i
/// places before it.
///
/// In place, with blocks of one length, members i and j exchange their blocks in step (i + j) mod n; the received
/// block is in scratch memory until the end of the step. In place, with different lengths, a member does not know
/// the other members' layouts, and copies its source to scratch memory first.
///
/// n - 1 steps; for blocks of one length in place n, in one of which some members have nothing to do. Each member
/// sends n - 1 blocks.
final class PairwiseAlltoall {

    static void alltoall(Plan.Builder plan, CollectiveShape shape) {
        if (!shape.inPlace()) {
            rounds(plan, shape, shape::source);
            return;
        }
        ByteSpan inbox = plan.scratch(shape.source().bytes(0));
        for (int sum = 0; sum < shape.size(); sum++) {
            int partner = Math.floorMod((long) sum - shape.me(), shape.size());
            if (partner != shape.me()) {
                plan.send(partner, shape.source(partner)).receive(partner, inbox);
                plan.copy(shape.target(partner), inbox).next();
            }
        }
    }

    static void alltoallv(Plan.Builder plan, CollectiveShape shape) {
        if (!shape.inPlace()) {
            rounds(plan, shape, shape::source);
            return;
        }
        ByteSpan[] kept = new ByteSpan[shape.size()];
        for (int block = 0; block < kept.length; block++) {
            kept[block] = plan.scratch(shape.source().bytes(block));
            plan.copy(kept[block], shape.source(block));
        }
        rounds(plan.next(), shape, block -> kept[block]);
    }

    private static void rounds(Plan.Builder plan, CollectiveShape shape, IntFunction<ByteSpan> source) {
        plan.copy(shape.target(shape.me()), source.apply(shape.me()));
        for (int places = 1; places < shape.size(); places++) {
            int after = shape.neighbour(places);
            int before = shape.neighbour(-places);
            plan.send(after, source.apply(after))
                    .receive(before, shape.target(before))
                    .next();
        }
    }

    private PairwiseAlltoall() {}
}
