// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Alltoall of small blocks after Bruck and others (1997): a block travels the places that it has to go digit by
/// digit in base k, together with all that have the same digit.
///
/// ```
///  k = 2, what has 5 = 101₂ places to go:   1 place in step 0, none in step 1, 4 in step 2
/// ```
///
/// Each message is packed, and blocks that go on are packed again from where they came.
///
/// ⌈log_k n⌉ steps; each sends a block once for each digit other than 0 of the places that it has to go, which is
/// about (k-1)/k · n·log_k n blocks in all.
final class BruckAlltoall {

    static Optional<Plan> alltoall(CollectiveShape shape) {
        int size = shape.size();
        Plan.Builder plan = Plan.builder();
        // By how far they go in all: where they are now.
        ByteSpan[] travellers = new ByteSpan[size];
        for (int places = 0; places < size; places++) {
            travellers[places] = shape.source(shape.neighbour(places));
        }
        long block = shape.source().bytes(0);
        for (long stride = 1; stride < size; stride *= shape.radix()) {
            List<Action.Message> messages = new ArrayList<>();
            for (long digit = 1; digit < shape.radix() && digit * stride < size; digit++) {
                List<Integer> group = group(shape, stride, digit);
                ByteSpan parcel = plan.scratch(group.size() * block);
                ByteSpan inbox = plan.scratch(group.size() * block);
                for (int index = 0; index < group.size(); index++) {
                    int places = group.get(index);
                    plan.copy(parcel.part(index * block, block), travellers[places]);
                    travellers[places] = inbox.part(index * block, block);
                }
                messages.add(new Action.Send(shape.neighbour(digit * stride), parcel));
                messages.add(new Action.Receive(shape.neighbour(-digit * stride), inbox));
            }
            plan.next();
            messages.forEach(plan::message);
        }
        for (int places = shape.inPlace() ? 1 : 0; places < size; places++) {
            plan.copy(shape.target(shape.neighbour(-places)), travellers[places]);
        }
        return Optional.of(plan.build());
    }

    /// The ways that have this digit at this place.
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
