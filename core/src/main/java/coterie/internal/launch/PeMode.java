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

    /// The most PEs that a job can have. The areas where they meet grow with its square: 512 MiB of addresses at
    /// 1024, 8 GiB at 4096.
    public int maxPes() {
        return mostPes;
    }
}
