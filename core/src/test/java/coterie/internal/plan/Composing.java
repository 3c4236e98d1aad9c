// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import coterie.collective.CollectiveType;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import coterie.layer.FragmentPipeline;
import java.util.List;
import java.util.stream.IntStream;

/// Composes a collective for a member, in one of several ways.
final class Composing {
    private final Composition plan = new Composition();
    private final CollectiveShape shape;
    private final int size;
    private final int me;
    private final int root;

    /// Of a vector or a block.
    private final long bytes;

    private final int[] all;

    Composing(CollectiveShape shape, long bytes) {
        this.shape = shape;
        this.size = shape.size();
        this.me = shape.me();
        this.root = shape.root();
        this.bytes = bytes;
        this.all = IntStream.range(0, size).toArray();
    }

    Composition compose(String how) {
        return switch (how) {
            case ComposedPlansTest.ONE -> plan.then(shape.type(), all, target(), source(), root);
            case "fans" -> fans();
            case ComposedPlansTest.FIRST -> byFirst();
            case "halves" -> halves(plan.scratch(bytes));
            case "halves in target" -> shape.type() == CollectiveType.ALL_REDUCE ? halves(target()) : halfBlocks();
            case "together" -> together(plan.scratch(bytes));
            case "sequential fragments" -> pipelined(FragmentPipeline.Order.SEQUENTIAL);
            case "fragments together" -> pipelined(FragmentPipeline.Order.TOGETHER);
            case ComposedPlansTest.VARIABLE -> variable();
            case "shares" -> shares();
            case "relay" -> relay();
            case "turned" -> turned();
            case "copies" -> shape.type() == CollectiveType.SCATTER ? scatterCopies() : alltoallCopies();
            case "letters" -> letters();
            case "backwards" -> backwards();
            default -> throw new AssertionError(how);
        };
    }

    private BufferSlice source() {
        return switch (shape.type()) {
            case BARRIER -> BufferSlice.NONE;
            case SCATTER, REDUCE_SCATTER, ALL_TO_ALL -> BufferSlice.source(0, size * bytes);
            default -> BufferSlice.source(0, bytes);
        };
    }

    private BufferSlice target() {
        return switch (shape.type()) {
            case BARRIER -> BufferSlice.NONE;
            case ALL_GATHER, GATHER, ALL_TO_ALL -> BufferSlice.target(0, size * bytes);
            default -> BufferSlice.target(0, bytes);
        };
    }

    /// The low half of the team or the high one, whichever is mine; one alone is low.
    private int[] half() {
        return size == 1 || me < size / 2 ? low() : high();
    }

    private int[] low() {
        return IntStream.range(0, Math.max(1, size / 2)).toArray();
    }

    private int[] high() {
        return IntStream.range(Math.max(1, size / 2), size).toArray();
    }

    private int[] heads() {
        return size == 1 ? new int[] {0} : new int[] {0, size / 2};
    }

    private Composition fans() {
        return plan.then(CollectiveType.FAN_IN, all, BufferSlice.NONE, BufferSlice.NONE, 0)
                .then(CollectiveType.FAN_OUT, all, BufferSlice.NONE, BufferSlice.NONE, 0);
    }

    /// @param partly whether heads have the blocks of their half
    private Composition halves(BufferSlice partly) {
        return plan.then(CollectiveType.REDUCE, half(), partly, source(), 0)
                .then(CollectiveType.ALL_REDUCE, heads(), target(), partly, 0)
                .then(CollectiveType.BROADCAST, half(), target(), target(), 0);
    }

    /// Both halves at the same time; all members compose all stages.
    private Composition together(BufferSlice partly) {
        plan.then(CollectiveType.REDUCE, low(), partly, source(), 0);
        if (size > 1) {
            plan.with(CollectiveType.REDUCE, high(), partly, source(), 0);
        }
        plan.then(CollectiveType.ALL_REDUCE, heads(), target(), partly, 0);
        plan.then(CollectiveType.BROADCAST, low(), target(), target(), 0);
        return size > 1 ? plan.with(CollectiveType.BROADCAST, high(), target(), target(), 0) : plan;
    }

    /// Up to five fragments, of which two are under way, each by both halves at the same time.
    private Composition pipelined(FragmentPipeline.Order order) {
        long elements = bytes / shape.width();
        FragmentPipeline how = new FragmentPipeline(5, 2, order).upTo(elements);
        return plan.pipeline(how, number -> {
            long from = how.begin(elements, number) * shape.width();
            long length = how.begin(elements, number + 1) * shape.width() - from;
            BufferSlice in = source().slice(from, length);
            BufferSlice out = target().slice(from, length);
            Composition one = new Composition();
            BufferSlice partly = one.scratch(length);
            BufferSlice copied = one.scratch(length);
            one.then(CollectiveType.REDUCE, low(), partly, in, 0);
            if (size > 1) {
                one.with(CollectiveType.REDUCE, high(), partly, in, 0);
            }
            one.copy(copied, partly);
            one.then(CollectiveType.ALL_REDUCE, heads(), out, copied, 0);
            one.then(CollectiveType.BROADCAST, low(), out, out, 0);
            return size > 1 ? one.with(CollectiveType.BROADCAST, high(), out, out, 0) : one;
        });
    }

    /// The same collective with a v.
    private Composition variable() {
        List<BufferSlice> sources = blocks(source());
        List<BufferSlice> targets = blocks(target());
        return switch (shape.type()) {
            case ALL_GATHER -> plan.thenV(CollectiveType.ALL_GATHER_V, all, targets, sources, 0);
            case GATHER -> plan.thenV(CollectiveType.GATHER_V, all, me == root ? targets : List.of(), sources, root);
            case SCATTER -> plan.thenV(CollectiveType.SCATTER_V, all, targets, me == root ? sources : List.of(), root);
            case REDUCE_SCATTER -> plan.thenV(CollectiveType.REDUCE_SCATTER_V, all, targets, sources, 0);
            default -> plan.thenV(CollectiveType.ALL_TO_ALL_V, all, targets, sources, 0);
        };
    }

    private List<BufferSlice> blocks(BufferSlice all) {
        boolean isMany = all.memory() == BufferSlice.source(0, 0).memory()
                ? switch (shape.type()) {
                    case SCATTER, REDUCE_SCATTER, ALL_TO_ALL -> true;
                    default -> false;
                }
                : switch (shape.type()) {
                    case ALL_GATHER, GATHER, ALL_TO_ALL -> true;
                    default -> false;
                };
        return IntStream.range(0, isMany ? size : 1)
                .mapToObj(block -> all.slice(block * bytes, bytes))
                .toList();
    }

    private Composition halfBlocks() {
        int[] half = half();
        BufferSlice lows = target().slice(0, low().length * bytes);
        BufferSlice highs = target().slice(lows.bytes(), high().length * bytes);
        plan.then(CollectiveType.ALL_GATHER, half, half[0] == 0 ? lows : highs, source(), 0);
        if (size > 1) {
            plan.then(CollectiveType.BROADCAST, heads(), lows, lows, 0);
            plan.then(CollectiveType.BROADCAST, heads(), highs, highs, 1);
        }
        return plan.then(CollectiveType.BROADCAST, half, target(), target(), 0);
    }

    /// Each member reduces a share; the rest without shares comes last.
    private Composition shares() {
        long share = bytes / shape.width() / size * shape.width();
        long shared = size * share;
        BufferSlice mine = plan.scratch(share);
        return plan.then(CollectiveType.REDUCE_SCATTER, all, mine, source().slice(0, shared), 0)
                .then(CollectiveType.ALL_GATHER, all, target().slice(0, shared), mine, 0)
                .then(
                        CollectiveType.ALL_REDUCE,
                        all,
                        target().slice(shared, bytes - shared),
                        source().slice(shared, bytes - shared),
                        0);
    }

    private Composition relay() {
        return plan.then(CollectiveType.GATHER, all, target(), source(), size - 1)
                .then(CollectiveType.BROADCAST, all, target(), target(), size - 1);
    }

    private Composition byFirst() {
        switch (shape.type()) {
            case BROADCAST -> {
                if (root != 0) {
                    plan.then(CollectiveType.BROADCAST, new int[] {root, 0}, target(), source(), 0);
                }
                plan.then(CollectiveType.BROADCAST, all, target(), root == 0 ? source() : target(), 0);
            }
            case REDUCE_SCATTER -> {
                BufferSlice whole = plan.scratch(size * bytes);
                plan.then(CollectiveType.REDUCE, all, whole, source(), 0);
                plan.then(CollectiveType.SCATTER, all, target(), whole, 0);
            }
            default -> {
                BufferSlice whole = plan.scratch(shape.type() == CollectiveType.GATHER ? size * bytes : bytes);
                plan.then(shape.type(), all, whole, source(), 0);
                hand(whole);
            }
        }
        return plan;
    }

    /// To the root's target, from member 0's scratch memory.
    private void hand(BufferSlice whole) {
        if (root != 0) {
            plan.then(CollectiveType.BROADCAST, new int[] {0, root}, me == root ? target() : whole, whole, 0);
        } else if (me == 0) {
            plan.copy(target(), whole);
        }
    }

    /// The root gathers in an order that begins with itself, and puts it right.
    private Composition turned() {
        int[] order =
                IntStream.range(0, size).map(number -> (root + number) % size).toArray();
        BufferSlice whole = plan.scratch(size * bytes);
        plan.then(CollectiveType.GATHER, order, whole, source(), 0);
        for (int number = 0; number < size && me == root; number++) {
            plan.copy(target().slice(order[number] * bytes, bytes), whole.slice(number * bytes, bytes));
        }
        return plan;
    }

    private Composition scatterCopies() {
        BufferSlice whole = plan.scratch(size * bytes);
        return plan.then(CollectiveType.BROADCAST, all, whole, source(), root)
                .copy(target(), whole.slice(me * bytes, bytes));
    }

    /// The root sends each member its block, and copies its own: in place, to where it is.
    private Composition letters() {
        BufferSlice copy = plan.scratch(bytes);
        for (int member = 0; member < size; member++) {
            if (member != root) {
                plan.then(
                        CollectiveType.BROADCAST,
                        new int[] {root, member},
                        me == root ? copy : target(),
                        me == root ? source().slice(member * bytes, bytes) : BufferSlice.NONE,
                        0);
            } else if (me == root) {
                plan.copy(target(), source().slice(me * bytes, bytes));
            }
        }
        return plan;
    }

    private Composition alltoallCopies() {
        BufferSlice everything = plan.scratch((long) size * size * bytes);
        plan.then(CollectiveType.ALL_GATHER, all, everything, source(), 0);
        for (int from = 0; from < size; from++) {
            plan.copy(target().slice(from * bytes, bytes), everything.slice((from * size + me) * bytes, bytes));
        }
        return plan;
    }

    private Composition backwards() {
        int[] order = IntStream.range(0, size).map(number -> size - 1 - number).toArray();
        BufferSlice out = plan.scratch(size * bytes);
        BufferSlice in = plan.scratch(size * bytes);
        for (int number = 0; number < size; number++) {
            plan.copy(out.slice(number * bytes, bytes), source().slice(order[number] * bytes, bytes));
        }
        plan.then(CollectiveType.ALL_TO_ALL, order, in, out, 0);
        for (int number = 0; number < size; number++) {
            plan.copy(target().slice(order[number] * bytes, bytes), in.slice(number * bytes, bytes));
        }
        return plan;
    }
}
