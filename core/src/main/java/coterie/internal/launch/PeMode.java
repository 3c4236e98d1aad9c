// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

/// What a PE is.
public enum PeMode {
    /// a JVM of its own
    PROCESSES(1024),
    /// a thread group of one JVM that hosts them all, with a class loader of its own
    THREADS(1024),
    /// a virtual thread of one JVM that hosts them all, with a class loader of its own; a stage says when it runs
    SIMULATED(4096);

    private final int mostPes;

    PeMode(int mostPes) {
        this.mostPes = mostPes;
    }

    /// The most PEs that a job can have. The areas where they synchronise grow with its square: 512 MiB at 1024,
    /// which the launcher reserves, and 8 GiB of addresses at 4096 simulated ones.
    public int maxPes() {
        return mostPes;
    }
}
