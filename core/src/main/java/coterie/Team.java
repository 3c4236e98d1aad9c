// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;
import java.util.Objects;
import java.util.Optional;

/// An ordered set of PEs, its *members*, numbered from 0, that act in *collectives*. Only Coterie implements it.
///
/// A world has four teams from the start: [World#team], [World#sharedTeam], [World#nodeTeam],
/// [World#sameIndexTeam]. A program makes more when it splits a team or calls [World#formTeam]:
///
/// ```java
/// Team.Axes grid = world.team().split2D(columns);
/// Team row = grid.x();
/// double norm = row.allReduce(Reduction.MAX, localNorm);
/// ```
///
/// **Collectives.** Every member calls the same collectives in the same order. They match by that order alone, so
/// the next one may follow immediately. If members call different collectives, or pass different values of
/// arguments that must agree, they get a [CollectiveMismatchException] with the call of each member. If a
/// member has failed, collectives in progress throw a [PeFailedException] at once, whichever living members are
/// late. After either exception the team is *poisoned*: later collectives throw again with the first cause.
/// [#revoke] lets a member leave the team together with all others, [#survivors] makes a team of the living ones.
///
/// An *agreeing* collective has one outcome: all members return, or all get the same exception and nothing has
/// changed. If there are several reasons, all members get the same one: first an [IllegalArgumentException] for
/// arguments out of range, then a [CollectiveMismatchException] for arguments that differ, then a
/// [CoterieException] for too little memory. Making teams is agreeing; triplets, sizes, and the
/// configs of one new team are the same on all.
///
/// **Data.** [ViewCollectives] has the collectives over views of symmetric memory, and [ArrayCollectives] those over
/// arrays and other memory of the caller.
///
/// **Handles.** A handle belongs to its PE, and means nothing on another one. A PE that is not a member of a new
/// team gets [#INVALID], which compares with `==`. The handle of a closed team throws [IllegalStateException]
/// on every use but [#name], [#isValid] and [#close], and never refers to a later team.
///
/// A team can be the resource of a `try`: [#close] waits for no other member, so an exception inside gets out at once.
/// Let it leave `main`: the launcher ends the job, or the other members get a [PeFailedException].
///
/// **Size.** Memory is the only limit on the number of teams: a team of `n` members costs each of them some 192 ×
/// n bytes, and 128 × n more from its first broadcast. *Large teams* have more members than the setting
/// `coterie.tree.sync.above`, by default 1024. They synchronize along a tree, in which each member has few
/// neighbours.
///
/// **Threads.** One thread of a PE at a time may be in collectives of one team, and any number in those of
/// different teams; a second thread in the same team throws. Any thread may call all other methods at any time.
/// Queries do not wait, and of them only [#pes] allocates.
/// @counterpart `shmem_team_t`, `nvshmem_team_t`
public interface Team extends ViewCollectives, AutoCloseable {

    /// No team: the result of a split on a PE that is not a member, and a first value for a variable.
    ///
    /// Queries return −1 or empty, splits return INVALID without other PEs, [#context] and [#createContext] return
    /// [Context#INVALID], closing has no effect; all else throws [IllegalStateException].
    /// @counterpart `SHMEM_TEAM_INVALID`, `NVSHMEM_TEAM_INVALID`
    @SuppressWarnings("ClassInitializationDeadlock") // only this field names the class InvalidTeam
    Team INVALID = new InvalidTeam();

    /// Returns the team's name, as messages and `coterie ps` print it: how the program made it, such as
    /// `world/x1`.
    String name();

    /// Returns whether this is a team: not [#INVALID], and neither closed nor ended with its world.
    boolean isValid();

    /// Returns the caller's number in this team, in `[0, size())`, or −1.
    /// @counterpart `shmem_team_my_pe`, `nvshmem_team_my_pe`, `nvshmemx_my_pe`
    int member();

    /// Returns the number of members, or −1.
    /// @counterpart `shmem_team_n_pes`, `nvshmem_team_n_pes`, `nvshmemx_n_pes`
    int size();

    /// Returns the world number of a member, and throws if the number is not a member's.
    ///
    /// @param member in `[0, size())`
    int pe(int member);

    /// Returns the world numbers of all members, in their order: a new array at each call.
    int[] pes();

    /// Returns the number that a member of this team has in another, or −1 if it has none there, if the number is
    /// not a member's, or if either team is [#INVALID].
    /// @counterpart `shmem_team_translate_pe`, `nvshmem_team_translate_pe`
    /// @param member any number
    int translate(int member, Team target);

    /// Returns the config of the call that made the team.
    /// @counterpart `shmem_team_get_config`, `nvshmem_team_get_config`
    TeamConfig config();

    /// Returns the algorithms for a collective on this team: the selected one, then its fallbacks. Not collective.
    ///
    /// Each algorithm has the uses that it does not serve, calls or requests, with the reason; the next one serves
    /// these. Sums and products of floating-point numbers, which calls reduce in the order of the members, are the
    /// subject of [#explain(CollectiveType, ReductionOperator, ElementType, long)]. A single number is an allreduce
    /// of 8 bytes; if any algorithm over memory serves that, the number travels with the synchronization round.
    ///
    /// The team's first barrier, reduction or collective over memory, or its first request, asks layers that plug
    /// in for their offers; before that the result does not have them. If a collective has a root, it explains that
    /// with root 0.
    ///
    /// @param bytes the collective's size, as [CollectiveType] defines it, `0 ≤ bytes`
    Explanation explain(CollectiveType collective, long bytes);

    /// Returns the algorithms for a reduction of elements: an algorithm that groups operands otherwise than in the
    /// order of the members does not serve calls of a floating-point sum or product, for instance. Otherwise as
    /// [#explain(CollectiveType, long)].
    ///
    /// @param bytes the collective's size, as [CollectiveType] defines it, `0 ≤ bytes`
    /// @throws IllegalArgumentException if the elements do not have the reduction
    Explanation explain(CollectiveType collective, ReductionOperator<?> reduction, ElementType elements, long bytes);

    /// Prepares a collective, of any [CollectiveType], that runs while the program does something else.
    ///
    /// Not collective, and waits for no member, with one exception: the first request of a team waits until all
    /// members have opened the layers that plug in, if there are any; [#tryPrepare] does not. Requests go by
    /// algorithms over puts and signals: the first one listed by [#explain] that can serve the request, of the
    /// layers `hier`, `p2p` and those that plug in.
    /// @counterpart `ucc_collective_init`
    /// @throws CoterieException if no layer serves the request, this member has no memory for its part or for the
    ///     team's first request, or a layer fails: the other members get it from their requests, and the team's
    ///     requests have failed
    Request prepare(Collective collective);

    /// Prepares a request as [#prepare] does, and never waits: empty as long as members are opening layers that
    /// plug in, which each wait, [World#progress] and the next call go on with. Without such layers the first
    /// call returns the request.
    /// @counterpart `ucc_collective_init`
    Optional<Request> tryPrepare(Collective collective);

    /// Allocates `byteSize` bytes on every member, aligned to 128 bytes and zeroed: same as
    /// `allocate(byteSize, 128)`.
    default SymmetricMemory allocate(long byteSize) {
        return allocate(byteSize, 128);
    }

    /// Allocates `byteSize` bytes of symmetric memory on every member of this team, as
    /// [World#allocate(long, long, AllocationHint...)] does on every PE. Other PEs do not participate, and lose no
    /// memory.
    ///
    /// ```java
    /// DoubleView halo = row.allocate(2 * n * Double.BYTES).doubles();
    /// halo.put(0, x, left); // `left` is a member of the row
    /// ```
    ///
    /// PE numbers of its views, signals and locks are this team's, see [#context]. Collectives and requests of
    /// this team use it, and those of teams whose members all belong to this one; [ElementView#through] takes
    /// contexts of such teams. The block ends with [SymmetricMemory#close], with this team, or, after failures,
    /// with [SymmetricMemory#freeLiving]. On the world's team this is the world's allocation.
    ///
    /// **Collective** over this team, agreeing. The first allocation of a team attaches the members' heaps.
    /// @counterpart windows and coarrays of a team
    /// @param byteSize bytes on each member, `0 ≤ byteSize`; 0 returns an empty handle without other members
    /// @param alignment a power of two in `[1, 2^30]`; the address has it on every member
    /// @throws SymmetricMemoryException on every member, if one can't provide its part, or no place is free on all
    SymmetricMemory allocate(long byteSize, long alignment);

    /// Makes barriers that match by keys, see [BarrierSet].
    ///
    /// **Collective**, agreeing, as [#allocate(long, long)] of the memory that they take.
    ///
    /// @param keys the number of barriers that may be under way at the same time, `1 ≤ keys`, the same on all
    BarrierSet createBarriers(int keys);

    /// Returns the default context with the PE numbers of this team: order and completion of its operations are
    /// those of [World#context]. Views of memory that the team allocates go through it at first. Not collective;
    /// ends with the team.
    Context context();

    /// Makes a context whose PE numbers are this team's. Not collective; costs a few objects and no shared memory.
    /// @counterpart `shmem_ctx_create`, `shmem_team_create_ctx`
    /// @param options [ContextOption#PRIVATE] and [ContextOption#SERIALIZED] exclude each other
    Context createContext(ContextOption... options);

    /// Splits with [TeamConfig#DEFAULT].
    default Team splitStrided(int start, int stride, int size) {
        return splitStrided(start, stride, size, TeamConfig.DEFAULT);
    }

    /// Makes a team of `size` members of this one: its member `i` is member `start + i * stride` of this team.
    ///
    /// **Collective**, agreeing.
    /// @counterpart `shmem_team_split_strided`, `nvshmem_team_split_strided`
    /// @param start a member, in `[0, size())`
    /// @param stride any that keeps all members in `[0, size())`: a negative one reverses; without meaning for one
    ///     member
    /// @param size members of the new team, `1 ≤ size`
    /// @return the new team, or [#INVALID] on PEs that are not in it
    Team splitStrided(int start, int stride, int size, TeamConfig config);

    /// Splits with [TeamConfig#DEFAULT].
    default Axes split2D(int xSize) {
        return split2D(xSize, TeamConfig.DEFAULT, TeamConfig.DEFAULT);
    }

    /// Lays the members out in rows of `xSize`, the last of which may be short, and makes a team of each row and
    /// of each column, all in one round. Member `m` is at `x = m mod xSize`, `y = m div xSize`.
    ///
    /// **Collective**, agreeing: makes all of the teams or none.
    /// @counterpart `shmem_team_split_2d`, `nvshmem_team_split_2d`
    /// @param xSize members of a row, `1 ≤ xSize`; above the team's size it counts as the team's size
    /// @return the caller's row, in which its number is `x`, and its column, in which its number is `y`
    Axes split2D(int xSize, TeamConfig xConfig, TeamConfig yConfig);

    /// The two teams of a 2-D split.
    ///
    /// @param x the row: PEs of the caller's `y`
    /// @param y the column: PEs of the caller's `x`
    record Axes(Team x, Team y) {
        public Axes {
            Objects.requireNonNull(x, "Axes: x is null");
            Objects.requireNonNull(y, "Axes: y is null");
        }
    }

    /// Splits with [TeamConfig#DEFAULT].
    /// @counterpart `MPI_Comm_split` of MPI
    default Team splitByColor(int color, int key) {
        return splitByColor(color, key, TeamConfig.DEFAULT);
    }

    /// Makes a team of all members that pass the same color, in the order of their keys, and for equal keys of
    /// their numbers in this team.
    ///
    /// **Collective**, agreeing. OpenSHMEM and NVSHMEM do not have it; in MPI it is `MPI_Comm_split`.
    ///
    /// @return the team of the caller's color, or [#INVALID] if that is negative
    Team splitByColor(int color, int key, TeamConfig config);

    /// Duplicates with [TeamConfig#DEFAULT].
    /// @counterpart `MPI_Comm_dup` of MPI
    default Team duplicate() {
        return duplicate(TeamConfig.DEFAULT);
    }

    /// Makes a team of the same members in the same order, whose collectives do not match those of this team. A
    /// library duplicates the team that its caller passes. **Collective**, agreeing.
    Team duplicate(TeamConfig config);

    /// Posts [#splitStrided(int, int, int, TeamConfig)] with [TeamConfig#DEFAULT].
    default TeamRequest<Team> postSplitStrided(int start, int stride, int size) {
        return postSplitStrided(start, stride, size, TeamConfig.DEFAULT);
    }

    /// Posts [#splitStrided(int, int, int, TeamConfig)]: returns at once, and the members make the team while the
    /// program goes on; see [TeamRequest]. On [#INVALID] it is complete, with [#INVALID]. A config that is null is
    /// refused at the call.
    ///
    /// **Collective** as a request.
    /// @counterpart `ucc_team_create_post`; as the other posted splits
    TeamRequest<Team> postSplitStrided(int start, int stride, int size, TeamConfig config);

    /// Posts [#split2D(int, TeamConfig, TeamConfig)] with [TeamConfig#DEFAULT].
    default TeamRequest<Axes> postSplit2D(int xSize) {
        return postSplit2D(xSize, TeamConfig.DEFAULT, TeamConfig.DEFAULT);
    }

    /// Posts [#split2D(int, TeamConfig, TeamConfig)], see [#postSplitStrided(int, int, int, TeamConfig)].
    TeamRequest<Axes> postSplit2D(int xSize, TeamConfig xConfig, TeamConfig yConfig);

    /// Posts [#splitByColor(int, int, TeamConfig)] with [TeamConfig#DEFAULT].
    default TeamRequest<Team> postSplitByColor(int color, int key) {
        return postSplitByColor(color, key, TeamConfig.DEFAULT);
    }

    /// Posts [#splitByColor(int, int, TeamConfig)], see [#postSplitStrided(int, int, int, TeamConfig)].
    TeamRequest<Team> postSplitByColor(int color, int key, TeamConfig config);

    /// Posts [#duplicate(TeamConfig)] with [TeamConfig#DEFAULT].
    default TeamRequest<Team> postDuplicate() {
        return postDuplicate(TeamConfig.DEFAULT);
    }

    /// Posts [#duplicate(TeamConfig)], see [#postSplitStrided(int, int, int, TeamConfig)].
    TeamRequest<Team> postDuplicate(TeamConfig config);

    /// Ends the caller's use of the team, and waits for no other PE: it closes the contexts that were made for the
    /// team, each with a [Context#quiet], and ends the team's memory here. Every later use throws; teams that were
    /// split from it stay valid. Members may close teams in different orders, and those that have not closed it
    /// may go on with what needs no other member: a collective in which they wait for the caller throws a
    /// [CollectiveMismatchException]. What the members keep for the team is used again when all of them have
    /// closed it. A second close does nothing, nor a close of [#INVALID] or after the end of the world, which ends
    /// all teams.
    ///
    /// @throws IllegalStateException if this is one of the world's own teams; or if the caller has a private
    ///     context of the team open, a request of it under way, or holds a lock in its memory: the team stays valid
    @Override
    void close();

    /// Closes the team on all members; on return what they keep for it can be used again.
    ///
    /// **Collective**: returns when every member has called it. It closes a poisoned team as well, and waits for no
    /// member that has failed.
    /// @counterpart `shmem_team_destroy`, `nvshmem_team_destroy`
    /// @throws IllegalStateException as [#close]; the other members wait for another call
    void destroy();

    /// Returns the world numbers of the members that have failed, ascending. Does not wait: another member may not
    /// know of the same failures yet; [#syncLiving] agrees on them.
    int[] failedPes();

    /// Returns whether a member has failed. Does not wait, and allocates nothing.
    /// @counterpart `image_status`
    /// @param member in `[0, size())`
    boolean hasFailed(int member);

    /// Returns whether a member has closed its world or ended, without a failure. Does not wait, and allocates
    /// nothing.
    ///
    /// @param member in `[0, size())`
    boolean hasStopped(int member);

    /// Returns the world numbers of the members that have closed their world or ended without a failure,
    /// ascending. Does not wait.
    int[] stoppedPes();

    /// Ends the collectives and requests of the team on all members: those in progress, with a
    /// [TeamRevokedException], and all later ones. Only [#syncLiving], [#survivors], [#close] and queries remain.
    ///
    /// A member that has got an exception and leaves for recovery revokes the team, so that no member waits for
    /// it. Not collective; does not wait. Any thread may call it, any number of times.
    /// @counterpart `MPIX_Comm_revoke` of ULFM
    void revoke();

    /// Waits until every living member has called it, and returns the world numbers of the members that have
    /// failed or stopped, ascending: the same on all, also when members fail meanwhile.
    ///
    /// **Collective** over the living members; goes on after failures, mismatches and [#revoke], whose effect it
    /// does not change. On return the members see what every living member has put before. Takes a few messages
    /// for each pair of members.
    /// @counterpart `sync team` with `stat`, `MPIX_Comm_agree` of ULFM
    /// @throws CollectiveMismatchException on every living member, if another calls [#survivors] or
    ///     [SymmetricMemory#freeLiving] instead
    int[] syncLiving();

    /// Makes a team of the living members, in their order: [#syncLiving], after which each member knows the new
    /// team. A member that fails during the call either is in the new team on all members, whose next collective
    /// then reports it, or on none.
    ///
    /// ```java
    /// try {
    ///     step(team);
    /// } catch (PeFailedException | TeamRevokedException e) {
    ///     team.revoke(); // no member waits for this one in the old team
    ///     team = team.survivors();
    /// }
    /// ```
    ///
    /// **Collective** over the living members. This team stays as it is; close it as well.
    /// @counterpart `MPIX_Comm_shrink` of ULFM
    /// @throws CoterieException on every living member, if one has no memory for the new team
    /// @throws CollectiveMismatchException on every living member, if another calls [#syncLiving] or
    ///     [SymmetricMemory#freeLiving] instead: one recovers, and another has gone on. Call it again
    Team survivors();

    /// Completes what the caller has put through the default context, then waits until every member has called it.
    /// On return all members see what any member has put before.
    /// @counterpart `shmem_barrier_all`, `nvshmem_barrier_all`, `nvshmem_barrier`
    void barrier();

    /// Waits until every member has called it. On return all members see what any member has stored to its own
    /// memory before. It completes no puts: that takes a [Context#quiet] before it, or a [#barrier], which failed
    /// members affect alike.
    /// @counterpart `shmem_sync_all`, `shmem_team_sync`, `shmem_sync` with a team, `nvshmem_sync_all`,
    ///     `nvshmem_team_sync`
    void sync();
}
