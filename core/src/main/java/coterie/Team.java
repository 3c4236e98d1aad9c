// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.Request;

/// An ordered set of PEs, its *members*, numbered from 0, that act together in *collectives*.
///
/// A world has four teams from the start: all PEs ([World#team]), those whose memory can be loaded and stored
/// ([World#sharedTeam]), those of a node ([World#nodeTeam]), those of one number on their nodes
/// ([World#sameIndexTeam]). A program makes more by splitting one that it has, or by [World#formTeam]:
///
/// ```java
/// Team.Axes grid = world.team().split2D(columns);
/// Team row = grid.x();
/// double norm = row.reduce(Reduction.MAX, localNorm);
/// ```
///
/// There may be as many teams as memory holds: one of `n` members costs each of them some 128 × n bytes, and as
/// many again once it broadcasts.
///
/// **Large teams**, of more members than the setting `coterie.tree.sync.above` has, 1024 by default, meet along a
/// tree, so that each member has to do with a few others only. They need all their members: once one has failed,
/// and the others have missed it, barriers throw as well, and only the end of the team and of the world are left
/// to it.
///
/// **Collectives.** Every member calls the same ones in the same order. They match by that order alone, so that
/// the next may follow at once; what a member may touch when is said by each. Members that call different
/// collectives, or disagree on arguments that must be equal, get a [CollectiveMismatchException] that says who
/// called what; members that a [#broadcast] has given what they asked for get it from their next collective. A
/// collective that depends on a failed PE throws [PeFailedException]. After either the team is *poisoned*: later
/// collectives throw with the first cause; barriers and [#sync] go on among the living after a failure.
///
/// Making and destroying teams is *agreeing*: all members of the team get the same verdict, and if it is a
/// refusal, nothing has happened and the team can be used on. Of several reasons all members name the same:
/// arguments out of range first, then arguments that differ, then memory that is missing.
///
/// **Data collectives** take views of symmetric memory, of one element type for target and source; only the view's
/// block and type count, not its context. Target and source are the same places on every member. They may be
/// identical where a method says *in place*; apart from that they must not overlap. Every member's target must be
/// ready before any member enters; the source only on its own member. On return my target is complete and my
/// source may be reused, and nothing is known of other members: collectives are not barriers, and complete nothing
/// that was put before. Results have the same bits
/// on all members, whichever algorithm serves: what rounds is reduced in the order of the members. [#explain]
/// tells who serves what. A count of 0 moves nothing, but is a collective all the same. A
/// member that passes arguments out of range is refused alone, and has not come: the others wait for it, and learn
/// what it does instead.
///
/// **Handles** are a PE's own: one that is sent to another PE means nothing there. [#INVALID] stands for no team:
/// a PE that is not a member of a new team gets it. It compares with `==`. A handle of a team that was destroyed
/// throws [IllegalStateException] on every use but [#name] and [#isValid], and never reaches a later team.
///
/// Threads: one thread of a PE at a time in collectives of one team, and any number in those of different teams;
/// another that comes while one is in a collective is refused. All else by any thread at any time; the queries
/// wait for nothing and allocate nothing, but for [#pes].
public interface Team extends AutoCloseable {

    /// No team: what a PE gets that is not a member, and what a variable may begin with.
    ///
    /// Queries answer −1, splits give INVALID at once without anybody else, closing does nothing; all else throws
    /// [IllegalStateException]. Answers to `SHMEM_TEAM_INVALID`, `NVSHMEM_TEAM_INVALID`.
    @SuppressWarnings("ClassInitializationDeadlock") // nobody else names the class behind it
    Team INVALID = new InvalidTeam();

    /// The team's name, as messages and `coterie ps` print it: how it was made, such as `world/x1`.
    String name();

    /// Whether this is a team: not [#INVALID], and neither destroyed nor ended with its world.
    boolean isValid();

    /// My number in this team, in `[0, size())`, or −1. Answers to `shmem_team_my_pe`, `nvshmem_team_my_pe`.
    int member();

    /// How many members, or −1. Answers to `shmem_team_n_pes`, `nvshmem_team_n_pes`.
    int size();

    /// The world number of a member: same as `translate(member, world.team())`, but that a number that is none is
    /// an error.
    ///
    /// @param member in `[0, size())`
    int pe(int member);

    /// The world numbers of all members, in their order: a new array at each call.
    int[] pes();

    /// The number that a member of this team has in another, or −1 if it has none there. A number that is no
    /// member's, and [#INVALID] on either side, give −1 too. Answers to `shmem_team_translate_pe`,
    /// `nvshmem_team_translate_pe`.
    ///
    /// @param member any number
    int translate(int member, Team target);

    /// What the team was made with. Answers to `shmem_team_get_config`, `nvshmem_team_get_config`.
    TeamConfig config();

    /// Who serves a collective on this team, why, and who would serve it instead. Not collective.
    ///
    /// A call that the first can't serve goes to the next: so do sums and products of floating-point numbers where
    /// an algorithm would group them otherwise than in the order of the members. A single number is an allreduce
    /// of 8 bytes; where that goes over memory, in whichever way, the number travels with the round in which
    /// members meet. Requests leave out what goes over memory.
    ///
    /// Layers that plug in are asked what they offer by the team's first barrier, reduction or collective over
    /// memory, or its first [#prepare]; before that they are not listed.
    ///
    /// @param bytes its size, as [CollectiveType] says, `0 ≤ bytes`
    Explanation explain(CollectiveType collective, long bytes);

    /// Prepares a collective that goes on by itself once it is posted, one of all [CollectiveType]s.
    /// **Collective**, and agreeing, the first time that a team has one; from then on nobody is waited for.
    /// Answers to `ucc_collective_init`.
    ///
    /// Requests go by algorithms that are written over puts and signals. Of what [#explain] lists, the first of
    /// the layers `hier` and `p2p`, and of those that plug in, that can do it serves.
    ///
    /// @throws CoterieException if a member has no memory for the team's first request: on every member; or if no
    ///     layer serves it; or if this member has no memory for its part, or a layer fails: the others are told,
    ///     and requests of the team are at their end
    Request prepare(Collective collective);

    /// Makes a context whose PE numbers are this team's. Not collective. It costs a few objects, and no memory
    /// that is shared. Answers to `shmem_ctx_create`, `shmem_team_create_ctx`.
    ///
    /// @param options [ContextOption#PRIVATE] and [ContextOption#SERIALIZED] exclude each other
    Context createContext(ContextOption... options);

    /// Same as `splitStrided(start, stride, size, TeamConfig.DEFAULT)`.
    default Team splitStrided(int start, int stride, int size) {
        return splitStrided(start, stride, size, TeamConfig.DEFAULT);
    }

    /// Makes a team of the members `start`, `start + stride`, … of this one, `size` of them, in that order: member
    /// `i` of the new team is member `start + i * stride` here.
    ///
    /// **Collective**, agreeing. All members pass the same triplet; those of the new team the same config too.
    /// Answers to `shmem_team_split_strided`, `nvshmem_team_split_strided`.
    ///
    /// @param start a member, in `[0, size())`
    /// @param stride any that keeps all members in `[0, size())`: a negative one reverses; of no meaning for one
    ///     member
    /// @param size members of the new team, `1 ≤ size`
    /// @return the new team, or [#INVALID] on PEs that are not in it
    /// @throws IllegalArgumentException on every member, if the triplet of one leaves the team
    /// @throws CollectiveMismatchException on every member, if triplets or configs differ
    /// @throws CoterieException on every member, if one has no memory for the new team
    Team splitStrided(int start, int stride, int size, TeamConfig config);

    /// Same as `split2D(xSize, TeamConfig.DEFAULT, TeamConfig.DEFAULT)`.
    default Axes split2D(int xSize) {
        return split2D(xSize, TeamConfig.DEFAULT, TeamConfig.DEFAULT);
    }

    /// Lays the members out in rows of `xSize`, the last of which may be short, and makes a team of each row and
    /// of each column, all in one round. Member `m` is at `x = m mod xSize`, `y = m div xSize`.
    ///
    /// **Collective**, agreeing: if any of the teams can't be made, none is. All members pass the same `xSize`;
    /// the configs are the same within each row and each column, and may differ between them. Answers to
    /// `shmem_team_split_2d`, `nvshmem_team_split_2d`.
    ///
    /// @param xSize members of a row, `1 ≤ xSize`; one larger than the team counts as the team's size
    /// @return my row, in which my number is `x`, and my column, in which it is `y`
    /// @throws IllegalArgumentException on every member, if the `xSize` of one is out of range
    /// @throws CollectiveMismatchException on every member, if `xSize` or configs differ
    /// @throws CoterieException on every member, if one has no memory for its new teams
    Axes split2D(int xSize, TeamConfig xConfig, TeamConfig yConfig);

    /// The two teams of a 2-D split.
    ///
    /// @param x the row: PEs of the same `y` as mine
    /// @param y the column: PEs of the same `x` as mine
    record Axes(Team x, Team y) {}

    /// Same as `splitByColour(colour, key, TeamConfig.DEFAULT)`.
    default Team splitByColour(int colour, int key) {
        return splitByColour(colour, key, TeamConfig.DEFAULT);
    }

    /// Makes a team of all members that pass the same colour, ordered by key, and where keys are equal by their
    /// numbers here.
    ///
    /// **Collective**, agreeing; configs are the same within each colour. No C library of this family has it; MPI
    /// users know it as `MPI_Comm_split`.
    ///
    /// @param colour any number; a negative one joins no team
    /// @param key any number
    /// @return the team of my colour, or [#INVALID] if mine is negative
    Team splitByColour(int colour, int key, TeamConfig config);

    /// Same as `duplicate(TeamConfig.DEFAULT)`.
    default Team duplicate() {
        return duplicate(TeamConfig.DEFAULT);
    }

    /// Makes a team of the same members in the same order, whose collectives have nothing to do with this one's:
    /// what a library wants for itself. **Collective**, agreeing.
    Team duplicate(TeamConfig config);

    /// Destroys the team, and closes the contexts that were made for it, each with a [Context#quiet]. Teams that
    /// were split from it live on. Does nothing on [#INVALID], and once the world is closed, which ends all teams.
    ///
    /// **Collective**, agreeing: returns when every member has called it. Members that have failed are not waited
    /// for, and a poisoned team can be destroyed; where it was a large one that members have failed in, nobody is
    /// waited for, and its memory stays taken until the world closes. Answers to `shmem_team_destroy`,
    /// `nvshmem_team_destroy`.
    ///
    /// @throws IllegalStateException if this is one of the world's own teams, or one that was destroyed; or on
    ///     every member, if one has a private context of the team open, or requests under way: the team lives on
    @Override
    void close();

    /// Completes what I put through the default context, then waits until every member has called it. What any
    /// member put before is then visible to all.
    ///
    /// Where members have failed, the living are synchronised all the same, unless the team is a large one, and
    /// each then gets a [PeFailedException]. Where a layer that plugs in serves it and fails on a member,
    /// it has failed on all, and so do later ones. Answers to
    /// `nvshmem_barrier`, `shmem_barrier_all`.
    void barrier();

    /// Waits until every member has called it. What members stored in their own memory before is visible to all,
    /// but puts are not completed: a [Context#quiet] before it does that, or [#barrier]. Failed members are as in
    /// [#barrier]. Answers to `shmem_team_sync`, `shmem_sync_all`, `nvshmem_team_sync`.
    void sync();

    /// The sum of every member's `value`; wraps on overflow. Same as `reduce(Reduction.SUM, value)`.
    default long sum(long value) {
        return allReduce(Reduction.SUM, value);
    }

    /// The sum of every member's `value`, added in the order of the members; in a large team, of each one's
    /// subtree before the next. Same as
    /// `reduce(Reduction.SUM, value)`.
    default double sum(double value) {
        return allReduce(Reduction.SUM, value);
    }

    /// Reduces every member's `value` to one, in the order of the members; in a large team, each one's subtree
    /// before the next. Allocates nothing.
    long allReduce(Reduction reduction, long value);

    /// Reduces every member's `value` to one, in the order of the members; in a large team, each one's subtree
    /// before the next. Allocates nothing.
    ///
    /// @param reduction SUM, PRODUCT, MIN or MAX
    double allReduce(Reduction reduction, double value);

    /// Reduces `count` elements over the members: afterwards element `i` of everyone's target is element `i` of
    /// everyone's source, reduced in the order of the members. May be in place. Answers to `shmem_TYPE_OP_reduce`.
    ///
    /// @param count elements, `0 ≤ count`
    void allReduce(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count);

    /// Reduces over the members up to and including me: element `i` of my target is element `i` of the sources of
    /// the members 0 to me, reduced in their order. May be in place. Answers to `shmem_TYPE_sum_inscan`.
    void inclusiveScan(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count);

    /// Reduces over the members before me; member 0 gets the reduction's identity, 0 for a sum. May be in place.
    /// Answers to `shmem_TYPE_sum_exscan`.
    void exclusiveScan(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count);

    /// Reduces `size() * count` elements over the members, and gives each a part: the target of member `m` gets
    /// the reduced elements `[m * count, (m + 1) * count)`. May be in place: target and source begin at the same
    /// place. Answers to `nvshmem_TYPE_OP_reducescatter`.
    ///
    /// @param count elements of one member's part
    void reduceScatter(
            Reduction reduction,
            ElementView target,
            long targetIndex,
            ElementView source,
            long sourceIndex,
            long count);

    /// Copies `count` elements of the root's source to everyone's target, the root's own included. May be in
    /// place. Answers to `shmem_broadcast`, `shmem_broadcastmem`.
    ///
    /// Members go on when they have the root's elements, the root when all have: so a member may be some
    /// broadcasts ahead of others. Where members disagree on the arguments, those that mean what the root means
    /// may have its elements and be told in their next collective; no target of the others has changed. In a
    /// team's first broadcast nothing moves before all agree.
    ///
    /// @param root a member, in `[0, size())`
    void broadcast(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root);

    /// Puts everyone's source elements one behind the other, in the order of the members, into everyone's target:
    /// each member gives as many as it likes. Answers to `shmem_collect`, `shmem_collectmem`.
    ///
    /// @param count elements that I give, `0 ≤ count`; the target has room for all members' together
    void allGatherV(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count);

    /// As [#allGatherV], where each member gives as many: the elements of member `m` come to `m * count`. Answers
    /// to `shmem_fcollect`, `shmem_fcollectmem`.
    ///
    /// @param count elements of each member; the target has room for `size() * count`
    void allGather(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count);

    /// Exchanges blocks: block `j` of the source of member `i` becomes block `i` of the target of member `j`.
    /// Answers to `shmem_alltoall`, `shmem_alltoallmem`.
    ///
    /// @param count elements of a block; target and source have `size()` of them
    void allToAll(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count);

    /// As [#allToAll], where neighbouring elements are `stride` apart: element `k` of block `j` is at
    /// `stride * (j * count + k)`. What lies between stays as it is. Answers to `shmem_alltoalls`.
    ///
    /// @param targetStride elements from one to the next in the target, `1 ≤ targetStride`
    /// @param sourceStride the same in the source, `1 ≤ sourceStride`
    void allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long count);
}
