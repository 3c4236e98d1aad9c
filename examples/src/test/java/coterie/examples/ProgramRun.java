// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import coterie.testing.DefaultSignals;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// What came of a command.
///
/// @param output lines of standard output
/// @param errors lines of standard error
record ProgramRun(int exitCode, List<String> output, List<String> errors) {
    private static final long LIMIT_SECONDS = 120;

    /// Most programs end before the second compiler has done any good; the soak tier has it.
    static final List<String> RUN =
            Boolean.getBoolean("coterie.soak") ? List.of("run") : List.of("run", "-J-XX:TieredStopAtLevel=1");

    /// Maven and IDEs start tests in the module's folder.
    static final Path EXAMPLES = Path.of("").toAbsolutePath();

    /// How PEs are run.
    ///
    /// @param mode `processes` or `threads`, as `--pes` takes it
    record Pes(int number, String mode) {
        @Override
        public String toString() {
            return number + " " + mode;
        }
    }

    /// `./coterie run` of a program in this folder, to its end.
    static ProgramRun of(Pes pes, String program, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(RUN);
        words.addAll(List.of(
                "-n",
                Integer.toString(pes.number()),
                "--pes",
                pes.mode(),
                "--timeout",
                LIMIT_SECONDS + "s",
                EXAMPLES.resolve(program).toString()));
        words.addAll(List.of(arguments));
        return coterie(Map.of(), words);
    }

    /// `./coterie run` of a program in a simulated network, with some seeds, to its end or the first that fails.
    ///
    /// @param seeds as `--seeds` takes them
    static ProgramRun simulated(int pes, String seeds, Path program, List<String> arguments)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(RUN);
        words.addAll(List.of(
                "-n",
                Integer.toString(pes),
                "--conduit",
                "sim",
                "--seeds",
                seeds,
                "--no-shrink",
                "--timeout",
                LIMIT_SECONDS + "s",
                program.toString()));
        words.addAll(arguments);
        return coterie(Map.of(), words);
    }

    /// Lets `./coterie` build what it needs, which it does on first use and says so.
    static void build() throws IOException, InterruptedException {
        ProgramRun run = coterie(Map.of(), List.of("completion", "bash"));
        if (run.exitCode() != 0) {
            throw new AssertionError(
                    "./coterie completion ended with exit code " + run.exitCode() + ": " + run.errors());
        }
    }

    /// Returns the command of `./coterie` with these words.
    static List<String> command(List<String> words) {
        List<String> command =
                new ArrayList<>(List.of(EXAMPLES.resolveSibling("coterie").toString()));
        command.addAll(words);
        return DefaultSignals.of(command);
    }

    /// `./coterie` with these words, to its end.
    static ProgramRun coterie(Map<String, String> environment, List<String> words)
            throws IOException, InterruptedException {
        List<String> command = command(words);
        Path output = Files.createTempFile("example", ".out");
        Path errors = Files.createTempFile("example", ".err");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            try {
                if (!process.waitFor(2 * LIMIT_SECONDS, TimeUnit.SECONDS)) {
                    throw new AssertionError(command + " has not ended: " + lines(output) + lines(errors));
                }
            } finally {
                process.destroyForcibly();
            }
            return new ProgramRun(process.exitValue(), lines(output), lines(errors));
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    private static List<String> lines(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8);
    }
}
