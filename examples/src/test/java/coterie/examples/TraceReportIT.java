// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import coterie.trace.TraceCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `./coterie trace` of whole jobs: both files, however the job ends, and what a browser shows of the report.
@NeedsTools(Tool.BROWSER)
class TraceReportIT extends TraceCase {
    private static final int LAPS = 20;

    private HeadlessBrowser report() throws IOException, InterruptedException {
        HeadlessBrowser browser =
                HeadlessBrowser.load(folder.resolve("report.html"), Files.createDirectories(folder.resolve("browser")));
        assertThat(browser.body("data-error")).isEmpty();
        assertThat(browser.body("data-ready")).isEqualTo("true");
        return browser;
    }

    @ParameterizedTest(name = "{0} PEs as {1}")
    @CsvSource({"2, processes", "4, processes", "3, threads"})
    @DisplayName("each hop of a ring is a put, a wait and an arrow between them")
    void tracesARing(int pes, String mode) throws Exception {
        ProgramRun run = trace("-n", "" + pes, "--pes", mode, program("Ring.java"), "" + LAPS);
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.errors()).anyMatch(line -> line.contains("report.html") && line.contains("ui.perfetto.dev"));
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("trace.json", "report.html");
        }
        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        assertThat(trace.names("process_name")).hasSize(pes);
        assertThat(trace.slices().stream().filter("putSignal"::equals)).hasSize(pes * LAPS);
        assertThat(trace.slices().stream().filter("waitUntil"::equals)).hasSize(pes * LAPS);
        assertThat(trace.phase("X").stream().filter(slice -> slice.get("name").equals("waitUntil")))
                .allSatisfy(wait -> assertThat(
                                TraceCheck.arguments(wait).get("line").toString())
                        .startsWith("Ring.java:"));
        long hops = trace.phase("s").stream()
                .filter(start -> trace.phase("f").stream()
                        .anyMatch(finish -> finish.get("id").equals(start.get("id"))
                                && ((Number) finish.get("pid")).intValue()
                                        == (((Number) start.get("pid")).intValue() + 1) % pes))
                .count();
        assertThat(hops).isGreaterThanOrEqualTo((long) pes * LAPS);

        HeadlessBrowser report = report();
        assertThat(report.body("data-lanes")).isEqualTo("" + pes);
        assertThat(HeadlessBrowser.count(report.element("traffic"), "<tr")).isEqualTo(pes + 2);
        assertThat(HeadlessBrowser.count(report.element("traffic"), ">" + 512 * LAPS + "<"))
                .as("bytes to the right neighbour, beside sums")
                .isGreaterThanOrEqualTo(pes);
        assertThat(HeadlessBrowser.count(report.element("waited"), "<tr")).isEqualTo(pes + 2);
        assertThat(report.element("operations")).contains(">putSignal<", ">waitUntil<", ">allocate<");
        assertThat(HeadlessBrowser.count(report.element("waits"), "<tr")).isGreaterThan(pes * LAPS);
    }

    @Test
    @DisplayName("a deadlock of streams is drawn, with its cycle, and its operations have no end")
    void tracesADeadlock() throws Exception {
        ProgramRun run = trace(
                "-n", "2", "--stall", "500ms", "--on-deadlock", "abort", program("deadlocks/Circular.java"), "broken");
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.DEADLOCK.code());
        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        assertThat(trace.names("thread_name")).contains("S", "host", "main");
        assertThat(trace.phase("i"))
                .singleElement()
                .satisfies(instant -> assertThat(instant).containsEntry("name", "DEADLOCK"));
        assertThat(trace.phase("X").stream()
                        .filter(slice -> TraceCheck.arguments(slice).containsKey("unfinished"))
                        .map(slice -> slice.get("name")))
                .contains("barrier of team \"world\"", "waitUntil of a signal");

        HeadlessBrowser report = report();
        assertThat(report.element("deadlock")).doesNotContain("hidden");
        assertThat(HeadlessBrowser.count(report.element("graph"), "class=\"node\""))
                .isEqualTo(8);
        assertThat(HeadlessBrowser.count(report.element("graph"), "edge cycle")).isEqualTo(6);
        assertThat(HeadlessBrowser.count(report.element("cycle"), "<li")).isEqualTo(6);
        assertThat(report.element("suggestions")).contains("before P0.S#0");
    }

    @Test
    @DisplayName("what a killed PE has done is there, and so is the wait that its end has broken")
    void survivesAKill() throws Exception {
        Path program = folder.resolve("Killed.java");
        Files.writeString(program, """
                import coterie.*;

                void main() throws Exception {
                    World world = World.join();
                    SignalWord signal = world.allocate(Long.BYTES).signal(0);
                    if (world.pe() == 1) {
                        signal.add(41, 0);
                        Thread me = Thread.currentThread();
                        Thread.ofPlatform().start(() -> killIn(me));
                        signal.waitUntil(Comparison.EQ, 7);
                    }
                    signal.waitUntil(Comparison.EQ, 42);
                }

                void killIn(Thread waiter) {
                    while (waiter.getState() != Thread.State.TIMED_WAITING) {
                        Thread.onSpinWait();
                    }
                    try {
                        new ProcessBuilder("kill", "-9", Long.toString(ProcessHandle.current().pid())).start();
                    } catch (java.io.IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                }
                """);
        ProgramRun run = trace("-n", "2", program.toString());
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.ofSignal(9));
        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        assertThat(trace.phase("X"))
                .anyMatch(slice ->
                        slice.get("name").equals("add") && slice.get("pid").equals(1.0))
                .anyMatch(slice -> slice.get("name").equals("waitUntil")
                        && slice.get("pid").equals(1.0)
                        && TraceCheck.arguments(slice).containsKey("unfinished"))
                .anyMatch(slice -> slice.get("name").equals("waitUntil")
                        && slice.get("pid").equals(0.0));
        assertThat(report().element("ending")).contains("137");
    }

    @Test
    @DisplayName("of more operations than --max-events the latest are kept, and both files say how many are not")
    void saysWhatItDrops() throws Exception {
        ProgramRun run = trace("-n", "2", "--max-events", "30", program("Ring.java"), "100");
        assertThat(run.exitCode()).as(run.toString()).isZero();
        assertThat(run.errors()).anyMatch(line -> line.contains("older ones were dropped"));
        TraceCheck trace = TraceCheck.of(folder.resolve("trace.json"));
        assertThat(trace.phase("X")).hasSize(60);
        assertThat(((Number) trace.metadata().get("droppedEvents")).intValue()).isGreaterThan(300);
        assertThat(report().element("notes")).contains("30 latest operations", "are in no table");
    }
}
