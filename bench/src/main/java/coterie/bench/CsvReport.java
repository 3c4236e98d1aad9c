// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import java.io.PrintStream;
import java.util.Locale;

/// Rows for a table that sets several systems side by side: `ours,op,np,bytes,metric,unit,value`.
///
/// Latencies are `lat_med` and `lat_min` in nanoseconds, rates `bw_med` and `bw_max` in GB/s (10^9 bytes per
/// second), and `probe` is what the probe said meanwhile, where there is one.
record CsvReport(PrintStream out, int pes, boolean probed) implements MeasurementReport {
    @Override
    public void begin(Operation operation) {}

    @Override
    public void point(Operation operation, long bytes, Measurement measurement) {
        if (operation.shape().isRate()) {
            double moved = operation.movedBytes(bytes);
            row(operation, bytes, "bw_med", "GB/s", moved / measurement.median());
            row(operation, bytes, "bw_max", "GB/s", moved / measurement.least());
        } else {
            row(
                    operation,
                    bytes,
                    "lat_med",
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

    private void row(Operation operation, long bytes, String metric, String unit, double value) {
        out.printf(Locale.ROOT, "ours,%s,%d,%d,%s,%s,%.2f%n", operation.label(), pes, bytes, metric, unit, value);
    }
}
