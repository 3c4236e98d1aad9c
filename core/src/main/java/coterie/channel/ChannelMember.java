// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.spi.WordNames;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/// What both sides of a channel have in common: the block, the members that take part, and the beginnings of
/// messages.
///
/// @param name of the team
/// @param pe the caller's world number
/// @param me the caller's number in the team
/// @param producers members of the team
@SuppressWarnings("ArrayRecordComponent") // no code compares members
record ChannelMember(
        Team team,
        String name,
        int pe,
        int me,
        ChannelLayout layout,
        SymmetricMemory memory,
        int consumer,
        int[] producers) {

    static String prefix(String operation, String team, int pe) {
        return operation + " on team \"" + team + "\", PE " + pe + ": ";
    }

    String prefix(String operation) {
        return prefix(operation, name, pe);
    }

    /// Returns the number of a member among the producers, or −1.
    int producerIndex(int member) {
        for (int i = 0; i < producers.length; i++) {
            if (producers[i] == member) {
                return i;
            }
        }
        return -1;
    }

    void checkOpen(String operation) {
        if (!memory.isAccessible(me)) {
            throw new IllegalStateException(prefix(operation) + "the channel was closed");
        }
    }

    /// Throws if a segment does not have `count` elements from `index` on.
    void checkSegment(String operation, String role, MemorySegment segment, long index, long count) {
        if (segment == null) {
            throw new NullPointerException(prefix(operation) + role + " is null");
        }
        long elements = segment.byteSize() >> layout.elementShift();
        if (index < 0 || index > elements - count) {
            String allowed =
                    count > elements ? "counts in [0, " + elements + "]" : "indices in [0, " + (elements - count) + "]";
            throw new IndexOutOfBoundsException(prefix(operation) + count + " elements from index " + index
                    + " are outside the " + elements + " of the " + role + "; allowed are " + allowed);
        }
    }

    /// Returns the words of the block, with names for reports and messages.
    LongView words() {
        return memory.longs().named(new Names(this));
    }

    /// Returns the words `filled` of a ring, through the context of `words`.
    SignalWord[] filled(int producer) {
        SignalWord[] filled = new SignalWord[layout.ring()];
        Arrays.setAll(filled, slot -> memory.signal(layout.filled(producer) + slot));
        return filled;
    }

    /// Returns each slot of a ring in the caller's part of the block, or in another PE's.
    MemorySegment[] items(MemorySegment ring) {
        long stride = layout.bytes(layout.strideElements());
        MemorySegment[] items = new MemorySegment[layout.ring()];
        Arrays.setAll(
                items,
                slot -> ring.asSlice(slot * stride, layout.bytes(layout.shape().capacity()), Long.BYTES));
        return items;
    }

    /// Names the words for waits that last.
    private record Names(ChannelMember channel) implements WordNames {
        @Override
        public String name(long index) {
            ChannelLayout layout = channel.layout;
            if (index < layout.filled(0)) {
                return "the count of free slots of a channel at PE " + channel.team.pe(channel.consumer);
            }
            long row = (index - layout.filled(0)) / layout.row();
            return "slot " + (index - layout.filled((int) row)) + " of a channel for PE "
                    + channel.team.pe(channel.producers[(int) row]);
        }

        @Override
        public int writer(long index) {
            ChannelLayout layout = channel.layout;
            return index < layout.filled(0)
                    ? channel.consumer
                    : channel.producers[(int) ((index - layout.filled(0)) / layout.row())];
        }
    }
}
