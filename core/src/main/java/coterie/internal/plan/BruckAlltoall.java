// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/// Alltoall of small blocks after Bruck and others (1997). The distance of a block is the number of places from
/// its source to its target. Members forward a block digit by digit of its distance in base k, together with all
/// blocks that have the same digit.
///
/// ```
///  k = 2, a block with distance 5 = 101₂:   1 place in step 0, none in step 1, 4 in step 2
/// ```
///
/// Members pack the blocks of each message, and pack forwarded blocks again from the message that brought them.
///
/// ⌈log_k n⌉ steps; members send a block once for each digit of its distance that is not 0, so each member sends
/// about (k-1)/k · n·log_k n blocks.
final class BruckAlltoall {

    static void alltoall(Plan.Builder plan, CollectiveShape shape) {
        exchange(plan, shape, shape::source, shape::target);
    }

    /// Plans the exchange of blocks of one length.
    ///
    /// @param source gives the block for a member
    /// @param target gives the place for a member's block
    static void exchange(
            Plan.Builder plan, CollectiveShape shape, IntFunction<ByteSpan> source, IntFunction<ByteSpan> target) {
        int size = shape.size();
        // By distance: the bytes in which the block is after the steps so far.
        ByteSpan[] blocks = new ByteSpan[size];
        Arrays.setAll(blocks, places -> source.apply(shape.neighbour(places)));
        long block = blocks[0].bytes();
        for (long stride = 1; stride < size; stride *= shape.radix()) {
            List<Action.Message> messages = new ArrayList<>();
            for (long digit = 1; digit < shape.radix() && digit * stride < size; digit++) {
                int[] group = group(shape, stride, digit);
                ByteSpan outbox = plan.scratch(group.length * block);
                ByteSpan inbox = plan.scratch(group.length * block);
                for (int index = 0; index < group.length; index++) {
                    plan.copy(outbox.part(index * block, block), blocks[group[index]]);
                    blocks[group[index]] = inbox.part(index * block, block);
                }
                messages.add(new Action.Send(shape.neighbour(digit * stride), outbox));
                messages.add(new Action.Receive(shape.neighbour(-digit * stride), inbox));
            }
            plan.next();
            messages.forEach(plan::message);
        }
        for (int places = shape.inPlace() ? 1 : 0; places < size; places++) {
            plan.copy(target.apply(shape.neighbour(-places)), blocks[places]);
        }
    }

    /// Returns the distances that have this digit at the position of this stride.
    private static int[] group(CollectiveShape shape, long stride, long digit) {
        return IntStream.range(1, shape.size())
                .filter(places -> places / stride % shape.radix() == digit)
                .toArray();
    }

    private BruckAlltoall() {}
}
