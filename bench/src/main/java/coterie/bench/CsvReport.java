// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.io.PrintStream;
import java.util.Locale;

/// Rows for a table that sets several systems side by side: `system,op,np,bytes,metric,unit,value`, after a line
/// with these heads.
///
/// Latencies are `lat_med` and `lat_min` in nanoseconds, rates `bw_med` and `bw_max` in GB/s (10^9 bytes per
/// second), and `probe` is what the probe said meanwhile, where there is one. A point whose time ran out before it
/// settled has `lat_cut` or `bw_cut` instead of a median. A program has `mops` in Mop/s and `time` in seconds; its
/// operation ends with the problem class, such as `cg.A`, and has 0 bytes.
final class CsvReport implements MeasurementReport {
    private final PrintStream out;
    private final String system;
    private final int pes;
    private final boolean probed;

    /// @param system the name in the first column
    CsvReport(PrintStream out, String system, int pes, boolean probed) {
        this.out = out;
        this.system = system;
        this.pes = pes;
        this.probed = probed;
        out.println("system,op,np,bytes,metric,unit,value");
    }

    @Override
    public void begin(Operation operation) {}

    @Override
    public void point(Operation operation, long bytes, Measurement measurement) {
        String which = measurement.quality() == Measurement.Quality.SETTLED ? "med" : "cut";
        if (operation.shape().isRate()) {
            double moved = operation.movedBytes(bytes);
            row(operation, bytes, "bw_".concat(which), "GB/s", moved / measurement.median());
            row(operation, bytes, "bw_max", "GB/s", moved / measurement.least());
        } else {
            row(
                    operation,
                    bytes,
                    "lat_".concat(which),
                    "ns",
                    measurement.median() / operation.shape().perIteration());
            row(
                    operation,
                    bytes,
                    "lat_min",
                    "ns",
                    measurement.least() / operation.shape().perIteration());
        }
        if (probed) {
            row(operation, bytes, "probe", "ns", measurement.probe());
        }
    }

    @Override
    public void program(Operation operation, String problemClass, NasProgram.Result result) {
        String name = operation.label() + "." + problemClass;
        row(name, 0, "mops", "Mop/s", result.mops());
        row(name, 0, "time", "s", result.seconds());
    }

    private void row(Operation operation, long bytes, String metric, String unit, double value) {
        row(operation.label(), bytes, metric, unit, value);
    }

    private void row(String name, long bytes, String metric, String unit, double value) {
        out.printf(Locale.ROOT, "%s,%s,%d,%d,%s,%s,%.2f%n", system, name, pes, bytes, metric, unit, value);
    }
}
