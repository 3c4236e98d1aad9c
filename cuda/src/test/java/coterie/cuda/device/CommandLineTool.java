// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.device;

import coterie.testing.Tool;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A compiler of the machine.
record CommandLineTool(Path path) {
    /// What a run of the tool has returned and printed.
    record Result(int exitCode, String output) {}

    /// Returns the machine's C++ compiler.
    static CommandLineTool cxx() {
        return new CommandLineTool(Tool.CXX.program());
    }

    /// Returns `nvcc`.
    static CommandLineTool nvcc() {
        return new CommandLineTool(Tool.NVCC.program());
    }

    Result run(String... arguments) {
        List<String> command = new ArrayList<>(List.of(path.toString()));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Result(process.waitFor(), output);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(path + " does not run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while " + path + " runs", e);
        }
    }

    /// Runs the tool, which must succeed and print nothing.
    void compile(String... arguments) {
        Result result = run(arguments);
        if (result.exitCode() != 0 || !result.output().isBlank()) {
            throw new AssertionError(path + " " + String.join(" ", arguments) + " ended with " + result.exitCode()
                    + ":\n" + result.output());
        }
    }

    /// Returns the folder of the header, for `-I`: that of its source, since `*IT` classes have the module's jar, in
    /// which
    /// no compiler finds it. Maven and IDEs start tests in the module's folder.
    static String headers() {
        return Path.of("src/main/resources/coterie/cuda").toAbsolutePath().toString();
    }

    /// Returns the file of a resource of the tests.
    static Path resource(String name) {
        try {
            return Path.of(
                    CommandLineTool.class.getResource("/coterie/cuda/" + name).toURI());
        } catch (java.net.URISyntaxException e) {
            throw new IllegalStateException("resource " + name, e);
        }
    }
}
