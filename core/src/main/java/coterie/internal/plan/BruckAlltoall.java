// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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

    static Optional<Plan> alltoall(CollectiveShape shape) {
        int size = shape.size();
        Plan.Builder plan = Plan.builder();
        // By distance: the bytes in which the block is after the steps so far.
        ByteSpan[] blocks = new ByteSpan[size];
        for (int places = 0; places < size; places++) {
            blocks[places] = shape.source(shape.neighbour(places));
        }
        long block = shape.source().bytes(0);
        for (long stride = 1; stride < size; stride *= shape.radix()) {
            List<Action.Message> messages = new ArrayList<>();
            for (long digit = 1; digit < shape.radix() && digit * stride < size; digit++) {
                List<Integer> group = group(shape, stride, digit);
                ByteSpan outbox = plan.scratch(group.size() * block);
                ByteSpan inbox = plan.scratch(group.size() * block);
                for (int index = 0; index < group.size(); index++) {
                    int places = group.get(index);
                    plan.copy(outbox.part(index * block, block), blocks[places]);
                    blocks[places] = inbox.part(index * block, block);
                }
                messages.add(new Action.Send(shape.neighbour(digit * stride), outbox));
                messages.add(new Action.Receive(shape.neighbour(-digit * stride), inbox));
            }
            plan.next();
            messages.forEach(plan::message);
        }
        for (int places = shape.inPlace() ? 1 : 0; places < size; places++) {
            plan.copy(shape.target(shape.neighbour(-places)), blocks[places]);
        }
        return Optional.of(plan.build());
    }

    /// Returns the distances that have this digit at the position of this stride.
    private static List<Integer> group(CollectiveShape shape, long stride, long digit) {
        List<Integer> group = new ArrayList<>();
        for (int places = 1; places < shape.size(); places++) {
            if (places / stride % shape.radix() == digit) {
                group.add(places);
            }
        }
        return group;
    }

    private BruckAlltoall() {}
}
