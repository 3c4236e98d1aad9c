// SPDX-License-Identifier: Apache-2.0
package coterie;

/// What a block of symmetric memory is for. A hint changes nothing but speed; on mapped memory nothing at all.
public enum AllocationHint {
    /// the target of atomics; answers to `SHMEM_MALLOC_ATOMICS_REMOTE`
    ATOMICS,
    /// holds signals; answers to `SHMEM_MALLOC_SIGNAL_REMOTE`
    SIGNALS
}
