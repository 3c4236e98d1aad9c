// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What the launcher does after a PE has failed.
public enum OnFailure {
    /// the launcher stops the other PEs, and the job ends with the failed PE's exit code
    END,
    /// the other PEs go on
    CONTINUE
}
