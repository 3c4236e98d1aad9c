// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Allreduce by recursive k-ing: groups of k members exchange their values, then groups of k such groups. A barrier
/// is an allreduce of no bytes.
///
/// ```
///  k = 2, n = 6:   0 1 │ 2 3 │ 4 │ 5        1 and 3 send their vectors to 0 and 2, their proxies
///                  0 ⇄ 2   4 ⇄ 5            stride 1
///                  0 ⇄ 4   2 ⇄ 5            stride 2
///                  0 1 │ 2 3 │ 4 │ 5        1 and 3 receive the result
/// ```
///
/// The number of members in the exchange is the greatest a·k^p up to n, 1 ≤ a < k; the last level has groups of a.
/// Each of the other members, fewer than half of all, has a proxy in the exchange. A member's value at a level is
/// always of consecutive members, and all members of a group fold the values from the left to the right. This
/// keeps the members' order, and all members get the same bits, for any operation.
///
/// ⌈log_k m⌉ steps if m of n members take part in the exchange, and 2 more if m < n. A member sends its vector to
/// k - 1 others in each step, and a proxy once more.
final class KnomialExchange {
    private final int radix;
    private final int partners;
    private final int extras;

    private KnomialExchange(int size, int radix) {
        long power = 1;
        while (power * radix <= size) {
            power *= radix;
        }
        this.radix = radix;
        this.partners = (int) (size / power * power);
        this.extras = size - partners;
    }

    static void allreduce(Plan.Builder plan, CollectiveShape shape) {
        new KnomialExchange(shape.size(), shape.radix()).exchange(plan, shape);
    }

    private void exchange(Plan.Builder plan, CollectiveShape shape) {
        int me = shape.me();
        boolean paired = me < 2 * extras;
        if (paired && me % 2 == 1) {
            plan.send(me - 1, shape.source(0)).next();
            plan.receive(me - 1, shape.target(0)).next();
            return;
        }
        Accumulator value = new Accumulator(plan, shape.target(0), shape.source(0));
        if (paired) {
            ByteSpan extra = plan.scratch(value.value().bytes());
            plan.receive(me + 1, extra);
            value.fold(List.of(), List.of(extra));
            plan.next();
        }
        exchangeLevels(plan, paired ? me / 2 : me - extras, value);
        value.complete(shape.inPlace());
        if (paired) {
            plan.send(me + 1, value.value()).next();
        }
    }

    private void exchangeLevels(Plan.Builder plan, int number, Accumulator value) {
        List<ByteSpan> inbox = new ArrayList<>();
        for (long stride = 1; stride < partners; stride *= radix) {
            int group = (int) Math.min(radix, partners / stride);
            int mine = (int) (number / stride % group);
            while (inbox.size() < group - 1) {
                inbox.add(plan.scratch(value.value().bytes()));
            }
            for (int each = 0; each < group; each++) {
                if (each != mine) {
                    int mate = member((int) (number + (each - mine) * stride));
                    plan.send(mate, value.value());
                    plan.receive(mate, inbox.get(each < mine ? each : each - 1));
                }
            }
            value.fold(inbox.subList(0, mine), inbox.subList(mine, group - 1));
            plan.next();
        }
    }

    private int member(int number) {
        return number < extras ? 2 * number : number + extras;
    }
}
