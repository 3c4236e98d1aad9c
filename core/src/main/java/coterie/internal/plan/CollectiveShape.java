// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;

/// What an algorithm must know of a collective to make a plan of it, and no more: no addresses, no element type.
///
/// | collective | source | target |
/// |---|---|---|
/// | barrier, fanin, fanout | no bytes | no bytes |
/// | bcast | one block, of the root's alone | one block |
/// | allreduce, scans | one block | one block |
/// | reduce | one block | one block, of the root's alone |
/// | allgather(v) | one block | a block of each member |
/// | gather(v) | one block | a block of each member, of the root's alone |
/// | scatter(v) | a block for each member, of the root's alone | one block |
/// | alltoall(v) | a block for each member | a block of each member |
/// | reduce_scatter(v) | a block for each member | one block |
///
/// Blocks of collectives without v are of one length and lie one behind the other, from the begin of the buffer.
///
/// What only the root has is empty at the others, and may not be asked for there. **In place**, some bytes of
/// source and target are the same: both begin together, but that the source is block `me` of the target in
/// allgather(v) and gather(v), and the target is block `me` of the source in scatter(v). A plan then reads what it
/// needs of such bytes through the one before it writes them through the other, and need not copy what is there
/// already.
///
/// @param size members, at least 1
/// @param me my number
/// @param root of those that have one, else 0
/// @param width bytes of an element, in reductions: they are cut between elements
/// @param ordered whether operands must be reduced in the order of the members; only that is sure not to commute
/// @param inPlace see above; the same on all members but where only the root has both, and where blocks of any
///     lengths may be empty: no message depends on it
/// @param source what I bring
/// @param target what I get
/// @param radix how many members an algorithm that has a choice may bring together in a step, at least 2
public record CollectiveShape(
        CollectiveType type,
        int size,
        int me,
        int root,
        int width,
        boolean ordered,
        boolean inPlace,
        BlockLayout source,
        BlockLayout target,
        int radix) {

    public CollectiveShape {
        if (size < 1 || me < 0 || me >= size || root < 0 || root >= size || width < 1 || radix < 2) {
            throw new IllegalArgumentException("no shape: " + type.label() + ", " + size + " members, I am " + me
                    + ", root " + root + ", elements of " + width + " bytes, radix " + radix);
        }
    }

    /// The same with another radix.
    public CollectiveShape with(int otherRadix) {
        return new CollectiveShape(type, size, me, root, width, ordered, inPlace, source, target, otherRadix);
    }

    /// A block of what I bring.
    public ByteSpan source(int block) {
        return source.of(PlanBuffer.SOURCE, block);
    }

    /// A block of what I get.
    public ByteSpan target(int block) {
        return target.of(PlanBuffer.TARGET, block);
    }

    /// The collective's size, by which its algorithm is chosen, as [CollectiveType] says.
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

    public boolean isRoot() {
        return me == root;
    }

    /// The member some places after me, where 0 comes after the last; before me, if negative.
    int neighbour(long places) {
        return Math.floorMod(me + places, size);
    }

    /// How many places I come after the root, in `[0, size)`.
    int placesFromRoot() {
        return Math.floorMod((long) me - root, size);
    }

    /// The member some places after the root.
    int fromRoot(long places) {
        return Math.floorMod(root + places, size);
    }
}
