// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Everything a job is started with. [#of] has the defaults; each `with…` method gives a copy that differs in one
/// thing. Immutable.
public final class JobSpec {
    /// The default time between the signal that asks a PE to end and the signal that kills it: long enough for
    /// shutdown hooks, short enough to wait for.
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(3);

    private static final long MIB = 1L << 20;

    /// Symmetric memory is sparse, so that much costs nothing; but addresses and page tables are not endless.
    private static final long MOST_DEFAULT_HEAP = 16L << 30;

    private final String name;
    private final int pes;
    private final Program program;

    // Only the with… methods write these, into a copy that is not published yet.
    private PeMode mode = PeMode.PROCESSES;
    private @Nullable SimulatorSpec simulator;
    private List<String> jvmOptions = List.of();
    private @Nullable Path startupCache;
    private Map<String, String> environment = Map.of();
    private long heapBytes;
    private List<Integer> nodes = List.of();
    private CpuBinding binding = CpuBinding.NONE;
    private @Nullable Duration timeout;
    private Duration grace = DEFAULT_GRACE;
    private OnFailure onFailure = OnFailure.END;
    private Output output = new Output.Console(false);
    private Input input = Input.FIRST;
    private int debugPort;

    private JobSpec(String name, int pes, Program program) {
        this.name = name;
        this.pes = pes;
        this.program = program;
        this.heapBytes = defaultHeapBytes(pes);
    }

    private JobSpec(JobSpec other) {
        this.name = other.name;
        this.pes = other.pes;
        this.program = other.program;
        this.mode = other.mode;
        this.simulator = other.simulator;
        this.jvmOptions = other.jvmOptions;
        this.startupCache = other.startupCache;
        this.environment = other.environment;
        this.heapBytes = other.heapBytes;
        this.nodes = other.nodes;
        this.binding = other.binding;
        this.timeout = other.timeout;
        this.grace = other.grace;
        this.onFailure = other.onFailure;
        this.output = other.output;
        this.input = other.input;
        this.debugPort = other.debugPort;
    }

    /// A job with the defaults.
    ///
    /// @param name for people: the program's name
    /// @param pes how many PEs, in `[1, mode.mostPes()]`
    /// @param program what each PE runs
    public static JobSpec of(String name, int pes, Program program) {
        return new JobSpec(name, pes, program);
    }

    /// Symmetric memory of each PE unless told otherwise: a quarter of what this process may use of the machine's
    /// memory, shared by all PEs, whole MiB and at most 16 GiB each.
    public static long defaultHeapBytes(int pes) {
        return Math.clamp(Machine.memoryBytes() / 4 / Math.max(1, pes) / MIB * MIB, MIB, MOST_DEFAULT_HEAP);
    }

    /// For people: the program's name.
    public String name() {
        return name;
    }

    /// How many PEs.
    public int pes() {
        return pes;
    }

    /// What each PE runs.
    public Program program() {
        return program;
    }

    /// What a PE is: a process unless told otherwise.
    public PeMode mode() {
        return mode;
    }

    /// The same with PEs that are processes or threads; see [#withSimulator] for the third.
    public JobSpec withMode(PeMode mode) {
        JobSpec copy = new JobSpec(this);
        copy.mode = mode;
        return copy;
    }

    /// On which stage the PEs play where [#mode] is [PeMode#SIMULATED], or null.
    public @Nullable SimulatorSpec simulator() {
        return simulator;
    }

    /// The same with PEs that play on this stage.
    public JobSpec withSimulator(SimulatorSpec simulator) {
        JobSpec copy = new JobSpec(this);
        copy.mode = PeMode.SIMULATED;
        copy.simulator = simulator;
        return copy;
    }

    /// The Java home that runs PEs: this JVM's own.
    public Path java() {
        return Path.of(System.getProperty("java.home"));
    }

    /// Options for every PE's JVM, after the launcher's own, so that they win.
    public List<String> jvmOptions() {
        return jvmOptions;
    }

    /// The same with these options for every PE's JVM, after the launcher's own.
    public JobSpec withJvmOptions(List<String> jvmOptions) {
        JobSpec copy = new JobSpec(this);
        copy.jvmOptions = jvmOptions;
        return copy;
    }

    /// An AOT cache that fits [#java] and the class path, or null.
    public @Nullable Path startupCache() {
        return startupCache;
    }

    /// The same with an AOT cache that fits.
    public JobSpec withStartupCache(@Nullable Path startupCache) {
        JobSpec copy = new JobSpec(this);
        copy.startupCache = startupCache;
        return copy;
    }

    /// Variables set for PEs beside this process's own.
    public Map<String, String> environment() {
        return environment;
    }

    /// The same with these variables for PEs.
    public JobSpec withEnvironment(Map<String, String> environment) {
        JobSpec copy = new JobSpec(this);
        copy.environment = environment;
        return copy;
    }

    /// Symmetric memory of each PE, in bytes; [#defaultHeapBytes] unless told otherwise.
    public long heapBytes() {
        return heapBytes;
    }

    /// The same with this much symmetric memory for each PE.
    public JobSpec withHeapBytes(long heapBytes) {
        JobSpec copy = new JobSpec(this);
        copy.heapBytes = heapBytes;
        return copy;
    }

    /// Per PE, the number of the node that it is taken to be on; empty, the default, where all are on this one.
    public List<Integer> nodes() {
        return nodes;
    }

    /// The same with PEs taken to be on these nodes, see [NodeAssignment]. PEs of different nodes do not load and
    /// store each
    /// other's memory.
    public JobSpec withNodes(List<Integer> nodes) {
        JobSpec copy = new JobSpec(this);
        copy.nodes = List.copyOf(nodes);
        return copy;
    }

    /// Which processors a PE may use: all unless told otherwise.
    public CpuBinding binding() {
        return binding;
    }

    /// The same with this choice of processors.
    public JobSpec withBinding(CpuBinding binding) {
        JobSpec copy = new JobSpec(this);
        copy.binding = binding;
        return copy;
    }

    /// When the job is stopped with exit code 124, or null for never.
    public @Nullable Duration timeout() {
        return timeout;
    }

    /// The same with this limit of time.
    public JobSpec withTimeout(@Nullable Duration timeout) {
        JobSpec copy = new JobSpec(this);
        copy.timeout = timeout;
        return copy;
    }

    /// The time between the signal that asks PEs to end and the signal that kills them.
    public Duration grace() {
        return grace;
    }

    /// The same with this time between asking PEs to end and making them.
    public JobSpec withGrace(Duration grace) {
        JobSpec copy = new JobSpec(this);
        copy.grace = grace;
        return copy;
    }

    /// What becomes of the job when a PE fails: it ends unless told otherwise.
    public OnFailure onFailure() {
        return onFailure;
    }

    /// The same with this answer to a failed PE.
    public JobSpec withOnFailure(OnFailure onFailure) {
        JobSpec copy = new JobSpec(this);
        copy.onFailure = onFailure;
        return copy;
    }

    /// Where the PEs' output goes: to the console, untagged, unless told otherwise.
    public Output output() {
        return output;
    }

    /// The same with this place for the PEs' output.
    public JobSpec withOutput(Output output) {
        JobSpec copy = new JobSpec(this);
        copy.output = output;
        return copy;
    }

    /// Which PE reads standard input; PE 0 by default.
    public Input input() {
        return input;
    }

    /// The same with this reader of standard input.
    public JobSpec withInput(Input input) {
        JobSpec copy = new JobSpec(this);
        copy.input = input;
        return copy;
    }

    /// PE `i` listens for a debugger on this port plus `i`; 0, the default, for none.
    public int debugPort() {
        return debugPort;
    }

    /// The same with debuggers listening from this port on.
    public JobSpec withDebugPort(int debugPort) {
        JobSpec copy = new JobSpec(this);
        copy.debugPort = debugPort;
        return copy;
    }

    /// What a PE runs: a class with a main method, from these jars and folders.
    ///
    /// @param mainClass binary name
    /// @param module the module that has it, or null on the class path
    /// @param classPath jars and folders, in order
    /// @param modulePath jars and folders of modules, the runtime's own among them
    public record Program(
            String mainClass,
            @Nullable String module,
            List<Path> classPath,
            List<Path> modulePath,
            List<String> arguments) {}

    /// A stage and what is played there.
    ///
    /// @param name its provider's, see [SimulatorDiscovery]
    /// @param script settings of all performances
    /// @param scope whether the program is one run, or begins and ends several by itself, see [SimulationSession]
    public record SimulatorSpec(String name, String script, RunScope scope) {
        /// What of a program is a performance.
        public enum RunScope {
            WHOLE_PROGRAM,
            AS_THE_PROGRAM_SAYS
        }
    }

    /// Where the output of PEs goes, always in whole lines.
    public sealed interface Output {
        /// On the launcher's own stdout and stderr.
        ///
        /// @param tagged whether each line begins with `[pe] `
        record Console(boolean tagged) implements Output {}

        /// Into files `pe.<n>.out` and `pe.<n>.err` of this folder.
        record Folder(Path folder) implements Output {}

        /// To a program that takes line by line.
        record Lines(LineSink sink) implements Output {}

        /// Nowhere, and what the launcher itself says neither.
        record Discarded() implements Output {}
    }

    /// Takes one line of a PE's output, without its end. Called by several threads, one at a time for each PE and
    /// stream.
    @FunctionalInterface
    public interface LineSink {
        void line(int pe, boolean standardError, String line);
    }

    /// Which PE reads standard input.
    public enum Input {
        /// PE 0 reads the launcher's; the others are at its end
        FIRST,
        /// no PE: all are at its end
        NONE,
        /// each PE reads a pipe that the launcher's program writes, see [Job#inputOf]
        PIPES
    }
}
