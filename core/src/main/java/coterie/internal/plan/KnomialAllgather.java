// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.function.IntUnaryOperator;

/// Allgather(v) by recursive k-ing: neighbours exchange their blocks, then groups of neighbours exchange all
/// blocks that they have, along the [partitions][RecursivePartition] around each member. All members take part in
/// all steps, for any team size.
///
/// ⌈log_k n⌉ steps, in which each member receives each block of the others once. The last member of a smaller part
/// sends twice; if n is a power of k, each member sends n - 1 blocks. If the target has gaps between its blocks,
/// they arrive in scratch memory first.
final class KnomialAllgather {

    /// No place.
    static final int NO_PLACE = -1;

    static void allgather(Plan.Builder plan, CollectiveShape shape) {
        int me = shape.me();
        BlockLayout target = shape.target();
        if (target.isDense()) {
            plan.copyOwn(shape).next();
            exchange(
                    plan, new BlockRange(PlanBuffer.TARGET, 0, target, 0), me, shape.radix(), NO_PLACE, place -> place);
            return;
        }
        BlockLayout packed = BlockLayout.Listed.dense(target.lengths().toArray());
        BlockRange dense = BlockRange.scratch(plan, packed, 0, shape.size());
        plan.copy(dense.of(me, 1), shape.source(0)).next();
        exchange(plan, dense, me, shape.radix(), NO_PLACE, place -> place);
        for (int block = 0; block < shape.size(); block++) {
            if (block != me || !shape.inPlace()) {
                plan.copy(shape.target(block), dense.of(block, 1));
            }
        }
    }

    /// Plans an exchange in which each place has its own block and receives all others.
    ///
    /// @param blocks one of each place
    /// @param owner a place that has all blocks already, or [#NO_PLACE]
    /// @param members maps places to members
    static void exchange(
            Plan.Builder plan, BlockRange blocks, int place, int radix, int owner, IntUnaryOperator members) {
        for (RecursivePartition partition :
                RecursivePartition.around(place, blocks.blocks().count(), radix)) {
            int mine = partition.part(place);
            ByteSpan have = blocks.of(partition.begin(mine), partition.count(mine));
            for (int part = 0; part < partition.parts(); part++) {
                if (part != mine) {
                    for (int taker : partition.receivers(part, place)) {
                        if (taker != owner) {
                            plan.send(members.applyAsInt(taker), have);
                        }
                    }
                    if (place != owner) {
                        plan.receive(
                                members.applyAsInt(partition.sender(part, place)),
                                blocks.of(partition.begin(part), partition.count(part)));
                    }
                }
            }
            plan.next();
        }
    }

    private KnomialAllgather() {}
}
