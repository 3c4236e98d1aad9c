// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.Optional;

/// One way of moving bytes between this PE and the others: their memory, and the [Channel]s to it. It never sees
/// teams or collectives.
///
/// A PE has two [Region]s that others can reach. A place in one is named by *(peer, remote)*, where `remote` is
/// [#remoteBase] plus an offset. Where [#directBase] is not 0 the peer's memory can be loaded and stored, and the
/// callers do just that, without a channel; otherwise they go through one, also to themselves. Some PEs may do the
/// one and some the other with the same word: the conduit's atomics agree with the processor's.
///
/// My own memory I can always load, from [#localBase] on: what has arrived there is seen by polling.
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

    /// Reserves the pages behind `[offset, offset + length)` of a region of mine, so that touching them can't
    /// fail.
    ///
    /// What is reserved of SYNC for the first time is zeroed; nobody else uses it yet.
    ///
    /// @return nothing, or why it can't be: one phrase with figures
    Optional<String> reserve(Region region, long offset, long length);

    /// Bytes of a PE's SYNC region, the same for all.
    long syncBytes();

    /// The address of my own region, for what I load and store in it myself.
    long localBase(Region region);

    /// The address at which operations on a peer's region, or on mine, can be loads and stores, or 0 where they go
    /// through a channel. PEs that can do so with each other form groups: whoever reaches a peer is reached by it,
    /// and reaches whom it reaches.
    long directBase(Region region, int peer);

    /// What `remote` starts from for this region of a peer.
    long remoteBase(Region region, int peer);

    /// Opens a channel; it ends with [Channel#close], or with the conduit. May be called by any thread.
    Channel openChannel();

    /// Whether several threads may call a channel at once.
    default boolean servesThreads() {
        return false;
    }

    /// Whether channels can order: whether [Channel#fence] does what it says. Otherwise the runtime holds back
    /// what comes after a fence until what came before it is complete.
    default boolean orders() {
        return true;
    }

    /// Advances what is under way, without blocking. Whoever waits calls it again and again.
    default void progress() {}

    /// Who wants to be told of what happens in my memory without a channel.
    default Optional<AccessObserver> observer() {
        return Optional.empty();
    }

    /// Gives back my heap and lets go of the others'. Addresses stay readable, as zeros.
    @Override
    void close();
}
