// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.Optional;

/// Barrier by dissemination (Hensgen, Finkel and Manber, 1988), k members at a time: in the step with stride s,
/// each member notifies the members s, 2s … (k-1)s places after it, and waits for those before it. After the step
/// it knows that the ks - 1 members before it have entered the barrier.
///
/// ```
///  k = 2, member 0 of 5:   from 4 │ from 3, which knows of 2 │ from 1, which knows of 0, 4, 3
/// ```
///
/// ⌈log_k n⌉ steps, without bytes.
final class DisseminationBarrier {

    static Optional<Plan> barrier(CollectiveShape shape) {
        Plan.Builder plan = Plan.builder();
        for (long stride = 1; stride < shape.size(); stride *= shape.radix()) {
            for (long digit = 1; digit < shape.radix() && digit * stride < shape.size(); digit++) {
                plan.send(shape.neighbour(digit * stride), ByteSpan.NOTHING);
                plan.receive(shape.neighbour(-digit * stride), ByteSpan.NOTHING);
            }
            plan.next();
        }
        return Optional.of(plan.build());
    }

    private DisseminationBarrier() {}
}
