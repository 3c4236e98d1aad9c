// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.PeMode;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;

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

    /// Those of a test's modes that the run is for. Where [#FEW] is a number and all numbers of PEs are above it,
    /// [#PROCESSES] is not among them unless it is the only one: so many JVMs take seconds to start.
    ///
    /// @throws IllegalArgumentException if a property has a value that it can't have
    static List<SpmdMode> asked(List<SpmdMode> declared, int... pes) {
        List<SpmdMode> all = declared.stream().filter(asked()::contains).toList();
        List<SpmdMode> inOneJvm = all.stream().filter(mode -> mode != PROCESSES).toList();
        OptionalInt few = few();
        boolean isLarge = few.isPresent() && Arrays.stream(pes).allMatch(each -> each > few.getAsInt());
        return isLarge && !inOneJvm.isEmpty() ? inOneJvm : all;
    }

    /// Those of a run's modes that it has for a test of [AnyMode]: where [#FEW] is a number, [#THREADS], the
    /// cheapest, or else the first.
    static List<SpmdMode> any(List<SpmdMode> asked) {
        if (few().isEmpty()) {
            return asked;
        }
        return asked.contains(THREADS)
                ? List.of(THREADS)
                : asked.stream().limit(1).toList();
    }

    /// Those numbers of PEs that the run is for: all, or few where the system property [#FEW] is a number. Few are
    /// the smallest above one of threads, the largest of simulated PEs, and of processes the largest that is not
    /// larger than the property, or else the smallest.
    ///
    /// @throws IllegalArgumentException if the property is neither empty nor `all` nor a number
    int[] asked(int... pes) {
        OptionalInt few = few();
        if (few.isEmpty()) {
            return pes;
        }
        int most = few.getAsInt();
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

    private static OptionalInt few() {
        String text = System.getProperty(FEW, "all");
        if (text.isEmpty() || text.equals("all")) {
            return OptionalInt.empty();
        }
        try {
            return OptionalInt.of(Integer.parseInt(text));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(FEW + ": \"" + text + "\" is neither a number nor all", e);
        }
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
