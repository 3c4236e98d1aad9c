// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;
import java.util.Optional;

/// Broadcast of long vectors: the root scatters the vector's shares down a [k-nomial tree][KnomialTree], in which
/// each member receives the shares of its subtree. Then all members but the root gather the shares as
/// [KnomialAllgather] does.
///
/// 2·⌈log_k n⌉ steps; no member sends more than 3·(n-1)/n vectors. In the first half the root sends one share for
/// each other member; in the second half each member sends about one vector, and up to two if n is not a power of
/// k.
///
/// Declines vectors that are shorter than a cache line for each member.
final class ScatterAllgatherBroadcast {
    /// A cache line: copies of shares that begin at a line are faster.
    private static final int GRAIN = 64;

    static Optional<Plan> broadcast(CollectiveShape shape) {
        ByteSpan vector = shape.isRoot() ? shape.source(0) : shape.target(0);
        BlockLayout.Partition partition = new BlockLayout.Partition(shape.size(), vector.bytes(), GRAIN);
        if (partition.grains() < shape.size()) {
            return Optional.empty();
        }
        Plan.Builder plan = Plan.builder();
        BlockRange shares = BlockRange.of(vector, partition);
        KnomialTree tree = new KnomialTree(shape.size(), shape.radix());
        tree.down(plan, shape, place -> List.of(shares.of(place, tree.end(place) - place)));
        KnomialAllgather.exchange(plan.next(), shares, shape.placesFromRoot(), shape.radix(), 0, shape::fromRoot);
        return Optional.of(plan.copyOwn(shape).build());
    }

    private ScatterAllgatherBroadcast() {}
}
