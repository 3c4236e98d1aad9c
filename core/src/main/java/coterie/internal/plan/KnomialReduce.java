// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Reduce up a [k-nomial tree][KnomialTree]: each member folds its children's values after its own, a
/// level at a time, and sends the result to its parent. The places of a subtree follow its top, so that the folds
/// keep the order of the places. Fanin is a reduce of no bytes.
///
/// Places are counted from the root. If operands must be reduced in the members' order, places are counted from
/// member 0, which sends the result to the root.
///
/// ⌈log_k n⌉ steps, and 1 more if member 0 sends the result to the root. Each member but the top of the tree sends
/// the vector once, and member 0 once if it is the top but not the root.
final class KnomialReduce {

    static void reduce(Plan.Builder plan, CollectiveShape shape) {
        int top = shape.ordered() && shape.type().isReduction() ? 0 : shape.root();
        KnomialTree tree = new KnomialTree(shape.size(), shape.radix());
        int place = Math.floorMod(shape.me() - top, shape.size());
        List<List<Integer>> children = tree.children(place);
        ByteSpan vector = shape.source(0);
        ByteSpan own = shape.isRoot() ? shape.target(0) : children.isEmpty() ? vector : plan.scratch(vector.bytes());
        Accumulator value = new Accumulator(plan, own, vector);
        List<ByteSpan> inbox = new ArrayList<>();
        for (List<Integer> level : children) {
            while (inbox.size() < level.size()) {
                inbox.add(plan.scratch(vector.bytes()));
            }
            for (int index = 0; index < level.size(); index++) {
                plan.receive(Math.floorMod(top + level.get(index), shape.size()), inbox.get(index));
            }
            value.fold(List.of(), inbox.subList(0, level.size()));
            plan.next();
        }
        if (place != 0) {
            plan.send(Math.floorMod(top + tree.parent(place), shape.size()), value.value());
        }
        if (place == 0 && shape.isRoot()) {
            value.complete(shape.inPlace());
        } else if (place == 0) {
            plan.next().send(shape.root(), value.value());
        } else if (shape.isRoot()) {
            plan.next().receive(top, shape.target(0));
        }
    }

    private KnomialReduce() {}
}
