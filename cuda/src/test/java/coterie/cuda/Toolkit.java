// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.testing.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The CUDA toolkit and the C compiler of this machine, for tests that compare with headers. A test without them is
/// skipped, and says so.
public final class Toolkit {
    private Toolkit() {}

    private static Path need(Tool tool) {
        String missing = tool.missing().orElse("");
        assumeTrue(missing.isEmpty(), missing);
        return tool.program();
    }

    /// Compiles C that includes headers of the toolkit, or skips the test.
    ///
    /// @param source its suffix `.c` makes nvcc pass it to the host's compiler
    /// @param output the file to make
    public static Path compile(Path folder, String source, Path output, String... options)
            throws IOException, InterruptedException {
        Path nvcc = need(Tool.NVCC);
        Path file = Files.writeString(folder.resolve(output.getFileName() + ".c"), source);
        List<String> command =
                new ArrayList<>(List.of(nvcc.toString(), "-cudart", "none", "-Xcompiler", "-Wall,-Werror,-fPIC"));
        command.addAll(List.of(options));
        command.addAll(List.of("-o", output.toString(), file.toString()));
        assertThat(output(command)).as("messages of the compiler").isEmpty();
        return output;
    }

    /// Compiles CUDA C++ with nvcc, or skips the test.
    ///
    /// @param architecture such as "sm_90"
    public static Path compileCuda(Path folder, String source, String architecture)
            throws IOException, InterruptedException {
        Path nvcc = need(Tool.NVCC);
        Path file = Files.writeString(folder.resolve(architecture + ".cu"), source);
        Path made = folder.resolve(architecture + ".cubin");
        List<String> command = List.of(
                nvcc.toString(),
                "-cubin",
                "-arch=" + architecture,
                "-Werror",
                "all-warnings",
                "-o",
                made.toString(),
                file.toString());
        assertThat(output(command)).as("messages of nvcc").isEmpty();
        return made;
    }

    /// Runs a program, and returns what it prints.
    public static String output(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(60, TimeUnit.SECONDS))
                .as("end of %s", command)
                .isTrue();
        assertThat(process.exitValue()).as("%s printed %s", command, text).isZero();
        return text;
    }
}
