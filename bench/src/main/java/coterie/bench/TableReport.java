// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import coterie.bench.Measurement.Percentiles;
import java.io.PrintStream;
import java.util.Locale;

/// Tables for readers, in the form of the OSU micro-benchmarks: comments, then a row for each size.
///
/// @param out where to
/// @param full whether there are columns for the spread
/// @param first whether there is one for the first call
/// @param probed whether there is one for the probe
/// @param wanted how many repetitions each median is to have
record TableReport(PrintStream out, boolean full, boolean first, boolean probed, int wanted)
        implements MeasurementReport {
    private static final double NANOS_PER_MICRO = 1e3;

    @Override
    public void begin(Operation operation) {
        out.printf("%n# %s: %s%n", operation.label(), operation.meaning());
        if (operation.shape().isProgram()) {
            StringBuilder head = new StringBuilder("# Class   ");
            column(head, "Mop/s");
            column(head, "Time (s)");
            out.println(head);
            return;
        }
        StringBuilder head = new StringBuilder("# Size    ");
        column(head, operation.shape().isRate() ? "Bandwidth (MB/s)" : "Latency (us)");
        if (full) {
            column(head, operation.shape().isRate() ? "Best (MB/s)" : "Best (us)");
            column(head, "Min (us)");
            column(head, "p50 (us)");
            column(head, "p99 (us)");
            column(head, "Max (us)");
            column(head, "Batch");
            column(head, "Iterations");
        }
        if (first) {
            column(head, "First call (us)");
        }
        if (probed) {
            column(head, "Probe (ns)");
        }
        out.println(head);
    }

    @Override
    public void point(Operation operation, long bytes, Measurement measurement) {
        StringBuilder row = new StringBuilder("%-10d".formatted(bytes));
        if (operation.shape().isRate()) {
            // Bytes per microsecond are MB/s.
            double moved = operation.movedBytes(bytes);
            column(row, "%.2f", moved / measurement.median() * NANOS_PER_MICRO);
            if (full) {
                column(row, "%.2f", moved / measurement.least() * NANOS_PER_MICRO);
            }
        } else {
            micros(row, measurement.median() / operation.shape().perIteration());
            if (full) {
                micros(row, measurement.least() / operation.shape().perIteration());
            }
        }
        Percentiles percentiles = measurement.percentiles();
        if (full && percentiles != null) {
            for (double percentile : new double[] {0, 50, 99, 100}) {
                micros(row, percentiles.nanosAt(percentile) / operation.shape().perIteration());
            }
            column(row, Long.toString(percentiles.batch()));
            column(row, Long.toString(measurement.iterations()));
        }
        if (first) {
            micros(row, measurement.first());
        }
        if (probed) {
            column(row, "%.1f", measurement.probe());
        }
        if (measurement.quality() == Measurement.Quality.OUT_OF_TIME) {
            row.append("   # the time ran out: not settled");
        } else if (measurement.counted() < wanted) {
            row.append("   # of ").append(measurement.counted()).append(" repetitions");
        }
        out.println(row);
    }

    @Override
    public void program(Operation operation, String problemClass, NasProgram.Result result) {
        StringBuilder row = new StringBuilder("%-10s".formatted(problemClass));
        column(row, "%.2f", result.mops());
        column(row, "%.2f", result.seconds());
        out.println(row);
    }

    private static void micros(StringBuilder row, double nanos) {
        column(row, "%.4f", nanos / NANOS_PER_MICRO);
    }

    private static void column(StringBuilder row, String format, double value) {
        column(row, String.format(Locale.ROOT, format, value));
    }

    private static void column(StringBuilder row, String text) {
        row.append("%18s".formatted(text));
    }
}
