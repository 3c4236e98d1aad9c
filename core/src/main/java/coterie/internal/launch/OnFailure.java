// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What becomes of the job when a PE fails.
public enum OnFailure {
    /// the others are stopped, and the job ends with the failed PE's exit code
    END,
    /// the others go on
    CONTINUE
}
