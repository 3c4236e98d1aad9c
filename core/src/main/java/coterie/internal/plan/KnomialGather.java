// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// Gather up and scatter down a [k-nomial tree][KnomialTree] of members counted from the root: a message between a
/// member and its parent has the blocks of the member's subtree.
///
/// ```
///  k = 2, n = 4, root 2:    places 0 ─┬─ 1           members 2 ─┬─ 3
///                                     └─ 2 ── 3                 └─ 0 ── 1
/// ```
///
/// The root has the blocks in the order of the members, so that a subtree with places on both sides of member 0
/// needs two messages.
///
/// ⌈log_k n⌉ steps on the longest path. In a gather each member but the root sends the blocks of its subtree; in a
/// scatter each member sends those of its children's subtrees.
final class KnomialGather {
    private final CollectiveShape shape;
    private final Plan.Builder plan;
    private final KnomialTree tree;
    private final int place;

    /// The blocks of this member's subtree, in the order of places; on the root in the order of members.
    private final BlockRange held;

    /// @param atRoot the root's buffer with all blocks
    /// @param mine this member's block
    private KnomialGather(Plan.Builder plan, CollectiveShape shape, PlanBuffer atRoot, ByteSpan mine) {
        this.plan = plan;
        this.shape = shape;
        this.tree = new KnomialTree(shape.size(), shape.radix());
        this.place = shape.placesFromRoot();
        BlockLayout places = new BlockLayout.Even(shape.size(), mine.bytes());
        if (place == 0) {
            held = new BlockRange(atRoot, 0, places, 0);
        } else if (isLeaf()) {
            held = new BlockRange(mine.buffer(), mine.offset(), places, place);
        } else {
            held = BlockRange.scratch(plan, places, place, tree.end(place) - place);
        }
    }

    static void gather(Plan.Builder plan, CollectiveShape shape) {
        new KnomialGather(plan, shape, PlanBuffer.TARGET, shape.source(0)).gather();
    }

    static void scatter(Plan.Builder plan, CollectiveShape shape) {
        new KnomialGather(plan, shape, PlanBuffer.SOURCE, shape.target(0)).scatter();
    }

    private void gather() {
        plan.copyOwn(shape);
        if (place != 0 && !isLeaf()) {
            plan.copy(held.of(place, 1), shape.source(0));
        }
        for (List<Integer> level : tree.children(place)) {
            for (int child : level) {
                pieces(child).forEach(piece -> plan.receive(shape.fromRoot(child), piece));
            }
            plan.next();
        }
        if (place != 0) {
            pieces(place).forEach(piece -> plan.send(shape.fromRoot(tree.parent(place)), piece));
        }
    }

    private void scatter() {
        tree.down(plan, shape, this::pieces);
        plan.copyOwn(shape);
        if (place != 0 && !isLeaf()) {
            plan.copy(shape.target(0), held.of(place, 1));
        }
    }

    private boolean isLeaf() {
        return tree.end(place) == place + 1;
    }

    /// Returns the blocks of a place's subtree, in this member's memory.
    private List<ByteSpan> pieces(int top) {
        int end = tree.end(top);
        int memberZero = shape.size() - shape.root();
        return top < memberZero && memberZero < end
                ? List.of(piece(top, memberZero), piece(memberZero, end))
                : List.of(piece(top, end));
    }

    private ByteSpan piece(int from, int to) {
        return held.of(place == 0 ? shape.fromRoot(from) : from, to - from);
    }
}
