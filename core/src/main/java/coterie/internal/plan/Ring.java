// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Collectives in which each member receives only from the member before it and sends only to the member after it.
///
/// ```
///  allgather, n = 4, blocks that member 2 receives:   1, 0, 3      each block travels around the ring
///  reduce_scatter, block 2:  3 → 0 → 1 → 2        each member on the path folds its own operand after it
/// ```
///
/// - allgather(v), reduce_scatter(v): n - 1 steps, in each of which every member sends a block;
/// - allreduce, which does both on nearly equal shares of the vector: 2n - 2 steps.
///
/// No member sends more than it must, at the price of many steps. The folds of a block begin at the member after
/// its owner and go once around the ring, so the reductions decline operands that must be in the members' order.
/// One member computes a block and all others receive it, so that all have the same bits.
final class Ring {

    static void allgather(Plan.Builder plan, CollectiveShape shape) {
        plan.copyOwn(shape);
        ByteSpan have = shape.source(0);
        for (int places = 1; places < shape.size(); places++) {
            ByteSpan get = shape.target(shape.neighbour(-places));
            pass(plan, shape, have, get).next();
            have = get;
        }
    }

    static void reduceScatter(Plan.Builder plan, CollectiveShape shape) {
        long longest = shape.source().lengths().max().orElse(0);
        ByteSpan have = shape.source(shape.neighbour(-1));
        ByteSpan one = plan.scratch(longest);
        ByteSpan other = plan.scratch(longest);
        for (int places = 2; places <= shape.size(); places++) {
            ByteSpan mine = shape.source(shape.neighbour(-places));
            ByteSpan get = (places % 2 == 0 ? one : other).part(0, mine.bytes());
            pass(plan, shape, have, get).fold(get, get, mine).next();
            have = get;
        }
        plan.move(shape, shape.target(0), have);
    }

    static void allreduce(Plan.Builder plan, CollectiveShape shape) {
        int size = shape.size();
        ByteSpan source = shape.source(0);
        BlockLayout shares = new BlockLayout.Partition(size, source.bytes(), shape.width());
        BlockRange mine = BlockRange.of(source, shares);
        BlockRange result = BlockRange.of(shape.target(0), shares);
        ByteSpan inbox = plan.scratch((shares.total() / shape.width() + size - 1) / size * shape.width());
        ByteSpan have = mine.of(shape.neighbour(-1), 1);
        for (int places = 2; places <= size; places++) {
            int share = shape.neighbour(-places);
            ByteSpan get = inbox.part(0, shares.bytes(share));
            pass(plan, shape, have, get);
            have = result.of(share, 1);
            plan.fold(have, get, mine.of(share, 1)).next();
        }
        for (int places = 1; places < size; places++) {
            ByteSpan get = result.of(shape.neighbour(-places), 1);
            pass(plan, shape, have, get).next();
            have = get;
        }
        if (size == 1) {
            plan.copyOwn(shape);
        }
    }

    private static Plan.Builder pass(Plan.Builder plan, CollectiveShape shape, ByteSpan have, ByteSpan get) {
        return plan.send(shape.neighbour(1), have).receive(shape.neighbour(-1), get);
    }

    private Ring() {}
}
