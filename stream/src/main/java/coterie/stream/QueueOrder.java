// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

/// When a hardware queue of a device goes on to its next operation. Queues of GPUs do one or the other.
public enum QueueOrder {
    /// Once the operation before is over: the strictest legal device.
    COMPLETION,
    /// Once the operation before has started; one that waits for an event starts after that.
    DISPATCH
}
