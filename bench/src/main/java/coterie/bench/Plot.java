// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Draws what `coterie scale` has predicted: rows on standard input, a picture in a file.
public final class Plot {
    private static final int USAGE = 2;

    private Plot() {}

    /// Reads the rows, and draws them.
    ///
    /// @param args the file, for SVG
    public static void main(String[] args) throws IOException {
        if (args.length != 1) {
            System.err.println("usage: coterie.bench.Plot FILE.svg < FILE.csv");
            System.exit(USAGE);
        }
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        Files.writeString(Path.of(args[0]), picture(input.lines().toList()));
    }

    /// @param rows of `coterie scale`, the first one with the heads of the columns
    static String picture(List<String> rows) {
        List<Prediction> predictions =
                rows.stream().skip(1).map(Prediction::parse).toList();
        Map<Scale.ScaledOperation, Map<Double, Double>> curves = predictions.stream()
                .collect(Collectors.groupingBy(
                        Prediction::scaledOperation,
                        TreeMap::new,
                        Collectors.toMap(
                                prediction -> (double) prediction.pes(),
                                prediction -> (double) prediction.nanos(),
                                (earlier, later) -> later,
                                TreeMap::new)));
        Chart chart = Chart.byCount("Predicted time in a simulated network", "PEs", "nanoseconds");
        curves.forEach(
                (scaledOperation, points) -> chart.curve(scaledOperation.name().toLowerCase(Locale.ROOT), points));
        return chart.svg();
    }
}
