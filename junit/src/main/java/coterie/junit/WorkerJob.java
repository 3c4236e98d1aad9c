// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.JobSpec;
import coterie.internal.launch.JobSpec.LineSink;
import coterie.internal.launch.NodeAssignment;
import coterie.internal.launch.OnFailure;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// How workers are started: as this JVM was, where a test can tell the difference.
final class WorkerJob {
    /// Workers with something to lose have lost it already when the job is ended.
    private static final Duration GRACE = Duration.ofMillis(500);

    /// For a JVM that makes a cache as it ends, on a busy machine.
    static final Duration ASSEMBLY = Duration.ofMinutes(1);

    private static final String SIMULATOR = "sim";

    /// Names a command that starts each worker's process, see [JobSpec#withWrapper].
    private static final String WRAPPER = "coterie.junit.wrapper";

    private WorkerJob() {}

    /// A job of workers.
    ///
    /// @param cache from which PEs that are processes start
    static JobSpec of(JobShape shape, Optional<StartupCache> cache, LineSink sink) {
        List<Path> entries = Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .toList();
        String wrapper = System.getProperty(WRAPPER);
        return of(shape, cache.map(each -> each.classPath(entries)).orElse(entries), sink)
                .withWrapper(wrapper == null ? List.of() : List.of(wrapper))
                .withStartupCache(cache.map(StartupCache::file).orElse(null))
                .withGrace(GRACE);
    }

    /// A job in which PE 0 makes the cache. Its class path has the cache's jars alone, since the JVM refuses folders.
    ///
    /// @param made the file to which PE 0 writes
    static JobSpec training(JobShape shape, StartupCache cache, Path made, LineSink sink) {
        return of(shape, cache.jars(), sink)
                .withWrapper(StartupCache.trainingWrapper(made))
                .withGrace(ASSEMBLY);
    }

    private static JobSpec of(JobShape shape, List<Path> classPath, LineSink sink) {
        JobSpec.Program program =
                new JobSpec.Program(Worker.class.getName(), null, classPath, List.of(), List.of());
        JobSpec spec = JobSpec.of("spmd-test", shape.pes(), program);
        spec = shape.mode() == SpmdMode.SIM
                ? spec.withSimulator(
                        new JobSpec.SimulatorSpec(SIMULATOR, "", JobSpec.SimulatorSpec.RunScope.AS_THE_PROGRAM_SAYS))
                : spec.withMode(shape.mode().peMode());
        return spec.withJvmOptions(shape.jvmOptions())
                .withHeapBytes(shape.heapBytes())
                .withNodes(
                        shape.nodes().isEmpty()
                                ? List.of()
                                : NodeAssignment.parse(
                                        shape.nodes(), shape.mode().peMode().maxPes()))
                .withOnFailure(OnFailure.END)
                .withOutput(new JobSpec.Output.Lines(sink))
                .withInput(JobSpec.Input.PIPES);
    }
}
