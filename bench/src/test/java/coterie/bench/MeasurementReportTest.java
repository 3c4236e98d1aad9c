// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import coterie.bench.Measurement.Percentiles;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MeasurementReportTest {
    private static final String HEADER = "system,op,np,bytes,metric,unit,value";

    @Test
    @DisplayName("rows: a ping-pong counts half of a round trip, rates are bytes of a window over time")
    void rows() {
        assertThat(lines(out -> new CsvReport(out, "ours", 2, true), Operation.PINGPONG, 8, measurement(100, 80)))
                .containsExactly(
                        HEADER,
                        "ours,pingpong,2,8,lat_med,ns,50.00",
                        "ours,pingpong,2,8,lat_min,ns,40.00",
                        "ours,pingpong,2,8,probe,ns,56.00");
        assertThat(lines(out -> new CsvReport(out, "x", 2, false), Operation.PUT_BW, 1000, measurement(64_000, 32_000)))
                .containsExactly(HEADER, "x,put_bw,2,1000,bw_med,GB/s,1.00", "x,put_bw,2,1000,bw_max,GB/s,2.00");
    }

    @Test
    @DisplayName("tables: microseconds and MB/s under their heads, and a word where repetitions are missing")
    void tables() {
        List<String> latency = lines(
                out -> new TableReport(out, false, false, false, 7), Operation.PUT, 4096, measurement(1234.5, 1000));
        assertThat(latency.getLast()).isEqualTo("4096                  1.2345   # of 5 repetitions");
        assertThat(latency.get(latency.size() - 2)).isEqualTo("# Size          Latency (us)");

        List<String> rate = lines(
                out -> new TableReport(out, false, false, false, 5), Operation.GET_BW, 1000, measurement(64_000, 1));
        assertThat(rate.getLast()).isEqualTo("1000                 1000.00");
    }

    @Test
    @DisplayName("a point whose time ran out has no median: rows name it cut, and tables mark it")
    void marksPointsWithoutTime() {
        Measurement cut = measurement(100, 80, Measurement.Quality.OUT_OF_TIME);
        assertThat(lines(out -> new CsvReport(out, "ours", 2, false), Operation.BARRIER, 0, cut))
                .containsExactly(HEADER, "ours,barrier,2,0,lat_cut,ns,100.00", "ours,barrier,2,0,lat_min,ns,80.00");
        assertThat(lines(out -> new CsvReport(out, "ours", 2, false), Operation.PUT_BW, 1000, cut))
                .element(1)
                .asString()
                .startsWith("ours,put_bw,2,1000,bw_cut,GB/s,");
        assertThat(lines(out -> new TableReport(out, false, false, false, 5), Operation.BARRIER, 0, cut))
                .last()
                .asString()
                .endsWith("   # the time ran out: not settled");
    }

    @Test
    @DisplayName("full tables have as many columns as heads")
    void fullTables() {
        List<String> lines =
                lines(out -> new TableReport(out, true, true, true, 5), Operation.BARRIER, 0, measurement(1000, 900));
        String head = lines.get(lines.size() - 2);
        assertThat(lines.getLast()).hasSameSizeAs(head);
        assertThat(lines.getLast().trim().split(" +")).hasSize(head.split(" {2,}").length);
    }

    @Test
    @DisplayName("a program has a row for its rate and one for its time, or one in a table, with its problem class")
    void programs() {
        NasProgram.Result result = NasProgram.Result.of("""
                 Class           =                        W
                 Time in seconds =                     0.12
                 Total processes =                        2
                 Mop/s total     =                  2553.80
                """);
        assertThat(lines(
                        out -> new CsvReport(out, "x", 2, true),
                        Operation.CG,
                        report -> report.program(Operation.CG, "W", result)))
                .containsExactly(HEADER, "x,cg.W,2,0,mops,Mop/s,2553.80", "x,cg.W,2,0,time,s,0.12");
        assertThat(lines(
                        out -> new TableReport(out, true, true, true, 7),
                        Operation.CG,
                        report -> report.program(Operation.CG, "W", result)))
                .endsWith(
                        "# Class                Mop/s          Time (s)",
                        "W                    2553.80              0.12");
    }

    @Test
    @DisplayName("an output without figures is none of a program")
    void missingFigures() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> NasProgram.Result.of(" Time in seconds =   0.12"))
                .withMessageContaining("Mop/s total");
    }

    private static Measurement measurement(double median, double least) {
        return measurement(median, least, Measurement.Quality.SETTLED);
    }

    private static Measurement measurement(double median, double least, Measurement.Quality quality) {
        Histogram picoseconds = new Histogram(3);
        picoseconds.recordValue(1_000_000);
        return new Measurement(5000, median, least, 56, 10, 5, quality, new Percentiles(picoseconds, 1));
    }

    private static List<String> lines(
            Function<PrintStream, MeasurementReport> report, Operation operation, long bytes, Measurement measurement) {
        return lines(report, operation, made -> made.point(operation, bytes, measurement));
    }

    private static List<String> lines(
            Function<PrintStream, MeasurementReport> report, Operation operation, Consumer<MeasurementReport> rows) {
        ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytesOut, false, StandardCharsets.UTF_8)) {
            MeasurementReport made = report.apply(out);
            made.begin(operation);
            rows.accept(made);
        }
        return bytesOut.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
