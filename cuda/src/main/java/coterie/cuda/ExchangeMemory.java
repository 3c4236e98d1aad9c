// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.ElementType;
import coterie.SignalUpdate;
import coterie.SignalWord;
import coterie.Team;
import coterie.stream.WorkStream;
import java.lang.foreign.MemorySegment;

/// The part of [StagingMemory] through which pairs of members exchange what one sends to the other: words, and for
/// each of `n` members a slot for what comes from it and one for what goes to it.
///
/// ```
///  byte 0         64 × n               64 × n + n × slot    64 × n + 2 × n × slot
///       │ words    │ slots of targets   │ slots of sources   │
/// ```
final class ExchangeMemory {
    /// What the word of a pair has, one for each member.
    enum Word {
        /// the number of the latest transfer that the member offers
        OFFERED(0),
        /// its bytes
        OFFERED_BYTES(1),
        /// the number of the latest transfer that the member wants
        WANTED(2),
        /// its bytes
        WANTED_BYTES(3),
        /// pieces that have come from the member
        ARRIVED(4),
        /// pieces that the member has taken
        TAKEN(5),
        /// the bytes that this member offers to the other, for a put
        OWN_OFFER(6),
        /// the bytes that this member wants of the other, for a put
        OWN_WANT(7);

        final int number;

        Word(int number) {
            this.number = number;
        }
    }

    private static final int WORDS = Word.values().length;

    private final StagingMemory memory;
    private final long begin;
    private final int size;
    private final int me;
    private final long slotBytes;

    ExchangeMemory(Team team, StagingMemory memory) {
        this.memory = memory;
        this.begin = memory.byteSize();
        this.size = team.size();
        this.me = team.member();
        this.slotBytes = (memory.exchangeBytes() - wordBytes(size)) / (2L * size) & -Long.BYTES;
    }

    private static long wordBytes(int size) {
        return (long) WORDS * size * Long.BYTES;
    }

    /// Returns the bytes of the words and of slots of one word.
    static long leastBytes(int size) {
        return wordBytes(size) + 2L * size * Long.BYTES;
    }

    /// Returns the bytes of a slot.
    long slotBytes() {
        return slotBytes;
    }

    /// Returns the address of the slot for what this PE sends to a member, for copies of the driver.
    long sourceAddress(int peer) {
        return memory.address() + source(peer);
    }

    /// Returns the address of the slot for what a member sends, for copies of the driver.
    long targetAddress(int peer) {
        return memory.address() + target(peer);
    }

    private long target(int member) {
        return begin + wordBytes(size) + member * slotBytes;
    }

    private long source(int member) {
        return target(size) + member * slotBytes;
    }

    private long index(Word word, int member) {
        return begin / Long.BYTES + (long) word.number * size + member;
    }

    /// Returns a word that a member updates.
    SignalWord signal(Word word, int member) {
        return memory.signal(index(word, member));
    }

    private SignalUpdate update(Word word, long number) {
        return signal(word, me).setting(number);
    }

    /// Returns this PE's own word.
    long get(Word word, int member) {
        return memory.words().get(index(word, member));
    }

    /// Sets this PE's own word.
    void set(Word word, int member, long value) {
        memory.words().set(index(word, member), value);
    }

    /// Enqueues a put of one of this PE's own words, and then a number, to a member.
    void putWord(WorkStream lane, Word from, Word to, Word signalled, long number, int peer) {
        MemorySegment own = memory.segment();
        lane.putSignal(memory.words(), index(to, me), own, index(from, peer), 1, update(signalled, number), peer);
    }

    /// Enqueues a put of the begin of the slot for a member to it, and then the number of pieces.
    void putPiece(WorkStream lane, long bytes, long pieces, int peer) {
        SignalUpdate update = update(Word.ARRIVED, pieces);
        if (bytes == 0) {
            lane.signal(update, peer);
        } else {
            lane.putSignal(
                    memory.view(ElementType.BYTE), target(me), memory.segment(), source(peer), bytes, update, peer);
        }
    }

    /// Enqueues the news to a member that its pieces are taken.
    void putTaken(WorkStream lane, long pieces, int peer) {
        lane.signal(update(Word.TAKEN, pieces), peer);
    }
}
