// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import java.util.List;

/// Allgather after Bruck and others (1997), k members at a time: a member that has the s blocks from its own on
/// receives the next s blocks from the member s places after it, and further ones from the members 2s … (k-1)s
/// places after it.
///
/// ```
///  k = 2, member 3 of 5:   3 │ 4 │ 0 1 │ 2      what it has after 0, 1, 2, 3 steps
/// ```
///
/// Bruck's algorithm rotates the blocks at the end. Here members receive them at their final offsets; blocks that
/// wrap around the end of the target need two messages.
///
/// ⌈log_k n⌉ steps for any n; each sends n - 1 blocks.
final class BruckAllgather {

    static void allgather(Plan.Builder plan, CollectiveShape shape) {
        plan.copyOwn(shape);
        int size = shape.size();
        for (long stride = 1; stride < size; stride *= shape.radix()) {
            for (long digit = 1; digit < shape.radix() && digit * stride < size; digit++) {
                int count = (int) Math.min(stride, size - digit * stride);
                int before = shape.neighbour(-digit * stride);
                int after = shape.neighbour(digit * stride);
                if (stride == 1) {
                    plan.send(before, shape.source(0));
                } else {
                    pieces(shape, shape.me(), count).forEach(piece -> plan.send(before, piece));
                }
                pieces(shape, after, count).forEach(piece -> plan.receive(after, piece));
            }
            plan.next();
        }
    }

    /// Returns the bytes of `count` blocks from the block `first` on; block 0 follows the last one.
    private static List<ByteSpan> pieces(CollectiveShape shape, int first, int count) {
        int toEnd = Math.min(count, shape.size() - first);
        ByteSpan head = shape.target().of(PlanBuffer.TARGET, first, toEnd);
        return toEnd == count ? List.of(head) : List.of(head, shape.target().of(PlanBuffer.TARGET, 0, count - toEnd));
    }

    private BruckAllgather() {}
}
