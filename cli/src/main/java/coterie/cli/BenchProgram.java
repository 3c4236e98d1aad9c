// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// Programs of the module of measurements, which the launcher does not load itself.
final class BenchProgram {
    private BenchProgram() {}

    /// The class path for such a program: the module lies in the first entry of the path that it was found on, if
    /// on one of modules.
    static List<Path> classPath() {
        RuntimePath runtime = RuntimePath.of(RunCommand.PERF_MODULE);
        return runtime.modulePath().isEmpty()
                ? runtime.classPath()
                : runtime.modulePath().subList(0, 1);
    }

    /// Runs a program on one PE.
    ///
    /// @param rows for its standard input
    /// @return its exit code
    static int run(String name, String main, List<String> arguments, List<String> rows, SignalForwarding signals)
            throws IOException {
        JobSpec.Program program =
                new JobSpec.Program(main, null, classPath(), RuntimePath.own().modulePath(), arguments);
        JobSpec spec = JobSpec.of(name, 1, program).withInput(JobSpec.Input.PIPES);
        try (Job job = Job.start(spec)) {
            try (OutputStream input = job.inputOf(0)) {
                input.write(String.join("\n", rows).getBytes(StandardCharsets.UTF_8));
            }
            return signals.await(job);
        }
    }
}
