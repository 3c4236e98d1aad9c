// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ThreadLevel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Processes of [BootstrapProgram], and what they print.
abstract class BootstrapCase {
    static List<String> java(String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                BootstrapProgram.class.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /// Arguments for PEs that end after PE 0 is at its end, and after their standard input has ended.
    static String[] late(Path folder) {
        Path zero = folder.resolve("zero-" + UUID.randomUUID());
        return new String[] {"late", ThreadLevel.MULTIPLE.name(), zero.toString()};
    }

    static Process start(Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.matches("(COTERIE|SLURM|PMIX|PMI|OMPI)_.*"));
        builder.environment().putAll(environment);
        return builder.start();
    }

    /// Returns the output of a process that must end with an exit code.
    static String output(Process process, int exitCode) throws Exception {
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(exitCode);
        return output;
    }

    static void assertExchanged(String output, int pe, int size) {
        String exchanged = "PE " + pe + " left " + (100 + (pe + size - 1) % size) + " sum " + size * (size + 1) / 2
                + " node " + size;
        assertThat(output.lines()).contains(exchanged, "PE " + pe + " is done");
        assertThat(output.lines().filter(exchanged::equals)).hasSize(2);
    }
}
