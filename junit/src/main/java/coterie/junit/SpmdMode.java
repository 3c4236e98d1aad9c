// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.PeMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What the PEs of a test are.
public enum SpmdMode {
    /// each PE a JVM of its own
    PROCESSES("process", "processes", PeMode.PROCESSES),
    /// all PEs in one JVM, each a group of threads with a class loader of its own
    THREADS("thread", "threads", PeMode.THREADS),
    /// all PEs in one JVM, one at a time, over a simulated network: once for each of some seeds, see
    /// [SpmdTest#seeds]
    SIM("simulated PE", "simulated PEs", PeMode.SIMULATED);

    static final String ASKED = "coterie.junit.modes";
    static final String FEW = "coterie.junit.few";

    private final String one;
    private final String many;
    private final PeMode peMode;

    SpmdMode(String one, String many, PeMode peMode) {
        this.one = one;
        this.many = many;
        this.peMode = peMode;
    }

    /// Those of tests that name none: simulated PEs only if the run asks for them.
    static List<SpmdMode> byDefault() {
        return System.getProperty(ASKED, "").isEmpty() ? List.of(PROCESSES, THREADS) : List.of(values());
    }

    /// Those that the run is for, by the system property [#ASKED].
    ///
    /// @throws IllegalArgumentException if it names another
    static List<SpmdMode> asked() {
        String text = System.getProperty(ASKED, "");
        return text.isEmpty()
                ? List.of(values())
                : Arrays.stream(text.split(",", -1)).map(SpmdMode::of).toList();
    }

    /// Those numbers of PEs that the run is for: all, or few where the system property [#FEW] is a number. Few are
    /// the smallest above one of threads, the largest of simulated PEs, and of processes the largest that is not
    /// larger than the property, or else the smallest.
    ///
    /// @throws IllegalArgumentException if the property is neither empty nor `all` nor a number
    int[] asked(int... pes) {
        String text = System.getProperty(FEW, "all");
        if (text.isEmpty() || text.equals("all")) {
            return pes;
        }
        int most;
        try {
            most = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(FEW + ": \"" + text + "\" is neither a number nor all", e);
        }
        int[] sorted = Arrays.stream(pes).sorted().toArray();
        return switch (this) {
            case PROCESSES ->
                new int[] {
                    Arrays.stream(sorted).filter(each -> each <= most).max().orElse(sorted[0])
                };
            case THREADS ->
                new int[] {
                    Arrays.stream(sorted).filter(each -> each > 1).findFirst().orElse(sorted[0])
                };
            case SIM -> new int[] {sorted[sorted.length - 1]};
        };
    }

    private static SpmdMode of(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.name().toLowerCase(Locale.ROOT).equals(name.strip()))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(ASKED + ": \"" + name + "\" is none of processes, threads, sim"));
    }

    /// Such as "1 process" or "4 threads".
    String count(int pes) {
        return pes + " " + (pes == 1 ? one : many);
    }

    PeMode peMode() {
        return peMode;
    }
}
