// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.World;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Sets latencies, bandwidths and rates of several systems side by side: the program behind `coterie compare`. Rows
/// of measurements on standard input, as [CsvReport] prints them or with further columns; a table on standard output,
/// and a picture in a file.
public final class SystemComparison {
    private static final List<String> CUT = List.of("lat_cut", "bw_cut");
    private static final String PRODUCT = "Coterie";
    private static final int USAGE = 2;
    private static final String BANDWIDTHS = "_bw";
    private static final int ACROSS = 2;

    /// The metrics that are compared: a smaller latency is better, and a larger bandwidth or rate.
    private enum Metric {
        LATENCY("lat_med", "nanoseconds", "%.1f"),
        BANDWIDTH("bw_med", "GB/s", "%.2f"),
        RATE("mops", "Mop/s", "%.1f");

        private final String word;
        private final String axis;
        private final String format;

        Metric(String word, String axis, String format) {
            this.word = word;
            this.axis = axis;
            this.format = format;
        }

        static Optional<Metric> of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst();
        }
    }

    /// What is compared: systems by size.
    private record Subject(Metric metric, String operation, int pes) {
        static final Comparator<Subject> ORDER = Comparator.comparing(Subject::metric)
                .thenComparing(Subject::operation)
                .thenComparingInt(Subject::pes);

        /// Its name in the table, where that of a bandwidth ends with `_bw`.
        String name() {
            return metric != Metric.BANDWIDTH || operation.endsWith(BANDWIDTHS) ? operation : operation + BANDWIDTHS;
        }

        String title() {
            return name() + ", " + pes + " PEs";
        }
    }

    private final Map<Subject, Map<String, Map<Long, List<Double>>>> medians = new TreeMap<>(Subject.ORDER);

    private int cutRows;
    private int points;

    private SystemComparison() {}

    /// Reads the rows, and prints and draws them.
    ///
    /// @param args the file for the picture, or `-` for none; then the operations, or none for all
    public static void main(String[] args) {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        if (!compare(input.lines().toList(), Arrays.asList(args), System.out, System.err)) {
            try (World world = World.join()) {
                throw world.abort(USAGE); // the launcher adds no report of its own
            }
        }
    }

    /// Does what [#main] does. Returns whether it could; otherwise it has said why not.
    static boolean compare(List<String> rows, List<String> args, PrintStream out, PrintStream err) {
        try {
            SystemComparison comparison = of(rows);
            if (args.size() > 1) {
                comparison.keep(args.subList(1, args.size()));
            }
            comparison.table().forEach(out::println);
            comparison.remarks().forEach(remark -> err.println("coterie compare: " + remark));
            if (!args.getFirst().equals("-")) {
                Files.writeString(Path.of(args.getFirst()), comparison.picture());
            }
            return true;
        } catch (IllegalArgumentException e) {
            err.println("coterie compare: " + e.getMessage());
        } catch (IOException e) {
            err.println("coterie compare: can't write the picture " + args.getFirst() + ": " + e);
        }
        return false;
    }

    /// @param rows of one file or several, each with its heads of columns; a row that begins with
    ///     [MeasurementFile#FILE] has the name of the file of the rows after it
    /// @throws IllegalArgumentException if a row is none, or a file has none with a metric that is compared
    static SystemComparison of(List<String> rows) {
        List<MeasurementFile> files = MeasurementFile.of(rows);
        Map<String, Long> uses = files.stream()
                .flatMap(file -> file.systems().stream())
                .collect(Collectors.groupingBy(system -> system, Collectors.counting()));
        SystemComparison comparison = new SystemComparison();
        for (MeasurementFile file : files) {
            int before = comparison.points;
            file.rows().forEach(row -> comparison.add(row, file.column(row.system(), uses)));
            if (comparison.points == before) {
                throw new IllegalArgumentException(file.prefix() + "there is no row of "
                        + Arrays.stream(Metric.values()).map(each -> each.word).collect(Collectors.joining(" or "))
                        + "; 'coterie perf --csv' prints such rows");
            }
        }
        return comparison;
    }

    /// Drops all operations but these.
    ///
    /// @throws IllegalArgumentException if none is left
    void keep(List<String> operations) {
        medians.keySet().removeIf(subject -> !operations.contains(subject.operation));
        if (medians.isEmpty()) {
            throw new IllegalArgumentException("none of the rows is of " + String.join(", ", operations));
        }
    }

    /// Returns whether the table has rows of this metric.
    static boolean isCompared(String metric) {
        return Metric.of(metric).isPresent();
    }

    private void add(MeasurementFile.Row row, String column) {
        if (CUT.contains(row.metric())) {
            cutRows++;
        }
        Metric metric = Metric.of(row.metric()).orElse(null);
        if (metric == null) {
            return;
        }
        points++;
        medians.computeIfAbsent(new Subject(metric, row.operation(), row.pes()), absent -> new TreeMap<>())
                .computeIfAbsent(column, absent -> new TreeMap<>())
                .computeIfAbsent(row.bytes(), absent -> new ArrayList<>())
                .add(row.value());
    }

    /// What the table does not show, a sentence for each kind.
    List<String> remarks() {
        List<String> remarks = new ArrayList<>();
        if (cutRows > 0) {
            boolean one = cutRows == 1;
            remarks.add("left out " + cutRows + (one ? " row of " : " rows of ") + String.join(" or ", CUT) + ": "
                    + (one ? "its time ran out before it settled" : "their time ran out before they settled"));
        }
        Map<String, Integer> alone = new TreeMap<>();
        medians.values()
                .forEach(its -> its.forEach((system, values) -> {
                    long left = values.keySet().stream()
                            .filter(size -> !sizes(its).contains(size))
                            .count();
                    if (left > 0) {
                        alone.merge(system, (int) left, Integer::sum);
                    }
                }));
        alone.forEach((system, count) -> remarks.add(
                "left out " + count + (count == 1 ? " point" : " points") + " that only " + system + " has"));
        return remarks;
    }

    /// Medians in nanoseconds, in GB/s in rows whose operation ends with `_bw`, and in Mop/s for programs; a column
    /// for each system, empty where it has none; a row for what two systems have, or for all that a single system
    /// has.
    List<String> table() {
        List<String> systems = systems();
        List<String> lines = new ArrayList<>();
        lines.add("op,np,bytes," + String.join(",", systems));
        medians.forEach((subject, its) -> {
            for (long bytes : sizes(its)) {
                StringJoiner line = new StringJoiner(",");
                line.add(subject.name()).add(Integer.toString(subject.pes)).add(Long.toString(bytes));
                systems.forEach(system -> line.add(cell(subject.metric, its, system, bytes)));
                lines.add(line.toString());
            }
        });
        return lines;
    }

    private List<String> systems() {
        return medians.values().stream()
                .flatMap(its -> its.keySet().stream())
                .distinct()
                .sorted()
                .toList();
    }

    private List<Long> sizes(Map<String, Map<Long, List<Double>>> its) {
        TreeSet<Long> sizes = new TreeSet<>();
        its.values().forEach(each -> sizes.addAll(each.keySet()));
        int needed = systems().size() == 1 ? 1 : 2;
        sizes.removeIf(size ->
                its.values().stream().filter(each -> each.containsKey(size)).count() < needed);
        return List.copyOf(sizes);
    }

    private static String cell(Metric metric, Map<String, Map<Long, List<Double>>> its, String system, long bytes) {
        List<Double> values = its.getOrDefault(system, Map.of()).get(bytes);
        return values == null ? "" : String.format(Locale.ROOT, metric.format, median(values));
    }

    private static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    /// Returns whether [#picture] has any chart.
    boolean hasPicture() {
        return !charts().isEmpty();
    }

    private boolean isDrawn(Map<String, Map<Long, List<Double>>> its) {
        return sizes(its).stream().filter(size -> size > 0).count() > 1;
    }

    /// A chart for each operation and number of PEs of which two systems have several sizes, and for each program of
    /// which a system has several numbers of PEs.
    String picture() {
        List<String> charts = charts().stream().map(Chart::svg).toList();
        int rows = (charts.size() + ACROSS - 1) / ACROSS;
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d'>\n",
                ACROSS * Chart.WIDTH,
                rows * Chart.HEIGHT));
        for (int place = 0; place < charts.size(); place++) {
            String at = String.format(
                    Locale.ROOT,
                    "<svg x='%d' y='%d' width='%d' height='%d' ",
                    place % ACROSS * Chart.WIDTH,
                    place / ACROSS * Chart.HEIGHT,
                    Chart.WIDTH,
                    Chart.HEIGHT);
            svg.append(charts.get(place).replaceFirst("<svg ", at));
        }
        return svg.append("</svg>\n").toString();
    }

    private List<Chart> charts() {
        List<Chart> charts = new ArrayList<>();
        medians.forEach((subject, its) -> {
            if (isDrawn(its)) {
                charts.add(chart(subject, its));
            }
        });
        rates().forEach((program, its) -> {
            if (its.values().stream().anyMatch(points -> points.size() > 1)) {
                Chart chart = Chart.byCount(program, "PEs", Metric.RATE.axis);
                its.forEach((system, points) -> chart.curve(title(system), points));
                charts.add(chart);
            }
        });
        return charts;
    }

    /// Rates by number of PEs, of each system, of each program.
    private Map<String, Map<String, Map<Double, Double>>> rates() {
        Map<String, Map<String, Map<Double, Double>>> rates = new TreeMap<>();
        medians.forEach((subject, its) -> {
            if (subject.metric == Metric.RATE) {
                its.forEach((system, sizes) -> sizes.values()
                        .forEach(values -> rates.computeIfAbsent(subject.operation, absent -> new TreeMap<>())
                                .computeIfAbsent(system, absent -> new TreeMap<>())
                                .put((double) subject.pes, median(values))));
            }
        });
        return rates;
    }

    private static String title(String system) {
        return system.equals(PerfOptions.DEFAULT_SYSTEM) ? PRODUCT : system;
    }

    private static Chart chart(Subject subject, Map<String, Map<Long, List<Double>>> its) {
        Chart chart = Chart.byBytes(subject.title(), subject.metric.axis);
        its.forEach((system, sizes) -> {
            Map<Double, Double> points = sizes.entrySet().stream()
                    .filter(size -> size.getKey() > 0)
                    .collect(Collectors.toMap(size -> (double) size.getKey(), size -> median(size.getValue())));
            if (!points.isEmpty()) {
                chart.curve(title(system), points);
            }
        });
        return chart;
    }
}
