// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.Locale;

/// Operations that belong together, in the order in which they are listed.
enum OperationGroup {
    COPIES("many bytes, one way"),
    STRIDED("elements or blocks that lie apart"),
    WORDS("one element"),
    SIGNALS("flags, and payloads that bring one"),
    ATOMICS("indivisible steps"),
    WAITS("waits that are over at once, and tests; of my own words"),
    LOCKS("locks"),
    CONTEXTS("order, completion, contexts"),
    COLLECTIVES("all PEs together"),
    KERNELS("steps of applications: each PE computes, and waits for its neighbours"),
    NPB("whole programs: NAS Parallel Benchmarks, verified, one run of each class that --class names");

    private final String meaning;

    OperationGroup(String meaning) {
        this.meaning = meaning;
    }

    /// Its name on the command line.
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    String meaning() {
        return meaning;
    }
}
