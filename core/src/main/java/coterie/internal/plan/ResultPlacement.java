// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// How a result comes to the target of a reduce_scatter(v).
final class ResultPlacement {

    /// Copies it there. In place the target may lie across the bytes of the source that it comes from.
    static void bring(Plan.Builder plan, CollectiveShape shape, ByteSpan result) {
        ByteSpan target = shape.target(0);
        if (!shape.inPlace() || result.buffer() == PlanBuffer.SCRATCH) {
            plan.copy(target, result);
        } else if (result.offset() != target.offset()) {
            ByteSpan kept = plan.scratch(result.bytes());
            plan.copy(kept, result).copy(target, kept);
        }
    }

    private ResultPlacement() {}
}
