// SPDX-License-Identifier: Apache-2.0
package coterie.channel;

import coterie.ElementView;
import coterie.SymmetricMemory;

/// Where a channel has its words and slots in its block, which is the same on each member.
///
/// ```
///  line 0          a row for each producer                       a ring for each producer
///  │ freed │ pad │ filled 0 │ filled 1 │ … │ pad to a line │ … │ slot 0, pad to a line │ slot 1 │ … │
///
///  filled of a slot, at the consumer:  │ 0 │ lap of the item, from 1 │ its elements │   the producer sets it
///  freed, at each producer:            │ closed │ items that the consumer has released │   the consumer sets it
/// ```
///
/// One PE writes each word, and to larger and larger values, so that sets are enough and no update of a word is an
/// atomic. A ring has more slots than the program asked for: [#batch] of them. All but one make up for the slots that
/// the consumer has released without notice, so that a batch never makes a producer wait that the program does not
/// expect to. The last one is never full: the mark with which a producer ends has room at any time.
record ChannelLayout(ChannelShape shape, int producers) {
    private static final int LINE = 64;
    private static final int LINE_WORDS = LINE / Long.BYTES;

    /// The index of the word `freed`.
    static final long FREED = 0;

    /// The sign of the word `freed`: the consumer has closed the channel.
    static final long CLOSED = Long.MIN_VALUE;

    /// Returns after how many releases the consumer notifies a producer: a quarter of the slots, so that the
    /// message costs little where it goes over a network, and the producer has three quarters to go on with.
    int batch() {
        return Math.max(1, shape.slots() / 4);
    }

    /// Returns the slots of a ring.
    int ring() {
        return shape.slots() + batch();
    }

    /// Returns how many bits of `filled` have the length of the item.
    int lengthBits() {
        return Long.SIZE - Long.numberOfLeadingZeros(shape.capacity());
    }

    /// Returns the last lap whose number fits into `filled`.
    long lastLap() {
        return Long.MAX_VALUE >> lengthBits();
    }

    /// Returns the words of a row.
    int row() {
        return (ring() + LINE_WORDS - 1) / LINE_WORDS * LINE_WORDS;
    }

    /// Returns the index of the word `filled` of a ring's first slot.
    long filled(int producer) {
        return LINE_WORDS + (long) producer * row();
    }

    /// Returns the bytes from a slot to the next.
    private long stride() {
        return (shape.capacity() * shape.elements().byteSize() + LINE - 1) / LINE * LINE;
    }

    /// Returns the elements from a slot to the next.
    long strideElements() {
        return stride() / shape.elements().byteSize();
    }

    /// Returns the first byte of a ring.
    private long firstByte(int producer) {
        return Long.BYTES * filled(producers) + (long) producer * ring() * stride();
    }

    /// Returns the bytes of the block.
    ///
    /// @throws ArithmeticException if there are too many
    long byteSize() {
        Math.toIntExact((long) producers * row()); // of a wait set
        long slots = Math.multiplyExact((long) producers, ring());
        return Math.addExact(Long.BYTES * filled(producers), Math.multiplyExact(slots, stride()));
    }

    /// Returns the elements of a ring.
    ElementView slots(SymmetricMemory memory, int producer) {
        return memory.slice(firstByte(producer), ring() * stride()).elements(shape.elements());
    }

    /// Returns the binary logarithm of an element's bytes, so that a check divides by a shift.
    int elementShift() {
        return Integer.numberOfTrailingZeros(shape.elements().byteSize());
    }

    /// Returns the bytes of `count` elements.
    long bytes(long count) {
        return count * shape.elements().byteSize();
    }
}
