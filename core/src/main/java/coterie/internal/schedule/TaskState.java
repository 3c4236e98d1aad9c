// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// Where a task is in its life.
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

    /// Whether a run is over, or its task altogether.
    boolean hasTerminated() {
        return compareTo(OK) >= 0;
    }

    /// Whether a run has begun and is not over.
    boolean isUnderWay() {
        return this == POSTED || this == IN_PROGRESS;
    }
}
