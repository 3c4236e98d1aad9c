// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.internal.world.Worlds;

/// All processing elements of a job, as one of them sees it: who I am, the memory we share, the team of everybody.
///
/// An SPMD program runs as `size()` processing elements (PEs), each a JVM of its own or a thread of one JVM. Each
/// joins the world and works:
///
/// ```java
/// World world = World.join();
/// SymmetricMemory inbox = world.allocate(Long.BYTES);
/// int right = (world.pe() + 1) % world.size();
/// world.context().putLong(inbox, 0, world.pe(), right);
/// world.team().barrier();
/// ```
///
/// A program that a launcher started need not close its world: when its main method returns, that is done for it. A
/// main method that throws leaves the world open on purpose: the PE has failed, and those who wait for it learn so.
/// (A `try` with the world as its resource would wait for the others in [#close] before the exception gets out.)
///
/// Threads: a world, its team and its default context are used by one thread of a PE at a time.
public interface World extends AutoCloseable {

    /// Joins the job that this PE was started in. Not collective: returns without waiting for the others.
    ///
    /// A program started by plain `java` is a job of one PE. After [#close] a PE may join again; then all must.
    ///
    /// Answers to `shmem_init`.
    ///
    /// @throws IllegalStateException if this PE has a world that is still open
    /// @throws CoterieException if the job that the environment names can't be reached; the message says why
    static World join() {
        return Worlds.join();
    }

    /// My number, in `[0, size())`. Answers to `shmem_my_pe`.
    int pe();

    /// How many PEs the job has. Answers to `shmem_n_pes`.
    int size();

    /// The team of all PEs, member `i` being PE `i`. Answers to `SHMEM_TEAM_WORLD`.
    Team team();

    /// The default context, through which this PE reads and writes the others' memory. Answers to
    /// `SHMEM_CTX_DEFAULT`.
    Context context();

    /// Allocates `byteSize` bytes on every PE, aligned to 128 bytes and zeroed on all of them.
    ///
    /// Same as `allocate(byteSize, 128)`.
    SymmetricMemory allocate(long byteSize);

    /// Allocates `byteSize` bytes on every PE, zeroed on all of them before anyone returns.
    ///
    /// **Collective**, agreeing: every PE calls it with the same arguments and all get the same verdict. The memory
    /// is reserved when it returns; touching it later can't fail.
    ///
    /// `byteSize` 0 gives an empty handle at once, without the others. Answers to `shmem_align`, `shmem_calloc`,
    /// `shmem_malloc_with_hints`.
    ///
    /// @param byteSize bytes on each PE, `0 ≤ byteSize`
    /// @param alignment a power of two in `[8, 2^30]`; the address has it on every PE
    /// @throws IllegalArgumentException on every PE, if the arguments of one are out of range
    /// @throws CollectiveMismatchException on every PE, if the arguments differ
    /// @throws SymmetricMemoryException on every PE, if one can't give its part
    SymmetricMemory allocate(long byteSize, long alignment, AllocationHint... hints);

    /// How this PE's symmetric heap is used now. Not collective.
    HeapStatistics heapStatistics();

    /// Whether there is such a PE, and one-sided operations can reach it. Answers to `shmem_pe_accessible`.
    ///
    /// @param pe any number
    boolean isAccessible(int pe);

    /// Ends the whole job now, with this exit code: the launcher stops all PEs and ends with `status`. Does not
    /// return.
    ///
    /// Any PE may call it, alone. Answers to `shmem_global_exit`.
    ///
    /// @param status exit code, in `[0, 255]`
    void abort(int status);

    /// Waits for all PEs, completes what they have under way, and gives the memory back.
    ///
    /// **Collective.** Handles of this world throw from then on. A second close does nothing. Answers to
    /// `shmem_finalize`.
    @Override
    void close();
}
