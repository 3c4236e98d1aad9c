// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.p2p.Continuation;
import coterie.internal.p2p.Operator;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.posix.AddressSpace;
import coterie.layer.Arguments;
import coterie.layer.LayerTask;
import coterie.layer.TeamParameters;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// What a layer that plugs in is asked for.
///
/// @param reduction null where nothing is reduced
/// @param folding what reduces
/// @param isBlocking whether it is a call, which has numbers of its own
/// @param heap the address of my heap
/// @param from where in it the source buffer begins
/// @param to the same of the target buffer
public record LayerArguments(
        CollectiveShape shape,
        ElementType elements,
        @Nullable ReductionOperator reduction,
        Operator folding,
        Order order,
        boolean isPersistent,
        boolean isBlocking,
        TeamParameters team,
        long heap,
        long from,
        long to)
        implements Arguments {

    @Override
    public CollectiveType type() {
        return shape.type();
    }

    @Override
    public long bytes() {
        return shape.bytes();
    }

    @Override
    public int root() {
        return shape.root();
    }

    @Override
    public int width() {
        return shape.width();
    }

    @Override
    public Optional<ReductionOperator> operator() {
        return Optional.ofNullable(reduction);
    }

    @Override
    public boolean isInPlace() {
        return shape.inPlace();
    }

    @Override
    public int sources() {
        return shape.source().count();
    }

    @Override
    public MemorySegment source(int block) {
        return segment("source", shape.source(), from, block).asReadOnly();
    }

    @Override
    public int targets() {
        return shape.target().count();
    }

    @Override
    public MemorySegment target(int block) {
        return segment("target", shape.target(), to, block);
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
        if (left.byteSize() != length || right.byteSize() != length || length % shape.width() != 0) {
            throw new IllegalArgumentException(type().label() + ": fold of " + left.byteSize() + " and "
                    + right.byteSize() + " bytes into " + length + "; all three must have one length, a multiple of "
                    + "the element size of "
                    + shape.width() + " bytes");
        }
        folding.fold(target, 0, left, 0, right, 0, length);
    }

    @Override
    public void clear(MemorySegment target) {
        folding.clear(target, 0, target.byteSize());
    }

    /// A layer's task as what goes on behind a plan.
    ///
    /// @param result what of the target must be finished once it is there, or null
    /// @param component whose it is
    Continuation continuation(LayerTask task, @Nullable ByteSpan result, Component component) {
        return new Continuation() {
            @Override
            public void begin(long number) {
                component.callGuarded(() -> task.post(2 * number + (isBlocking ? 1 : 0)));
            }

            @Override
            public boolean progress() {
                boolean isOver = component.tryGuarded(task::progress);
                if (isOver && result != null) {
                    folding.finish(AddressSpace.ALL, heap + to + result.offset(), result.bytes());
                }
                return isOver;
            }

            @Override
            public void stop(RuntimeException why) {
                component.callGuarded(() -> task.stop(why));
            }

            @Override
            public void close() {
                Components.quietly(component + "'s task", () -> component.callGuarded(task::close));
            }
        };
    }
}
