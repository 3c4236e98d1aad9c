// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// How a result comes to the target of a reduce_scatter(v).
final class Ending {

    /// Copies it there. In place the target may lie across the bytes of the source that it comes from.
    static void bring(Plan.Builder plan, Shape shape, Span result) {
        Span target = shape.target(0);
        if (!shape.inPlace() || result.buffer() == Buffer.SCRATCH) {
            plan.copy(target, result);
        } else if (result.offset() != target.offset()) {
            Span kept = plan.scratch(result.bytes());
            plan.copy(kept, result).copy(target, kept);
        }
    }

    private Ending() {}
}
