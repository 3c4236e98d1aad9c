// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.util.ArrayList;
import java.util.List;

/// Faults of JDK 25 that corrupt data, by its updates: a table for `coterie doctor`. docs/command-line.md has the same
/// rows.
enum JdkFaults {
    PINNED_OBJECTS(
            "JDK-8377811",
            3,
            "G1 may move objects that native code has pinned, which corrupts data, such as of java.util.zip",
            "PEs of 'coterie run' have the serial collector, unless they are one or threads: give those, and PEs of"
                    + " mpirun or srun, -XX:+UseSerialGC") {
        @Override
        boolean concerns(Jvm jvm) {
            return true;
        }
    },
    AARCH64_BYTECODES(
            "JDK-8369506",
            2,
            "on AArch64, threads that see bytecodes rewritten by others may corrupt the heap",
            "there is no option against it") {
        @Override
        boolean concerns(Jvm jvm) {
            return jvm.architecture.equals("aarch64");
        }
    },
    COMPACT_HEADERS(
            "JDK-8380060",
            Integer.MAX_VALUE,
            "with -XX:+UseCompactObjectHeaders, String.getBytes may return wrong bytes",
            "leave out this option") {
        @Override
        boolean concerns(Jvm jvm) {
            return jvm.options.contains("-XX:+UseCompactObjectHeaders");
        }
    };

    private static final int RELEASE = 25;

    private final String bug;
    private final int fixedIn;
    private final String effect;
    private final String remedy;

    JdkFaults(String bug, int fixedIn, String effect, String remedy) {
        this.bug = bug;
        this.fixedIn = fixedIn;
        this.effect = effect;
        this.remedy = remedy;
    }

    /// What decides whether a fault can happen.
    ///
    /// @param options of the JVMs that this user starts, as the environment has them
    record Jvm(Runtime.Version version, String architecture, String options) {}

    /// A fault of a JVM, and what to do about it.
    record Fault(String text, String remedy) {}

    /// Returns whether a JVM of an affected update is concerned.
    abstract boolean concerns(Jvm jvm);

    /// Returns the faults that a JVM has.
    static List<Fault> of(Jvm jvm) {
        List<Fault> faults = new ArrayList<>();
        for (JdkFaults each : values()) {
            boolean isFixed = each.fixedIn != Integer.MAX_VALUE && jvm.version.update() >= each.fixedIn;
            if (jvm.version.feature() == RELEASE && !isFixed && each.concerns(jvm)) {
                String update = each.fixedIn == Integer.MAX_VALUE
                        ? ""
                        : "install Java " + RELEASE + ".0." + each.fixedIn + " or newer; ";
                faults.add(new Fault(each.effect + " (" + each.bug + ")", update + each.remedy));
            }
        }
        return faults;
    }
}
