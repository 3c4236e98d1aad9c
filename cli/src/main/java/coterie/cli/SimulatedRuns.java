// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.FailureMinimizer;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobFailure;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.SimulationScript;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs of one program in a simulated network, with one seed or with several. After a failure, further runs find
/// the perturbations that the failure needs.
final class SimulatedRuns implements AutoCloseable {
    /// A search that this ends may leave perturbations that the failure does not need; the tests of it give it more.
    private static final Duration SHRINK_LIMIT = Duration.ofSeconds(Long.getLong("coterie.shrinkSeconds", 30));

    /// For a run whose script is longer, the command line to repeat it has the seed instead.
    private static final int MAX_SCRIPT_LENGTH = 2000;

    /// Exit codes without a search for perturbations: the failure is not the program's, or would take too long to
    /// repeat.
    private static final Set<Integer> NOT_SHRUNK = Set.of(
            ExitCode.USAGE.code(), ExitCode.TIMED_OUT.code(), ExitCode.NOT_RUNNABLE.code(), ExitCode.NOT_FOUND.code());

    private final CommandEnvironment commandEnvironment;
    private final Simulation simulation;
    private final ParsedArguments arguments;
    private final JobSpec spec;
    private final SignalForwarding signals;
    private final ProgressLine progressLine;

    /// @param spec the job with the first seed
    /// @param terminal whether stderr is a terminal
    SimulatedRuns(
            CommandEnvironment commandEnvironment,
            Simulation simulation,
            ParsedArguments arguments,
            JobSpec spec,
            boolean terminal) {
        this.commandEnvironment = commandEnvironment;
        this.simulation = simulation;
        this.arguments = arguments;
        this.spec = spec;
        this.signals = new SignalForwarding(spec.grace());
        this.progressLine = new ProgressLine(commandEnvironment.err(), terminal, System::nanoTime);
    }

    /// The result of a run.
    ///
    /// @param story the script that repeats the run, or null if its host ended before it could send it
    private record Run(
            int exitCode,
            @Nullable JobFailure failure,
            @Nullable String story) {}

    /// Runs all seeds until one fails. Returns its exit code, or 0.
    int all() {
        if (simulation.firstSeed() == simulation.lastSeed()) {
            return shown(simulation.script());
        }
        for (long seed = simulation.firstSeed(); ; seed++) {
            progress("seed " + seed + " of " + simulation.firstSeed() + ".." + simulation.lastSeed());
            SimulationScript script = simulation.script().withSeed(seed);
            int exitCode = hidden(script).exitCode;
            if (signals.hasEnded()) {
                return exitCode;
            }
            if (exitCode != 0) {
                progressLine.clear();
                print("seed " + seed + " failed with exit code " + exitCode + "; repeating the run with its output:");
                int again = shown(script);
                if (again == 0) {
                    print("seed " + seed + " did not fail again: the program depends on more than the seed, such as the"
                            + " real clock or random numbers");
                }
                return again == 0 ? exitCode : again;
            }
            if (seed == simulation.lastSeed()) {
                progressLine.clear();
                print("seeds " + simulation.firstSeed() + ".." + seed + " passed");
                return 0;
            }
        }
    }

    /// Runs one script and, if it fails, prints how to repeat the run, and which perturbations the failure needs.
    private int shown(SimulationScript script) {
        Run run = run(simulation.withScript(spec, script));
        if (run.exitCode != 0 && !signals.hasEnded()) {
            explain(script, run);
        }
        return run.exitCode;
    }

    private void explain(SimulationScript script, Run run) {
        if (run.exitCode == ExitCode.USAGE.code()) {
            return;
        }
        SimulationScript story = run.story == null || run.story.isEmpty() ? script : SimulationScript.parse(run.story);
        int perturbations = story.perturbations();
        boolean tooLong = story.toString().length() > MAX_SCRIPT_LENGTH;
        print("seed " + script.seed().orElse("0") + ", " + perturbations + " perturbations; repeat with: "
                + again(tooLong ? script : story));
        JobFailure failure = run.failure;
        if (simulation.shrinks() && failure != null && perturbations > 0 && !NOT_SHRUNK.contains(run.exitCode)) {
            progress("searching for the perturbations that the failure needs, for at most " + SHRINK_LIMIT.toSeconds()
                    + " s");
            FailureMinimizer.Minimized minimized =
                    FailureMinimizer.of(story, SHRINK_LIMIT, other -> failsAlike(other, failure));
            progressLine.clear();
            print(minimized.phrase() + (minimized.isRepeatable() ? "; repeat with: " + again(minimized.script()) : ""));
        }
    }

    private boolean failsAlike(SimulationScript script, JobFailure failure) {
        Run run = hidden(script);
        return !signals.hasEnded() && run.failure != null && run.failure.isLike(failure);
    }

    private Run hidden(SimulationScript script) {
        return run(simulation
                .withScript(spec, script)
                .withOutput(new JobSpec.Output.Discarded())
                .withInput(JobSpec.Input.NONE)
                .withDebugPort(0)); // the user debugs the run whose output is shown
    }

    private Run run(JobSpec one) {
        if (signals.hasEnded()) {
            return new Run(signals.exitCode(), null, null);
        }
        try (Job job = Job.start(one)) {
            int exitCode = signals.await(job);
            return new Run(exitCode, job.failure().orElse(null), job.story().orElse(null));
        }
    }

    private String again(SimulationScript script) {
        return arguments.commandLine(Command.RUN, Option.SIM, script.toString(), Set.of(Option.SEED, Option.SEEDS));
    }

    private void print(String text) {
        commandEnvironment.err().println("coterie: " + simulation.name() + ": " + text);
    }

    private void progress(String text) {
        progressLine.show("coterie: " + simulation.name() + ": " + text);
    }

    @Override
    public void close() {
        signals.close();
    }
}
