// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// The arguments, already checked, of a collective that a layer is to serve on this member.
///
/// The table of [coterie.collective.Collective] states which buffers each collective has on which member. Where
/// the table has `n ×`, the buffer has a block for each member, otherwise one; where it has none, the buffer has
/// no blocks.
/// @counterpart `ucc_base_coll_args_t`
public interface Arguments {

    /// The order in which a layer may fold operands.
    enum Order {
        /// any
        ANY,
        /// any grouping, but the members' order
        MEMBERS,
        /// one by one in the members' order: member 0 with 1, the result with 2, and so on
        SEQUENTIAL
    }

    /// Returns which collective it is.
    CollectiveType type();

    /// Returns its size in bytes, as [CollectiveType] defines it.
    long bytes();

    /// Returns the team, as [LayerContext#open] got it.
    TeamParameters team();

    /// Returns the root's number in the team, or 0 if the collective has no root.
    int root();

    /// Returns the type of the buffers' elements; BYTE if there are no buffers.
    ElementType elements();

    /// Returns the bytes that a fold must keep together: one element, or several in some reductions.
    int width();

    /// Returns how elements are reduced; empty if the collective does not reduce.
    Optional<ReductionOperator<?>> operator();

    /// Returns the order in which operands may be folded: any fold in this order gives all members the same
    /// result.
    Order order();

    /// Returns whether source and target share bytes; see [coterie.collective.Collective]. Members may differ if
    /// only the root has both buffers, or if blocks of any lengths may be empty.
    boolean isInPlace();

    /// Returns whether it may be posted more than once: a persistent request, or a blocking call, whose task the
    /// runtime keeps for calls with the same arguments.
    boolean isPersistent();

    /// Returns the number of blocks of the source.
    int sources();

    /// Returns a block of the source, which the layer only reads.
    MemorySegment source(int block);

    /// Returns the number of blocks of the target.
    int targets();

    /// Returns a block of the target.
    MemorySegment target(int block);

    /// Reduces the elements of two members, in this order.
    /// @counterpart the executor's reductions
    /// @param target as long as the operands, whole elements; one of the operands, or apart from both
    void fold(MemorySegment target, MemorySegment left, MemorySegment right);

    /// Fills elements with the reduction's identity. For exclusive scans only: they take no reduction without one.
    void clear(MemorySegment target);
}
