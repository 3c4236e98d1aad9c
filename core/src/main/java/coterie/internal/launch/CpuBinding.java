// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// Which processors a PE's threads may use.
public enum CpuBinding {
    /// all that the job may use
    NONE,
    /// one, PEs taking turns
    CORE,
    /// those of one NUMA node, PEs taking turns
    NUMA
}
