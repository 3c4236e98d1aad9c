// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

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

    static Optional<Plan> allgather(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        int size = shape.size();
        int me = shape.me();
        BlockLayout target = shape.target();
        if (target.isDense()) {
            if (!shape.inPlace()) {
                plan.copy(shape.target(me), shape.source(0)).next();
            }
            exchange(
                    plan,
                    BlockRange.of(PlanBuffer.TARGET, target),
                    me,
                    shape.radix(),
                    NO_PLACE,
                    IntUnaryOperator.identity());
            return Optional.of(plan.build());
        }
        BlockLayout packed = BlockLayout.Listed.dense(
                IntStream.range(0, size).mapToLong(target::bytes).toArray());
        BlockRange dense = BlockRange.scratch(plan, packed, 0, size);
        plan.copy(dense.of(me, 1), shape.source(0)).next();
        exchange(plan, dense, me, shape.radix(), NO_PLACE, IntUnaryOperator.identity());
        for (int block = 0; block < size; block++) {
            if (block != me || !shape.inPlace()) {
                plan.copy(shape.target(block), dense.of(block, 1));
            }
        }
        return Optional.of(plan.build());
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
                    List<Integer> takers = partition.receivers(part, place);
                    for (int taker : takers) {
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
