// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTimesTest {
    private static final Instant START = Instant.parse("2026-01-31T12:00:00Z");

    @TempDir
    private Path root;

    @Test
    @DisplayName("a build ends with its modules, its slowest classes and the tests that did not run")
    void tables() throws IOException {
        note("parent", 2, 100, 400);
        note("core", 102, 15_100, 15_500);
        report("core/target/surefire-reports", "coterie.SlowTest", 26.25, "");
        report("core/target/surefire-reports", "coterie.QuickTest", 0.5, """
            <skipped message="Assumption failed: needs nvcc, which is not here: no nvcc on the PATH; install it"/>
            <skipped message="needs nvcc, which is not here: no nvcc on the PATH; install it"/>
            <skipped message="needs ssh and sshd, which is not here: no sshd"/>
            <skipped message="only in the soak tier"/>\
            """);
        assertThat(read().lines()).containsExactly("""

            module        ended at    wall s  processor s  busy  others s
            parent             2.0       2.0          1.0  25 %
            core             102.0     100.0        150.0  75 %       1.0
            the build        110.0     110.0        151.0  69 %

               wall s  tests  class (module, tier)
                 26.3      4  coterie.SlowTest (core, surefire)
                  0.5      4  coterie.QuickTest (core, surefire)
                 26.8      8  all classes: 2

            tests that did not run:
              2 for lack of nvcc
              1 for lack of ssh and sshd
              1: only in the soak tier\
            """.split("\n", -1));
        ClassLimit.Verdicts verdicts = read().judge(new ClassLimit(20, 2, () -> 1, Set.of()));
        assertThat(verdicts.failures()).singleElement().asString().startsWith("coterie.SlowTest (core, surefire) took");
    }

    @Test
    @DisplayName("only what this build did is in the tables, with the reports of a module that did not end")
    void onlyThisBuild() throws IOException {
        note("core", -50, 100, 400);
        Path stale = report("core/target/surefire-reports", "coterie.StaleTest", 5, "");
        Files.setLastModifiedTime(stale, FileTime.from(START.minusSeconds(50)));
        report("sim/target/failsafe-reports", "coterie.BrokenIT", 5, "");
        assertThat(read().lines()).containsExactly("""

            module        ended at    wall s  processor s  busy  others s
            the build        110.0     110.0

               wall s  tests  class (module, tier)
                  5.0      4  coterie.BrokenIT (sim, failsafe)
                  5.0      4  all classes: 1

            all tests ran\
            """.split("\n", -1));
    }

    @Test
    @DisplayName("a tool that was not installed is named with the number of tests that did not run for it")
    void notInstalled() throws IOException {
        report("core/target/failsafe-reports", "coterie.ShellIT", 1, """
            <skipped message="needs ssh and sshd, which is not here: no sshd"/>
            <skipped message="needs ssh and sshd, which is not here: no sshd"/>
            <skipped message="needs Slurm, which is not here: no srun"/>\
            """);
        SkippedTests skipped = SkippedTests.of(TestReport.readAll(root, List.of(), START));
        assertThat(skipped.lineFor("ssh and sshd"))
                .isEqualTo("== not installed: ssh and sshd; tests that did not run for it: 2");
        assertThat(skipped.lineFor("UCX")).endsWith("tests that did not run for it: 0");
    }

    @Test
    @DisplayName("modules that ran side by side have an end and no times")
    void sideBySide() {
        var times = new BuildTimes(List.of(HundredSeconds.besideOthers()), List.of(), Duration.ofSeconds(110), 2);
        assertThat(times.lines()).contains("core             100.0  beside others");
    }

    @Test
    @DisplayName("the slowest 25 classes are in the table, in the order of their times")
    void slowest() {
        List<TestReport> reports = IntStream.range(0, 40)
                .mapToObj(i -> new TestReport("core", "surefire", "Test" + i, i, 1, List.of()))
                .toList();
        List<String> lines = new BuildTimes(List.of(), reports, Duration.ofSeconds(9), 2).lines();
        assertThat(lines.stream().filter(line -> line.contains("(core, surefire)")))
                .hasSize(25)
                .first()
                .asString()
                .contains("Test39 ");
        assertThat(lines).anyMatch(line -> line.contains("all classes: 40"));
    }

    private BuildTimes read() throws IOException {
        return BuildTimes.read(root, START, START.plusSeconds(110), 2);
    }

    private void note(String module, int second, int mavenTicks, int busyTicks) throws IOException {
        Instant end = START.plusSeconds(second);
        Path folder = Files.createDirectories(root.resolve("target/times"));
        Files.write(
                folder.resolve(module),
                List.of(
                        "module=" + module,
                        "target=" + root.resolve(module).resolve("target"),
                        "build=" + (second < 0 ? START.minusSeconds(100) : START),
                        "threads=1",
                        "micros=" + end.getEpochSecond() + "000000",
                        "machine=cpu " + busyTicks + " 0 0 " + (200 * second + 1000 - busyTicks) + " 0 0 0 0",
                        "processors=2",
                        "maven=" + mavenTicks));
    }

    private Path report(String folder, String name, double seconds, String skipped) throws IOException {
        Path file = Files.createDirectories(root.resolve(folder)).resolve("TEST-" + name + ".xml");
        String head = "<testsuite name=\"" + name + "\" time=\"" + seconds + "\" tests=\"4\">";
        return Files.writeString(file, head + skipped + "</testsuite>");
    }
}
