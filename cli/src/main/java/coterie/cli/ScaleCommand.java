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

/// `coterie scale`: one simulated job after another, each larger than the one before; their rows, and a plot of
/// them.
final class ScaleCommand {
    private static final String PROGRAM = "coterie.bench.Scale";
    private static final String PLOTTER = "coterie.bench.Plot";
    private static final String STAGE = "sim";

    private static final int MOST = 4096;
    private static final int NODE_SIZE = 64;

    /// From where on teams meet along a tree, as most of the sizes here are to show. Of all settings of the
    /// runtime this one changes what is predicted.
    private static final String FLAT_VARIABLE = "COTERIE_TREE_SYNC_ABOVE";

    private static final String FLAT = "64";

    /// No perturbations; and the program is known to have no races, which would take time to look for.
    private static final String MODEL_ALONE = "seed=0,races=off";

    /// What the program needs of symmetric memory, and more.
    private static final long HEAP_BYTES = 1 << 20;

    private final CommandEnvironment commandEnvironment;
    private final int most;
    private final int nodeSize;
    private final String script;
    private final List<String> jvmOptions;
    private final String plot;
    private final List<String> rows = new ArrayList<>();

    ScaleCommand(CommandEnvironment commandEnvironment, ParsedArguments arguments) {
        this.commandEnvironment = commandEnvironment;
        this.most = number(arguments, Option.MOST, 2, MOST);
        this.nodeSize = number(arguments, Option.NODE_SIZE, 1, NODE_SIZE);
        String given = Simulation.script(arguments).toString();
        this.script = given.isEmpty() ? MODEL_ALONE : MODEL_ALONE + "," + given;
        this.jvmOptions = arguments.all(Option.JVM);
        this.plot = arguments.has(Option.PLOT) ? String.valueOf(arguments.value(Option.PLOT)) : "";
    }

    private static int number(ParsedArguments arguments, Option option, int least, int otherwise) {
        String text = arguments.value(option);
        return text == null ? otherwise : JobOptions.number(option.longestName(), text, least, MOST, "a number of PEs");
    }

    int run() throws IOException {
        boolean terminal = RunCommand.isTerminal();
        try (SignalForwarding signals = new SignalForwarding(JobSpec.DEFAULT_GRACE)) {
            for (int pes = 2; pes <= most; pes = pes < most ? Math.min(2 * pes, most) : most + 1) {
                if (terminal) {
                    commandEnvironment.err().println("coterie scale: " + pes + " PEs");
                }
                int exitCode = measure(pes, signals);
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
        // On the class path each PE has a loader and no layer of modules, of which thousands would take their
        // time.
        JobSpec.Program program = new JobSpec.Program(
                PROGRAM,
                null,
                BenchProgram.classPath(),
                RuntimePath.own().modulePath(),
                rows.isEmpty() ? List.of("--header") : List.of());
        List<Integer> nodes =
                IntStream.range(0, pes).mapToObj(pe -> pe / nodeSize).toList();
        JobSpec spec = JobSpec.of("scale", pes, program)
                .withStage(new JobSpec.SimulatorSpec(STAGE, script, JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM))
                .withNodes(nodes)
                .withHeapBytes(HEAP_BYTES)
                .withJvmOptions(jvmOptions)
                .withEnvironment(
                        Map.of(FLAT_VARIABLE, commandEnvironment.environment().getOrDefault(FLAT_VARIABLE, FLAT)))
                .withInput(JobSpec.Input.NOBODY)
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
