// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

/// Copies the result of a reduce_scatter(v) to its target.
final class ResultPlacement {

    /// Copies the result, in two steps if it may overlap the target: in place, both are bytes of the source
    /// buffer.
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
