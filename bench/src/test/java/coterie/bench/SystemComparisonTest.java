// SPDX-License-Identifier: Apache-2.0
package coterie.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
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
    @DisplayName("rates of programs follow, by program and problem class; their times are left out")
    void programs() {
        List<String> rows = List.of(
                "system,op,np,bytes,metric,unit,value",
                "ours,cg.A,2,0,mops,Mop/s,2000.00",
                "ours,cg.A,2,0,mops,Mop/s,2200.00",
                "ours,cg.A,2,0,time,s,0.70",
                "theirs,cg.A,2,0,mops,Mop/s,3000.00",
                "ours,put,2,8,bw_med,GB/s,0.50",
                "theirs,put,2,8,bw_med,GB/s,0.25");
        assertThat(SystemComparison.of(rows).table())
                .containsExactly("op,np,bytes,ours,theirs", "put_bw,2,8,0.50,0.25", "cg.A,2,0,2100.0,3000.0");
        assertThat(SystemComparison.of(rows).hasPicture()).isFalse();
    }

    @Test
    @DisplayName("a program that ran on several numbers of PEs has a chart of its rates by them")
    void chartsOfPrograms() {
        SystemComparison comparison = SystemComparison.of(List.of(
                HEADS,
                "1,1,coterie,cg.A,1,0,mops,Mop/s,2000.00",
                "1,1,coterie,cg.A,2,0,mops,Mop/s,4000.00",
                "1,1,mpi,cg.A,2,0,mops,Mop/s,3000.00",
                "1,1,coterie,ep.A,2,0,mops,Mop/s,300.00"));
        assertThat(comparison.hasPicture()).isTrue();
        assertThat(comparison.picture())
                .contains(">cg.A<", ">PEs<", ">Mop/s<", ">Coterie<", ">mpi<")
                .doesNotContain(">ep.A<")
                .containsOnlyOnce(">PEs<");
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
        assertThat(comparison.remarks()).first().asString().startsWith("left out 1 row of lat_cut or bw_cut");
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
        assertThat(comparison.remarks())
                .containsExactly("left out 1 row of lat_cut or bw_cut: its time ran out before it settled");
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

    private static List<String> file(String name, String system, int median) {
        return List.of("#file " + name, HEADS, "1,1," + system + ",get,2,8,lat_med,ns," + median);
    }

    private static SystemComparison ofFiles(List<List<String>> files) {
        return SystemComparison.of(files.stream().flatMap(List::stream).toList());
    }

    @Test
    @DisplayName("a system that several files have is a column for each file, by the file's name")
    void oneSystemInSeveralFiles() {
        assertThat(ofFiles(List.of(file("a.csv", "ours", 100), file("b.csv", "ours", 50)))
                        .table())
                .containsExactly("op,np,bytes,a.csv,b.csv", "get,2,8,100.0,50.0");
        assertThat(ofFiles(List.of(file("1/a.csv", "ours", 100), file("2/a.csv", "ours", 50), file("c", "x", 7)))
                        .table())
                .containsExactly("op,np,bytes,1/a.csv,2/a.csv,x", "get,2,8,100.0,50.0,7.0");
        List<String> both = new ArrayList<>(file("a.csv", "ours", 100));
        both.add("1,1,theirs,get,2,8,lat_med,ns,3");
        assertThat(ofFiles(List.of(both, file("b,c.csv", "ours", 50))).table())
                .containsExactly("op,np,bytes,b;c.csv,ours in a.csv,theirs", "get,2,8,50.0,100.0,3.0");
        assertThat(ofFiles(List.of(file("a.csv", "ours", 100), file("b.csv", "ours", 50)))
                        .picture())
                .isNotEmpty();
    }

    @Test
    @DisplayName("points that one system alone has are counted, since the table has none of them")
    void pointsOfOneSystem() {
        assertThat(SystemComparison.of(ROWS).remarks())
                .containsExactly("left out 1 point that only ours has", "left out 1 point that only theirs has");
    }

    @Test
    @DisplayName("what can't be compared is a message with the file, and no exception")
    void messages() {
        assertThat(messageOf(List.of("#file a.csv"), "-"))
                .isEqualTo("coterie compare: a.csv: there is no row of"
                        + " lat_med or bw_med or mops; 'coterie perf --csv' prints such rows");
        assertThat(messageOf(List.of("#file a.csv", HEADS), "-")).contains("a.csv: there is no row of");
        assertThat(messageOf(List.of(), "-")).contains("there is no row of");
        List<String> second = new ArrayList<>(file("a.csv", "ours", 1));
        second.addAll(List.of("#file b.csv", HEADS));
        assertThat(messageOf(second, "-")).contains("b.csv: there is no row of");
        assertThat(messageOf(List.of("#file a.csv", "text"), "-")).contains("a.csv: \"text\" is no row of");
        List<String> twice = new ArrayList<>(file("a.csv", "ours", 1));
        twice.addAll(file("a.csv", "ours", 1));
        assertThat(messageOf(twice, "-")).contains("a.csv is named twice");
        assertThat(messageOf(ROWS, "-", "absent")).contains("none of the rows is of absent");
        assertThat(messageOf(ROWS, "/proc/no/x.svg")).contains("can't write the picture /proc/no/x.svg: ");
    }

    private static String messageOf(List<String> rows, String... args) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        boolean done = SystemComparison.compare(
                rows,
                List.of(args),
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(done).isFalse();
        return err.toString(StandardCharsets.UTF_8).lines().reduce("", (before, line) -> line);
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
                .withMessageContaining("no row of lat_med or bw_med or mops");
    }
}
