// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

/// The events of which a task notifies its listeners in each run: STARTED unless it fails at its start, then one
/// of the others.
public enum TaskEvent {
    STARTED,
    COMPLETED,
    FAILED
}
