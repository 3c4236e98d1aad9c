// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.AtomicOperation;
import coterie.internal.memory.JobSegment;
import coterie.internal.rma.BlockingChannel;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/// A slot in its root's sync area, in which a team is formed, as one participant reaches it: through the conduit
/// alone, and without any help of the root's.
///
/// ```
///  byte 0      8       16      24              64            96
///       │ id   │ state │ size  │ reason │ …    │ entry 0     │ entry 1     │ …   one for each number of a member
///
///  size   = size | PE + 1 << 32            of the first that came
///  entry  = PE + 1 | flags << 32, offset of its lines, contexts of its config, unused
/// ```
///
/// A slot is never anything else until the world closes. So a compare-and-swap that comes late, with an old id,
/// meets a state that has another serial number.
///
/// For one thread.
final class FormationSlot {
    static final long ID = 0;
    static final long STATE = 8;
    static final long SIZE = 16;
    static final long REASON = 24;

    /// Flags of an entry: its PE has come and prepares itself; is ready, and waits for a flag; is too late.
    static final long CLAIMED = 1L << 32;

    static final long READY = 1L << 33;
    static final long CLOSED = 1L << 34;

    private static final long ENTRIES = 64;
    private static final long ENTRY = 32;

    private final Conduit conduit;
    private final BlockingChannel blockingChannel;
    private final int root;
    private final long remote;
    private final MemorySegment copy;

    /// @param offset in the root's sync area
    /// @param entries of it
    FormationSlot(Conduit conduit, BlockingChannel blockingChannel, int root, long offset, int entries) {
        this.conduit = conduit;
        this.blockingChannel = blockingChannel;
        this.root = root;
        this.remote = conduit.remoteBase(Region.SYNC, root) + offset;
        // A channel may still write to it when a wait for it has failed, so it lives as long as anybody knows it.
        this.copy = Arena.ofAuto().allocate(entries * ENTRY, Long.BYTES);
    }

    /// Lines that a slot takes in a world of `size` PEs.
    static int lines(int size) {
        return (int) ((ENTRIES + size * ENTRY + JobSegment.LINE - 1) / JobSegment.LINE);
    }

    static long entry(int member) {
        return ENTRIES + member * ENTRY;
    }

    /// A word of the slot, and with it what was ordered before it.
    long load(long place) {
        return blockingChannel.atomic(AtomicOperation.FETCH, 0, Long.BYTES, root, remote + place);
    }

    /// Replaces a word if it is the expected one; returns what it was.
    long swap(long place, long expected, long value) {
        return blockingChannel.compareAndSwap(expected, value, Long.BYTES, root, remote + place);
    }

    /// Sets bits of a word; returns what it was.
    long mark(long place, long bits) {
        return blockingChannel.atomic(AtomicOperation.OR, bits, Long.BYTES, root, remote + place);
    }

    SlotState state() {
        return new SlotState(load(STATE));
    }

    /// Replaces the state if it is the expected one; returns whether it was.
    boolean change(SlotState expected, SlotState next) {
        return swap(STATE, expected.word(), next.word()) == expected.word();
    }

    /// Fills my entry in, visibly for whoever sees what I change later.
    void describe(int member, long lines, long config) {
        VarHandle.releaseFence(); // my lines are zeroed before others load them
        blockingChannel.putWord(lines, Long.BYTES, root, remote + entry(member) + 8);
        blockingChannel.putWord(config, Long.BYTES, root, remote + entry(member) + 16);
        awaitAll();
    }

    /// Takes a copy of all entries, which the methods below read.
    void copyEntries() {
        blockingChannel.get(root, remote + ENTRIES, copy, 0, copy.byteSize());
    }

    /// Flags and PE of an entry; see [#pe].
    long claim(int member) {
        return copy.get(JAVA_LONG, member * ENTRY);
    }

    long linesOf(int member) {
        return copy.get(JAVA_LONG, member * ENTRY + 8);
    }

    long config(int member) {
        return copy.get(JAVA_LONG, member * ENTRY + 16);
    }

    /// The PE of an entry's first word, or −1 if nobody has come.
    static int pe(long claim) {
        return (int) claim - 1;
    }

    /// Sets the flag of a participant that waits.
    void flag(int member, int flag) {
        int pe = pe(claim(member));
        blockingChannel.putWord(
                flag, Long.BYTES, pe, conduit.remoteBase(Region.SYNC, pe) + flag(linesOf(member), member));
    }

    /// Where a participant's flag is in its sync area: the tag of its line to itself, in which the team finds
    /// something older than any round.
    static long flag(long lines, int member) {
        return lines + member * JobSegment.LINE;
    }

    /// Completes what was put.
    void awaitAll() {
        blockingChannel.quiet(Channel.ALL_PEERS);
    }
}
