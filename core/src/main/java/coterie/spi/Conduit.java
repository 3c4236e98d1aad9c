// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import coterie.AtomicOperation;
import coterie.SignalUpdate;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// One way of moving bytes between this PE and the others. It never sees teams or collectives.
///
/// A PE has two [Region]s that others can reach. A place in one is named by *(peer, remote)*, where `remote` is
/// [#remoteBase] plus an offset. Where [#directBase] is not 0 the peer's memory can be loaded and stored, and the
/// callers do just that, without the conduit; otherwise they use the operations below. Some PEs may do the one and
/// some the other with the same word: the conduit's atomics agree with the processor's.
///
/// An operation that returns a *ticket* may be under way still: 0 means complete, any other value is for [#isDone].
/// One thread of a PE calls a conduit at a time.
public interface Conduit extends AutoCloseable {

    /// The memory of a PE that its peers can reach.
    enum Region {
        /// there from the start: where collectives meet
        SYNC,
        /// the symmetric heap, there from the first allocation on
        HEAP
    }

    /// A short name, such as "mapped".
    String name();

    /// Makes my heap, `byteSize` bytes of address space of which nothing is reserved yet, and describes it for my
    /// peers.
    ///
    /// @return what a peer's [#attachHeap] needs, [#DESCRIPTOR_WORDS] words
    long[] createHeap(long byteSize);

    /// Words of a heap's description.
    int DESCRIPTOR_WORDS = 2;

    /// Makes a peer's heap reachable; collective in effect, since every PE attaches all others' heaps in one
    /// allocation.
    ///
    /// @param descriptor the peer's [#createHeap]; mine where `peer` is myself
    void attachHeap(int peer, long[] descriptor);

    /// Reserves the pages behind `[offset, offset + length)` of a region of mine, so that touching them can't fail.
    ///
    /// What is reserved of SYNC for the first time is zeroed; nobody else uses it yet.
    ///
    /// @return nothing, or why it can't be: one phrase with figures
    Optional<String> reserve(Region region, long offset, long length);

    /// Bytes of a PE's SYNC region, the same for all.
    long syncBytes();

    /// The address at which a peer's region can be loaded and stored, or 0. PEs that can do so with each other form
    /// groups: whoever reaches a peer is reached by it, and reaches whom it reaches.
    long directBase(Region region, int peer);

    /// What `remote` starts from for this region of a peer.
    long remoteBase(Region region, int peer);

    /// Starts copying bytes of mine to a peer.
    ///
    /// @return the ticket that is done when `source` may be reused
    long put(MemorySegment source, long sourceOffset, long length, int peer, long remote);

    /// Starts copying bytes of a peer into mine.
    ///
    /// @return the ticket that is done when the bytes are in `target`
    long get(int peer, long remote, MemorySegment target, long targetOffset, long length);

    /// Starts copying bytes of mine to a peer, and then updating a signal there: whoever sees the update sees the
    /// bytes.
    ///
    /// @param signal the place of the signal's 8 bytes, as `remote`
    /// @return the ticket that is done when `source` may be reused
    long putSignal(
            MemorySegment source,
            long sourceOffset,
            long length,
            int peer,
            long remote,
            long signal,
            SignalUpdate update,
            long value);

    /// Stores the low `bytes` bytes of `word`, indivisibly; the word is taken at once.
    ///
    /// @param bytes 1, 2, 4 or 8
    void putWord(long word, int bytes, int peer, long remote);

    /// Loads a word, indivisibly, into the `bytes` bytes at `result`.
    ///
    /// @param bytes 1, 2, 4 or 8
    /// @return the ticket that is done when the word is there
    long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset);

    /// Does an atomic operation on a word, indivisibly with all others on it; the word before comes to the `bytes`
    /// bytes at `result`.
    ///
    /// @param bytes 1, 2, 4 or 8; what lies beside the word stays as it is
    /// @return the ticket that is done when the old word is there
    long atomic(
            AtomicOperation operation,
            long operand,
            int bytes,
            int peer,
            long remote,
            MemorySegment result,
            long resultOffset);

    /// [#atomic] where nobody asks what was there.
    void update(AtomicOperation operation, long operand, int bytes, int peer, long remote);

    /// Replaces a word by `value` if it holds `expected`, indivisibly with all atomics on it; the word before comes
    /// to the `bytes` bytes at `result`.
    ///
    /// @param bytes 1, 2, 4 or 8; what lies beside the word stays as it is
    /// @return the ticket that is done when the old word is there
    long compareAndSwap(
            long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset);

    /// Orders puts before it ahead of puts after it, towards each peer. Does not wait.
    void fence();

    /// Stands for every peer in [#quiet].
    int ALL_PEERS = -1;

    /// Starts completing all operations so far.
    ///
    /// @param peer those towards it at least, or [#ALL_PEERS]
    /// @return the ticket that is done when what was put is visible to every PE, and what was fetched is there
    long quiet(int peer);

    /// Whether the operation behind a ticket is done; advances what is under way, without blocking.
    boolean isDone(long ticket);

    /// Gives back my heap and lets go of the others'. Addresses stay readable, as zeros.
    @Override
    void close();
}
