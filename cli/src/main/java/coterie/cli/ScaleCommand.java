// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// `coterie scale`: runs one simulated job after another, each larger than the one before, and prints their rows.
/// Draws a plot of them if asked to.
final class ScaleCommand {
    private static final String PROGRAM = "coterie.bench.Scale";
    private static final String PLOTTER = "coterie.bench.Plot";
    private static final String SIMULATOR = "sim";

    private static final int MAX_PES = 4096;
    private static final int NODE_SIZE = 64;

    /// Teams with more members synchronize along a tree, which most rows should show. No other setting of the
    /// runtime changes the predictions.
    private static final String TREE_VARIABLE = "COTERIE_TREE_SYNC_ABOVE";

    private static final String TREE_ABOVE = "64";

    /// Without perturbations, and without the search for races, which takes time and which the program does not
    /// have.
    private static final String MODEL_ONLY = "seed=0,races=off";

    /// Symmetric memory, more than the program needs.
    private static final long HEAP_BYTES = 1 << 20;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private final CommandEnvironment commandEnvironment;
    private final int maxPes;
    private final int nodeSize;
    private final String script;
    private final List<String> jvmOptions;
    private final String plot;
    private final List<String> rows = new ArrayList<>();

    ScaleCommand(CommandEnvironment commandEnvironment, ParsedArguments arguments) {
        this.commandEnvironment = commandEnvironment;
        this.maxPes = number(arguments, Option.MOST, 2, MAX_PES);
        this.nodeSize = number(arguments, Option.NODE_SIZE, 1, NODE_SIZE);
        String given = Simulation.script(arguments).toString();
        this.script = given.isEmpty() ? MODEL_ONLY : MODEL_ONLY + "," + given;
        this.jvmOptions = arguments.all(Option.JVM);
        this.plot = arguments.has(Option.PLOT) ? String.valueOf(arguments.value(Option.PLOT)) : "";
    }

    private static int number(ParsedArguments arguments, Option option, int min, int defaultNumber) {
        String text = arguments.value(option);
        return text == null
                ? defaultNumber
                : JobOptions.number(option.longestName(), text, min, MAX_PES, "a number of PEs");
    }

    int run() throws IOException {
        try (SignalForwarding signals = new SignalForwarding(JobSpec.DEFAULT_GRACE)) {
            for (int pes = 2; pes <= maxPes; pes = pes < maxPes ? Math.min(2 * pes, maxPes) : maxPes + 1) {
                long start = System.nanoTime();
                int exitCode = measure(pes, signals);
                commandEnvironment
                        .err()
                        .println("coterie scale: " + pes + " of " + maxPes + " PEs, "
                                + (System.nanoTime() - start) / NANOS_PER_SECOND + " s");
                if (exitCode != 0) {
                    return exitCode;
                }
            }
            return plot.isEmpty()
                    ? ExitCode.SUCCESS.code()
                    : BenchProgram.run("plot", PLOTTER, List.of(plot), rows, signals);
        }
    }

    private int measure(int pes, SignalForwarding signals) {
        JobSpec.Program program = RuntimePath.own()
                .program(
                        PROGRAM,
                        RuntimePath.jarsOf(RunCommand.PERF_MODULE),
                        rows.isEmpty() ? List.of("--header") : List.of());
        List<Integer> nodes =
                IntStream.range(0, pes).mapToObj(pe -> pe / nodeSize).toList();
        JobSpec spec = JobSpec.of("scale", pes, program)
                .withSimulator(
                        new JobSpec.SimulatorSpec(SIMULATOR, script, JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM))
                .withNodes(nodes)
                .withHeapBytes(HEAP_BYTES)
                .withJvmOptions(jvmOptions)
                .withEnvironment(
                        Map.of(TREE_VARIABLE, commandEnvironment.environment().getOrDefault(TREE_VARIABLE, TREE_ABOVE)))
                .withInput(JobSpec.Input.NONE)
                .withOutput(new JobSpec.Output.Lines(this::line));
        try (Job job = Job.start(spec)) {
            return signals.await(job);
        }
    }

    private void line(int pe, boolean standardError, String line) {
        if (standardError) {
            commandEnvironment.err().println(line);
        } else {
            commandEnvironment.out().println(line);
            rows.add(line);
        }
    }
}
