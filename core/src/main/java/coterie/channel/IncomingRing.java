// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.Comparison;
import coterie.Context;
import coterie.ElementView;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SignalOperation;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.spi.MappedItems;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The consumer's side of a producer's ring.
final class IncomingRing {
    /// What [#arrived] returns while the next item is on its way.
    static final long NOTHING = -1;

    private final ChannelMember channel;
    private final int index;
    private final int producer;
    private final int ring;
    private final int batch;
    private final int lengthBits;
    private final long filled;
    private final Context context;
    private final LongView words;
    private final SignalWord freed;
    private final ElementView slots;
    private final MemorySegment[] items;
    private final long stride;

    /// The slots and words if the caller and the producer load and store them themselves.
    private final @Nullable MappedItems mapped;

    private long released;

    /// Of how many the producer knows.
    private long returned;
    private int slot;
    private long lap = 1;
    private boolean isEnded;

    /// @param context through which the caller notifies producers
    IncomingRing(ChannelMember channel, int index, Context context) {
        this.channel = channel;
        this.index = index;
        this.context = context;
        this.producer = channel.producers()[index];
        ChannelLayout layout = channel.layout();
        this.ring = layout.ring();
        this.batch = layout.batch();
        this.lengthBits = layout.lengthBits();
        this.filled = layout.filled(index);
        this.stride = layout.strideElements();
        this.words = channel.words().through(context).writtenBy(producer);
        this.freed = channel.memory().signal(ChannelLayout.FREED);
        this.slots = layout.slots(channel.memory(), index);
        this.items = channel.items(slots.segment());
        this.mapped = slots.context().isDirect(producer)
                ? MappedItems.at(channel.me(), slots, channel.words()).orElse(null)
                : null;
    }

    int producer() {
        return producer;
    }

    boolean isEnded() {
        return isEnded;
    }

    long released() {
        return released;
    }

    /// Returns the index of the word that the next item sets.
    long word() {
        return filled + slot;
    }

    /// Returns the least value of [#word] that tells of the next item.
    long expected() {
        return lap << lengthBits;
    }

    /// Returns the elements of the next item, 0 if the producer has ended, or [#NOTHING].
    long arrived() {
        return isEnded ? 0 : taken(words.getAcquire(word()));
    }

    /// Waits for the next item, and returns its elements, or 0 if the producer has ended.
    long await() {
        return isEnded ? 0 : taken(words.waitUntil(word(), Comparison.GE, expected()));
    }

    private long taken(long value) {
        long elements = value - expected();
        if (elements <= 0) {
            isEnded = elements == 0;
            return isEnded ? 0 : NOTHING;
        }
        return elements;
    }

    /// Copies the next item if it is here at a look, and frees its slot: the short way of [#arrived], [#copy] and
    /// [#release]. Once in a lap there is none, so that a program that never waits advances the conduit.
    ///
    /// @return the elements of the item, or [#NOTHING] for the other way
    long copyNow(MemorySegment target, long index) {
        MappedItems here = mapped;
        if (here == null || slot == 0 || isEnded || !here.isUsable()) {
            return NOTHING;
        }
        long elements = here.word(word()) - expected();
        if (elements <= 0) {
            return NOTHING;
        }
        here.get(slot * stride, target, index, elements);
        release();
        return elements;
    }

    /// Returns the memory of the next item.
    MemorySegment item() {
        return items[slot];
    }

    /// Copies the next item.
    void copy(MemorySegment target, long index, long count) {
        slots.get(slot * stride, target, index, count);
    }

    /// Frees the slot of the item.
    void release() {
        advance();
        if (released - returned >= batch) {
            notifyProducer(released);
        }
    }

    private void advance() {
        released++;
        if (++slot == ring) {
            slot = 0;
            lap++;
        }
    }

    /// The fence is between two sets of one word: over a network the first could arrive last, and the producer
    /// would wait for a slot that it has been given.
    private void notifyProducer(long value) {
        context.fence();
        SignalUpdate update = new SignalUpdate(freed, SignalOperation.SET, value);
        words.putSignal(ChannelLayout.FREED, MemorySegment.NULL, 0, 0, update, producer);
        returned = released;
    }

    /// Takes the next item for a receive that a stream or a kernel does.
    ChannelReceive plan() {
        SignalWord word = channel.memory().signal(word()).writtenBy(producer);
        long expected = expected();
        ElementView elements = channel.layout().slots(channel.memory(), index);
        long first = slot * stride;
        MemorySegment item = item();
        advance();
        returned = released;
        return new ChannelReceive(word, expected, elements, first, item, freed.setting(released), producer);
    }

    /// Ends the ring without its producer.
    void disconnect() {
        if (!isEnded) {
            isEnded = true;
            end();
        }
    }

    /// Tells the producer that its items go nowhere.
    void end() {
        try {
            notifyProducer(released | ChannelLayout.CLOSED);
        } catch (PeFailedException e) {
            return; // the producer waits no more
        }
    }
}
