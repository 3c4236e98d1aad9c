// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.ArrayList;
import java.util.List;

/// Scans after Hillis and Steele (1986), k members at a time: before the step with stride s each member has the
/// reduction of the s members up to itself. In the step it sends that to the members s, 2s … (k-1)s after it, and
/// folds the values of those before it in front of its own, the farthest member's first.
///
/// ```
///  k = 2, member 5:   5 │ 4 5 │ 2 3 4 5 │ 0 1 2 3 4 5
/// ```
///
/// ⌈log_k n⌉ steps; a member sends at most k - 1 vectors in each. The folds keep the members' order.
final class DisseminationScan {

    static void inclusive(Plan.Builder plan, CollectiveShape shape) {
        Accumulator value = new Accumulator(plan, shape.target(0), shape.source(0));
        List<ByteSpan> inbox = new ArrayList<>();
        for (long stride = 1; stride < shape.size(); stride *= shape.radix()) {
            value.fold(exchange(plan, shape, stride, value.value(), inbox), List.of());
            plan.next();
        }
        value.complete(shape.inPlace());
    }

    /// Keeps two values: one with the member's own vector, which it sends, and one without, which is its result.
    /// Member 0 gets the identity.
    static void exclusive(Plan.Builder plan, CollectiveShape shape) {
        long bytes = shape.source(0).bytes();
        Accumulator passed = new Accumulator(plan, plan.scratch(bytes), shape.source(0));
        ByteSpan kept = plan.scratch(bytes);
        List<ByteSpan> inbox = new ArrayList<>();
        boolean empty = true;
        for (long stride = 1; stride < shape.size(); stride *= shape.radix()) {
            List<ByteSpan> before = exchange(plan, shape, stride, passed.value(), inbox);
            if (!before.isEmpty()) {
                ByteSpan all = before.getFirst();
                new Accumulator(plan, all, all).fold(List.of(), before.subList(1, before.size()));
                if (shape.me() + stride * shape.radix() < shape.size()) {
                    passed.fold(List.of(all), List.of());
                }
                if (empty) {
                    plan.copy(kept, all);
                } else {
                    plan.fold(kept, all, kept);
                }
                empty = false;
            }
            plan.next();
        }
        if (empty) {
            plan.clear(shape.target(0));
        } else {
            plan.copy(shape.target(0), kept);
        }
    }

    /// Sends a value to members after this one, and receives the values of members before it.
    ///
    /// @return the received values, the farthest member's first
    private static List<ByteSpan> exchange(
            Plan.Builder plan, CollectiveShape shape, long stride, ByteSpan value, List<ByteSpan> inbox) {
        List<ByteSpan> before = new ArrayList<>();
        for (long digit = Math.min(shape.radix(), shape.size()) - 1L; digit >= 1; digit--) {
            if (shape.me() + digit * stride < shape.size()) {
                plan.send((int) (shape.me() + digit * stride), value);
            }
            if (digit * stride <= shape.me()) {
                if (before.size() == inbox.size()) {
                    inbox.add(plan.scratch(value.bytes()));
                }
                ByteSpan from = inbox.get(before.size());
                plan.receive((int) (shape.me() - digit * stride), from);
                before.add(from);
            }
        }
        return before;
    }

    private DisseminationScan() {}
}
