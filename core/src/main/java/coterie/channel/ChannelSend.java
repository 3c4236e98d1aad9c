// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.ElementView;
import coterie.SignalUpdate;
import coterie.SignalWord;

/// A send as a wait and a put with signal, for a stream or a kernel, which do them in this order. Each send is done
/// once.
///
/// ```java
/// ChannelSend send = channel.planSend();
/// stream.waitUntil(send.credits(), Comparison.GE, send.needed());
/// stream.putSignal(send.slots(), send.index(), source, 0, n, send.filling(n), send.consumer());
/// ```
///
/// @param credits the caller's word that counts the items whose slots are free again
/// @param needed the least number of them with which the item's slot is free
/// @param slots the view of the caller's slots at the consumer, through the team's default context
/// @param index of the first element of the item's slot
/// @param filled the slot's word at the consumer
/// @param base the value of the word for an item of no elements
/// @param capacity elements of an item at most
/// @param consumer the consumer's number in the team
public record ChannelSend(
        SignalWord credits,
        long needed,
        ElementView slots,
        long index,
        SignalWord filled,
        long base,
        long capacity,
        int consumer) {

    /// Returns the update that sends an item.
    ///
    /// @param count elements of the item, in `[1, capacity]`
    public SignalUpdate filling(long count) {
        if (count < 1 || count > capacity) {
            throw new IllegalArgumentException("filling: count " + count + " is outside [1, " + capacity
                    + "]; an item without elements takes no slot, so plan no send for it");
        }
        return filled.setting(base + count);
    }
}
