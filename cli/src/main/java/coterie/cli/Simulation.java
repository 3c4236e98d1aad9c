// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.JobSpec;
import coterie.internal.launch.SimulationScript;
import coterie.internal.launch.SimulatorDiscovery;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The simulated network that the command line asks for.
///
/// @param name of the simulator
/// @param script the simulator's parameters, with the first seed
/// @param lastSeed the last of several seeds, or the only seed
/// @param shrinks whether to search for the perturbations that a failure needs
record Simulation(String name, SimulationScript script, long firstSeed, long lastSeed, boolean shrinks) {
    private static final String MAPPED = "mapped";
    private static final List<Option> SIMULATION_OPTIONS =
            List.of(Option.SEED, Option.SEEDS, Option.SIM, Option.NO_SHRINK);
    private static final List<Option> PROCESS_OPTIONS = List.of(Option.MODE, Option.BIND);
    private static final Pattern SEEDS = Pattern.compile("(\\d+)\\.\\.(\\d+)");

    /// Returns the simulation, or null if the command line asks for none.
    ///
    /// @throws UsageException if the options exclude each other
    static @Nullable Simulation of(ParsedArguments arguments) {
        String name = arguments.value(Option.CONDUIT);
        if (name == null || name.equals(MAPPED)) {
            reject(arguments, SIMULATION_OPTIONS, "applies to simulated networks only; add --conduit sim");
            return null;
        }
        if (!SimulatorDiscovery.names().contains(name)) {
            throw new UsageException("--conduit " + name + ": expected one of " + MAPPED + ", "
                    + String.join(", ", SimulatorDiscovery.names()));
        }
        reject(
                arguments,
                PROCESS_OPTIONS,
                "applies to PEs that are processes or threads; leave it out with --conduit " + name);
        SimulationScript script = script(arguments);
        String seeds = arguments.value(Option.SEEDS);
        long[] range = seeds == null ? one(arguments, script) : range(arguments, script, seeds);
        return new Simulation(name, script.withSeed(range[0]), range[0], range[1], !arguments.has(Option.NO_SHRINK));
    }

    private static void reject(ParsedArguments arguments, List<Option> options, String reason) {
        for (Option option : options) {
            if (arguments.has(option)) {
                throw new UsageException(option.longestName() + " " + reason);
            }
        }
    }

    /// Returns the parameters that `--sim` sets.
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
            throw new UsageException("--seed " + option + ": --sim sets seed=" + scripted + "; leave one out");
        }
        long seed = option != null
                ? seed("--seed", option, option)
                : scripted != null ? seed("--sim", "seed=" + scripted, scripted) : 0;
        return new long[] {seed, seed};
    }

    private static long[] range(ParsedArguments arguments, SimulationScript script, String text) {
        if (arguments.has(Option.SEED) || script.seed().isPresent()) {
            throw new UsageException("--seeds " + text + ": --seed or --sim selects one seed, too; leave one out");
        }
        Matcher range = SEEDS.matcher(text);
        if (!range.matches()) {
            throw new UsageException("--seeds " + text + ": expected FROM..TO, such as 0..99");
        }
        long first = seed("--seeds", text, range.group(1));
        long last = seed("--seeds", text, range.group(2));
        if (first > last) {
            throw new UsageException(
                    "--seeds " + text + ": the first seed is greater than the last; write " + last + ".." + first);
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
        return new UsageException(option + " " + whole + ": expected a seed in [0, 2^63)");
    }

    /// Returns the job with the first seed.
    JobSpec of(JobSpec spec) {
        return withScript(spec, script);
    }

    /// Returns the job with another script.
    JobSpec withScript(JobSpec spec, SimulationScript script) {
        return spec.withSimulator(
                new JobSpec.SimulatorSpec(name, script.toString(), JobSpec.SimulatorSpec.RunScope.WHOLE_PROGRAM));
    }
}
