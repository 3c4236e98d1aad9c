// SPDX-License-Identifier: Apache-2.0
package coterie;

/// An ordered set of PEs, numbered from 0, that act together in *collectives*: every member calls the same ones in
/// the same order.
///
/// Members that call different collectives, or disagree on arguments that must be equal, get a
/// [CollectiveMismatchException] that says who called what. A collective that depends on a failed PE throws
/// [PeFailedException]; for the data collectives (sum, broadcast) the team is then *poisoned*, and later ones throw
/// with the first cause. Barriers go on among the living.
///
/// Threads: one at a time. Barriers and the scalar sums allocate nothing.
public interface Team {

    /// The team's name, as messages and `coterie ps` print it.
    String name();

    /// My number in this team, in `[0, size())`. Answers to `shmem_team_my_pe`.
    int member();

    /// How many members. Answers to `shmem_team_n_pes`.
    int size();

    /// The world number of a member. Answers to `shmem_team_translate_pe` towards the world.
    ///
    /// @param member in `[0, size())`
    int pe(int member);

    /// Makes a context whose PE numbers are this team's. Not collective. It costs a few objects, and no memory that
    /// is shared. Answers to `shmem_ctx_create`, `shmem_team_create_ctx`.
    ///
    /// @param options [ContextOption#PRIVATE] and [ContextOption#SERIALIZED] exclude each other
    Context createContext(ContextOption... options);

    /// Completes what I put through the default context, then waits until every member has called it. What any
    /// member put before is then visible to all.
    ///
    /// Where members have failed, the living are synchronised all the same, and each then gets a
    /// [PeFailedException]. Answers to `nvshmem_barrier`, `shmem_barrier_all`.
    void barrier();

    /// The sum of every member's `value`; wraps on overflow.
    long sum(long value);

    /// The sum of every member's `value`, added in the order of the members: the same bits on all of them.
    double sum(double value);

    /// Adds up `count` elements over the members: afterwards element `i` of everyone's target is the sum of element
    /// `i` of everyone's source, in the order of the members, the same bits on all. Integers wrap.
    ///
    /// Targets and sources are the same on every member; they are identical or do not overlap. `count` 0 moves
    /// nothing, but is a collective all the same. Answers to `shmem_sum_reduce`.
    ///
    /// @param targetOffset bytes, a multiple of the element's size
    /// @param sourceOffset bytes, a multiple of the element's size
    /// @param count elements, `0 ≤ count`
    void sum(
            ElementType type,
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long count);

    /// Copies `length` bytes of the root's source to everyone's target, the root's own included. Answers to
    /// `shmem_broadcastmem`.
    ///
    /// Target and source are the same on every member; they are identical or do not overlap. The root writes once
    /// all have come and agree on the arguments: where they don't, no target has changed.
    ///
    /// @param root a member, in `[0, size())`
    void broadcast(
            SymmetricMemory target,
            long targetOffset,
            SymmetricMemory source,
            long sourceOffset,
            long length,
            int root);
}
