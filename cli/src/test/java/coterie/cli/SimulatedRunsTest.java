// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `coterie run --conduit sim` as a process of its own.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class SimulatedRunsTest {
    /// Nothing orders the two puts: PE 1 may see the second one first, and does so in some orders of events.
    private static final String RACING = """
        import coterie.*;
        void main() {
            World world = World.join();
            IntegerView longs = world.allocate(16).longs();
            if (world.pe() == 0) {
                longs.put(0, 42, 1);
                longs.put(1, 1, 1);
            } else {
                longs.waitUntil(1, Comparison.EQ, 1);
                IO.println("got " + longs.get(0, 1));
                if (longs.get(0, 1) != 42) {
                    throw new IllegalStateException("the data is not there");
                }
            }
        }
        """;

    /// Each seed starts a JVM. The first that fails is above 22.
    private static final String SEEDS = Boolean.getBoolean("coterie.soak") ? "0..199" : "22..199";

    /// How many such lines there are depends on the machine.
    private static final String PROGRESS = "coterie: sim: (seed \\d+ of|searching for) .*\n";

    @TempDir
    private Path folder;

    private record Ran(int exitCode, String out, String err) {}

    private Ran run(String program, String input, String... options) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dcoterie.shrinkSeconds=600", // a search that its limit ends has another result
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "--conduit",
                "sim"));
        if (!Boolean.getBoolean("coterie.soak")) {
            command.add("-J-XX:TieredStopAtLevel=1");
        }
        command.addAll(List.of(options));
        command.add(Files.writeString(folder.resolve("Program.java"), program).toString());
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Files.writeString(folder.resolve("in"), input).toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("XDG_CACHE_HOME", folder.toString());
        int exitCode = builder.start().waitFor();
        return new Ran(exitCode, read("out"), read("err").replaceAll(PROGRESS, ""));
    }

    private String read(String file) throws IOException {
        return Files.readString(folder.resolve(file), UTF_8);
    }

    @Test
    @DisplayName("a program runs as it does elsewhere, PE 0 reads standard input, and the launcher prints nothing")
    void runs() throws Exception {
        Ran ran = run("""
            void main() throws Exception {
                try (coterie.World world = coterie.World.join()) {
                    String read = new String(System.in.readAllBytes());
                    IO.println(world.pe() + " of " + world.size() + ": " + read);
                    world.team().barrier();
                }
            }
            """, "some words", "-n", "3", "--seed", "5");
        assertThat(ran.err).isEmpty();
        assertThat(ran.exitCode).isZero();
        assertThat(ran.out.lines()).containsExactlyInAnyOrder("0 of 3: some words", "1 of 3: ", "2 of 3: ");
    }

    @Test
    @DisplayName("of several seeds, the first that fails is shown and shrunk, and the command line repeats it")
    void shrinks() throws Exception {
        Ran ran = run(RACING, "", "-n", "2", "--seeds", SEEDS, "--sim", "races=off");
        assertThat(ran.exitCode).isEqualTo(1);
        assertThat(ran.out).as("only the failed run's output is shown").isEqualTo("got 0\n");
        Matcher told = Pattern.compile(
                        "coterie: sim: seed (\\d+) failed with exit code 1; repeating the run with its output:.*"
                                + "IllegalStateException: the data is not there.*"
                                + "coterie: PE 1 \\(pid \\d+\\) ended with exit code 1 .*"
                                + "coterie: sim: seed \\1, \\d+ perturbations; repeat with: coterie run -n 2 .*"
                                + "coterie: sim: the failure needs (\\d+) of \\d+ perturbations; repeat with:"
                                + " coterie run -n 2 --conduit sim --sim seed=\\1,schedule=(\\S+),races=off .*",
                        Pattern.DOTALL)
                .matcher(ran.err);
        assertThat(told.matches()).as(ran.err).isTrue();

        List<String> needed = List.of(told.group(3).split("\\+"));
        assertThat(needed).hasSize(Integer.parseInt(told.group(2))).isNotEmpty();
        Ran again = replay(needed);
        assertThat(again.exitCode).isEqualTo(1);
        assertThat(again.err).contains("the data is not there").doesNotContain("the failure needs");
        for (String each : needed) {
            List<String> others = new ArrayList<>(needed);
            others.remove(each);
            assertThat(replay(others).exitCode)
                    .as("without %s of %s", each, needed)
                    .isZero();
        }
    }

    private Ran replay(List<String> perturbations) throws Exception {
        String script = "races=off,schedule=" + String.join("+", perturbations);
        return run(RACING, "", "-n", "2", "--sim", script, "--no-shrink");
    }

    @Test
    @DisplayName("seeds that all pass end with 0")
    void passes() throws Exception {
        Ran ran = run("void main() { IO.println(1); }", "", "-n", "2", "--seeds", "3..4");
        assertThat(ran).isEqualTo(new Ran(0, "", "coterie: sim: seeds 3..4 passed\n"));
    }

    @Test
    @DisplayName("settings that can't be read are a mistake of the command line")
    void refusesSettings() throws Exception {
        Ran ran = run("void main() {}", "", "-n", "2", "--sim", "wether=fine");
        assertThat(ran.exitCode).isEqualTo(2);
        assertThat(ran.err).contains("\"wether=fine\" is no setting");
    }
}
