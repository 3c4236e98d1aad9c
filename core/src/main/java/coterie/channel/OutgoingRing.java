// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.Comparison;
import coterie.ElementView;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.spi.MappedItems;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A producer's side of its ring: it counts what it has sent, and knows how far it may go before it has to look at
/// the word `freed` again. As long as there are free slots it reads no memory that another PE writes.
final class OutgoingRing {
    private final ChannelMember channel;
    private final int ring;
    private final int lengthBits;
    private final int consumer;
    private final LongView freed;
    private final ElementView slots;
    private final SignalWord[] filled;
    private final long stride;
    private final long firstFilled;

    /// Slots and words of the consumer if the caller stores there itself.
    private final @Nullable MappedItems mapped;

    /// Slots at the consumer if the caller stores there itself, else those of the caller, from which items are put.
    private final MemorySegment[] items;
    private final boolean isDirect;

    private long sent;

    /// What may be sent before the next look at `freed`.
    private long allowed;
    private int slot;
    private long lap = 1;

    OutgoingRing(ChannelMember channel, int index) {
        this.channel = channel;
        this.consumer = channel.consumer();
        ChannelLayout layout = channel.layout();
        this.ring = layout.ring();
        this.lengthBits = layout.lengthBits();
        this.stride = layout.strideElements();
        this.allowed = ring - 1L;
        this.freed = channel.words().unsigned().writtenBy(consumer);
        this.slots = layout.slots(channel.memory(), index);
        this.filled = channel.filled(index);
        this.firstFilled = layout.filled(index);
        this.mapped = MappedItems.at(consumer, slots, channel.words()).orElse(null);
        Optional<MemorySegment> theirs =
                slots.context().isDirect(consumer) ? slots.memory().segment(consumer) : Optional.empty();
        this.isDirect = theirs.isPresent();
        this.items = channel.items(theirs.orElseGet(slots::segment));
    }

    long sent() {
        return sent;
    }

    /// Returns whether there is a free slot.
    boolean hasRoom(String operation) {
        return sent < allowed || allow(freed.getAcquire(ChannelLayout.FREED), operation);
    }

    /// Waits for a free slot.
    void awaitRoom(String operation) {
        if (!hasRoom(operation)) {
            allow(freed.waitUntil(ChannelLayout.FREED, Comparison.GE, needed()), operation);
        }
    }

    /// Returns how many items must be free so that the next one has a slot.
    private long needed() {
        return sent - (ring - 2L);
    }

    private boolean allow(long word, String operation) {
        if (word < 0) {
            long released = word & ~ChannelLayout.CLOSED;
            throw new IllegalStateException(channel.prefix(operation) + "PE "
                    + channel.team().pe(consumer) + ", the consumer, has closed the channel; it has released "
                    + released + " of " + sent + " items");
        }
        if (lap > channel.layout().lastLap()) {
            throw new IllegalStateException(channel.prefix(operation) + "the channel has had the " + sent
                    + " items that its words can count; open another one");
        }
        allowed = word + ring - 1;
        return sent < allowed;
    }

    /// Puts an item into the free slot.
    void put(MemorySegment source, long sourceIndex, long count) {
        MappedItems items = mapped;
        if (items != null && items.isUsable()) {
            items.put(slot * stride, source, sourceIndex, count, firstFilled + slot, filling(lap, count));
        } else {
            slots.putSignal(slot * stride, source, sourceIndex, count, fill(slot, lap, count), consumer);
        }
        advance();
    }

    /// Returns the free slot's memory.
    MemorySegment item() {
        return items[slot];
    }

    /// Sends what the caller has stored in [#item].
    void commit(long count) {
        SignalUpdate update = fill(slot, lap, count);
        slots.putSignal(slot * stride, items[slot], 0, isDirect ? 0 : count, update, consumer);
        advance();
    }

    private SignalUpdate fill(int number, long round, long count) {
        return new SignalUpdate(filled[number], SignalOperation.SET, filling(round, count));
    }

    private long filling(long round, long count) {
        return round << lengthBits | count;
    }

    private void advance() {
        sent++;
        if (++slot == ring) {
            slot = 0;
            lap++;
        }
    }

    /// Takes the next slot for a send that a stream or a kernel does.
    ChannelSend plan() {
        ChannelSend plan = new ChannelSend(
                channel.memory().signal(ChannelLayout.FREED).writtenBy(consumer),
                Math.max(0, needed()),
                slots,
                slot * stride,
                filled[slot],
                lap << lengthBits,
                channel.layout().shape().capacity(),
                consumer);
        advance();
        return plan;
    }

    /// Marks the end: an item without elements in the slot that is always free.
    void end() {
        try {
            slots.putSignal(slot * stride, MemorySegment.NULL, 0, 0, fill(slot, lap, 0), consumer);
        } catch (PeFailedException e) {
            return; // the consumer waits no more
        }
    }
}
