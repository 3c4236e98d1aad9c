// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// Reductions of long vectors: by recursive k-ing each member comes to the whole reduction of one share, along the
/// [deals][Deal] around it. Any number of members takes part alike, and operands stay in the members' order.
///
/// - allreduce: then all give each other what they have, along the deals backwards;
/// - reduce: then what a deal's members have comes to one of them, deal by deal backwards, and in the end to the
///   root;
/// - reduce_scatter(v): the shares are the members' blocks, packed in the order in which they are dealt.
///
/// | | steps | vectors that a member sends |
/// |---|---|---|
/// | reduce_scatter(v) | ⌈log_k n⌉ | (n-1)/n |
/// | allreduce | 2·⌈log_k n⌉ | 2·(n-1)/n where n is a power of k, else up to 3 |
/// | reduce | 2·⌈log_k n⌉ | less than 2 |
///
/// One member computes a share and all others get it from there, so that all have the same bits.
final class ScatterReduce {
    private final Shape shape;
    private final Plan.Builder plan = Plan.builder();
    private final List<Deal> deals;

    private ScatterReduce(Shape shape) {
        this.shape = shape;
        this.deals = Deal.around(shape.me(), shape.size(), shape.radix());
    }

    static Optional<Plan> allreduce(Shape shape) {
        return Optional.of(new ScatterReduce(shape).allreduce());
    }

    static Optional<Plan> reduce(Shape shape) {
        return Optional.of(new ScatterReduce(shape).reduce());
    }

    static Optional<Plan> reduceScatter(Shape shape) {
        return Optional.of(new ScatterReduce(shape).reduceScatter());
    }

    private Plan allreduce() {
        if (shape.size() == 1) {
            return alone();
        }
        Region result = shares(shape.target(0));
        scatter(shares(shape.source(0)), result, shape.inPlace());
        plan.cut();
        for (Deal deal : deals.reversed()) {
            int mine = deal.hand(shape.me());
            for (int taker : deal.givers(shape.me())) {
                plan.send(taker, part(result, deal, mine));
            }
            for (int hand = 0; hand < deal.hands(); hand++) {
                if (hand != mine) {
                    plan.receive(deal.taker(hand, shape.me()), part(result, deal, hand));
                }
            }
            plan.next();
        }
        return plan.build();
    }

    private Plan reduce() {
        if (shape.size() == 1) {
            return alone();
        }
        Region source = shares(shape.source(0));
        Region result;
        if (shape.isRoot()) {
            result = shares(shape.target(0));
        } else {
            Deal all = deals.getFirst();
            int mine = all.hand(shape.me());
            result = Region.scratch(plan, source.blocks(), all.share(mine), all.shares(mine));
        }
        scatter(source, result, shape.isRoot() && shape.inPlace());
        for (Deal deal : deals.reversed()) {
            int mine = deal.hand(shape.me());
            int collector = deal.collector(shape.root());
            if (shape.me() == collector) {
                for (int hand = 0; hand < deal.hands(); hand++) {
                    if (hand != mine) {
                        plan.receive(deal.collector(hand, shape.root()), part(result, deal, hand));
                    }
                }
            } else if (shape.me() == deal.collector(mine, shape.root())) {
                plan.send(collector, part(result, deal, mine));
            }
            plan.next();
        }
        return plan.build();
    }

    private Plan alone() {
        if (!shape.inPlace()) {
            plan.copy(shape.target(0), shape.source(0));
        }
        return plan.build();
    }

    private Plan reduceScatter() {
        if (shape.size() == 1) {
            Ending.bring(plan, shape, shape.source(0));
            return plan.build();
        }
        int[] dealt = new int[shape.size()];
        for (int member = 0; member < dealt.length; member++) {
            dealt[Deal.shareOf(member, shape.size(), shape.radix())] = member;
        }
        Blocks packed = Blocks.Listed.dense(
                Arrays.stream(dealt).mapToLong(shape.source()::bytes).toArray());
        Region parcel = Region.scratch(plan, packed, 0, dealt.length);
        for (int share = 0; share < dealt.length; share++) {
            plan.copy(parcel.of(share, 1), shape.source(dealt[share]));
        }
        plan.next();
        scatter(parcel, parcel, true);
        Deal last = deals.getLast();
        Ending.bring(plan, shape, part(parcel, last, last.hand(shape.me())));
        return plan.build();
    }

    /// Brings the reduction of my share about.
    ///
    /// @param source my vector, of which nothing is changed
    /// @param result what is mine of the first deal, at least
    /// @param same whether these are the same bytes
    private void scatter(Region source, Region result, boolean same) {
        Region have = source;
        for (Deal deal : deals) {
            int mine = deal.hand(shape.me());
            for (int hand = 0; hand < deal.hands(); hand++) {
                if (hand != mine) {
                    plan.send(deal.taker(hand, shape.me()), part(have, deal, hand));
                }
            }
            Accumulator value = new Accumulator(plan, part(result, deal, mine), part(have, deal, mine));
            List<Span> before = new ArrayList<>();
            List<Span> after = new ArrayList<>();
            for (int giver : deal.givers(shape.me())) {
                Span inbox = plan.scratch(value.value().bytes());
                plan.receive(giver, inbox);
                (giver < shape.me() ? before : after).add(inbox);
            }
            value.fold(before, after);
            value.settle(same);
            plan.next();
            have = result;
        }
    }

    private Region shares(Span vector) {
        Blocks shares = new Blocks.Shares(shape.size(), vector.bytes(), shape.width());
        return new Region(vector.buffer(), vector.offset(), shares, 0);
    }

    private static Span part(Region region, Deal deal, int hand) {
        return region.of(deal.share(hand), deal.shares(hand));
    }
}
