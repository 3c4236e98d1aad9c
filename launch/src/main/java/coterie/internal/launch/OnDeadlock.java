// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What the launcher does when it finds that the job can't go on.
public enum OnDeadlock {
    /// it prints a report, and the job stays as it is
    REPORT,
    /// it prints a report, and all waits end with a [coterie.DeadlockException]
    FAIL,
    /// it prints a report, and stops the job
    ABORT,
    /// it does not look
    IGNORE
}
