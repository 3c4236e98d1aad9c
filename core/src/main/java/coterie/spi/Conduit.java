// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// One way of moving bytes between this PE and the others. It never sees teams or collectives.
///
/// A PE has two [Region]s that others can reach. A place in one is named by *(peer, remote)*, where `remote` is
/// [#remoteBase] plus an offset. Where [#directBase] is not 0 the peer's memory can be loaded and stored, and the
/// callers do just that, without the conduit; otherwise they use the operations below.
///
/// An operation that returns a *ticket* may be under way still: 0 means complete, any other value is for [#isDone].
/// One thread of a PE calls a conduit at a time.
public interface Conduit extends AutoCloseable {

    /// The memory of a PE that its peers can reach.
    enum Region {
        /// small, there from the start: where collectives meet
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

    /// Reserves the pages of my heap behind `[offset, offset + length)`, so that touching them can't fail.
    ///
    /// @return nothing, or why it can't be: one phrase with figures
    Optional<String> reserve(long offset, long length);

    /// The address at which a peer's region can be loaded and stored, or 0.
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

    /// Stores the low `bytes` bytes of `word`, indivisibly; the word is taken at once.
    ///
    /// @param bytes 4 or 8
    void putWord(long word, int bytes, int peer, long remote);

    /// Loads `bytes` bytes, indivisibly and zero-extended, into the 8 bytes at `result`.
    ///
    /// @param bytes 4 or 8
    /// @return the ticket that is done when the word is there
    long getWord(int bytes, int peer, long remote, MemorySegment result);

    /// Adds to a 64-bit word, indivisibly with all other atomics on it; the word before comes to `result`.
    ///
    /// @return the ticket that is done when the old word is there
    long fetchAdd(long delta, int peer, long remote, MemorySegment result);

    /// Replaces a 64-bit word by `value` if it holds `expected`, indivisibly with all other atomics on it; the word
    /// before comes to `result`.
    ///
    /// @return the ticket that is done when the old word is there
    long compareAndSwap(long expected, long value, int peer, long remote, MemorySegment result);

    /// Orders puts before it ahead of puts after it, towards each peer. Does not wait.
    void fence();

    /// Starts completing all puts so far.
    ///
    /// @return the ticket that is done when they are visible to every PE
    long quiet();

    /// Whether the operation behind a ticket is done; advances what is under way, without blocking.
    boolean isDone(long ticket);

    /// Gives back my heap and lets go of the others'. Addresses stay readable, as zeros.
    @Override
    void close();
}
