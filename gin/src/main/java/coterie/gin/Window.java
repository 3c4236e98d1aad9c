// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import coterie.ElementType;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import java.lang.foreign.MemorySegment;
import java.util.Set;

/// A range of symmetric memory that operations of a communicator read and write: its place may differ from rank to
/// rank, and so may its size. [DeviceCommunicator#registerWindow] makes it.
///
/// Offsets count bytes from the begin of the window of the rank that an operation names.
/// @counterpart `ncclWindow_t`
public final class Window implements AutoCloseable {
    private final DeviceCommunicator comm;
    private final int number;
    private final SymmetricMemory memory;
    private final Set<WindowFlag> flags;

    /// of each rank, in the memory
    private final long[] bases;

    private final long[] sizes;
    private final boolean isStrict;
    private final MemorySegment segment;

    // by context
    private final IntegerView[] bytes;
    private final IntegerView[] shorts;
    private final IntegerView[] ints;
    private final IntegerView[] longs;

    private volatile boolean isClosed;

    Window(
            DeviceCommunicator comm,
            int number,
            SymmetricMemory memory,
            Set<WindowFlag> flags,
            long[] bases,
            long[] sizes) {
        this.comm = comm;
        this.number = number;
        this.memory = memory;
        this.flags = flags;
        this.bases = bases;
        this.sizes = sizes;
        this.isStrict = flags.contains(WindowFlag.STRICT_ORDERING);
        this.segment = memory.segment();
        int contexts = comm.layout().contexts;
        this.bytes = new IntegerView[contexts];
        this.shorts = new IntegerView[contexts];
        this.ints = new IntegerView[contexts];
        this.longs = new IntegerView[contexts];
        for (int context = 0; context < contexts; context++) {
            var through = comm.context(context).context;
            bytes[context] = memory.bytes().through(through);
            shorts[context] = memory.shorts().through(through);
            ints[context] = memory.ints().through(through);
            longs[context] = memory.longs().unsigned().through(through);
        }
    }

    /// Returns the block of symmetric memory that has the window.
    public SymmetricMemory memory() {
        return memory;
    }

    /// Returns the window's flags.
    public Set<WindowFlag> flags() {
        return flags;
    }

    /// Returns the bytes of the caller's window.
    public long byteSize() {
        return sizes[comm.rank()];
    }

    /// Returns the bytes of a rank's window.
    ///
    /// @param rank in `[0, n)`, as the communicator counts
    public long byteSize(int rank) {
        comm.checks().checkRank("byteSize", rank);
        return sizes[rank];
    }

    /// Returns the caller's window, for loads and stores.
    /// @counterpart `ncclGetLocalPointer`
    public MemorySegment local() {
        checkOpen("local");
        return segment.asSlice(bases[comm.rank()], sizes[comm.rank()]);
    }

    /// Returns a rank's window, for loads and stores.
    /// @counterpart `ncclGetPeerPointer`, `ncclGetLsaPointer`, `ncclGetPeerDevicePointer`,
    ///     `ncclGetLsaDevicePointer`; outside the LSA team it throws
    /// @param team as in operations
    /// @param peer in `[0, team.size())`
    /// @throws GinException with [GinError#NOT_CONNECTED] if the caller can't load and store the rank's memory;
    ///     NCCL's device function does not look
    public MemorySegment segment(GinTeam team, int peer) {
        checkOpen("segment");
        int rank = comm.checks().toRank("segment", "team", team, peer);
        return memory.segment(comm.coterieTeam(), rank)
                .map(whole -> whole.asSlice(bases[rank], sizes[rank]))
                .orElseThrow(() -> new GinException(
                        GinError.NOT_CONNECTED,
                        "segment of " + this + ": rank " + comm.rank() + " can't load and store the memory of rank "
                                + rank + "; put and get, or ask ranks of the LSA team"));
    }

    /// Returns a pointer to an element of the window.
    /// @counterpart an `ncclSymPtr` of a window
    public SymmetricPointer pointer(long byteOffset, ElementType type) {
        comm.checks().checkNotNull("pointer of " + this, "type", type);
        return new SymmetricPointer(this, byteOffset, type);
    }

    /// Ends the caller's use of the window, and waits for no rank: it completes the caller's own operations of the
    /// window, and every later one throws. The memory stays, and others may go on with their windows of it, also
    /// with the caller's part, until the program closes the memory. A second close does nothing.
    ///
    /// @throws coterie.WaitTimeoutException if the caller's operations are not complete at the timeout of the
    ///     communicator; the window has ended all the same
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            comm.windows().close(this);
        }
    }

    /// Ends the window on all ranks: on return no rank's operation of it is under way. The memory stays.
    ///
    /// **Collective** over the communicator's team, agreeing.
    /// @counterpart `ncclCommWindowDeregister`; operations under way are reported
    /// @throws GinException with [GinError#PENDING] on all ranks, if operations of one of them are not complete;
    ///     flush before. The window stays
    public void deregister() {
        checkOpen("deregister");
        comm.windows().deregister(this);
        isClosed = true;
    }

    boolean isClosed() {
        return isClosed;
    }

    /// Its communicator has closed.
    void end() {
        isClosed = true;
    }

    boolean isStrict() {
        return isStrict;
    }

    MemorySegment segment() {
        return segment;
    }

    long base(int rank) {
        return bases[rank];
    }

    IntegerView bytes(int context) {
        return bytes[context];
    }

    /// Returns the memory as unsigned words.
    IntegerView longs(int context) {
        return longs[context];
    }

    /// Returns the index of a word of a rank's window in [#longs].
    long word(int rank, long byteOffset) {
        return (bases[rank] + byteOffset) / Long.BYTES;
    }

    /// Stores the low bytes of a value at a direct rank, in one store if their place allows it.
    void putWord(int context, long place, long value, int count, int rank) {
        boolean isAligned = place % count == 0;
        switch (isAligned ? count : 0) {
            case Byte.BYTES -> bytes[context].put(place, value, rank);
            case Short.BYTES -> shorts[context].put(place / Short.BYTES, value, rank);
            case Integer.BYTES -> ints[context].put(place / Integer.BYTES, value, rank);
            case Long.BYTES -> longs[context].put(place / Long.BYTES, value, rank);
            default -> {
                for (int i = 0; i < count; i++) {
                    bytes[context].put(place + i, value >>> (i * Byte.SIZE), rank);
                }
            }
        }
    }

    /// Checks a range of a rank's window.
    void check(GinContext context, String operation, int rank, long offset, long count) {
        if (isClosed || (offset | count) < 0 || offset > sizes[rank] - count) {
            throw outside(context.where(operation), rank, offset, count);
        }
    }

    /// Checks a word of a rank's window as a VA signal.
    void checkSignal(GinContext context, String operation, int rank, long offset) {
        if (!isStrict) {
            throw new GinException(
                    GinError.NOT_STRICT,
                    context.where(operation) + ": " + this + " lacks the flag STRICT_ORDERING, which VA signals need;"
                            + " register the window with it");
        }
        if (isClosed || offset < 0 || offset > sizes[rank] - Long.BYTES) {
            throw outside(context.where(operation), rank, offset, Long.BYTES);
        }
        if (offset % Long.BYTES != 0) {
            throw new IllegalArgumentException(context.where(operation) + ": the VA signal at byte " + offset + " of "
                    + this + "; allowed are multiples of 8");
        }
    }

    private RuntimeException outside(String where, int rank, long offset, long count) {
        return isClosed
                ? closed(where)
                : new IndexOutOfBoundsException(where + ": " + count + " bytes at offset " + offset + " of " + this
                        + " of rank " + rank + ", which has " + sizes[rank] + " bytes; allowed are ranges in [0, "
                        + sizes[rank] + ")");
    }

    private IllegalStateException closed(String where) {
        return new IllegalStateException(where + ": " + this + " is deregistered");
    }

    private void checkOpen(String operation) {
        if (isClosed) {
            throw closed(operation);
        }
    }

    DeviceCommunicator communicator() {
        return comm;
    }

    @Override
    public String toString() {
        return "window " + number;
    }
}
