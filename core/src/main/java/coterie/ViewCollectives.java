// SPDX-License-Identifier: Apache-2.0
package coterie;

import coterie.collective.Collective;

/// The collectives of a [Team] that reduce and move elements of symmetric memory; [Team] has their common
/// rules.
///
/// **Data.** Data collectives take views of symmetric memory with one element type, whose context has no
/// effect. Target and source are at the same place on every member: block, index and type. *In place* means
/// that both begin at the same element; otherwise they must not overlap. The targets of all members must be
/// ready before any member enters, a source only before its own member does. On return the caller's target is
/// complete and the caller may reuse its source. The return means nothing else: another member may still be in
/// the call, and earlier puts need not be complete. Counts are `0 ≤ count`, the same on all but for
/// [#allGatherV], and with blocks those of one block; 0 moves nothing, but is a collective. All collectives may
/// be in place but the gathers and exchanges. A member that passes arguments out of range throws immediately
/// and does not participate; the other members wait until its next collective reveals the mismatch.
///
/// Members reduce in their order where a result rounds, so all get the same bits, with every algorithm;
/// [Team#explain] lists the algorithms. [#run] has the collectives that requests have, and their reductions.
///
/// Only Coterie implements it.
public interface ViewCollectives extends ArrayCollectives {

    /// Runs a collective, of any [coterie.collective.CollectiveType], and returns when the caller's part is
    /// complete.
    ///
    /// ```java
    /// team.run(Collective.gather(0).source(mine, 0, n).target(all, 0, n * team.size()));
    /// ```
    ///
    /// Members meet in a round, in which those that differ in collective, reduction, count or root get a
    /// [CollectiveMismatchException]. Then the collective runs by the method of the same name, if there is one
    /// for its reduction and the buffers are at the same place on all members, and otherwise as a
    /// [coterie.collective.Request], whose failures end later requests of the team, too. Broadcasts are always
    /// requests. The runtime keeps what it has prepared: a collective that is equal to the latest of its type
    /// allocates nothing.
    ///
    /// @param collective may be persistent, which changes nothing
    /// @throws coterie.WaitTimeoutException if the run has exceeded the timeout of a member
    void run(Collective collective);

    /// Copies `count` elements of the root's source to the target of every member, the root included.
    ///
    /// A member returns when it has the root's elements, the root when all members have them: so a member may
    /// be some broadcasts earlier than others. In a mismatch, members whose arguments match the root's may get
    /// its elements, and the exception from their next collective; the targets of the others are unchanged. In
    /// a team's first broadcast no element moves before all members agree.
    /// @counterpart `shmem_TYPE_broadcast`, `shmem_broadcastmem`
    /// @param root a member, in `[0, size())`
    void broadcast(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root);

    /// Returns the wrapping sum of all members' values, as [#allReduce(Reduction, long)] does.
    default long sum(long value) {
        return allReduce(Reduction.SUM, value);
    }

    /// Returns the sum of all members' values, as [#allReduce(Reduction, double)] does.
    default double sum(double value) {
        return allReduce(Reduction.SUM, value);
    }

    /// Returns the reduction of all members' values, in the order of the members; a large team reduces the
    /// subtree of each member before the next. Allocates nothing.
    long allReduce(Reduction reduction, long value);

    /// Returns the reduction of all members' values, as [#allReduce(Reduction, long)] does.
    long allReduce(IntegerReduction reduction, long value);

    /// Returns the reduction of all members' values, as [#allReduce(Reduction, long)] does.
    double allReduce(Reduction reduction, double value);

    /// Reduces `count` elements over all members: element `i` of every target becomes the reduction of element
    /// `i` of all sources, in the order of the members.
    /// @counterpart `shmem_TYPE_and_reduce`, `_or_`, `_xor_`, `_max_`, `_min_`, `_sum_`, `_prod_`, such as
    ///     `nvshmem_uint_or_reduce`; with a `Reduction` or bits of `IntegerReduction`
    <V extends ElementView> void allReduce(
            ReductionOperator<? super V> reduction, V target, long targetIndex, V source, long sourceIndex, long count);

    /// Reduces over the members up to the caller: element `i` of its target becomes the reduction of element
    /// `i` of the sources of members 0 to the caller, in their order.
    /// @counterpart `shmem_TYPE_sum_inscan`
    <V extends ElementView> void inclusiveScan(
            ReductionOperator<? super V> reduction, V target, long targetIndex, V source, long sourceIndex, long count);

    /// Reduces over the members before the caller, as [#inclusiveScan] does up to it; member 0 gets the
    /// reduction's identity, 0 for a sum.
    /// @counterpart `shmem_TYPE_sum_exscan`
    <V extends ElementView> void exclusiveScan(
            ReductionOperator<? super V> reduction, V target, long targetIndex, V source, long sourceIndex, long count);

    /// Reduces `size() * count` elements over all members, and gives each member a block: the target of member
    /// `m` gets the reduced elements `[m * count, (m + 1) * count)`.
    /// @counterpart `nvshmem_TYPE_OP_reducescatter`
    <V extends ElementView> void reduceScatter(
            ReductionOperator<? super V> reduction, V target, long targetIndex, V source, long sourceIndex, long count);

    /// Copies the blocks of all members to the target of every member: the block of member `m` goes to element
    /// `m * count`.
    /// @counterpart `shmem_TYPE_fcollect`, `shmem_fcollectmem`
    void allGather(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count);

    /// Copies blocks of any lengths of all members to the target of every member, in the order of the members,
    /// without gaps.
    /// @counterpart `shmem_TYPE_collect`, `shmem_collectmem`
    /// @param count elements of the caller's block, `0 ≤ count`; the target has room for all blocks
    void allGatherV(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count);

    /// Exchanges blocks: block `j` of the source of member `i` becomes block `i` of the target of member `j`.
    /// @counterpart `shmem_TYPE_alltoall`, `shmem_alltoallmem`
    void allToAll(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count);

    /// Exchanges single elements a stride apart, as the longer form does with a block length of 1.
    default void allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long count) {
        allToAllStrided(target, targetIndex, targetStride, source, sourceIndex, sourceStride, 1, count);
    }

    /// Exchanges `count` blocks with each member: block `k` for member `j` begins at `stride * (j * count + k)`
    /// of the source, and block `k` of member `i` at `stride * (i * count + k)` of the target. Elements between
    /// the blocks stay unchanged.
    /// @counterpart `shmem_TYPE_alltoalls`, `shmem_alltoallsmem`; elements of 128 bits are blocks of two longs
    /// @param targetStride elements from the start of one block to the start of the next, `blockLength ≤
    ///     stride`
    /// @param sourceStride the same in the source
    /// @param blockLength elements of a block, `1 ≤ blockLength`
    /// @param count blocks for each member, `0 ≤ count`
    void allToAllStrided(
            ElementView target,
            long targetIndex,
            long targetStride,
            ElementView source,
            long sourceIndex,
            long sourceStride,
            long blockLength,
            long count);

    /// Reduces as [#allReduce(ReductionOperator, ElementView, long, ElementView, long, long)] does, for the
    /// root alone: the targets of the other members stay unchanged. The runtime may group the operands.
    /// @counterpart `MPI_Reduce` of MPI, `ncclReduce`
    /// @param root a member, in `[0, size())`
    <V extends ElementView> void reduce(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long sourceIndex,
            long count,
            int root);

    /// Reduces as [#reduceScatter] does, with blocks of any lengths: the caller's target gets the block with
    /// its number. All members pass the same counts.
    /// @counterpart `MPI_Reduce_scatter` of MPI
    /// @param counts elements of each member's block
    /// @param sourceIndices of the first element of each block
    <V extends ElementView> void reduceScatterV(
            ReductionOperator<? super V> reduction,
            V target,
            long targetIndex,
            V source,
            long[] counts,
            long[] sourceIndices);

    /// Copies the blocks of all members to the target of the root: the block of member `m` goes to element
    /// `m * count`.
    /// @counterpart `MPI_Gather` of MPI, `ncclGather`
    /// @param root a member, in `[0, size())`
    void gather(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root);

    /// Copies blocks of any lengths of all members to any places in the target of the root.
    /// @counterpart `MPI_Gatherv` of MPI
    /// @param counts elements of each member's block; of the root alone
    /// @param targetIndices where each block begins; of the root alone
    /// @param count elements of the caller's block
    /// @param root a member, in `[0, size())`
    void gatherV(
            ElementView target,
            long[] counts,
            long[] targetIndices,
            ElementView source,
            long sourceIndex,
            long count,
            int root);

    /// Copies a block of the root's source to the target of each member: member `m` gets the one at element
    /// `m * count`.
    /// @counterpart `MPI_Scatter` of MPI, `ncclScatter`
    /// @param root a member, in `[0, size())`
    void scatter(ElementView target, long targetIndex, ElementView source, long sourceIndex, long count, int root);

    /// Copies blocks of any lengths from any places in the root's source to the target of each member.
    /// @counterpart `MPI_Scatterv` of MPI
    /// @param count elements of the caller's block
    /// @param counts elements of each member's block; of the root alone
    /// @param sourceIndices where each block begins; of the root alone
    /// @param root a member, in `[0, size())`
    void scatterV(
            ElementView target,
            long targetIndex,
            long count,
            ElementView source,
            long[] counts,
            long[] sourceIndices,
            int root);

    /// Exchanges blocks of any lengths as [#allToAll] does those of one: sender and receiver of a block pass
    /// its count.
    /// @counterpart `MPI_Alltoallv` of MPI
    /// @param targetCounts elements of the block from each member
    /// @param targetIndices where each of them begins
    /// @param sourceCounts elements of the block for each member
    /// @param sourceIndices where each of them begins
    void allToAllV(
            ElementView target,
            long[] targetCounts,
            long[] targetIndices,
            ElementView source,
            long[] sourceCounts,
            long[] sourceIndices);
}
