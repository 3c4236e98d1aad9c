// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.JobSpec;
import coterie.internal.launch.SimulationScript;
import coterie.internal.launch.SimulatorDiscovery;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What the command line says about a simulated network.
///
/// @param name of the simulator
/// @param script its settings, the first seed among them
/// @param lastSeed the last of several seeds, or the only one
/// @param shrinks whether to find out what a failure needs
record Simulation(String name, SimulationScript script, long firstSeed, long lastSeed, boolean shrinks) {
    private static final String MAPPED = "mapped";
    private static final List<Option> OF_SIMULATIONS = List.of(Option.SEED, Option.SEEDS, Option.SIM, Option.NO_SHRINK);
    private static final List<Option> OF_PROCESSES = List.of(Option.MODE, Option.BIND);
    private static final Pattern SEEDS = Pattern.compile("(\\d+)\\.\\.(\\d+)");

    /// The simulation that is asked for, or null.
    ///
    /// @throws UsageException if the options do not go together
    static @Nullable Simulation of(ParsedArguments arguments) {
        String name = arguments.value(Option.CONDUIT);
        if (name == null || name.equals(MAPPED)) {
            refuse(arguments, OF_SIMULATIONS, "is of simulated networks; add --conduit sim");
            return null;
        }
        if (!SimulatorDiscovery.names().contains(name)) {
            throw new UsageException("--conduit " + name + ": not one of " + MAPPED + ", "
                    + String.join(", ", SimulatorDiscovery.names()));
        }
        refuse(arguments, OF_PROCESSES, "is of PEs that are processes or threads; leave it out with --conduit " + name);
        SimulationScript script = script(arguments);
        String seeds = arguments.value(Option.SEEDS);
        long[] range = seeds == null ? one(arguments, script) : range(arguments, script, seeds);
        return new Simulation(name, script.withSeed(range[0]), range[0], range[1], !arguments.has(Option.NO_SHRINK));
    }

    private static void refuse(ParsedArguments arguments, List<Option> options, String why) {
        for (Option option : options) {
            if (arguments.has(option)) {
                throw new UsageException(option.longestName() + " " + why);
            }
        }
    }

    /// The settings that `--sim` gives.
    static SimulationScript script(ParsedArguments arguments) {
        String text = arguments.value(Option.SIM);
        try {
            return SimulationScript.parse(text == null ? "" : text);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--sim " + text + ": " + e.getMessage());
        }
    }

    private static long[] one(ParsedArguments arguments, SimulationScript script) {
        String option = arguments.value(Option.SEED);
        String scripted = script.seed().orElse(null);
        if (option != null && scripted != null && !option.equals(scripted)) {
            throw new UsageException("--seed " + option + ": --sim says seed=" + scripted + "; leave one out");
        }
        long seed = option != null
                ? seed("--seed", option, option)
                : scripted != null ? seed("--sim", "seed=" + scripted, scripted) : 0;
        return new long[] {seed, seed};
    }

    private static long[] range(ParsedArguments arguments, SimulationScript script, String text) {
        if (arguments.has(Option.SEED) || script.seed().isPresent()) {
            throw new UsageException("--seeds " + text + ": one seed is given as well; leave one out");
        }
        Matcher range = SEEDS.matcher(text);
        if (!range.matches()) {
            throw new UsageException("--seeds " + text + ": not FROM..TO; write 0..99 for example");
        }
        long first = seed("--seeds", text, range.group(1));
        long last = seed("--seeds", text, range.group(2));
        if (first > last) {
            throw new UsageException("--seeds " + text + ": the first is beyond the last");
        }
        return new long[] {first, last};
    }

    private static long seed(String option, String whole, String text) {
        try {
            long seed = Long.parseLong(text);
            if (seed >= 0) {
                return seed;
            }
        } catch (NumberFormatException e) {
            throw outside(option, whole);
        }
        throw outside(option, whole);
    }

    private static UsageException outside(String option, String whole) {
        return new UsageException(option + " " + whole + ": a seed is a number in [0, 2^63)");
    }

    /// The job with the first seed.
    JobSpec of(JobSpec spec) {
        return played(spec, script);
    }

    /// The job with another script.
    JobSpec played(JobSpec spec, SimulationScript script) {
        return spec.withStage(
                new JobSpec.SimulatorSpec(name, script.toString(), JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM));
    }
}
