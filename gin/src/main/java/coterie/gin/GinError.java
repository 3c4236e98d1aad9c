// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

/// The kind of a [GinException].
public enum GinError {
    /// A requirement that no CPU can meet, or that does not fit another one; the message names the field.
    UNSUPPORTED,
    /// The peer is not on the caller's rail, or the communicator has no connections.
    NOT_CONNECTED,
    /// The window of a VA signal has not [WindowFlag#STRICT_ORDERING].
    NOT_STRICT,
    /// The communicator's requirements exclude strong signals, or VA signals.
    NOT_REQUIRED,
    /// A team view or a request belongs to another rank, communicator or context.
    FOREIGN,
    /// Increments and adds meet on one signal without a reset between them.
    MIXED_ACTIONS,
    /// A signal is reset while increments or adds of it are on their way.
    RESET_RACE,
    /// A signal has passed the value that the caller expects exactly.
    OVERSHOOT,
    /// A barrier has timed out before, so that its members no longer agree on its count.
    POISONED,
    /// Another session uses the barrier at the same time.
    BUSY,
    /// Operations of a window are not complete.
    PENDING,
    /// The communicator's agent has failed; the exception has the cause.
    FAILED
}
