// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
import org.jspecify.annotations.Nullable;

/// Sets latencies and bandwidths of several systems side by side: the program behind `coterie compare`. Rows of
/// measurements on standard input, as [CsvReport] prints them or with further columns; a table on standard output,
/// and a picture in a file.
public final class SystemComparison {
    private static final List<String> CUT = List.of("lat_cut", "bw_cut");
    private static final List<String> COLUMNS = List.of("system", "op", "np", "bytes", "metric", "value");
    private static final String BANDWIDTHS = "_bw";
    private static final int ACROSS = 2;

    /// The metrics that are compared: a smaller latency is better, and a larger bandwidth.
    private enum Metric {
        LATENCY("lat_med", "nanoseconds", "%.1f"),
        BANDWIDTH("bw_med", "GB/s", "%.2f");

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
            return metric == Metric.LATENCY || operation.endsWith(BANDWIDTHS) ? operation : operation + BANDWIDTHS;
        }

        String title() {
            return name() + ", " + pes + " PEs";
        }
    }

    private final Map<Subject, Map<String, Map<Long, List<Double>>>> medians = new TreeMap<>(Subject.ORDER);

    private int cutRows;

    private SystemComparison() {}

    /// Reads the rows, and prints and draws them.
    ///
    /// @param args the file for the picture, or `-` for none; then the operations, or none for all
    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        SystemComparison comparison = of(input.lines().toList());
        if (args.length > 1) {
            comparison.keep(Arrays.asList(args).subList(1, args.length));
        }
        comparison.table().forEach(System.out::println);
        if (!comparison.remark().isEmpty()) {
            System.err.println("coterie compare: " + comparison.remark());
        }
        if (!args[0].equals("-")) {
            Files.writeString(Path.of(args[0]), comparison.picture());
        }
    }

    /// @param rows of one file or several, each with its heads of columns
    /// @throws IllegalArgumentException if a row is none, or none has a latency or a bandwidth
    static SystemComparison of(List<String> rows) {
        SystemComparison comparison = new SystemComparison();
        int @Nullable [] places = null;
        for (String row : rows) {
            List<String> cells = Arrays.asList(row.split(",", -1));
            if (cells.containsAll(COLUMNS)) {
                places = COLUMNS.stream().mapToInt(cells::indexOf).toArray();
            } else if (!row.isBlank()) {
                comparison.add(row, cells, places);
            }
        }
        if (comparison.medians.isEmpty()) {
            throw new IllegalArgumentException("there is no row of "
                    + Arrays.stream(Metric.values()).map(each -> each.word).collect(Collectors.joining(" or ")));
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

    private void add(String row, List<String> cells, int @Nullable [] places) {
        if (places == null || Arrays.stream(places).anyMatch(place -> place >= cells.size())) {
            throw new IllegalArgumentException(
                    "\"" + row + "\" is no row of " + String.join(",", COLUMNS) + (places == null ? ": no heads" : ""));
        }
        if (CUT.contains(cells.get(places[4]))) {
            cutRows++;
        }
        Metric metric = Metric.of(cells.get(places[4])).orElse(null);
        if (metric == null) {
            return;
        }
        try {
            Subject subject = new Subject(metric, cells.get(places[1]), Integer.parseInt(cells.get(places[2])));
            medians.computeIfAbsent(subject, absent -> new TreeMap<>())
                    .computeIfAbsent(cells.get(places[0]), absent -> new TreeMap<>())
                    .computeIfAbsent(Long.parseLong(cells.get(places[3])), absent -> new ArrayList<>())
                    .add(Double.parseDouble(cells.get(places[5])));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("\"" + row + "\" has no number where one belongs", e);
        }
    }

    /// What the table does not show, or an empty string.
    String remark() {
        return switch (cutRows) {
            case 0 -> "";
            case 1 -> "left out 1 row of " + String.join(" or ", CUT) + ": its time ran out before it settled";
            default ->
                "left out " + cutRows + " rows of " + String.join(" or ", CUT)
                        + ": their time ran out before they settled";
        };
    }

    /// Medians in nanoseconds, and in GB/s in rows whose operation ends with `_bw`; a column for each system, empty
    /// where it has none; a row for what two systems have, or for all that a single system has.
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

    /// A chart for each operation and number of PEs of which two systems have several sizes.
    String picture() {
        List<String> charts = new ArrayList<>();
        medians.forEach((subject, its) -> {
            if (sizes(its).stream().filter(size -> size > 0).count() > 1) {
                charts.add(chart(subject, its).svg());
            }
        });
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

    private static Chart chart(Subject subject, Map<String, Map<Long, List<Double>>> its) {
        Chart chart = new Chart(subject.title(), "bytes", subject.metric.axis);
        its.forEach((system, sizes) -> {
            Map<Double, Double> points = sizes.entrySet().stream()
                    .filter(size -> size.getKey() > 0)
                    .collect(Collectors.toMap(size -> (double) size.getKey(), size -> median(size.getValue())));
            if (!points.isEmpty()) {
                chart.curve(system, points);
            }
        });
        return chart;
    }
}
