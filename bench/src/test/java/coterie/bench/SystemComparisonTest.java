// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SystemComparisonTest {
    private static final String HEADS = "run,round,system,op,np,bytes,metric,unit,value";
    private static final List<String> ROWS = List.of(
            HEADS,
            "1,1,ours,bcast,2,8,lat_med,ns,100.00",
            "1,2,ours,bcast,2,8,lat_med,ns,104.00",
            "1,3,ours,bcast,2,8,lat_med,ns,90.00",
            "1,1,ours,bcast,2,8,lat_min,ns,1.00",
            "1,1,ours,bcast,2,64,lat_med,ns,110.00",
            "1,1,ours,bcast,2,512,lat_med,ns,120.00",
            "1,1,ours,barrier,2,0,lat_med,ns,70.00",
            "",
            "system,op,np,bytes,metric,unit,value",
            "theirs,bcast,2,8,lat_med,ns,200.00",
            "theirs,bcast,2,64,lat_med,ns,210.00",
            "theirs,barrier,2,0,lat_med,ns,170.00",
            "theirs,barrier,4,0,lat_med,ns,270.00");

    @Test
    @DisplayName("rows are medians, where two systems have one; files may have columns of their own")
    void table() {
        assertThat(SystemComparison.of(ROWS).table())
                .containsExactly(
                        "op,np,bytes,ours,theirs",
                        "barrier,2,0,70.0,170.0",
                        "bcast,2,8,100.0,200.0",
                        "bcast,2,64,110.0,210.0");
    }

    @Test
    @DisplayName("bandwidths follow the latencies, by names that end with _bw, and have charts of their own")
    void bandwidths() {
        List<String> rows = List.of(
                "system,op,np,bytes,metric,unit,value",
                "ours,kernel_put_bw,1,65536,bw_med,GB/s,20.50",
                "ours,kernel_put_bw,1,65536,bw_med,GB/s,22.50",
                "ours,kernel_put_bw,1,65536,bw_max,GB/s,99.00",
                "ours,kernel_put_bw,1,1048576,bw_med,GB/s,100.00",
                "ours,kernel_put_bw,1,16777216,bw_cut,GB/s,100.00",
                "ours,put,1,8,lat_med,ns,900.00",
                "ours,put,1,8,bw_med,GB/s,0.50",
                "theirs,put,1,8,bw_med,GB/s,0.25",
                "theirs,kernel_put_bw,1,65536,bw_med,GB/s,0.25",
                "theirs,kernel_put_bw,1,1048576,bw_med,GB/s,90.00",
                "theirs,put,1,8,lat_med,ns,1000.00");
        SystemComparison comparison = SystemComparison.of(rows);
        assertThat(comparison.table())
                .containsExactly(
                        "op,np,bytes,ours,theirs",
                        "put,1,8,900.0,1000.0",
                        "kernel_put_bw,1,65536,21.50,0.25",
                        "kernel_put_bw,1,1048576,100.00,90.00",
                        "put_bw,1,8,0.50,0.25");
        assertThat(comparison.picture()).contains(">kernel_put_bw, 1 PEs<", ">GB/s<");
        assertThat(comparison.remark()).startsWith("left out 1 row of lat_cut or bw_cut");
    }

    @Test
    @DisplayName("the rows of coterie perf --csv are readable, and those of a single system come out")
    void readsPerf() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(bytes, false, StandardCharsets.UTF_8)) {
            CsvReport report = new CsvReport(out, "mine", 2, false);
            report.begin(Operation.BARRIER);
            report.point(Operation.BARRIER, 0, measurement(70, Measurement.Quality.SETTLED));
            report.begin(Operation.REDUCE);
            report.point(Operation.REDUCE, 8, measurement(80, Measurement.Quality.OUT_OF_TIME));
        }
        SystemComparison comparison = SystemComparison.of(
                bytes.toString(StandardCharsets.UTF_8).lines().toList());
        assertThat(comparison.table()).containsExactly("op,np,bytes,mine", "barrier,2,0,70.0");
        assertThat(comparison.remark())
                .isEqualTo("left out 1 row of lat_cut or bw_cut: its time ran out before it settled");
    }

    private static Measurement measurement(double median, Measurement.Quality quality) {
        return new Measurement(median, median, median, 0, 1, 7, quality, null);
    }

    @Test
    @DisplayName("operations can be chosen, and some of them must be there")
    void keep() {
        SystemComparison comparison = SystemComparison.of(ROWS);
        comparison.keep(List.of("barrier", "reduce"));
        assertThat(comparison.table()).containsExactly("op,np,bytes,ours,theirs", "barrier,2,0,70.0,170.0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> comparison.keep(List.of("reduce")))
                .withMessageContaining("none of the rows is of reduce");
    }

    @Test
    @DisplayName("there is a chart for what has several sizes, with a curve of each system")
    void picture() {
        String svg = SystemComparison.of(ROWS).picture();
        assertThat(svg)
                .contains(">bcast, 2 PEs<", ">ours<", ">theirs<")
                .doesNotContain("barrier")
                .endsWith("</svg>\n");
        assertThat(svg.lines().filter(line -> line.startsWith("<polyline"))).hasSize(2);
    }

    @Test
    @DisplayName("what is no row is refused")
    void refused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SystemComparison.of(List.of("ours,bcast,2,8,lat_med,ns,1")))
                .withMessageContaining("no heads");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SystemComparison.of(List.of(HEADS, "1,1,ours")))
                .withMessageContaining("is no row of system,op,np");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SystemComparison.of(List.of(HEADS, "1,1,ours,bcast,2,8,lat_med,ns,much")))
                .withMessageContaining("no number");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SystemComparison.of(List.of(HEADS)))
                .withMessageContaining("no row of lat_med or bw_med");
    }
}
