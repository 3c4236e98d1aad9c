// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.DefaultSignals;
import coterie.testing.Openings;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What strangers of the machine could open of a job of one host, for each way to start one that needs no tool: of
/// its PEs, its launcher and its agents, seen from outside while the PEs wait, and of the files that they have made.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class OneHostStrangersTest {
    /// To whom the agents of `--hosts` connect.
    private static final String LAUNCHER = "tcp6? (127\\.0\\.0\\.1|\\[0+FFFF00000100007F]|\\[0+1000000]):[0-9]+";

    @TempDir
    private Path folder;

    /// A way to start a job.
    ///
    /// @param words of the command, after the JVM and its options
    /// @param pes number of PEs
    /// @param listeners of the launcher, all on the loopback address
    record Way(String name, List<String> words, int pes, int listeners) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Way run(String name, int listeners, String... options) {
        List<String> words = new ArrayList<>(List.of(
                Main.class.getName(), "run", "--heap", "16m", "-J-Xmx64m", "-J-XX:TieredStopAtLevel=1", "-cp", "."));
        words.addAll(List.of(options));
        words.add(HostsProgram.class.getName());
        return new Way(name, words, 3, listeners);
    }

    static List<Way> ways() {
        return List.of(
                run("coterie run, processes", 0, "-n", "3"),
                run("coterie run, threads", 0, "-n", "3", "--pes", "threads"),
                run("coterie run --hosts", 1, "--hosts", "localhost:3", "--ssh", "SHELL"),
                new Way("Coterie.run", List.of(OneHostProgram.class.getName()), 3, 0),
                new Way("java alone", List.of(HostsProgram.class.getName()), 1, 0));
    }

    private Process start(Way way, String argument) throws IOException {
        List<String> command = new ArrayList<>(DefaultSignals.of(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"))));
        String shell = HostsRun.shell(folder).toString();
        way.words.forEach(word -> command.add(word.equals("SHELL") ? shell : word));
        command.add(argument);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectError(folder.resolve("err-of-the-test").toFile());
        builder.environment().keySet().removeIf(name -> name.matches("(COTERIE|SLURM|PMIX|PMI|OMPI)_.*"));
        builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
        return builder.start();
    }

    @Test
    @DisplayName("the PEs of a simulated job open nothing")
    void simulated() throws Exception {
        Process first = start(run("simulated", 0, "-n", "3", "--conduit", "sim"), "openings");
        String output = new String(first.getInputStream().readAllBytes(), UTF_8);
        assertThat(first.waitFor()).as(output).isZero();
        assertThat(output.lines().filter(line -> line.matches("PE [0-2] of 1 opens \\[]")))
                .as(output)
                .hasSize(3);
        assertThat(filesOfTheJob()).isEmpty();
    }

    /// Without those that this test has made.
    private List<String> filesOfTheJob() throws IOException {
        return Openings.under(folder).stream()
                .filter(each -> !each.matches(".*/(err-of-the-test|shell)"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("ways")
    @DisplayName("a job of one host has no listener but a launcher's for its agents, no segment and no file for others")
    void opensNothing(Way way) throws Exception {
        Process first = start(way, "wait");
        try {
            List<String> lines = new ArrayList<>();
            BufferedReader out = first.inputReader(UTF_8);
            while (lines.stream()
                            .filter(line -> line.matches("PE [0-2] up [0-9]+"))
                            .count()
                    < way.pes) {
                String line = out.readLine();
                assertThat(line).as("the next line after %s", lines).isNotNull();
                lines.add(line);
            }
            List<String> found = new ArrayList<>(Openings.of(first.pid()));
            assertThat(found)
                    .as("of the first process")
                    .hasSize(way.listeners)
                    .allMatch(each -> each.matches(LAUNCHER));
            for (ProcessHandle each : first.descendants().toList()) {
                assertThat(Openings.of(each.pid()))
                        .as("of %s", each.info().commandLine())
                        .isEmpty();
            }
            assertThat(filesOfTheJob()).isEmpty();
        } finally {
            Stream.concat(first.descendants(), Stream.of(first.toHandle()))
                    .toList()
                    .forEach(ProcessHandle::destroyForcibly);
            first.waitFor();
        }
    }
}
