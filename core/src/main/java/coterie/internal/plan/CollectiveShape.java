// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;
import coterie.layer.Arguments.Order;
import java.util.stream.IntStream;

/// The properties of a collective that an algorithm needs to make a plan, without addresses and element type.
///
/// | collective | source | target |
/// |---|---|---|
/// | barrier, fanin, fanout | no bytes | no bytes |
/// | bcast | one block, on the root only | one block |
/// | allreduce, scans | one block | one block |
/// | reduce | one block | one block, on the root only |
/// | allgather(v) | one block | a block of each member |
/// | gather(v) | one block | a block of each member, on the root only |
/// | scatter(v) | a block for each member, on the root only | one block |
/// | alltoall(v) | a block for each member | a block of each member |
/// | reduce_scatter(v) | a block for each member | one block |
///
/// Blocks of collectives without v have one length and follow each other without gaps, from the begin of the
/// buffer.
///
/// A layout that only the root has is empty on the other members, which must not query its blocks. **In place**,
/// some bytes of source and target are the same. In allgather(v) and gather(v) the source is block `me` of the
/// target, in scatter(v) the target is block `me` of the source, and in all others both begin at the same byte.
/// Then a plan reads shared bytes through one buffer before it writes them through the other, and does not copy
/// bytes that are at their target already.
///
/// @param size members, at least 1
/// @param me number of this member
/// @param root the root, or 0 in collectives without one
/// @param width bytes of an element, in reductions: a plan divides vectors only between elements
/// @param order in which the operands must be reduced
/// @param inPlace see above. It may differ between members if only the root has both buffers, or if blocks have
///     any lengths and may be empty: no message depends on it
/// @param source layout of this member's source
/// @param target layout of this member's target
/// @param radix the number of members that a step brings together, in algorithms with a choice, at least 2
public record CollectiveShape(
        CollectiveType type,
        int size,
        int me,
        int root,
        int width,
        Order order,
        boolean inPlace,
        BlockLayout source,
        BlockLayout target,
        int radix) {

    public CollectiveShape {
        if (size < 1 || me < 0 || me >= size || root < 0 || root >= size || width < 1 || radix < 2) {
            throw new IllegalArgumentException("shape of " + type.label() + " is out of range: " + size
                    + " members, member " + me + ", root " + root + ", elements of " + width + " bytes, radix "
                    + radix);
        }
    }

    /// Returns the shape of a collective all of whose blocks have one length, in bytes.
    public static CollectiveShape even(
            CollectiveType type,
            int size,
            int me,
            int root,
            long length,
            int width,
            Order order,
            boolean isInPlace,
            int radix) {
        BlockLayout source = BufferForm.source(type, me == root).even(size, length);
        BlockLayout target = BufferForm.target(type, me == root).even(size, length);
        return new CollectiveShape(type, size, me, root, width, order, isInPlace, source, target, radix);
    }

    /// Returns this shape with another radix.
    public CollectiveShape with(int otherRadix) {
        return new CollectiveShape(type, size, me, root, width, order, inPlace, source, target, otherRadix);
    }

    /// Returns the shape of a part of this collective.
    public CollectiveShape with(CollectiveType its, BlockLayout itsSource, BlockLayout itsTarget) {
        return new CollectiveShape(its, size, me, root, width, order, inPlace, itsSource, itsTarget, radix);
    }

    /// Returns a block of this member's source.
    public ByteSpan source(int block) {
        return source.of(PlanBuffer.SOURCE, block);
    }

    /// Returns a block of this member's target.
    public ByteSpan target(int block) {
        return target.of(PlanBuffer.TARGET, block);
    }

    /// Returns the block of this member's source that is for a member: its only one unless it has one for each.
    ByteSpan sourceFor(int member) {
        return source(source.count() == 1 ? 0 : member);
    }

    /// Returns the block of this member's target that is of a member: its only one unless it has one of each.
    ByteSpan targetOf(int member) {
        return target(target.count() == 1 ? 0 : member);
    }

    /// Returns the collective's size, by which the runtime selects an algorithm; [CollectiveType] defines it.
    public long bytes() {
        return switch (type) {
            case BARRIER, FAN_IN, FAN_OUT, ALL_TO_ALL_V, GATHER_V, SCATTER_V -> 0;
            case BROADCAST -> isRoot() ? source.bytes(0) : target.bytes(0);
            case ALL_REDUCE, REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> source.bytes(0);
            case REDUCE_SCATTER -> target.bytes(0);
            case ALL_GATHER, ALL_GATHER_V, ALL_TO_ALL -> target.total();
            case REDUCE_SCATTER_V -> source.total();
            case GATHER -> Math.multiplyExact(size, source.bytes(0));
            case SCATTER -> Math.multiplyExact(size, target.bytes(0));
        };
    }

    /// Returns whether operands must be reduced in the order of the members.
    public boolean ordered() {
        return order != Order.ANY;
    }

    /// Returns whether one member must reduce the operands of all, one by one.
    public boolean isSequential() {
        return order == Order.SEQUENTIAL;
    }

    public boolean isRoot() {
        return me == root;
    }

    /// Returns the member some places after this one, or before it if `places` is negative; 0 follows the last
    /// member.
    int neighbour(long places) {
        return Math.floorMod(me + places, size);
    }

    /// Returns the other members in the order of their places after this one.
    IntStream others() {
        return IntStream.range(1, size).map(this::neighbour);
    }

    /// Returns the number of places from the root to this member, in `[0, size)`.
    int placesFromRoot() {
        return Math.floorMod((long) me - root, size);
    }

    /// Returns the member some places after the root.
    int fromRoot(long places) {
        return Math.floorMod(root + places, size);
    }
}
