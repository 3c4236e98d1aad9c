// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.internal.world.Worlds;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;

/// All processing elements of a job, as one of them sees it: its number, the memory that all share, the team of
/// all. Only Coterie implements it.
///
/// An SPMD program runs as `size()` processing elements (PEs), each a JVM of its own or a thread of one JVM. Each
/// joins the world and works:
///
/// ```java
/// World world = World.join();
/// LongView inbox = world.allocate(Long.BYTES).longs();
/// int right = (world.pe() + 1) % world.size();
/// inbox.put(0, world.pe(), right);
/// world.team().barrier();
/// ```
///
/// **Closing.** A program that a launcher started need not close its world: the runtime closes it when `main`
/// returns, also under `mpirun` and `srun`, if the thread of `main` was the first to join. If `main` throws, the
/// world stays open on purpose: the PE has failed, and PEs that wait for it get a [PeFailedException] or end with
/// the job. [#close] is collective, so do not make a world the resource of a `try`: an exception
/// inside would first run the close, which waits for PEs that may be waiting for the caller.
///
/// **Joins nest**, so that a library may join in a program that has joined. Each join returns a handle of its own
/// on the same world, and one [#close] of that handle undoes it. The last close ends the world. After that all PEs
/// may join again, any number of times, unless PEs have failed or the world's own team was revoked: then each has
/// closed without the others.
///
/// The first join decides how threads may use the world, see [ThreadLevel]; at every level one thread of a PE at a
/// time calls the collectives of a team.
///
/// **Interrupts** end no operation. A thread that is interrupted before or during an operation completes it, and
/// its interrupt flag is set afterwards. To end a wait, pass a timeout.
public interface World extends AutoCloseable {

    /// Joins at the highest level of threads, which costs nothing on mapped memory but some nanoseconds in a
    /// collective: same as `join(ThreadLevel.MULTIPLE)`.
    /// @counterpart `shmem_init`
    static World join() {
        return join(ThreadLevel.MULTIPLE);
    }

    /// Joins the job in which this PE was started. Not collective: returns without waiting for other PEs.
    ///
    /// If this PE has an open world, this is one more join of it, at the level of the first. A program started by
    /// plain `java` is a job of one PE, to which all its threads belong.
    /// @counterpart `shmem_init_thread`
    /// @throws IllegalStateException if another thread is closing this PE's world at this moment; if this PE has
    ///     closed a world of this job without the others, after a failure or a revocation; or if several PEs share
    ///     the process and the calling thread belongs to none of them, as a thread of the common pool
    /// @throws CoterieException if the job that the environment names can't be reached; the message has the reason
    static World join(ThreadLevel level) {
        return Worlds.join(Objects.requireNonNull(level, "World.join: level is null"));
    }

    /// Returns whether this PE has an open world.
    /// @counterpart `shmem_query_initialized`, `nvshmemx_init_status`
    static boolean isJoined() {
        return Worlds.isJoined();
    }

    /// Returns the level of threads of this world's first join.
    /// @counterpart `shmem_query_thread`
    ThreadLevel threadLevel();

    /// Returns the caller's number, in `[0, size())`.
    /// @counterpart `shmem_my_pe`
    int pe();

    /// Returns the number of PEs of the job.
    /// @counterpart `shmem_n_pes`
    int size();

    /// Returns the team of all PEs; its member `i` is PE `i`.
    /// @counterpart `SHMEM_TEAM_WORLD`, `NVSHMEM_TEAM_WORLD`
    Team team();

    /// Returns the team of the PEs whose memory the caller can load and store, and which can load and store the
    /// caller's, in the order of their world numbers. [SymmetricMemory#segment(int)] is present for exactly these
    /// PEs.
    /// @counterpart `SHMEM_TEAM_SHARED`, `NVSHMEM_TEAM_SHARED`
    Team sharedTeam();

    /// Returns the team of the PEs of the caller's node, in the order of their world numbers.
    /// @counterpart `NVSHMEMX_TEAM_NODE`
    Team nodeTeam();

    /// Returns the team of the PEs that have, in their nodes' teams, the caller's number in its own: one of each
    /// node with so many PEs, in the order of the nodes. Nodes need not be of one size.
    /// @counterpart `NVSHMEMX_TEAM_SAME_MYPE_NODE`
    Team sameIndexTeam();

    /// Makes the id of a team for [#formTeam]. The caller, its *root*, need not be a member. Not collective.
    ///
    /// An id is good for one team. An unused id takes some memory of the caller until the world closes.
    /// @counterpart `nvshmemx_team_get_uniqueid`
    /// @throws CoterieException if there is no memory for it
    TeamId newTeamId();

    /// Forms a team with [TeamConfig#DEFAULT], and a timeout of 60 seconds.
    default Team formTeam(TeamId id, int size, int member) {
        return formTeam(id, size, member, TeamConfig.DEFAULT, Duration.ofSeconds(60));
    }

    /// Forms a team of `size` PEs that pass the same id, and each its own number: any PEs, in any order. Other PEs
    /// do not participate.
    ///
    /// **Collective** over the new team alone, agreeing as [Team] defines it, but for arguments out of range,
    /// which throw on the caller alone. A PE that calls too late, or in excess, throws alone as well.
    /// @counterpart `nvshmemx_team_init`
    /// @param id from [#newTeamId] of one PE
    /// @param size members of the new team, in `[1, size()]`, the same on all
    /// @param member the caller's number in the new team, in `[0, size)`, different on all
    /// @param config the same on all
    /// @param timeout how long to wait for the others, more than 0
    /// @throws WaitTimeoutException on every member that has called, if one is missing when the first timeout
    ///     expires; the message has the missing numbers
    /// @throws PeFailedException on every member, if a PE that had called has failed, or so many PEs that the team
    ///     can't be complete
    /// @throws CollectiveMismatchException on every member, if two pass the same number, or different sizes; on a
    ///     member that calls later, too
    /// @throws IllegalStateException if the id's team is formed already, or abandoned for another reason; the
    ///     message has the reason, if it is still known
    Team formTeam(TeamId id, int size, int member, TeamConfig config, Duration timeout);

    /// Returns the numbers of the PEs that have failed, ascending. Does not wait.
    /// @counterpart `failed_images`
    default int[] failedPes() {
        return team().failedPes();
    }

    /// Returns the numbers of the PEs that have ended without a failure, ascending. Does not wait.
    /// @counterpart `stopped_images`
    default int[] stoppedPes() {
        return team().stoppedPes();
    }

    /// Returns the default context, which views go through at first.
    /// @counterpart `SHMEM_CTX_DEFAULT`
    Context context();

    /// Allocates `byteSize` bytes on every PE, aligned to 128 bytes and zeroed: same as `allocate(byteSize, 128)`.
    SymmetricMemory allocate(long byteSize);

    /// Allocates `byteSize` bytes on every PE, zeroed on all of them before any PE returns.
    ///
    /// **Collective**, agreeing as [Team] defines it. The memory is reserved on return; a later access can't fail.
    /// `byteSize` 0 returns an empty handle immediately, without other PEs.
    /// @counterpart `shmem_malloc`, `shmem_calloc`, `shmem_align`, `shmem_malloc_with_hints`
    /// @param byteSize bytes on each PE, `0 ≤ byteSize`
    /// @param alignment a power of two in `[1, 2^30]`; the address has it on every PE, and is a multiple of 8
    /// @throws SymmetricMemoryException on every PE, if one can't provide its part
    SymmetricMemory allocate(long byteSize, long alignment, AllocationHint... hints);

    /// Returns the present use of this PE's symmetric heap. Not collective.
    HeapStatistics heapStatistics();

    /// Returns whether the world has this PE, and one-sided operations can reach it.
    /// @counterpart `shmem_pe_accessible`
    /// @param pe any number
    boolean isAccessible(int pe);

    /// Advances, without waiting, what this PE has under way: the operations of the conduit, those of peers on
    /// this PE's memory included, all requests, and each [coterie.spi.ProgressHook]. A program that waits for
    /// nothing calls it in its loop; each wait does the same by itself.
    ///
    /// Threads: at SINGLE and FUNNELED the thread that joined, otherwise any, several at a time only at MULTIPLE.
    /// @counterpart `ucp_worker_progress`, `ucc_context_progress`
    /// @return whether a request or a hook has moved; a conduit does not tell
    boolean progress();

    /// Waits until a condition holds, and advances meanwhile all that [#progress] advances. For what a hook or a
    /// request of this PE brings about; words of symmetric memory have waits of their own, which also end when
    /// PEs fail.
    ///
    /// Threads: as [#progress].
    ///
    /// @param condition polled by the caller between two advances. It must not wait
    /// @throws IllegalStateException in a [coterie.spi.ProgressHook], which must not wait
    /// @throws CoterieException if the job is aborted
    /// @throws RuntimeException that the condition throws
    void progressUntil(BooleanSupplier condition);

    /// Ends the whole job now: the launcher stops all PEs and ends with `status`. Any thread of any PE may call
    /// it, alone. It does not return: the result is for `throw world.abort(3)`, after which the compiler asks
    /// for no more.
    /// @counterpart `shmem_global_exit`
    /// @param status exit code, in `[0, 255]`
    RuntimeException abort(int status);

    /// Makes this PE fail, as `kill -9` would: the waits of other PEs that depend on this one end, and
    /// `--on-failure` decides about the rest of the job. Closes no world, and runs no shutdown hooks. Any
    /// thread may call it, alone. It does not return: write `throw world.fail()`.
    ///
    /// A PE that is a process ends with exit code 137. A PE that is a thread of a host, also in a simulator,
    /// counts as ended with 137: an [Error] ends the calling thread, which must not catch it, and the PE's other
    /// threads get an exception from each operation on the world.
    /// @counterpart `FAIL IMAGE` of Fortran
    RuntimeException fail();

    /// Undoes the join that returned this handle; a second close of the same handle does nothing. Every close but
    /// the last is a barrier, frees nothing and leaves the world open. The last waits for all PEs, completes their
    /// operations under way, frees the memory, and closes all contexts; then everything of this world throws.
    ///
    /// **Collective.** If PEs have failed or calls do not match, a close throws the exception of [Team#barrier],
    /// and has undone its join all the same. After a failure it does not wait for other PEs; where others have
    /// called another collective, it waits until they close as well.
    /// @counterpart `shmem_finalize`
    /// @throws WrongThreadException if another thread joined the world at SINGLE or FUNNELED; nothing is undone
    /// @throws IllegalStateException if another thread of this PE is in a collective; nothing is undone. Or if
    ///     private contexts of other threads were still open at the last close; the world has ended all the same
    @Override
    void close();
}
