// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobFailure;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.JobWatcher.Finding;
import coterie.trace.JobFacts;
import coterie.trace.TracedJob;
import coterie.trace.TracedJob.Written;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// `coterie trace`: runs a program, and writes a trace and a report when it has ended, however it has.
final class TraceCommand {
    /// Events of 64 bytes: more would not fit a launcher's memory.
    private static final int MOST_EVENTS = 10_000_000;

    private final CommandEnvironment commandEnvironment;

    TraceCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) throws IOException {
        if (Simulation.of(arguments) != null) {
            throw new UsageException(
                    "--conduit sim: a simulated job has virtual time and can't be traced; leave the option out, or use"
                            + " 'coterie run'");
        }
        String given = arguments.value(Option.MAX_EVENTS);
        int asked = given == null ? 0 : JobOptions.number("--max-events", given, 1, MOST_EVENTS, "a number of events");
        RunCommand run = new RunCommand(commandEnvironment);
        JobSpec spec = run.spec(arguments);
        int events = asked == 0 ? TracedJob.defaultEvents(spec.pes()) : asked;
        String folder = arguments.value(Option.OUTPUT);
        TracedJob traced = TracedJob.in(Path.of(folder == null ? spec.name() + "-trace" : folder), events);
        List<String> options = new ArrayList<>(spec.jvmOptions());
        options.addAll(traced.jvmOptions());
        long start = System.nanoTime();
        AtomicReference<@Nullable Job> ended = new AtomicReference<>();
        int exitCode = run.start(spec.withJvmOptions(options), ended::set);
        long end = System.nanoTime();
        Optional<Finding> finding = Optional.ofNullable(ended.get()).flatMap(Job::finding);
        String command = arguments.commandLine(Command.TRACE, EnumSet.of(Option.ENV)); // values may be secrets
        JobFacts facts = new JobFacts(
                spec.name(),
                command,
                spec.mode().name().toLowerCase(Locale.ROOT),
                exitCode,
                ending(ended.get(), exitCode, finding),
                events,
                start,
                end,
                finding.map(Finding::fields).orElse(Map.of()),
                finding.map(Finding::report).orElse(""),
                finding.map(Finding::nanoTime).orElse(end));
        report(traced.write(facts));
        return exitCode;
    }

    private static String ending(@Nullable Job job, int exitCode, Optional<Finding> finding) {
        if (exitCode == 0) {
            return "all PEs ended with exit code 0";
        }
        String code = "the job ended with exit code " + exitCode;
        if (exitCode == ExitCode.DEADLOCK.code() && finding.isPresent()) {
            return code + ": it was stuck";
        }
        String what = job == null ? "" : job.failure().map(JobFailure::what).orElse("");
        return what.isEmpty() ? code : code + ": " + what;
    }

    private void report(Written written) {
        String dropped = written.dropped() == 0
                ? ""
                : " (and " + written.dropped() + " older ones were dropped; see --max-events)";
        commandEnvironment
                .err()
                .println("coterie: " + written.events() + " operations" + dropped + ": open " + written.report()
                        + " in a browser, or " + written.trace() + " at https://ui.perfetto.dev");
    }
}
