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

/// A slot in its root's sync area, in which PEs form a team. A participant uses it through the conduit only; the
/// root does nothing for it.
///
/// ```
///  byte 0      8       16      24              64            96
///       │ id   │ state │ size  │ reason │ …    │ entry 0     │ entry 1     │ …   one for each number of a member
///
///  size   = size | PE + 1 << 32            of the first participant
///  entry  = PE + 1 | flags << 32, offset of its lines, contexts of its config, unused
/// ```
///
/// The memory of a slot has no other use until the world closes. So a compare-and-swap that arrives late, with an
/// old id, fails because the state has another serial number.
///
/// Not thread-safe.
final class FormationSlot {
    static final long ID = 0;
    static final long STATE = 8;
    static final long SIZE = 16;
    static final long REASON = 24;

    /// Flags of an entry: its PE has joined; is ready, and waits for its flag; is too late.
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
    /// @param entries one for each PE of the world
    FormationSlot(Conduit conduit, BlockingChannel blockingChannel, int root, long offset, int entries) {
        this.conduit = conduit;
        this.blockingChannel = blockingChannel;
        this.root = root;
        this.remote = conduit.remoteBase(Region.SYNC, root) + offset;
        // The channel may still write to it after a wait has failed, so the garbage collector frees it.
        this.copy = Arena.ofAuto().allocate(entries * ENTRY, Long.BYTES);
    }

    /// Returns the number of lines of a slot in a world of `size` PEs.
    static int lines(int size) {
        return (int) ((ENTRIES + size * ENTRY + JobSegment.LINE - 1) / JobSegment.LINE);
    }

    static long entry(int member) {
        return ENTRIES + member * ENTRY;
    }

    /// Loads a word of the slot; the writer's earlier ordered puts are visible afterwards.
    long load(long place) {
        return blockingChannel.atomic(AtomicOperation.FETCH, 0, Long.BYTES, root, remote + place);
    }

    /// Replaces a word if it is the expected one; returns the old word.
    long swap(long place, long expected, long value) {
        return blockingChannel.compareAndSwap(expected, value, Long.BYTES, root, remote + place);
    }

    /// Sets bits of a word; returns the old word.
    long mark(long place, long bits) {
        return blockingChannel.atomic(AtomicOperation.OR, bits, Long.BYTES, root, remote + place);
    }

    SlotState state() {
        return new SlotState(load(STATE));
    }

    /// Replaces the state if it is the expected one; returns whether it did.
    boolean change(SlotState expected, SlotState next) {
        return swap(STATE, expected.word(), next.word()) == expected.word();
    }

    /// Fills in this participant's entry. A PE that reads a later change by this participant sees the entry too.
    void describe(int member, long lines, long config) {
        VarHandle.releaseFence(); // the lines are zeroed before others load them
        blockingChannel.putWord(lines, Long.BYTES, root, remote + entry(member) + 8);
        blockingChannel.putWord(config, Long.BYTES, root, remote + entry(member) + 16);
        awaitAll();
    }

    /// Copies all entries, for `claim`, `linesOf`, `config` and `flag`.
    void copyEntries() {
        blockingChannel.get(root, remote + ENTRIES, copy, 0, copy.byteSize());
    }

    /// Returns the flags and the PE of an entry; see [#pe].
    long claim(int member) {
        return copy.get(JAVA_LONG, member * ENTRY);
    }

    long linesOf(int member) {
        return copy.get(JAVA_LONG, member * ENTRY + 8);
    }

    long config(int member) {
        return copy.get(JAVA_LONG, member * ENTRY + 16);
    }

    /// Returns the PE of an entry's first word, or −1 if no PE has joined.
    static int pe(long claim) {
        return (int) claim - 1;
    }

    /// Sets the flag of a waiting participant.
    void flag(int member, int flag) {
        int pe = pe(claim(member));
        blockingChannel.putWord(
                flag, Long.BYTES, pe, conduit.remoteBase(Region.SYNC, pe) + flag(linesOf(member), member));
    }

    /// Returns the offset of a participant's flag in its sync area: the tag of its line to itself. The team later
    /// reads the flag as a tag that is older than any round.
    static long flag(long lines, int member) {
        return lines + member * JobSegment.LINE;
    }

    /// Waits until all puts are complete.
    void awaitAll() {
        blockingChannel.quiet(Channel.ALL_PEERS);
    }
}
