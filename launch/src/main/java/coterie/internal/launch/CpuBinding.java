// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// The processors that a PE's threads may use.
public enum CpuBinding {
    /// each PE may use all processors of the job
    NONE,
    /// each PE may use one processor; the launcher assigns the processors to PEs in turn
    CORE,
    /// each PE may use the processors of one NUMA node; the launcher assigns the nodes to PEs in turn
    NUMA
}
