// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.CpuBinding;
import coterie.internal.launch.HeapText;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.NodeAssignment;
import coterie.internal.launch.OnDeadlock;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The options that describe a job, except for its program.
final class JobOptions {
    private static final PeMode[] PES = {PeMode.PROCESSES, PeMode.THREADS};
    private static final int DEFAULT_DEBUG_PORT = 5005;
    private static final int MAX_PORT = 65535;

    /// The environment variable with the symmetric memory of each PE, for scripts that set it as SHMEM's do.
    private static final String HEAP_VARIABLE = "COTERIE_HEAP";

    /// A page: the runtime can't map less.
    private static final long MIN_HEAP_BYTES = 4096;

    /// Half of the addresses that Linux gives a process on x86-64.
    private static final long MAX_MAPPED_BYTES = 1L << 46;

    private final ParsedArguments arguments;
    private final Map<String, String> environment;
    private final int defaultPes;

    /// @param defaultPes number of PEs if neither `-n` nor `--nodes` gives it
    JobOptions(ParsedArguments arguments, Map<String, String> environment, int defaultPes) {
        this.arguments = arguments;
        this.environment = environment;
        this.defaultPes = defaultPes;
    }

    /// Returns a job that runs `program` with the options of the command line.
    ///
    /// @param name of the job, unless `--name` gives another
    /// @param startupCache a start-up cache for PEs of the runtime alone, or null
    JobSpec spec(String name, JobSpec.Program program, @Nullable Path startupCache) {
        Simulation simulation = Simulation.of(arguments);
        PeMode mode = simulation != null ? PeMode.SIMULATED : choice(Option.MODE, PES, PeMode.PROCESSES);
        HostOptions hosts = HostOptions.of(arguments, environment);
        List<Integer> nodes = hosts == null ? nodes(mode) : hosts.nodes();
        int pes = pes(nodes, mode);
        String given = arguments.value(Option.NAME);
        JobSpec spec = JobSpec.of(given == null ? name : given, pes, program);
        spec = simulation != null ? simulation.of(spec) : spec.withMode(mode);
        spec = spec.withBinding(choice(Option.BIND, CpuBinding.values(), CpuBinding.NONE))
                .withOnFailure(choice(Option.ON_FAILURE, OnFailure.values(), OnFailure.END))
                .withOnDeadlock(choice(Option.ON_DEADLOCK, OnDeadlock.values(), OnDeadlock.REPORT))
                .withInput(choice(Option.STDIN, Stdin.values(), Stdin.FIRST).input)
                .withOutput(output())
                .withJvmOptions(arguments.all(Option.JVM))
                .withEnvironment(variables())
                .withDebugPort(debugPort(pes))
                .withNodes(nodes);
        String heap = arguments.value(Option.HEAP);
        String heapVariable = environment.getOrDefault(HEAP_VARIABLE, "");
        if (heap != null) {
            spec = spec.withHeapBytes(heapBytes(Option.HEAP.longestName(), heap, pes, mode));
        } else if (!heapVariable.isEmpty()) {
            spec = spec.withHeapBytes(heapBytes("environment variable " + HEAP_VARIABLE, heapVariable, pes, mode));
        }
        Duration timeout = time(Option.TIMEOUT);
        if (timeout != null) {
            if (timeout.isZero()) {
                throw new UsageException("--timeout " + arguments.value(Option.TIMEOUT)
                        + ": the limit must be positive; without the option there is no limit");
            }
            spec = spec.withTimeout(timeout);
        }
        Duration grace = time(Option.GRACE);
        if (grace != null) {
            spec = spec.withGrace(grace);
        }
        Duration stall = time(Option.STALL);
        if (stall != null) {
            if (stall.isZero()) {
                throw new UsageException("--stall " + arguments.value(Option.STALL) + ": the time must be positive");
            }
            spec = spec.withStall(stall);
        }
        if (hosts != null) {
            return hosts.of(spec, heap != null || !heapVariable.isEmpty());
        }
        return startupCache == null ? spec : spec.withStartupCache(startupCache);
    }

    /// Returns whether the program gets a start-up cache of its own.
    boolean keepsProgramCache() {
        return choice(Option.PROGRAM_CACHE, Switch.values(), Switch.ON) == Switch.ON;
    }

    private enum Switch {
        ON,
        OFF
    }

    private enum Stdin {
        FIRST(JobSpec.Input.FIRST),
        NONE(JobSpec.Input.NONE);

        private final JobSpec.Input input;

        Stdin(JobSpec.Input input) {
            this.input = input;
        }
    }

    /// Returns the node of each PE, with the largest number of PEs that any [PeMode] allows.
    List<Integer> layout() {
        List<Integer> nodes = nodes(PeMode.SIMULATED);
        int pes = pes(nodes, PeMode.SIMULATED);
        return nodes.isEmpty() ? Collections.nCopies(pes, 0) : nodes;
    }

    /// Returns the node of each PE; an empty list if all are on one.
    private List<Integer> nodes(PeMode mode) {
        String text = arguments.value(Option.NODES);
        if (text == null) {
            return List.of();
        }
        try {
            return NodeAssignment.parse(text, mode.maxPes());
        } catch (IllegalArgumentException e) {
            throw new UsageException("--nodes " + text + ": " + e.getMessage());
        }
    }

    private int pes(List<Integer> nodes, PeMode mode) {
        String text = arguments.value(Option.PES);
        if (text == null) {
            return nodes.isEmpty() ? defaultPes : nodes.size();
        }
        int pes = number("-n", text, 1, mode.maxPes(), "a number of PEs");
        if (!nodes.isEmpty() && nodes.size() != pes) {
            throw new UsageException("--nodes " + arguments.value(Option.NODES) + ": names the nodes of " + nodes.size()
                    + " PEs, but -n is " + pes + "; leave -n out, or let the counts add up to it");
        }
        return pes;
    }

    private int debugPort(int pes) {
        String text = arguments.value(Option.DEBUG);
        if (text == null) {
            return 0;
        }
        return text.isEmpty() ? DEFAULT_DEBUG_PORT : number("--debug", text, 1, MAX_PORT + 1 - pes, "a port of PE 0");
    }

    /// Returns the value of an option that takes a number in `[min, max]`.
    static int number(String option, String text, int min, int max, String what) {
        try {
            int number = Integer.parseInt(text);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw outside(option, text, min, max, what);
        }
        throw outside(option, text, min, max, what);
    }

    private static UsageException outside(String option, String text, int min, int max, String what) {
        return new UsageException(option + " " + text + ": expected " + what + " in [" + min + ", " + max + "]");
    }

    private static long heapBytes(String what, String text, int pes, PeMode mode) {
        long bytes = ByteSize.parse(what, text);
        long mapped = mode == PeMode.THREADS ? (long) pes * pes : pes; // each thread maps the memory of all PEs
        long max = MAX_MAPPED_BYTES / mapped;
        if (bytes < MIN_HEAP_BYTES || bytes > max) {
            throw new UsageException(what + " " + text + ": expected a size in [" + ByteSize.format(MIN_HEAP_BYTES)
                    + ", " + rounded(max) + "] for " + pes + (pes == 1 ? " PE" : " PEs")
                    + ": a process maps the memory of all PEs, " + ByteSize.format(MAX_MAPPED_BYTES) + " at most");
        }
        return HeapText.ofBlocks(bytes);
    }

    /// Returns a size rounded down to whole GiB, or to whole TiB if nothing is lost.
    private static String rounded(long bytes) {
        return ByteSize.format(bytes >> 30 << 30);
    }

    private @Nullable Duration time(Option option) {
        String text = arguments.value(option);
        return text == null ? null : TimeSpan.parse(option.longestName(), text);
    }

    private <E extends Enum<E>> E choice(Option option, E[] choices, E defaultChoice) {
        String text = arguments.value(option);
        if (text == null) {
            return defaultChoice;
        }
        for (E choice : choices) {
            if (choice.name().toLowerCase(Locale.ROOT).equals(text)) {
                return choice;
            }
        }
        throw new UsageException(option.longestName() + " " + text + ": expected one of " + option.label());
    }

    private JobSpec.Output output() {
        String folder = arguments.value(Option.OUTPUT_DIR);
        boolean tagged = arguments.has(Option.TAG_OUTPUT);
        if (folder == null) {
            return new JobSpec.Output.Console(tagged);
        }
        if (tagged) {
            throw new UsageException(
                    "--tag-output and --output-dir exclude each other, since each file has the output of one PE; leave"
                            + " one out");
        }
        return new JobSpec.Output.Folder(Path.of(folder));
    }

    private Map<String, String> variables() {
        List<String> given = arguments.all(Option.ENV);
        Map<String, String> variables = new HashMap<>();
        for (String text : given) {
            int equals = text.indexOf('=');
            String name = equals < 0 ? text : text.substring(0, equals);
            if (name.isEmpty()) {
                throw new UsageException(
                        "--env " + text + ": expected NAME=VALUE, or the NAME of a variable that is set");
            }
            String value = equals < 0 ? environment.get(name) : text.substring(equals + 1);
            if (value == null) {
                throw new UsageException("--env " + name + ": the variable is not set; write --env " + name + "=VALUE");
            }
            variables.put(name, value);
        }
        return variables;
    }
}
