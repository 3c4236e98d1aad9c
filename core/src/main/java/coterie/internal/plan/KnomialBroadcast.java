// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;
import java.util.Optional;

/// Broadcast and fanout down a [k-nomial tree][KnomialTree] of members counted from the root: each member receives
/// the vector from its parent and sends it to its children, a level at a time, first to those with the largest
/// subtrees.
///
/// ⌈log_k n⌉ steps on the longest path; the root sends the vector k - 1 times in each.
final class KnomialBroadcast {

    static Optional<Plan> broadcast(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        pass(plan, shape, shape.isRoot() ? shape.source(0) : shape.target(0));
        if (shape.isRoot() && !shape.inPlace()) {
            plan.copy(shape.target(0), shape.source(0));
        }
        return Optional.of(plan.build());
    }

    static Optional<Plan> fanout(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        pass(plan, shape, ByteSpan.NOTHING);
        return Optional.of(plan.build());
    }

    /// Plans the messages; the last step stays open for more work.
    private static void pass(Plan.Builder plan, CollectiveShape shape, ByteSpan vector) {
        KnomialTree tree = new KnomialTree(shape.size(), shape.radix());
        int place = shape.placesFromRoot();
        if (place != 0) {
            plan.receive(shape.fromRoot(tree.parent(place)), vector);
        }
        for (List<Integer> level : tree.children(place).reversed()) {
            plan.next();
            for (int child : level) {
                plan.send(shape.fromRoot(child), vector);
            }
        }
    }

    private KnomialBroadcast() {}
}
