// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything a job is started with. [#of] has the defaults; the `with…` methods change what differs.
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

    /// What a PE gets of [#grace] unless told otherwise: long enough for shutdown hooks, short enough to wait for.
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(3);

    private static final long MIB = 1L << 20;

    /// Symmetric memory is sparse, so that much costs nothing; but addresses and page tables are not endless.
    private static final long MOST_DEFAULT_HEAP = 16L << 30;

    /// A job with the defaults: processes of this Java, the console, input for PE 0, the first failure ends it.
    public static JobSpec of(String name, int pes, Program program) {
        return new JobSpec(
                name,
                pes,
                PeMode.PROCESSES,
                program,
                Path.of(System.getProperty("java.home")),
                List.of(),
                null,
                Map.of(),
                defaultHeapBytes(pes),
                Binding.NONE,
                null,
                DEFAULT_GRACE,
                OnFailure.END,
                new Output.Console(false),
                Input.FIRST,
                0);
    }

    /// Symmetric memory of each PE unless told otherwise: a quarter of what this process may use of the machine's
    /// memory, shared by all PEs, whole MiB and at most 16 GiB each.
    public static long defaultHeapBytes(int pes) {
        return Math.clamp(Machine.memoryBytes() / 4 / pes / MIB * MIB, MIB, MOST_DEFAULT_HEAP);
    }

    /// The same with what a PE is.
    public JobSpec withMode(PeMode mode) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with another Java for the PEs.
    public JobSpec withJava(Path java) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with these options for every PE's JVM.
    public JobSpec withJvmOptions(List<String> jvmOptions) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with an AOT cache that fits.
    public JobSpec withStartupCache(@Nullable Path startupCache) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with these variables for PEs.
    public JobSpec withEnvironment(Map<String, String> environment) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this much symmetric memory for each PE.
    public JobSpec withHeapBytes(long heapBytes) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this choice of processors.
    public JobSpec withBinding(Binding binding) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this limit of time.
    public JobSpec withTimeout(@Nullable Duration timeout) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this time between asking PEs to end and making them.
    public JobSpec withGrace(Duration grace) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this answer to a failed PE.
    public JobSpec withOnFailure(OnFailure onFailure) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this place for the PEs' output.
    public JobSpec withOutput(Output output) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with this reader of standard input.
    public JobSpec withInput(Input input) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

    /// The same with debuggers listening from this port on.
    public JobSpec withDebugPort(int debugPort) {
        return new JobSpec(
                name,
                pes,
                mode,
                program,
                java,
                jvmOptions,
                startupCache,
                environment,
                heapBytes,
                binding,
                timeout,
                grace,
                onFailure,
                output,
                input,
                debugPort);
    }

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
