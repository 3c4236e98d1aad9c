// SPDX-License-Identifier: Apache-2.0
package coterie.junit.job;

import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.PeMode;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/// A job that a test has launched and that has ended: its exit code and what its PEs printed, each line after its
/// PE's number.
public record EndedJob(int exitCode, Collection<String> lines) {
    /// Describes a job that runs a main class of the tests.
    public static JobSpec spec(String name, int pes, Class<?> program) {
        List<Path> classPath = Arrays.stream(
                        System.getProperty("java.class.path", "").split(File.pathSeparator, -1))
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .toList();
        Optional<StartupCache> cache = StartupCache.ofRun();
        List<Path> ordered = cache.map(each -> each.classPath(classPath)).orElse(classPath);
        return JobSpec.of(name, pes, new JobSpec.Program(program.getName(), null, ordered, List.of(), List.of()))
                .withStartupCache(cache.map(StartupCache::file).orElse(null))
                .withJvmOptions(conduit());
    }

    /// Describes such a job in a mode; the simulator runs its whole program, over the simulated network.
    public static JobSpec spec(String name, int pes, Class<?> program, PeMode mode) {
        JobSpec spec = spec(name, pes, program);
        return mode == PeMode.SIMULATED
                ? spec.withJvmOptions(List.of())
                        .withStartupCache(null)
                        .withSimulator(
                                new JobSpec.SimulatorSpec("sim", "", JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM))
                : spec.withMode(mode).withStartupCache(mode == PeMode.PROCESSES ? spec.startupCache() : null);
    }

    /// Returns the settings by which a module runs the cases over a conduit of its own.
    private static List<String> conduit() {
        return Stream.of("coterie.conduit", "coterie.load.store")
                .filter(name -> System.getProperty(name) != null)
                .map(name -> "-D" + name + "=" + System.getProperty(name))
                .toList();
    }

    /// Returns the options that the run has for the JVMs of all PEs.
    public static List<String> jvmOptions() {
        return Arrays.stream(System.getProperty("coterie.junit.jvmOptions", "").split(" ", -1))
                .filter(option -> !option.isEmpty())
                .toList();
    }

    /// Runs a job without input, for a minute at most.
    public static EndedJob of(JobSpec spec) {
        Collection<String> lines = new ConcurrentLinkedQueue<>();
        List<String> options =
                Stream.concat(jvmOptions().stream(), spec.jvmOptions().stream()).toList();
        JobSpec printing = spec.withJvmOptions(options)
                .withTimeout(Duration.ofSeconds(60))
                .withOutput(new JobSpec.Output.Lines((pe, standardError, line) -> lines.add(pe + " " + line)))
                .withInput(JobSpec.Input.NONE);
        try (Job job = Job.start(printing)) {
            return new EndedJob(job.await(), lines);
        }
    }
}
