// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// Broadcast, reduce and allreduce over two binary trees at the same time, half of the vector each (Sanders, Speck
/// and Träff, 2009): the [even and the odd tree][InorderTree]. Each member has children in at most one of them. So
/// no member sends much more than one vector in a direction, for any team size.
///
/// The trees keep the members' order for any root: the root sends its halves to the tops of the trees, or receives
/// them from there.
///
/// | | steps, at most | vectors that a member sends, at most |
/// |---|---|---|
/// | broadcast | ⌈log₂ n⌉ + 1 | 1, the root 2 |
/// | reduce | ⌈log₂ n⌉ + 1 | 1 |
/// | allreduce | 2·⌈log₂ n⌉ | 2 |
final class DoubleTree {
    private static final int TREES = 2;

    private final Plan.Builder plan;
    private final CollectiveShape shape;
    private final List<InorderTree> trees;
    private final BlockLayout halves;

    DoubleTree(Plan.Builder plan, CollectiveShape shape) {
        this.plan = plan;
        this.shape = shape;
        this.trees = IntStream.range(0, TREES)
                .mapToObj(kind -> InorderTree.around(shape.me(), shape.size(), kind))
                .toList();
        this.halves = new BlockLayout.Partition(TREES, shape.bytes(), shape.width());
    }

    void broadcast() {
        ByteSpan vector = shape.isRoot() ? shape.source(0) : shape.target(0);
        for (int kind = 0; kind < TREES; kind++) {
            int top = InorderTree.top(shape.size(), kind);
            if (top != shape.root() && shape.isRoot()) {
                plan.send(top, half(vector, kind));
            } else if (top != shape.root() && shape.me() == top) {
                plan.receive(shape.root(), half(vector, kind));
            }
        }
        down(vector, shape.root());
        plan.copyOwn(shape);
    }

    void reduce() {
        ByteSpan vector = shape.source(0);
        List<Accumulator> values = new ArrayList<>();
        for (int kind = 0; kind < TREES; kind++) {
            ByteSpan half = half(vector, kind);
            boolean leaf = trees.get(kind).isLeaf();
            ByteSpan own = shape.isRoot() ? half(shape.target(0), kind) : leaf ? half : plan.scratch(half.bytes());
            values.add(new Accumulator(plan, own, half));
        }
        up(values);
        for (int kind = 0; kind < TREES; kind++) {
            int top = InorderTree.top(shape.size(), kind);
            if (top == shape.root() && shape.isRoot()) {
                values.get(kind).complete(shape.inPlace());
            } else if (shape.isRoot()) {
                plan.receive(top, half(shape.target(0), kind));
            } else if (shape.me() == top) {
                plan.send(shape.root(), values.get(kind).value());
            }
        }
    }

    void allreduce() {
        List<Accumulator> values = new ArrayList<>();
        for (int kind = 0; kind < TREES; kind++) {
            values.add(new Accumulator(plan, half(shape.target(0), kind), half(shape.source(0), kind)));
        }
        up(values);
        if (shape.size() == 1) {
            values.forEach(value -> value.complete(shape.inPlace()));
        }
        down(shape.target(0), InorderTree.NONE);
    }

    /// Each member sends after its children: level by level, in both trees at the same time.
    private void up(List<Accumulator> values) {
        for (int depth = InorderTree.DEEPEST; depth > 0; depth--) {
            for (int kind = 0; kind < TREES; kind++) {
                InorderTree tree = trees.get(kind);
                Accumulator value = values.get(kind);
                if (tree.depth() == depth) {
                    plan.send(tree.parent(), value.value());
                } else if (tree.depth() == depth - 1) {
                    value.fold(receive(tree.left(), value), receive(tree.right(), value));
                }
            }
            plan.next();
        }
    }

    private List<ByteSpan> receive(int child, Accumulator value) {
        if (child == InorderTree.NONE) {
            return List.of();
        }
        ByteSpan inbox = plan.scratch(value.value().bytes());
        plan.receive(child, inbox);
        return List.of(inbox);
    }

    /// @param owner a member that has the whole vector already, or [InorderTree#NONE]
    private void down(ByteSpan vector, int owner) {
        for (int depth = 1; depth <= InorderTree.DEEPEST; depth++) {
            plan.next();
            for (int kind = 0; kind < TREES; kind++) {
                InorderTree tree = trees.get(kind);
                if (tree.depth() == depth && shape.me() != owner) {
                    plan.receive(tree.parent(), half(vector, kind));
                } else if (tree.depth() == depth - 1) {
                    for (int child : new int[] {tree.left(), tree.right()}) {
                        if (child != InorderTree.NONE && child != owner) {
                            plan.send(child, half(vector, kind));
                        }
                    }
                }
            }
        }
    }

    private ByteSpan half(ByteSpan vector, int kind) {
        return vector.part(halves.offset(kind), halves.bytes(kind));
    }
}
