// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/// Allgather(v) by recursive k-ing: neighbours exchange their blocks, then groups of neighbours all blocks that
/// they have, along the [nests][RecursivePartition] around each. Any number of members takes part alike, none
/// stands aside.
///
/// ⌈log_k n⌉ steps, in which each gets each block of the others once. Who is the last of a smaller part gives
/// twice; where n is a power of k, each sends n - 1 blocks. Blocks that don't lie one behind the other in the
/// target come through scratch memory.
final class KnomialAllgather {

    /// No place.
    static final int NOBODY = -1;

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
                    NOBODY,
                    IntUnaryOperator.identity());
            return Optional.of(plan.build());
        }
        BlockLayout packed = BlockLayout.Listed.dense(
                IntStream.range(0, size).mapToLong(target::bytes).toArray());
        BlockRange parcel = BlockRange.scratch(plan, packed, 0, size);
        plan.copy(parcel.of(me, 1), shape.source(0)).next();
        exchange(plan, parcel, me, shape.radix(), NOBODY, IntUnaryOperator.identity());
        for (int block = 0; block < size; block++) {
            if (block != me || !shape.inPlace()) {
                plan.copy(shape.target(block), parcel.of(block, 1));
            }
        }
        return Optional.of(plan.build());
    }

    /// Each place has its block and gets all others.
    ///
    /// @param blocks one of each place
    /// @param owner a place that has all blocks, or [#NOBODY]
    /// @param members of places
    static void exchange(
            Plan.Builder plan, BlockRange blocks, int place, int radix, int owner, IntUnaryOperator members) {
        for (RecursivePartition partition :
                RecursivePartition.around(place, blocks.blocks().count(), radix)) {
            int mine = partition.part(place);
            ByteSpan have = blocks.of(partition.begin(mine), partition.count(mine));
            for (int part = 0; part < partition.parts(); part++) {
                if (part != mine) {
                    List<Integer> takers = partition.takers(part, place);
                    for (int taker : takers) {
                        if (taker != owner) {
                            plan.send(members.applyAsInt(taker), have);
                        }
                    }
                    if (place != owner) {
                        plan.receive(
                                members.applyAsInt(partition.giver(part, place)),
                                blocks.of(partition.begin(part), partition.count(part)));
                    }
                }
            }
            plan.next();
        }
    }

    private KnomialAllgather() {}
}
