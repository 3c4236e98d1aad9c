// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/// Reductions of long vectors: by recursive k-ing each member computes the whole reduction of one share, along the
/// [levels][ReduceScatterPattern] around it. All members take part in all steps, for any team size, and the folds
/// keep the members' order.
///
/// - allreduce: then the members exchange their shares, along the levels backwards;
/// - reduce: then at each level, backwards, one member collects the shares of the others; at the last one it is
///   the root;
/// - reduce_scatter(v): the shares are the members' blocks, packed in the order of the pattern.
///
/// | | steps | vectors that a member sends |
/// |---|---|---|
/// | reduce_scatter(v) | ⌈log_k n⌉ | (n-1)/n |
/// | allreduce | 2·⌈log_k n⌉ | 2·(n-1)/n where n is a power of k, else up to 3 |
/// | reduce | 2·⌈log_k n⌉ | less than 2 |
///
/// One member computes a share and all others receive it, so that all have the same bits.
final class ScatterReduce {
    private final Plan.Builder plan;
    private final CollectiveShape shape;
    private final List<ReduceScatterPattern> patterns;

    private ScatterReduce(Plan.Builder plan, CollectiveShape shape) {
        this.plan = plan;
        this.shape = shape;
        this.patterns = ReduceScatterPattern.around(shape.me(), shape.size(), shape.radix());
    }

    static void allreduce(Plan.Builder plan, CollectiveShape shape) {
        plan(plan, shape, ScatterReduce::allreduce);
    }

    static void reduce(Plan.Builder plan, CollectiveShape shape) {
        plan(plan, shape, ScatterReduce::reduce);
    }

    static void reduceScatter(Plan.Builder plan, CollectiveShape shape) {
        plan(plan, shape, ScatterReduce::reduceScatter);
    }

    /// One member alone has no share that another one reduces.
    private static void plan(Plan.Builder plan, CollectiveShape shape, Consumer<ScatterReduce> steps) {
        if (shape.size() == 1) {
            plan.move(shape, shape.target(0), shape.source(0));
        } else {
            steps.accept(new ScatterReduce(plan, shape));
        }
    }

    private void allreduce() {
        BlockRange result = shares(shape.target(0));
        scatter(shares(shape.source(0)), result, shape.inPlace());
        plan.phase();
        for (ReduceScatterPattern pattern : patterns.reversed()) {
            int mine = pattern.hand(shape.me());
            for (int taker : pattern.givers(shape.me())) {
                plan.send(taker, part(result, pattern, mine));
            }
            for (int hand : pattern.others(mine)) {
                plan.receive(pattern.taker(hand, shape.me()), part(result, pattern, hand));
            }
            plan.next();
        }
    }

    private void reduce() {
        BlockRange source = shares(shape.source(0));
        BlockRange result;
        if (shape.isRoot()) {
            result = shares(shape.target(0));
        } else {
            ReduceScatterPattern all = patterns.getFirst();
            int mine = all.hand(shape.me());
            result = BlockRange.scratch(plan, source.blocks(), all.share(mine), all.shares(mine));
        }
        scatter(source, result, shape.isRoot() && shape.inPlace());
        for (ReduceScatterPattern pattern : patterns.reversed()) {
            int mine = pattern.hand(shape.me());
            int collector = pattern.collector(shape.root());
            if (shape.me() == collector) {
                for (int hand : pattern.others(mine)) {
                    plan.receive(pattern.collector(hand, shape.root()), part(result, pattern, hand));
                }
            } else if (shape.me() == pattern.collector(mine, shape.root())) {
                plan.send(collector, part(result, pattern, mine));
            }
            plan.next();
        }
    }

    private void reduceScatter() {
        int[] dealt = new int[shape.size()];
        for (int member = 0; member < dealt.length; member++) {
            dealt[ReduceScatterPattern.shareOf(member, shape.size(), shape.radix())] = member;
        }
        BlockLayout packed = BlockLayout.Listed.dense(
                Arrays.stream(dealt).mapToLong(shape.source()::bytes).toArray());
        BlockRange parcel = BlockRange.scratch(plan, packed, 0, dealt.length);
        for (int share = 0; share < dealt.length; share++) {
            plan.copy(parcel.of(share, 1), shape.source(dealt[share]));
        }
        plan.next();
        scatter(parcel, parcel, true);
        ReduceScatterPattern last = patterns.getLast();
        plan.move(shape, shape.target(0), part(parcel, last, last.hand(shape.me())));
    }

    /// Plans the reduction of this member's share.
    ///
    /// @param source this member's vector, which the plan only reads unless `same` holds
    /// @param result at least the shares of this member's hand at the first level
    /// @param same whether source and result are the same bytes
    private void scatter(BlockRange source, BlockRange result, boolean same) {
        BlockRange have = source;
        for (ReduceScatterPattern pattern : patterns) {
            int mine = pattern.hand(shape.me());
            for (int hand : pattern.others(mine)) {
                plan.send(pattern.taker(hand, shape.me()), part(have, pattern, hand));
            }
            Accumulator value = new Accumulator(plan, part(result, pattern, mine), part(have, pattern, mine));
            List<ByteSpan> before = new ArrayList<>();
            List<ByteSpan> after = new ArrayList<>();
            for (int giver : pattern.givers(shape.me())) {
                ByteSpan inbox = plan.scratch(value.value().bytes());
                plan.receive(giver, inbox);
                (giver < shape.me() ? before : after).add(inbox);
            }
            value.fold(before, after);
            value.complete(same);
            plan.next();
            have = result;
        }
    }

    private BlockRange shares(ByteSpan vector) {
        BlockLayout shares = new BlockLayout.Partition(shape.size(), vector.bytes(), shape.width());
        return BlockRange.of(vector, shares);
    }

    private static ByteSpan part(BlockRange blockRange, ReduceScatterPattern pattern, int hand) {
        return blockRange.of(pattern.share(hand), pattern.shares(hand));
    }
}
