// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything a job is started with.
///
/// @param name for people: the program's name
/// @param pes how many PEs, in `[1, 1024]`
/// @param mode what a PE is
/// @param program what each PE runs
/// @param java the Java home that runs PEs
/// @param jvmOptions options for every PE's JVM, after the launcher's own, so that they win
/// @param startupCache an AOT cache that fits `java` and the class path, or null
/// @param environment variables set for PEs beside this process's own
/// @param heapBytes symmetric memory of each PE
/// @param binding which processors a PE may use
/// @param timeout when the job is stopped with exit code 124, or null for never
/// @param grace between the signal that asks PEs to end and the one that makes them
/// @param onFailure what becomes of the job when a PE fails
/// @param output where the PEs' output goes
/// @param input who reads standard input
/// @param debugPort PE `i` listens for a debugger on this port plus `i`; 0 for none
public record JobSpec(
        String name,
        int pes,
        PeMode mode,
        Program program,
        Path java,
        List<String> jvmOptions,
        @Nullable Path startupCache,
        Map<String, String> environment,
        long heapBytes,
        Binding binding,
        @Nullable Duration timeout,
        Duration grace,
        OnFailure onFailure,
        Output output,
        Input input,
        int debugPort) {

    /// What a PE runs: a class with a main method, from these jars and folders.
    ///
    /// @param mainClass binary name
    /// @param module the module that has it, or null on the class path
    /// @param classPath jars and folders, in order
    /// @param modulePath jars and folders of modules, the runtime's own among them
    public record Program(
            String mainClass,
            @Nullable String module,
            List<Path> classPath,
            List<Path> modulePath,
            List<String> arguments) {}

    /// Where the output of PEs goes, always in whole lines.
    public sealed interface Output {
        /// On the launcher's own stdout and stderr.
        ///
        /// @param tagged whether each line begins with `[pe] `
        record Console(boolean tagged) implements Output {}

        /// Into files `pe.<n>.out` and `pe.<n>.err` of this folder.
        record Folder(Path folder) implements Output {}

        /// To a program that takes line by line.
        record Lines(LineSink sink) implements Output {}
    }

    /// Takes one line of a PE's output, without its end. Called by several threads, one at a time for each PE and
    /// stream.
    @FunctionalInterface
    public interface LineSink {
        void line(int pe, boolean standardError, String line);
    }

    /// Who reads standard input.
    public enum Input {
        /// PE 0 reads the launcher's; the others are at its end
        FIRST,
        /// nobody: all are at its end
        NOBODY,
        /// each PE reads a pipe that the launcher's program writes, see [Job#inputOf]
        PIPES
    }
}
