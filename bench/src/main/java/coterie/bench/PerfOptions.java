// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the command line of `coterie perf` asks for.
///
/// @param operations which to measure, none twice, or null for the usual ones that suit the number of PEs
/// @param sizes which powers of two, or null for each operation's own list
/// @param iterations of a repetition; 0 to find them
/// @param warmUp iterations before the first repetition; 0 for enough
/// @param problemClasses of programs
/// @param csv rows instead of tables
/// @param system the name in the first column of rows
/// @param plot the file for a picture, or null
/// @param full percentiles too
/// @param first the first call's cost too
/// @param check also look at what one-sided operations have left in memory
/// @param purpose what to do at all
record PerfOptions(
        @Nullable List<Operation> operations,
        @Nullable Sizes sizes,
        long iterations,
        long warmUp,
        List<String> problemClasses,
        boolean csv,
        String system,
        @Nullable String plot,
        boolean full,
        boolean first,
        boolean check,
        Purpose purpose) {

    enum Purpose {
        MEASURE,
        LIST,
        HELP
    }

    /// Powers of two in `[least, most]`.
    record Sizes(long least, long most) {}

    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})([kmgtKMGT]?)");

    static final String DEFAULT_SYSTEM = "coterie";

    static final String HELP = """
            usage: coterie perf [-n PES] [OPTION]...
            Measures the runtime's operations. PE 0 prints.

              -o, --ops LIST       these operations, such as put,get, families of them, or all; see --list
              -m, --sizes MIN:MAX  powers of two in this range, in bytes, such as 8:64k
              -i, --iterations N   per repetition; found by itself otherwise
              -x, --warmup N       iterations before the first repetition; enough otherwise
                  --class LIST     problem classes of npb, such as W,A, of S, W, A and B; S otherwise
              -f, --full           best repetition, and percentiles over batches of calls
                  --first          the cost of the first call in a fresh process, too
              -c, --check          also check the data that one-sided operations move
                  --csv            rows for 'coterie compare': system,op,np,bytes,metric,unit,value
                  --system NAME    the name of the system in these rows; coterie otherwise
                  --plot FILE      a picture, too, in SVG: times and rates against sizes
                  --list           the operations by family, and what they mean
                  --help           this text

            Environment: BENCH_REPS and BENCH_REP_MS, repetitions and their length; BENCH_PROBE and BENCH_MODE_NS,
            a file for the probe and the range in which repetitions count.
            """;

    /// @throws IllegalArgumentException if the arguments are wrong; the message says which and what is right
    static PerfOptions parse(String[] arguments) {
        List<Operation> operations = null;
        Sizes sizes = null;
        long iterations = 0;
        long warmUp = 0;
        List<String> problemClasses = List.of("S");
        boolean csv = false;
        String system = DEFAULT_SYSTEM;
        String plot = null;
        boolean full = false;
        boolean first = false;
        boolean check = false;
        Purpose purpose = Purpose.MEASURE;
        Deque<String> rest = new ArrayDeque<>(Arrays.asList(arguments));
        while (!rest.isEmpty()) {
            String argument = rest.pop();
            String[] parts = argument.startsWith("--") ? argument.split("=", 2) : new String[] {argument};
            if (parts.length == 2) {
                rest.push(parts[1]);
            }
            String option = parts[0];
            switch (option) {
                case "-o", "--ops" ->
                    operations = Arrays.stream(value(option, rest).split(",", -1))
                            .flatMap(name -> Operation.named(name).stream())
                            .distinct()
                            .toList();
                case "-m", "--sizes" -> sizes = sizes(option, value(option, rest));
                case "-i", "--iterations" -> iterations = positive(option, value(option, rest));
                case "-x", "--warmup" -> warmUp = positive(option, value(option, rest));
                case "--class" ->
                    problemClasses = Arrays.stream(value(option, rest).split(",", -1))
                            .map(letter -> problemClass(option, letter))
                            .distinct()
                            .toList();
                case "-f", "--full" -> full = true;
                case "--first" -> first = true;
                case "-c", "--check" -> check = true;
                case "--csv" -> csv = true;
                case "--system" -> system = name(option, value(option, rest));
                case "--plot" -> plot = value(option, rest);
                case "--list" -> purpose = Purpose.LIST;
                case "-h", "--help" -> purpose = Purpose.HELP;
                default -> throw new IllegalArgumentException("there is no option \"" + argument + "\"; see --help");
            }
        }
        return new PerfOptions(
                operations, sizes, iterations, warmUp, problemClasses, csv, system, plot, full, first, check, purpose);
    }

    private static String value(String option, Deque<String> rest) {
        String value = rest.poll();
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value; see --help");
        }
        return value;
    }

    private static String name(String option, String text) {
        if (!text.matches("[\\w.+-]+")) {
            throw new IllegalArgumentException(
                    option + ": \"" + text + "\" is no name: letters, digits, '.', '_', '+' and '-' are allowed");
        }
        return text;
    }

    private static String problemClass(String option, String letter) {
        if (!NasProgram.CLASSES.contains(letter)) {
            throw new IllegalArgumentException(option + ": \"" + letter + "\" is no problem class of npb; these are "
                    + String.join(", ", NasProgram.CLASSES));
        }
        return letter;
    }

    private static Sizes sizes(String option, String text) {
        String[] ends = text.split(":", -1);
        long least = bytes(ends[0]);
        long most = bytes(ends[ends.length - 1]);
        if (ends.length > 2 || least < 1 || least > most) {
            throw new IllegalArgumentException(option + ": \"" + text
                    + "\" is not MIN:MAX, such as 8:64k; each is a whole number in [1, 2^63) of bytes, or of units"
                    + " k, m, g or t");
        }
        return new Sizes(least, most);
    }

    /// Returns a size in bytes; −1 if the text is none. `coterie run` reads sizes alike.
    private static long bytes(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            return -1;
        }
        String unit = size.group(2).toLowerCase(Locale.ROOT);
        int shift = unit.isEmpty() ? 0 : 10 * (1 + "kmgt".indexOf(unit));
        long number = Long.parseLong(size.group(1));
        return number <= Long.MAX_VALUE >> shift ? number << shift : -1;
    }

    private static long positive(String option, String text) {
        try {
            long value = Long.parseLong(text);
            if (value > 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(notPositive(option, text), e);
        }
        throw new IllegalArgumentException(notPositive(option, text));
    }

    private static String notPositive(String option, String text) {
        return option + ": \"" + text + "\" is not a whole number of at least 1";
    }

    /// A number from the environment.
    static int environmentNumber(Map<String, String> environment, String name, int byDefault) {
        String text = environment.getOrDefault(name, "");
        return text.isEmpty() ? byDefault : Math.toIntExact(positive(name, text));
    }
}
