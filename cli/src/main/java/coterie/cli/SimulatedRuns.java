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

/// Runs of one program in a simulated network: one seed or several, and, where one fails, as many as it takes to
/// say what the failure needs.
final class SimulatedRuns implements AutoCloseable {
    private static final Duration SHRINKING = Duration.ofSeconds(30);

    /// A story of more characters than that is told by its seed.
    private static final int LONGEST_STORY = 2000;

    /// Failures that are none of the program's, or would take too long to have again.
    private static final Set<Integer> NOT_SHRUNK = Set.of(
            ExitCode.USAGE.code(), ExitCode.TIMED_OUT.code(), ExitCode.NOT_RUNNABLE.code(), ExitCode.NOT_FOUND.code());

    private final CommandEnvironment commandEnvironment;
    private final Simulation simulation;
    private final ParsedArguments arguments;
    private final JobSpec spec;
    private final SignalForwarding signals;
    private final boolean terminal;

    /// @param spec of the first seed
    /// @param terminal whether somebody looks on
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
        this.terminal = terminal;
    }

    /// How a run ended.
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
                progress("");
                print("seed " + seed + " fails with exit code " + exitCode + "; once more, with its output:");
                int again = shown(script);
                if (again == 0) {
                    print("seed " + seed + " did not fail again: the program depends on more than the seed, such as the"
                            + " real clock or random numbers");
                }
                return again == 0 ? exitCode : again;
            }
            if (seed == simulation.lastSeed()) {
                progress("");
                print("seeds " + simulation.firstSeed() + ".." + seed + " passed");
                return 0;
            }
        }
    }

    /// Runs one script and, if it fails, says how to have it again, and what it needs.
    private int shown(SimulationScript script) {
        Run run = run(simulation.played(spec, script));
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
        boolean tooLong = story.toString().length() > LONGEST_STORY;
        print("seed " + script.seed().orElse("0") + ", " + perturbations + " perturbations; repeat with: "
                + again(tooLong ? script : story));
        JobFailure failure = run.failure;
        if (simulation.shrinks() && failure != null && perturbations > 0 && !NOT_SHRUNK.contains(run.exitCode)) {
            progress("looking for the perturbations that it needs, for " + SHRINKING.toSeconds() + " s at most");
            FailureMinimizer.Minimized minimized =
                    FailureMinimizer.of(story, SHRINKING, other -> failsAlike(other, failure));
            progress("");
            print(minimized.phrase() + (minimized.isRepeatable() ? "; repeat with: " + again(minimized.script()) : ""));
        }
    }

    private boolean failsAlike(SimulationScript script, JobFailure failure) {
        Run run = hidden(script);
        return !signals.hasEnded() && run.failure != null && run.failure.isLike(failure);
    }

    private Run hidden(SimulationScript script) {
        return run(simulation
                .played(spec, script)
                .withOutput(new JobSpec.Output.Discarded())
                .withInput(JobSpec.Input.NOBODY));
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

    /// A line that the next one replaces.
    private void progress(String text) {
        if (terminal) {
            commandEnvironment
                    .err()
                    .print("\r\033[K" + (text.isEmpty() ? "" : "coterie: " + simulation.name() + ": " + text));
            commandEnvironment.err().flush();
        }
    }

    @Override
    public void close() {
        signals.close();
    }
}
