// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.ElementView;
import coterie.SignalUpdate;
import coterie.SignalWord;
import java.lang.foreign.MemorySegment;

/// A receive as a wait and a signal, for a stream or a kernel, which does them in this order, with what it does with
/// the item between them. Each receive is done once, and receives from one producer in the order of their plans.
///
/// ```java
/// ChannelReceive receive = channel.planReceive(producer);
/// stream.waitUntil(receive.filled(), Comparison.GE, receive.expected());
/// stream.launch(extent, extent, thread -> add(sum, receive.item(), receive.count()));
/// stream.fence();
/// stream.signal(receive.release(), producer);
/// ```
///
/// @param filled the word of the item's slot
/// @param expected its least value when the item has arrived
/// @param slots the view of the slots, through the team's default context
/// @param index of the first element of the item's slot
/// @param item the slot
/// @param release the update, at the producer, that frees the slot. A fence orders it after the one before
/// @param producer the producer's number in the team
public record ChannelReceive(
        SignalWord filled,
        long expected,
        ElementView slots,
        long index,
        MemorySegment item,
        SignalUpdate release,
        int producer) {

    /// Returns the elements of the item, once it has arrived; 0 if the producer has ended instead.
    ///
    /// @throws IllegalStateException if neither is so yet
    public long count() {
        long count = filled.fetch() - expected;
        if (count < 0) {
            throw new IllegalStateException(
                    "count: the item of producer " + producer + " has not arrived; wait for it first");
        }
        return count;
    }
}
