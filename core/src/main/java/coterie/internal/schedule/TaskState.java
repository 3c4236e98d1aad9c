// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// The states of a task.
///
/// ```
///                         ┌────── post, if persistent ──────┐
///                         ▼                                 │
///  INITIALIZED ─post─► POSTED ─► IN_PROGRESS ─────────────► OK ──finalise──► FINALIZED
///       │                 ▲            └─────────────────► FAILED ──finalise────▲
///       │                 └ a part of a schedule waits here for what it starts after
///       └──────────────────────────────────────────────────────────finalise─────┘
/// ```
public enum TaskState {
    INITIALIZED,
    POSTED,
    IN_PROGRESS,
    OK,
    FAILED,
    FINALIZED;

    /// Returns whether a run is over, or its task is finalised.
    boolean hasTerminated() {
        return compareTo(OK) >= 0;
    }

    /// Returns whether a run has begun and is not over.
    public boolean isUnderWay() {
        return this == POSTED || this == IN_PROGRESS;
    }
}
