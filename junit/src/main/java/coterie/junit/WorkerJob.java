// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import coterie.internal.launch.JobSpec;
import coterie.internal.launch.JobSpec.LineSink;
import coterie.internal.launch.NodeAssignment;
import coterie.internal.launch.OnFailure;
import coterie.junit.job.StartupCache;
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

    private static final String SIMULATOR = "sim";

    /// Names a command that starts each worker's process, see [JobSpec#withWrapper].
    private static final String WRAPPER = "coterie.junit.wrapper";

    private WorkerJob() {}

    static JobSpec of(JobShape shape, LineSink sink) {
        Optional<StartupCache> cache = shape.mode() == SpmdMode.PROCESSES ? StartupCache.ofRun() : Optional.empty();
        List<Path> classPath = cache.map(each -> each.classPath(classPath())).orElseGet(WorkerJob::classPath);
        JobSpec.Program program = new JobSpec.Program(Worker.class.getName(), null, classPath, List.of(), List.of());
        JobSpec spec = JobSpec.of("spmd-test", shape.pes(), program);
        String wrapper = System.getProperty(WRAPPER);
        spec = shape.mode() == SpmdMode.SIM
                ? spec.withSimulator(
                        new JobSpec.SimulatorSpec(SIMULATOR, "", JobSpec.SimulatorSpec.RunScope.AS_THE_PROGRAM_SAYS))
                : spec.withMode(shape.mode().peMode());
        return spec.withJvmOptions(shape.jvmOptions())
                .withStartupCache(cache.map(StartupCache::file).orElse(null))
                .withHeapBytes(shape.heapBytes())
                .withNodes(
                        shape.nodes().isEmpty()
                                ? List.of()
                                : NodeAssignment.parse(
                                        shape.nodes(), shape.mode().peMode().maxPes()))
                .withWrapper(wrapper == null ? List.of() : List.of(wrapper))
                .withGrace(GRACE)
                .withOnFailure(OnFailure.END)
                .withOutput(new JobSpec.Output.Lines(sink))
                .withInput(JobSpec.Input.PIPES);
    }

    private static List<Path> classPath() {
        return Stream.of("java.class.path", "jdk.module.path")
                .map(name -> System.getProperty(name, ""))
                .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .map(Path::toAbsolutePath)
                .toList();
    }
}
