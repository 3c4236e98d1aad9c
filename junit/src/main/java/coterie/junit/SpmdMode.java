// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.PeMode;

/// What the PEs of a test are.
public enum SpmdMode {
    /// each PE a JVM of its own
    PROCESSES("process", "processes", PeMode.PROCESSES),
    /// all PEs in one JVM, each a group of threads with a class loader of its own
    THREADS("thread", "threads", PeMode.THREADS),
    /// all PEs in one JVM, one at a time, over a simulated network: once for each of some seeds, see
    /// [SpmdTest#seeds]
    SIM("simulated PE", "simulated PEs", PeMode.STAGE);

    private final String one;
    private final String many;
    private final PeMode peMode;

    SpmdMode(String one, String many, PeMode peMode) {
        this.one = one;
        this.many = many;
        this.peMode = peMode;
    }

    /// Such as "1 process" or "4 threads".
    String count(int pes) {
        return pes + " " + (pes == 1 ? one : many);
    }

    PeMode peMode() {
        return peMode;
    }
}
