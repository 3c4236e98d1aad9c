// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.diagnosis.Diagnosis;
import coterie.diagnosis.RunningJob;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Jobs;
import coterie.internal.launch.Json;
import java.io.IOException;
import java.time.Duration;

/// `coterie diagnose`: prints why a running job is stuck.
final class DiagnoseCommand {
    private static final Duration DEFAULT_TIME = Duration.ofMillis(500);

    private final CommandEnvironment commandEnvironment;

    DiagnoseCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) throws IOException {
        if (arguments.operands().size() != 1) {
            throw new UsageException("name one JOB, or the process id of its launcher; 'coterie ps' lists both");
        }
        Jobs.Running job = SelectedJobs.one(Jobs.list(), arguments.operands().getFirst());
        String given = arguments.value(Option.FOR);
        Duration time = given == null ? DEFAULT_TIME : TimeSpan.parse(Option.FOR.longestName(), given);
        if (time.isZero()) {
            throw new UsageException("--for " + given + ": the time must be positive");
        }
        commandEnvironment.out().println(text(diagnosis(job, time), arguments));
        return ExitCode.SUCCESS.code();
    }

    private static Diagnosis diagnosis(Jobs.Running job, Duration time) throws IOException {
        try {
            return RunningJob.diagnose(job, time);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new CannotRunException(ExitCode.INTERNAL, "interrupted");
        }
    }

    private static String text(Diagnosis diagnosis, ParsedArguments arguments) {
        if (arguments.has(Option.JSON)) {
            return Json.of(diagnosis.fields());
        }
        return arguments.has(Option.DOT) ? diagnosis.dot() : diagnosis.text();
    }
}
