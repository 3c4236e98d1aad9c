// SPDX-License-Identifier: Apache-2.0
package coterie;

/// A hint about the operations that follow on a context; see [Context#startSession].
public enum SessionOption {
    /// many small operations that may be sent together.
    /// @counterpart `SHMEM_CTX_SESSION_BATCH`
    BATCH
}
