// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The measurements of one file, as [CsvReport] prints them or with further columns.
///
/// @param name of the file, or an empty string if it has none
record MeasurementFile(String name, List<Row> rows) {
    /// Begins the line before the rows of a file, with its name after it.
    static final String FILE = "#file ";

    private static final List<String> COLUMNS = List.of("system", "op", "np", "bytes", "metric", "value");

    /// One measurement; without numbers if it is of a metric that is not compared.
    record Row(String system, String operation, int pes, long bytes, String metric, double value) {}

    /// Reads files, each with its heads of columns.
    ///
    /// @throws IllegalArgumentException if a row is none, or a name occurs twice
    static List<MeasurementFile> of(List<String> lines) {
        List<MeasurementFile> files = new ArrayList<>();
        int @Nullable [] places = null;
        for (String line : lines) {
            List<String> cells = Arrays.asList(line.split(",", -1));
            if (line.startsWith(FILE)) {
                begin(files, line.substring(FILE.length()));
                places = null;
            } else if (cells.containsAll(COLUMNS)) {
                places = COLUMNS.stream().mapToInt(cells::indexOf).toArray();
            } else if (!line.isBlank()) {
                if (files.isEmpty()) {
                    begin(files, "");
                }
                MeasurementFile file = files.getLast();
                file.rows.add(file.row(line, cells, places));
            }
        }
        if (files.isEmpty()) {
            begin(files, "");
        }
        return files;
    }

    private static void begin(List<MeasurementFile> files, String name) {
        if (files.stream().anyMatch(file -> file.name.equals(name))) {
            throw new IllegalArgumentException(name + " is named twice");
        }
        files.add(new MeasurementFile(name, new ArrayList<>()));
    }

    private Row row(String line, List<String> cells, int @Nullable [] places) {
        if (places == null || Arrays.stream(places).anyMatch(place -> place >= cells.size())) {
            throw new IllegalArgumentException(prefix() + "\"" + line + "\" is no row of " + String.join(",", COLUMNS)
                    + (places == null ? ": no heads" : ""));
        }
        String metric = cells.get(places[4]);
        if (!SystemComparison.isCompared(metric)) {
            return new Row(cells.get(places[0]), cells.get(places[1]), 0, 0, metric, 0); // its value may be any text
        }
        try {
            return new Row(
                    cells.get(places[0]),
                    cells.get(places[1]),
                    Integer.parseInt(cells.get(places[2])),
                    Long.parseLong(cells.get(places[3])),
                    metric,
                    Double.parseDouble(cells.get(places[5])));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(prefix() + "\"" + line + "\" has no number where one belongs", e);
        }
    }

    /// What messages about this file begin with.
    String prefix() {
        return name.isEmpty() ? "" : name + ": ";
    }

    /// The systems of which it has measurements.
    Set<String> systems() {
        Set<String> systems = new LinkedHashSet<>();
        rows.forEach(row -> systems.add(row.system));
        return systems;
    }

    /// Returns the column for a system of this file: the system's name; if other files have this system, too,
    /// the file's name, with the system's name if the file has several.
    ///
    /// @param uses the number of files that have a system
    String column(String system, Map<String, Long> uses) {
        if (uses.getOrDefault(system, 0L) < 2) {
            return system;
        }
        String file = name.replace(',', ';'); // the table separates columns by commas
        return systems().size() == 1 ? file : system + " in " + file;
    }
}
