// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// Broadcast down a [k-nomial tree][KnomialTree] of members counted from the root: each member receives the vector
/// from its parent and sends it to its children, a level at a time, first to those with the largest subtrees. Fanout
/// is a broadcast of no bytes.
///
/// ⌈log_k n⌉ steps on the longest path; the root sends the vector k - 1 times in each.
final class KnomialBroadcast {

    static void broadcast(Plan.Builder plan, CollectiveShape shape) {
        ByteSpan vector = shape.isRoot() ? shape.source(0) : shape.target(0);
        new KnomialTree(shape.size(), shape.radix()).down(plan, shape, _ -> List.of(vector));
        plan.copyOwn(shape);
    }

    private KnomialBroadcast() {}
}
