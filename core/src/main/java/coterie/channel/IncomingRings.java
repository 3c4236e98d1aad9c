// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.Comparison;
import coterie.Context;
import coterie.PeFailedException;
import coterie.WaitSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// The consumer's side of a channel: the rings of all producers, and the item that it has not released.
///
/// A look begins at the ring after the one of the last item, so that no producer waits for more than an item of each
/// other one. Only if no ring has an item do all next words become a wait set.
final class IncomingRings {
    private final ChannelMember channel;
    private final Context context;
    private final IncomingRing[] rings;
    private final int row;

    /// Where the next look begins.
    private int next;

    /// Whose item is not released.
    private @Nullable IncomingRing current;
    private long length;

    /// All words of the producers that have not ended, or null before the first wait for any of several producers.
    private @Nullable WaitSet waits;
    private int waited;
    private final BitSet skipped = new BitSet();
    private long[] operands = {};

    IncomingRings(ChannelMember channel, Context context) {
        this.channel = channel;
        this.context = context;
        this.row = channel.layout().row();
        this.rings = new IncomingRing[channel.producers().length];
        Arrays.setAll(rings, index -> new IncomingRing(channel, index, context));
    }

    IncomingRing ring(int index) {
        return rings[index];
    }

    long released() {
        long all = 0;
        for (IncomingRing ring : rings) {
            all += ring.released();
        }
        return all;
    }

    /// Returns the ring of the item that is not released.
    IncomingRing current(String operation) {
        IncomingRing ring = current;
        if (ring == null) {
            throw new IllegalStateException(
                    channel.prefix(operation) + "there is no item; await and poll take the next one");
        }
        return ring;
    }

    boolean hasItem() {
        return current != null;
    }

    long length() {
        return length;
    }

    private long take(IncomingRing ring, int index, long elements) {
        if (elements > 0) {
            current = ring;
            length = elements;
            next = index + 1 == rings.length ? 0 : index + 1;
        }
        return elements;
    }

    /// Returns the elements of an item of any producer, 0 if all have ended, or [IncomingRing#NOTHING].
    long poll() {
        if (current != null) {
            return length;
        }
        boolean isEnded = true;
        int index = next;
        for (int n = 0; n < rings.length; n++) {
            IncomingRing ring = rings[index];
            long elements = ring.arrived();
            if (elements > 0) {
                return take(ring, index, elements);
            }
            isEnded &= elements == 0;
            index = index + 1 == rings.length ? 0 : index + 1;
        }
        return isEnded ? 0 : IncomingRing.NOTHING;
    }

    /// Copies and releases the item of the next producer by turns if it is here at a look, and no item is taken.
    ///
    /// @return the elements of the item, or [IncomingRing#NOTHING] for a [#poll] or an [#await]
    long copyNow(MemorySegment target, long index) {
        if (current != null) {
            return IncomingRing.NOTHING;
        }
        int number = next;
        long elements = rings[number].copyNow(target, index);
        if (elements > 0) {
            next = number + 1 == rings.length ? 0 : number + 1;
        }
        return elements;
    }

    /// Waits for an item of any producer.
    long await() {
        long elements = poll();
        while (elements == IncomingRing.NOTHING) {
            if (rings.length == 1) {
                return take(rings[0], 0, rings[0].await());
            }
            awaitAny();
            elements = poll();
        }
        return elements;
    }

    private void awaitAny() {
        int live = 0;
        for (IncomingRing ring : rings) {
            live += ring.isEnded() ? 0 : 1;
        }
        WaitSet set = waits;
        if (set == null || waited != live) {
            set = waitSet();
            waits = set;
            waited = live;
        }
        skipped.set(0, operands.length);
        for (int index = 0; index < rings.length; index++) {
            if (!rings[index].isEnded()) {
                int word = (int) (rings[index].word() - channel.layout().filled(0));
                skipped.clear(word);
                operands[word] = rings[index].expected();
            }
        }
        set.waitAny(Comparison.GE, operands);
    }

    /// Makes the wait set anew when a producer has ended: its failure afterwards concerns the consumer no more.
    private WaitSet waitSet() {
        operands = new long[rings.length * row];
        int[] live = Arrays.stream(rings)
                .filter(ring -> !ring.isEnded())
                .mapToInt(IncomingRing::producer)
                .toArray();
        return channel.words()
                .through(context)
                .writtenBy(live)
                .waitSet(channel.layout().filled(0), operands.length)
                .withSkipped(skipped);
    }

    /// Returns the elements of a producer's next item, 0 if it has ended, or [IncomingRing#NOTHING].
    long poll(String operation, int index) {
        return isCurrent(operation, index) ? length : take(rings[index], index, rings[index].arrived());
    }

    /// Waits for a producer's next item.
    long await(String operation, int index) {
        long elements = poll(operation, index);
        return elements == IncomingRing.NOTHING ? take(rings[index], index, rings[index].await()) : elements;
    }

    /// Returns whether the item that is not released is of this ring; throws if it is of another one.
    private boolean isCurrent(String operation, int index) {
        if (current == null) {
            return false;
        }
        if (current != rings[index]) {
            throw new IllegalStateException(channel.prefix(operation) + "an item of producer " + current.producer()
                    + " is not released; release it before one of producer " + rings[index].producer() + " is taken");
        }
        return true;
    }

    /// Releases the item, if there is one.
    void release() {
        IncomingRing ring = current;
        if (ring != null) {
            ring.release();
            current = null;
        }
    }

    /// Tells all producers that the consumer takes no more.
    void end() {
        for (IncomingRing ring : rings) {
            ring.end();
        }
        try {
            context.close();
        } catch (PeFailedException e) {
            return; // a producer that has failed learns nothing
        }
    }
}
