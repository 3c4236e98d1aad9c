// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.World;
import coterie.bench.Stopwatch.Effort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Measures the runtime's operations on the PEs of this job; the program behind `coterie perf`.
///
/// Every PE runs it with the same arguments; PE 0 prints. See `docs/performance.md` for what the figures mean.
public final class Perf {
    private static final int USAGE = 2;

    /// A run stays below a minute, with what comes before and after the points.
    private static final long BUDGET_NANOS = 45_000_000_000L;

    /// Beyond two PEs there are fewer points.
    private static final long FEWER_POINTS_BUDGET_NANOS = 20_000_000_000L;

    /// The time of a point that the user has asked for by name: about what most of them need.
    private static final long POINT_NANOS = 500_000_000;

    private static final double NANOS_PER_MILLI = 1e6;

    private static final int REPETITIONS = 7;
    private static final int REPETITION_MILLIS = 4;

    private final World world;
    private final PerfOptions options;
    private final PrintStream out;

    private Perf(World world, PerfOptions options, PrintStream out) {
        this.world = world;
        this.options = options;
        this.out = out;
    }

    /// Joins the job, measures, prints.
    public static void main(String[] arguments) throws IOException {
        try (World world = World.join()) {
            PerfOptions options;
            try {
                options = PerfOptions.parse(arguments);
            } catch (IllegalArgumentException e) {
                if (world.pe() == 0) {
                    System.err.println("coterie perf: " + e.getMessage());
                }
                world.team().barrier();
                throw world.abort(USAGE);
            }
            Perf perf = new Perf(world, options, System.out);
            switch (options.purpose()) {
                case HELP -> perf.print(PerfOptions.HELP.stripTrailing());
                case LIST -> perf.list();
                case MEASURE -> perf.measure(System.getenv());
            }
        }
    }

    private void list() {
        print("Measured when nothing is said: those marked *, as far as they suit the number of PEs.");
        for (OperationGroup group : OperationGroup.values()) {
            print("\n%s: %s".formatted(group.label(), group.meaning()));
            for (Operation operation : Operation.values()) {
                if (operation.group() == group) {
                    print("%s %-19s %s"
                            .formatted(operation.isUsual() ? "*" : " ", operation.label(), operation.meaning()));
                }
            }
        }
    }

    private void measure(Map<String, String> environment) throws IOException {
        List<Operation> operations = new ArrayList<>(operations());
        List<Operation> programs = operations.stream()
                .filter(operation -> operation.shape().isProgram())
                .toList();
        operations.removeAll(programs);
        int points = operations.stream()
                .mapToInt(operation -> sizes(operation).length)
                .sum();
        long largest = operations.stream()
                .flatMapToLong(operation -> Arrays.stream(sizes(operation))
                        .map(bytes -> operation.shape().reach(bytes, world.size())))
                .max()
                .orElse(0);
        try (BenchFixture bench = new BenchFixture(world, largest)) {
            List<String> rows = measure(
                    operations, programs, points, bench, Probe.open(bench, environment), effort(environment, points));
            if (options.plot() != null && world.pe() == 0) {
                draw(Path.of(options.plot()), rows);
            }
        }
    }

    /// Measures, and returns the rows for a picture.
    private List<String> measure(
            List<Operation> operations,
            List<Operation> programs,
            int points,
            BenchFixture bench,
            Probe probe,
            Effort effort) {
        int pointsLeft = points;
        int runs = programs.size() * options.problemClasses().size();
        Progress progress = new Progress("coterie perf", points + runs, System.err, System::nanoTime);
        Stopwatch stopwatch = new Stopwatch(bench, probe, effort);
        if (!options.csv()) {
            printHeader(effort, points > 0);
        }
        PrintStream rows = world.pe() == 0 ? out : new PrintStream(OutputStream.nullOutputStream());
        MeasurementReport report = options.csv()
                ? new CsvReport(rows, options.system(), world.size(), probe.isOpen())
                : new TableReport(out, options.full(), options.first(), probe.isOpen(), effort.repetitions());
        ByteArrayOutputStream drawn = new ByteArrayOutputStream();
        MeasurementReport rowsOf = new CsvReport(
                new PrintStream(drawn, true, StandardCharsets.UTF_8), options.system(), world.size(), false);
        for (Operation operation : operations) {
            Loop loop = operation.loop(bench);
            long[] sizes = sizes(operation);
            double[] firsts = stopwatch.begin(loop, sizes, pointsLeft);
            if (world.pe() == 0) {
                report.begin(operation);
            }
            for (int i = 0; i < sizes.length; i++) {
                long bytes = sizes[i];
                boolean checked = options.check() || operation.shape().isCollective();
                if (checked) {
                    bench.fill(operation.shape().reach(bytes, world.size()));
                }
                Measurement measurement = stopwatch.measure(bytes, firsts[i], pointsLeft--);
                bench.team.barrier();
                if (checked) {
                    loop.check(operation.label(), bytes);
                }
                if (world.pe() == 0) {
                    report.point(operation, bytes, measurement);
                    rowsOf.point(operation, bytes, measurement);
                    progress.done(points - pointsLeft, operation.label());
                }
            }
        }
        run(programs, report, progress, points); // last: their time is none of the stopwatch's
        return drawn.toString(StandardCharsets.UTF_8).lines().toList();
    }

    /// @param before points that have been measured
    private void run(List<Operation> programs, MeasurementReport report, Progress progress, int before) {
        int done = before;
        for (Operation program : programs) {
            if (world.pe() == 0) {
                report.begin(program);
            }
            for (String problemClass : options.problemClasses()) {
                String printed = new NasProgram(program.name()).run(world, problemClass);
                if (world.pe() == 0) {
                    report.program(program, problemClass, NasProgram.Result.of(printed));
                    progress.done(++done, program.label());
                }
            }
        }
    }

    private static void draw(Path file, List<String> rows) throws IOException {
        boolean isSettled = rows.stream().anyMatch(row -> row.contains("_med,"));
        if (isSettled && SystemComparison.of(rows).hasPicture()) {
            Files.writeString(file, SystemComparison.of(rows).picture());
        } else {
            System.err.println("coterie perf: no picture " + file
                    + ": it needs an operation that has settled for several sizes; name some with -o, such as put");
        }
    }

    /// What to measure: what was asked for and can be done, or the usual that suits the number of PEs.
    private List<Operation> operations() {
        List<Operation> asked = options.operations();
        if (asked == null) {
            return Arrays.stream(Operation.values())
                    .filter(operation ->
                            operation.isUsual() && operation.shape().suits(world.size()))
                    .toList();
        }
        asked.stream()
                .filter(operation -> !operation.shape().runsOn(world.size()))
                .forEach(this::printLeftOut);
        return asked.stream()
                .filter(operation -> operation.shape().runsOn(world.size()))
                .toList();
    }

    /// Among rows it would be none.
    private void printLeftOut(Operation operation) {
        if (world.pe() == 0) {
            PrintStream stream = options.csv() ? System.err : out;
            stream.println(
                    "# " + operation.label() + " needs " + operation.shape().needed() + ": left out");
        }
    }

    private long[] sizes(Operation operation) {
        PerfOptions.Sizes sizes = options.sizes();
        OperationShape shape = operation.shape();
        return sizes == null ? shape.sizes(world.size()) : shape.sizes(sizes.least(), sizes.most());
    }

    private Effort effort(Map<String, String> environment, int points) {
        long budget = world.size() > 2 ? FEWER_POINTS_BUDGET_NANOS : BUDGET_NANOS;
        if (options.operations() != null) {
            budget = Math.max(budget, points * POINT_NANOS);
        }
        return new Effort(
                PerfOptions.environmentNumber(environment, "BENCH_REPS", REPETITIONS),
                PerfOptions.environmentNumber(environment, "BENCH_REP_MS", REPETITION_MILLIS) * NANOS_PER_MILLI,
                options.iterations(),
                options.warmUp(),
                options.full(),
                budget);
    }

    private void printHeader(Effort effort, boolean hasMedians) {
        // Of the jar: `coterie perf` has it on the class path. Folders of classes have no version.
        String version = Optional.ofNullable(Perf.class.getPackage().getImplementationVersion())
                .map(number -> " " + number)
                .orElse("");
        print("# Coterie perf" + version + ": " + world.size() + (world.size() == 1 ? " PE" : " PEs"));
        print("# Host " + hostName() + ", " + Runtime.getRuntime().availableProcessors() + " CPUs for PE 0, "
                + System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                + System.getProperty("os.arch"));
        print("# Java " + System.getProperty("java.vm.version") + " ("
                + System.getProperty("java.vendor.version", System.getProperty("java.vendor")) + "), flags "
                + ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                        .filter(flag -> !flag.startsWith("--module-path") && !flag.startsWith("-Djdk.module"))
                        .collect(Collectors.joining(" ")));
        if (!hasMedians) {
            return;
        }
        print("# Medians of " + effort.repetitions() + " repetitions"
                + (options.iterations() > 0
                        ? " of " + options.iterations() + " iterations"
                        : " of about " + Math.round(effort.repetitionNanos() / NANOS_PER_MILLI) + " ms")
                + "; us = 10^-6 s, MB = 10^6 bytes");
        if (options.full()) {
            print("# Min, p50, p99 and Max are means over batches of Batch iterations, of 1 us at least each");
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "of an unknown name (" + e.getMessage() + ")";
        }
    }

    private void print(String line) {
        if (world.pe() == 0) {
            out.println(line);
        }
    }
}
