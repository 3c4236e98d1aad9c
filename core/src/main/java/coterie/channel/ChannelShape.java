// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.ElementType;
import java.util.Objects;

/// The size of a [BoundedChannel].
///
/// @param elements the type of the elements of an item
/// @param capacity how many elements an item has at most, in `[1, 2^31)`
/// @param slots how many items of each producer can be under way before it waits, in `[1, 2^20]`
public record ChannelShape(ElementType elements, long capacity, int slots) {
    /// A word of a slot has the length of its item in as many bits as the capacity needs, and a count in the
    /// others: 31 bits leave it 32.
    private static final long MAX_CAPACITY = Integer.MAX_VALUE;

    /// More than any pipeline keeps under way, and few enough that the words of a thousand producers are one wait
    /// set.
    private static final int MAX_SLOTS = 1 << 20;

    public ChannelShape {
        Objects.requireNonNull(elements, "ChannelShape: elements is null");
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "ChannelShape: capacity " + capacity + " is outside [1, " + MAX_CAPACITY + "]");
        }
        if (slots < 1 || slots > MAX_SLOTS) {
            throw new IllegalArgumentException("ChannelShape: slots " + slots + " is outside [1, " + MAX_SLOTS + "]");
        }
    }
}
