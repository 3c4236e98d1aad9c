// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// Runs programs of the benchmark module, which the launcher's JVM does not load.
final class BenchProgram {
    private BenchProgram() {}

    /// Runs a program on one PE, and returns its exit code.
    ///
    /// @param rows the lines of its standard input
    static int run(String name, String main, List<String> arguments, List<String> rows, SignalForwarding signals)
            throws IOException {
        JobSpec.Program program =
                RuntimePath.own().program(main, RuntimePath.jarsOf(RunCommand.PERF_MODULE), arguments);
        JobSpec spec = JobSpec.of(name, 1, program).withInput(JobSpec.Input.PIPES);
        try (Job job = Job.start(spec)) {
            try (OutputStream input = job.inputOf(0)) {
                input.write(String.join("\n", rows).getBytes(StandardCharsets.UTF_8));
            }
            return signals.await(job);
        }
    }
}
