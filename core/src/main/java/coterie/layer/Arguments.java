// SPDX-License-Identifier: Apache-2.0
package coterie.layer;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// A collective that a layer is to serve, on this member; its arguments are checked. Answers to
/// `ucc_base_coll_args_t`.
///
/// [coterie.collective.Collective] has the table of which buffers each collective has on which member. Where that
/// says
/// `n ×`, there is a block for each member, else one; where it says none, none.
public interface Arguments {

    /// In which order operands may be folded.
    enum Order {
        /// any
        ANY,
        /// any grouping, but the members' order
        MEMBERS,
        /// one by one in the members' order: member 0 with 1, the result with 2, and so on
        SEQUENTIAL
    }

    /// What it is.
    CollectiveType type();

    /// Its size in bytes, as [CollectiveType] says.
    long bytes();

    /// The team, as it was opened.
    TeamParameters team();

    /// A member, or 0 where there is no root.
    int root();

    /// What the buffers are made of; BYTE where there are none.
    ElementType elements();

    /// Bytes of what is folded as a whole: an element, or more in some reductions. Where nothing is, of an
    /// element.
    int width();

    /// How elements are reduced; empty where they are not.
    Optional<ReductionOperator> operator();

    /// In which order operands may be folded: any result is then the same on all members.
    Order order();

    /// Whether some bytes of source and target are the same; see [coterie.collective.Collective]. Where only the
    /// root has both, and where blocks of any lengths may be empty, members may differ in it.
    boolean isInPlace();

    /// Whether it may be posted more than once.
    boolean isPersistent();

    /// Blocks of the source.
    int sources();

    /// A block of the source, to read.
    MemorySegment source(int block);

    /// Blocks of the target.
    int targets();

    /// A block of the target.
    MemorySegment target(int block);

    /// Reduces the elements of two members, in this order.
    ///
    /// @param target as long as the others, whole elements; one of them, or apart from both
    void fold(MemorySegment target, MemorySegment left, MemorySegment right);

    /// Fills elements with the reduction's identity. Of exclusive scans, where only what has one may be asked for.
    void clear(MemorySegment target);
}
