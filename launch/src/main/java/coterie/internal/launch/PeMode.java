// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What a PE is.
public enum PeMode {
    /// a PE is a JVM
    PROCESSES(1024),
    /// a PE is a thread group of one JVM that hosts all PEs, with its own class loader
    THREADS(1024),
    /// a PE is a virtual thread of one JVM that hosts all PEs, with its own class loader; a simulator decides
    /// when it runs
    SIMULATED(4096);

    private final int mostPes;

    PeMode(int mostPes) {
        this.mostPes = mostPes;
    }

    /// Returns the largest number of PEs that a job can have. The areas where PEs synchronize grow with the square
    /// of this number: 768 MiB at 1024 PEs, which the launcher reserves, and 12 GiB of addresses at 4096 simulated
    /// ones.
    public int maxPes() {
        return mostPes;
    }
}
