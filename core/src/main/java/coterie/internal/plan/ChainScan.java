// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Scans along a chain: each member receives from the member before it the reduction of all members up to that
/// one, folds its own vector after it, and sends the result to the member after it.
///
/// n - 1 steps on the longest path; each member but the last sends one vector. No algorithm sends fewer bytes or
/// folds less; for short vectors [DisseminationScan] has fewer steps.
final class ChainScan {

    static void inclusive(Plan.Builder plan, CollectiveShape shape) {
        ByteSpan have = shape.source(0);
        if (shape.me() > 0) {
            ByteSpan before = plan.scratch(have.bytes());
            plan.receive(shape.me() - 1, before);
            plan.fold(shape.target(0), before, have).next();
            have = shape.target(0);
        } else {
            plan.copyOwn(shape);
        }
        if (shape.me() < shape.size() - 1) {
            plan.send(shape.me() + 1, have);
        }
    }

    /// Member 0 gets the identity.
    static void exclusive(Plan.Builder plan, CollectiveShape shape) {
        boolean last = shape.me() == shape.size() - 1;
        if (shape.me() == 0) {
            if (!last) {
                plan.send(1, shape.source(0));
            }
            plan.clear(shape.target(0));
            return;
        }
        ByteSpan before = plan.scratch(shape.source(0).bytes());
        plan.receive(shape.me() - 1, before);
        if (!last) {
            ByteSpan upToMe = plan.scratch(before.bytes());
            plan.fold(upToMe, before, shape.source(0));
            plan.next().send(shape.me() + 1, upToMe);
        }
        plan.copy(shape.target(0), before);
    }

    private ChainScan() {}
}
