// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import java.util.List;

/// How few of the lanes of a device can run at the same time.
///
/// @param queues for each lane of the PE, the number of the hardware queue that it shares; empty if each has its
///     own
/// @param order when a queue goes on to its next operation
/// @param slots how many operations that hold a slot can run at the same time; 0 for any number
/// @param threads how many threads of kernels can run at the same time; 0 for any number
public record QueueLimits(List<Integer> queues, Order order, int slots, int threads) {
    /// When a queue goes on to its next operation.
    public enum Order {
        /// Once the one before is over.
        COMPLETION,
        /// Once the one before has started.
        DISPATCH
    }

    /// No limits.
    public static final QueueLimits NONE = new QueueLimits(List.of(), Order.COMPLETION, 0, 0);

    public QueueLimits {
        queues = List.copyOf(queues);
    }

    /// Makes limits for any number of threads.
    public QueueLimits(List<Integer> queues, Order order, int slots) {
        this(queues, order, slots, 0);
    }

    boolean hasQueues() {
        return !queues.isEmpty();
    }
}
