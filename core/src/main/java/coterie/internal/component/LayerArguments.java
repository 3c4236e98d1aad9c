// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.posix.AddressSpace;
import coterie.internal.schedule.Persistence;
import coterie.layer.Arguments;
import coterie.layer.TeamParameters;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/// What a layer that plugs in is asked for.
///
/// @param work that it has a part in
/// @param asked of the members of `team`
/// @param heap the address of my heap
record LayerArguments(WorkOrder work, AskedCollective asked, TeamParameters team, long heap) implements Arguments {

    @Override
    public CollectiveType type() {
        return shape().type();
    }

    CollectiveShape shape() {
        return asked.shape();
    }

    @Override
    public long bytes() {
        return shape().bytes();
    }

    @Override
    public int root() {
        return shape().root();
    }

    @Override
    public ElementType elements() {
        return asked.elements();
    }

    @Override
    public int width() {
        return shape().width();
    }

    @Override
    public Optional<ReductionOperator<?>> operator() {
        return Optional.ofNullable(asked.operator());
    }

    @Override
    public Order order() {
        return asked.order(work.use());
    }

    @Override
    public boolean isInPlace() {
        return shape().inPlace();
    }

    @Override
    public boolean isPersistent() {
        return work.persistence() == Persistence.PERSISTENT;
    }

    @Override
    public int sources() {
        return shape().source().count();
    }

    @Override
    public MemorySegment source(int block) {
        return segment("source", shape().source(), asked.from(), block).asReadOnly();
    }

    @Override
    public int targets() {
        return shape().target().count();
    }

    @Override
    public MemorySegment target(int block) {
        return segment("target", shape().target(), asked.to(), block);
    }

    private MemorySegment segment(String role, BlockLayout blocks, long at, int block) {
        if (block < 0 || block >= blocks.count()) {
            throw new IndexOutOfBoundsException(type().label() + " on PE " + team.pe(team.me()) + ": block " + block
                    + " of the " + role + " is outside [0, " + blocks.count() + ")");
        }
        return AddressSpace.ALL.asSlice(heap + at + blocks.offset(block), blocks.bytes(block));
    }

    @Override
    public void fold(MemorySegment target, MemorySegment left, MemorySegment right) {
        long length = target.byteSize();
        if (left.byteSize() != length || right.byteSize() != length || length % shape().width() != 0) {
            throw new IllegalArgumentException(type().label() + ": fold of " + left.byteSize() + " and "
                    + right.byteSize() + " bytes into " + length + "; all three must have one length, a multiple of "
                    + "the element size of "
                    + shape().width() + " bytes");
        }
        work.folding().fold(target, 0, left, 0, right, 0, length);
    }

    @Override
    public void clear(MemorySegment target) {
        work.folding().clear(target, 0, target.byteSize());
    }

    /// Returns the arguments for a group of the team, of whose collectives this one is made.
    ///
    /// @param part of the group
    /// @param source bytes of the whole that are the group's source
    /// @param target the same for its target
    /// @param scratch where in the heap the whole's scratch memory begins
    LayerArguments ofGroup(CollectiveShape part, TeamParameters group, ByteSpan source, ByteSpan target, long scratch) {
        return new LayerArguments(work, asked.part(part, place(source, scratch), place(target, scratch)), group, heap);
    }

    private long place(ByteSpan span, long scratch) {
        return span.offset()
                + switch (span.buffer()) {
                    case SOURCE -> asked.from();
                    case TARGET -> asked.to();
                    case SCRATCH -> scratch;
                };
    }
}
