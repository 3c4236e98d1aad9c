// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.Optional;
import java.util.Set;

/// One way of moving bytes between this PE and the others: their memory, and the [Channel]s to it. It never sees
/// teams or collectives.
///
/// A PE has two [Region]s that others can reach. A place in a region is *(peer, remote)*, where `remote` is
/// [#remoteBase] plus an offset. If [#directBase] is not 0, the runtime loads and stores the peer's memory without
/// a channel; otherwise it uses a channel, for the PE's own memory too. PEs of both kinds may use the same word:
/// the conduit's atomics are atomic with respect to the processor's.
///
/// A PE can always load its own memory, from [#localBase] on, and polls it to see what has arrived.
public interface Conduit extends AutoCloseable {

    /// Makes conduits of one kind; a service. The setting CONDUIT chooses one for all PEs of a job.
    interface Provider {
        /// Returns the name for the setting CONDUIT and for messages: lower case, a letter, then letters, digits
        /// and `_`; neither "auto" nor "mapped".
        String name();

        /// Returns what the conduits of this JVM can do. `COTERIE_CONDUIT=auto` tries conduits with
        /// [Capability#PASSIVE_TARGET] before the others.
        Set<Capability> capabilities();

        /// Returns where `COTERIE_CONDUIT=auto` tries the conduit among those that have [Capability#PASSIVE_TARGET]
        /// as it has, or lack it as it does: conduits of higher numbers first, those of one number by name.
        default int preference() {
            return 0;
        }

        /// Returns what this machine or this JVM lacks for the conduit, and the remedy, in one phrase; an empty
        /// string if it lacks nothing. The runtime and `coterie info` may call it often.
        String missing();

        /// Returns what the conduit has found on this machine, such as its transports: one phrase for
        /// `coterie info`, or an empty string. The runtime calls it only if nothing is missing. It may take
        /// some 100 ms.
        default String description() {
            return "";
        }

        /// Returns why the conduit can't serve a job, in one phrase; empty if it can. All PEs must find the same
        /// answer. The runtime calls it only if nothing is missing.
        default Optional<String> refusal(PeJob job) {
            return Optional.empty();
        }

        /// Opens the conduit of a world, which closes it when it ends. It may [PeJob#put] what peers need to reach
        /// this PE; a fence of all PEs follows, before the runtime calls the conduit's first method.
        ///
        /// @throws coterie.CoterieException if that is impossible; the join fails with this exception
        Conduit open(ConduitContext context);
    }

    /// The memory of a PE that its peers can reach.
    enum Region {
        /// the words of synchronization rounds; exists from the start
        SYNC,
        /// the symmetric heap; exists from the first allocation on
        HEAP
    }

    /// Returns a short name, such as "mapped".
    String name();

    /// What a conduit may be able to do. The runtime supplies [#ORDERED] and [#THREADS] itself where a
    /// conduit lacks them.
    enum Capability {
        /// PEs of a node load and store each other's memory: [#directBase] is not 0 for all peers
        DIRECT,
        /// channels implement [Channel#fence]; otherwise the runtime defers the operations after a fence until
        /// those before it are complete
        ORDERED,
        /// several threads may call one channel at the same time; otherwise the runtime locks the channels of
        /// worlds at the level MULTIPLE
        THREADS,
        /// operations complete while their target computes; otherwise only while the target calls the runtime, and
        /// waiters nap for 20 µs at a time instead of up to 1 ms
        PASSIVE_TARGET,
        /// what it sends between nodes is encrypted as [ConduitContext#encryption] says, or it sends nothing between
        /// nodes; otherwise the runtime refuses the conduit where the setting ENCRYPTION is not none
        ENCRYPTED
    }

    /// Makes the caller's heap, `byteSize` bytes of address space without reserved pages.
    ///
    /// @return a description for the peers' [#attachHeap], such as a remote key: any number of bytes, which may
    ///     differ from PE to PE. The first 47 bytes cost no round of their own.
    /// @throws coterie.CoterieException if it can't be made; then no PE can allocate
    byte[] createHeap(long byteSize);

    /// Makes a heap reachable. Every PE attaches the heaps of all PEs in one allocation.
    ///
    /// @param peer the owner of the heap; the caller too
    /// @param description from the owner's [#createHeap]
    /// @throws coterie.CoterieException if the caller can't reach it; then no PE can allocate
    void attachHeap(int peer, byte[] description);

    /// Reserves the pages of `[offset, offset + length)` of a region of the caller, so that no access to them can
    /// fail. Pages of SYNC are zero when they are first reserved; no peer uses them yet.
    ///
    /// @return empty on success, otherwise the reason: one phrase with figures
    Optional<String> reserve(Region region, long offset, long length);

    /// Returns the bytes of a PE's SYNC region, the same for all.
    long syncBytes();

    /// Returns the address of the caller's own region, for its own loads and stores.
    long localBase(Region region);

    /// Returns the address for loads and stores of a region of a peer or of the caller, or 0 if operations must
    /// use a channel. This relation is symmetric and transitive: it divides the PEs into groups.
    long directBase(Region region, int peer);

    /// Returns the base of `remote` for a region of a peer.
    long remoteBase(Region region, int peer);

    /// Opens a channel, which lives until [Channel#close] or the close of the conduit. Any thread may call it.
    Channel openChannel();

    /// Returns what the conduit can do beyond the least; the same at each call.
    Set<Capability> capabilities();

    /// Advances what is under way, the operations of peers on this PE's memory too, without blocking. Waiters call
    /// it repeatedly, and so do PEs that test their own words or read them in a loop, several threads at the same
    /// time.
    default void progress() {}

    /// Returns a number that grows when anything has arrived, whichever thread has taken it; always the same where
    /// the conduit can't tell. A waiter that sees it grow does not nap: peers call this PE, and the waiter serves
    /// them faster than a thread of the conduit that has to be woken. Any thread may call it.
    default long arrivals() {
        return 0;
    }

    /// Returns whether no operation that this PE has begun is under way: all have been applied where they go. Asked
    /// in waits that last, by any thread. A conduit that can't tell returns false: what still travels may end a
    /// wait, so that no such job is called a deadlock.
    default boolean isQuiet() {
        return false;
    }

    /// Sets what a thread of the conduit calls after it has advanced something, if the conduit has a thread: the
    /// task starts operations that the runtime has deferred, since what was in their way may be complete now. It
    /// calls channels, never waits, and serves several threads at the same time. The runtime calls this at most
    /// once, before it opens a channel.
    default void afterAdvance(Runnable task) {}

    /// Returns the observer of accesses that use no channel, if the conduit has one.
    default Optional<AccessObserver> observer() {
        return Optional.empty();
    }

    /// Releases the caller's heap and detaches the others'. Their addresses stay readable, as zeros.
    @Override
    void close();
}
