// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.internal.world.Worlds;
import java.time.Duration;

/// All processing elements of a job, as one of them sees it: who I am, the memory we share, the team of everybody.
///
/// An SPMD program runs as `size()` processing elements (PEs), each a JVM of its own or a thread of one JVM. Each
/// joins the world and works:
///
/// ```java
/// World world = World.join();
/// Integers inbox = world.allocate(Long.BYTES).longs();
/// int right = (world.pe() + 1) % world.size();
/// inbox.put(0, world.pe(), right);
/// world.team().barrier();
/// ```
///
/// A program that a launcher started need not close its world: when its main method returns, that is done for it.
/// A main method that throws leaves the world open on purpose: the PE has failed, and those who wait for it learn
/// so. (A `try` with the world as its resource would wait for the others in [#close] before the exception gets
/// out.)
///
/// Joins nest, so that a library may join in a program that has joined: each join has a handle of its own, all of
/// them on the same world, and each is undone by one [#close] of that handle. The last close ends the world. After
/// that a PE may join again, all together, any number of times.
///
/// How threads may use a world is decided by its first join, see [ThreadLevel]; a team's collectives are called by
/// one thread of a PE at a time at every level.
public interface World extends AutoCloseable {

    /// Joins at the highest level of threads: same as `join(ThreadLevel.MULTIPLE)`, which costs nothing on mapped
    /// memory but some nanoseconds in a collective. Answers to `shmem_init`.
    static World join() {
        return join(ThreadLevel.MULTIPLE);
    }

    /// Joins the job that this PE was started in. Not collective: returns without waiting for the others.
    ///
    /// Where this PE has a world that is open, this is one more join of it, at the level of the first. A program
    /// started by plain `java` is a job of one PE, to which all its threads belong. Answers to
    /// `shmem_init_thread`.
    ///
    /// @throws IllegalStateException if another thread is closing this PE's world at this moment, or if the
    ///     calling thread belongs to none of several PEs that share a process, as one of the common pool does
    /// @throws CoterieException if the job that the environment names can't be reached; the message says why
    static World join(ThreadLevel level) {
        return Worlds.join(level);
    }

    /// Whether this PE has a world that is open. Answers to `shmem_query_initialized`.
    static boolean isJoined() {
        return Worlds.isJoined();
    }

    /// How threads may use this world: what its first join asked for. Answers to `shmem_query_thread`.
    ThreadLevel threadLevel();

    /// My number, in `[0, size())`. Answers to `shmem_my_pe`.
    int pe();

    /// How many PEs the job has. Answers to `shmem_n_pes`.
    int size();

    /// The team of all PEs, member `i` being PE `i`. Answers to `SHMEM_TEAM_WORLD`.
    Team team();

    /// The team of the PEs whose memory I can load and store, and they mine, in the order of their world numbers:
    /// [SymmetricMemory#segment(int)] is there for them and for nobody else. Answers to `SHMEM_TEAM_SHARED`,
    /// `NVSHMEM_TEAM_SHARED`.
    Team sharedTeam();

    /// The team of the PEs of my node, in the order of their world numbers. Answers to `NVSHMEMX_TEAM_NODE`.
    Team nodeTeam();

    /// The team of the PEs that have the same number in their node's team as I have in mine, one of each node that
    /// has so many PEs, in the order of the nodes. Nodes need not be of one size. Answers to
    /// `NVSHMEMX_TEAM_SAME_MYPE_NODE`.
    Team sameIndexTeam();

    /// Makes the id of a team that is to be formed by [#formTeam]: by me as its *root*, where its members will
    /// meet; I need not be one of them. Not collective. Answers to `nvshmemx_team_get_uniqueid`.
    ///
    /// An id is good for one team. One that nobody uses keeps some memory of mine until the world closes.
    ///
    /// @throws CoterieException if there is no memory for it
    TeamId newTeamId();

    /// Same as `formTeam(id, size, member, TeamConfig.DEFAULT, Duration.ofSeconds(60))`.
    default Team formTeam(TeamId id, int size, int member) {
        return formTeam(id, size, member, TeamConfig.DEFAULT, Duration.ofSeconds(60));
    }

    /// Forms a team of `size` PEs that each bring the same id and a number of their own: any PEs in any order,
    /// without a word with those that are not in it.
    ///
    /// Collective over the new team alone. All members get the same verdict, and a team is formed for all of them
    /// or for none: who comes too late, or as one too many, is refused alone. Answers to `nvshmemx_team_init`.
    ///
    /// @param id from [#newTeamId] of one PE
    /// @param size members of the new team, in `[1, size()]`, the same on all
    /// @param member my number in it, in `[0, size)`, different on all
    /// @param config the same on all
    /// @param timeout how long to wait for the others, more than 0
    /// @throws IllegalArgumentException if an argument is out of range: on this PE alone, which has not come then
    /// @throws CollectiveMismatchException on every member, if two bring the same number, or sizes or configs
    ///     differ
    /// @throws WaitTimeoutException on every member, if not all have come when the first one's time is over; names
    ///     the numbers that are missing
    /// @throws PeFailedException on every member, if one that had come has failed, or so many PEs that the team
    ///     can't be complete
    /// @throws CoterieException on every member, if one has no memory for the team
    /// @throws IllegalStateException if the id's team has been formed or given up already; says why, where that is
    ///     still known
    Team formTeam(TeamId id, int size, int member, TeamConfig config, Duration timeout);

    /// The default context, which views of symmetric memory go through unless told otherwise. Answers to
    /// `SHMEM_CTX_DEFAULT`.
    Context context();

    /// Allocates `byteSize` bytes on every PE, aligned to 128 bytes and zeroed on all of them.
    ///
    /// Same as `allocate(byteSize, 128)`.
    SymmetricMemory allocate(long byteSize);

    /// Allocates `byteSize` bytes on every PE, zeroed on all of them before anyone returns.
    ///
    /// **Collective**, agreeing: every PE calls it with the same arguments and all get the same verdict. The
    /// memory is reserved when it returns; touching it later can't fail.
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

    /// The clock by which my timeouts count, in nanoseconds of no particular origin: the machine's monotonic one,
    /// and virtual time in a simulated network. Only differences mean something: those of one PE, and in a
    /// simulated network those between PEs, too.
    long nanoTime();

    /// Ends the whole job now, with this exit code: the launcher stops all PEs and ends with `status`. Does not
    /// return.
    ///
    /// Any PE may call it, alone, from any thread. Answers to `shmem_global_exit`.
    ///
    /// @param status exit code, in `[0, 255]`
    void abort(int status);

    /// Undoes the join that this handle came from; a second close of the same handle does nothing. All but the
    /// last are a barrier, free nothing and leave the world open. The last waits for all PEs, completes what they
    /// have under way, gives the memory back, and closes what contexts are left.
    ///
    /// **Collective.** After the last close everything of this world throws. Where PEs have failed or calls do not
    /// match, a close throws what [Team#barrier] would, and has undone its join all the same; in a large world,
    /// see [Team], it has then waited for nobody. Answers to
    /// `shmem_finalize`.
    ///
    /// @throws WrongThreadException if another thread joined the world at SINGLE or FUNNELED; nothing is undone
    /// @throws IllegalStateException if another thread of this PE is in a collective; nothing is undone. Or if
    ///     private contexts of other threads were still open at the last close; the world has ended all the same
    @Override
    void close();
}
