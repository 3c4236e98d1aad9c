// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

/// An operation that is not over.
///
/// @param label what it is, for reports, such as `barrier of team "world"`
/// @param site the line of the program that has called it; empty if unknown
/// @param waitedNanos for how long it has been the first of its lane; 0 if it is not
/// @param action what it needs, and what it does for others
/// @param queued its place among all operations of the PE's device, in the order of the enqueues
/// @param slot whether it needs one of the device's slots
/// @param leftNanos after which it ends by itself, at the latest; [#FOREVER] if it has no deadline
public record PendingOperation(
        String label, String site, long waitedNanos, OperationAction action, long queued, Slot slot, long leftNanos) {
    /// The time that an operation without a deadline has left.
    public static final long FOREVER = Long.MAX_VALUE;

    /// Whether an operation needs a slot of the device.
    public enum Slot {
        /// It needs none.
        NONE,
        /// It needs one, and has none yet.
        NEEDED,
        /// It has one until it is over.
        HELD
    }

    /// Makes one without a deadline.
    public PendingOperation(
            String label, String site, long waitedNanos, OperationAction action, long queued, Slot slot) {
        this(label, site, waitedNanos, action, queued, slot, FOREVER);
    }

    /// Returns whether it ends by itself.
    boolean hasDeadline() {
        return leftNanos != FOREVER;
    }

    /// Makes one with no more than its action.
    public PendingOperation(String label, OperationAction action) {
        this(label, "", 0, action, 0, Slot.NONE);
    }
}
