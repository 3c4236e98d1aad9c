// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The use of a block of symmetric memory. A hint affects speed alone, and has no effect on mapped memory.
public enum AllocationHint {
    /// the target of atomics
    /// @counterpart `SHMEM_MALLOC_ATOMICS_REMOTE`
    ATOMICS,
    /// holds signals
    /// @counterpart `SHMEM_MALLOC_SIGNAL_REMOTE`
    SIGNALS
}
