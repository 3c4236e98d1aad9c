// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.internal.posix.MachineMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The parameters of a job. [#of] sets the defaults; each `with…` method returns a copy that differs in one
/// parameter. Immutable.
public final class JobSpec {
    /// The default time between the signal that asks a PE to end and the signal that kills it: long enough for
    /// shutdown hooks, and short enough for users to wait.
    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(3);

    /// The default time without any move after which the launcher looks for a deadlock.
    public static final Duration DEFAULT_STALL = Duration.ofSeconds(2);

    private final String name;
    private final int pes;
    private final Program program;

    // Only the with… methods write these, into a copy that is not published yet.
    private PeMode mode = PeMode.PROCESSES;
    private @Nullable SimulatorSpec simulator;
    private List<String> jvmOptions = List.of();
    private @Nullable Path startupCache;
    private @Nullable TrainingFiles trainingFiles;
    private boolean vectors = true;
    private List<String> wrapper = List.of();
    private Map<String, String> environment = Map.of();
    private long heapBytes;
    private List<Integer> nodes = List.of();
    private CpuBinding binding = CpuBinding.NONE;
    private @Nullable Duration timeout;
    private Duration grace = DEFAULT_GRACE;
    private OnFailure onFailure = OnFailure.END;
    private OnDeadlock onDeadlock = OnDeadlock.REPORT;
    private Duration stall = DEFAULT_STALL;
    private Output output = new Output.Console(false);
    private Input input = Input.FIRST;
    private int debugPort;
    private @Nullable HostPlan hosts;

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
        this.trainingFiles = other.trainingFiles;
        this.vectors = other.vectors;
        this.wrapper = other.wrapper;
        this.environment = other.environment;
        this.heapBytes = other.heapBytes;
        this.nodes = other.nodes;
        this.binding = other.binding;
        this.timeout = other.timeout;
        this.grace = other.grace;
        this.onFailure = other.onFailure;
        this.onDeadlock = other.onDeadlock;
        this.stall = other.stall;
        this.output = other.output;
        this.input = other.input;
        this.debugPort = other.debugPort;
        this.hosts = other.hosts;
    }

    /// Returns a job with the defaults.
    ///
    /// @param name the program's name, for people
    /// @param pes number of PEs, in `[1, mode.maxPes()]`
    /// @param program what each PE runs
    public static JobSpec of(String name, int pes, Program program) {
        return new JobSpec(name, pes, program);
    }

    /// Returns the default symmetric memory of each PE in bytes. The PEs share a quarter of the memory that this
    /// process may use of the machine; the result is in whole MiB, and at most 16 GiB.
    public static long defaultHeapBytes(int pes) {
        return MachineMemory.defaultHeapBytes(pes);
    }

    /// Returns the program's name, for people.
    public String name() {
        return name;
    }

    /// Returns the number of PEs.
    public int pes() {
        return pes;
    }

    /// Returns what each PE runs.
    public Program program() {
        return program;
    }

    /// Returns what a PE is; the default is a process.
    public PeMode mode() {
        return mode;
    }

    /// Returns a copy whose PEs are processes or threads; [#withSimulator] makes them simulated.
    public JobSpec withMode(PeMode mode) {
        JobSpec copy = new JobSpec(this);
        copy.mode = mode;
        return copy;
    }

    /// Returns the simulator of a job whose [#mode] is [PeMode#SIMULATED], or null for other jobs.
    public @Nullable SimulatorSpec simulator() {
        return simulator;
    }

    /// Returns a copy whose PEs run in this simulator.
    public JobSpec withSimulator(SimulatorSpec simulator) {
        JobSpec copy = new JobSpec(this);
        copy.mode = PeMode.SIMULATED;
        copy.simulator = simulator;
        return copy;
    }

    /// Returns the Java home that runs PEs: this JVM's own.
    public Path java() {
        return Path.of(System.getProperty("java.home"));
    }

    /// Returns the options for every PE's JVM. They follow the launcher's own options, so that they override
    /// these.
    public List<String> jvmOptions() {
        return jvmOptions;
    }

    /// Returns a copy with these options for every PE's JVM.
    public JobSpec withJvmOptions(List<String> jvmOptions) {
        JobSpec copy = new JobSpec(this);
        copy.jvmOptions = jvmOptions;
        return copy;
    }

    /// Returns an AOT cache that fits [#java] and the class path, or null.
    public @Nullable Path startupCache() {
        return startupCache;
    }

    /// Returns a copy with this AOT cache, which must fit, or without one.
    public JobSpec withStartupCache(@Nullable Path startupCache) {
        JobSpec copy = new JobSpec(this);
        copy.startupCache = startupCache;
        return copy;
    }

    /// Returns what PE 0 leaves for later runs of the program, or null for nothing.
    public @Nullable TrainingFiles trainingFiles() {
        return trainingFiles;
    }

    /// Returns a copy whose PE 0 leaves something for later runs of the program.
    public JobSpec withTrainingFiles(TrainingFiles trainingFiles) {
        JobSpec copy = new JobSpec(this);
        copy.trainingFiles = trainingFiles;
        return copy;
    }

    /// Returns whether PEs have vector instructions, if their JDK and their path have what these need.
    public boolean vectors() {
        return vectors;
    }

    /// Returns a copy whose PEs reduce by plain loops.
    public JobSpec withoutVectors() {
        JobSpec copy = new JobSpec(this);
        copy.vectors = false;
        return copy;
    }

    /// Returns the words that precede the command of each PE's process; none by default.
    public List<String> wrapper() {
        return wrapper;
    }

    /// Returns a copy whose PEs' processes are started by a command: it gets theirs as its arguments, and must replace
    /// itself by it (`exec`). It finds the number of the PE in COTERIE_PE.
    public JobSpec withWrapper(List<String> wrapper) {
        JobSpec copy = new JobSpec(this);
        copy.wrapper = List.copyOf(wrapper);
        return copy;
    }

    /// Returns the environment variables that PEs have in addition to this process's own.
    public Map<String, String> environment() {
        return environment;
    }

    /// Returns a copy with these variables for PEs.
    public JobSpec withEnvironment(Map<String, String> environment) {
        JobSpec copy = new JobSpec(this);
        copy.environment = environment;
        return copy;
    }

    /// Returns the symmetric memory of each PE, in bytes; the default is [#defaultHeapBytes].
    public long heapBytes() {
        return heapBytes;
    }

    /// Returns a copy with this much symmetric memory for each PE.
    public JobSpec withHeapBytes(long heapBytes) {
        JobSpec copy = new JobSpec(this);
        copy.heapBytes = heapBytes;
        return copy;
    }

    /// Returns, per PE, the number of the node that the runtime assumes for it. The default is an empty list:
    /// all PEs are on one node.
    public List<Integer> nodes() {
        return nodes;
    }

    /// Returns a copy with these assumed nodes of the PEs, see [NodeAssignment]. PEs of different nodes do not
    /// load and store each other's memory.
    public JobSpec withNodes(List<Integer> nodes) {
        JobSpec copy = new JobSpec(this);
        copy.nodes = List.copyOf(nodes);
        return copy;
    }

    /// Returns which processors a PE may use; the default is all.
    public CpuBinding binding() {
        return binding;
    }

    /// Returns a copy with this choice of processors.
    public JobSpec withBinding(CpuBinding binding) {
        JobSpec copy = new JobSpec(this);
        copy.binding = binding;
        return copy;
    }

    /// Returns the time after which the launcher stops the job with exit code 124, or null for no limit.
    public @Nullable Duration timeout() {
        return timeout;
    }

    /// Returns a copy with this time limit.
    public JobSpec withTimeout(@Nullable Duration timeout) {
        JobSpec copy = new JobSpec(this);
        copy.timeout = timeout;
        return copy;
    }

    /// Returns the time between the signal that asks PEs to end and the signal that kills them.
    public Duration grace() {
        return grace;
    }

    /// Returns a copy with this time between the signal that asks PEs to end and the signal that kills them.
    public JobSpec withGrace(Duration grace) {
        JobSpec copy = new JobSpec(this);
        copy.grace = grace;
        return copy;
    }

    /// Returns what the launcher does after a PE has failed; the default is to end the job.
    public OnFailure onFailure() {
        return onFailure;
    }

    /// Returns a copy with this reaction to a failed PE.
    public JobSpec withOnFailure(OnFailure onFailure) {
        JobSpec copy = new JobSpec(this);
        copy.onFailure = onFailure;
        return copy;
    }

    /// Returns what the launcher does when it finds that the job can't go on; the default is to report it.
    public OnDeadlock onDeadlock() {
        return onDeadlock;
    }

    /// Returns a copy with this reaction to a deadlock.
    public JobSpec withOnDeadlock(OnDeadlock onDeadlock) {
        JobSpec copy = new JobSpec(this);
        copy.onDeadlock = onDeadlock;
        return copy;
    }

    /// Returns for how long nothing must have moved before the launcher looks for a deadlock.
    public Duration stall() {
        return stall;
    }

    /// Returns a copy whose launcher looks for a deadlock when nothing has moved for so long.
    public JobSpec withStall(Duration stall) {
        JobSpec copy = new JobSpec(this);
        copy.stall = stall;
        return copy;
    }

    /// Returns the destination of the PEs' output; the default is the console, without tags.
    public Output output() {
        return output;
    }

    /// Returns a copy with this destination of the PEs' output.
    public JobSpec withOutput(Output output) {
        JobSpec copy = new JobSpec(this);
        copy.output = output;
        return copy;
    }

    /// Returns which PE reads standard input; the default is PE 0.
    public Input input() {
        return input;
    }

    /// Returns a copy with this reader of standard input.
    public JobSpec withInput(Input input) {
        JobSpec copy = new JobSpec(this);
        copy.input = input;
        return copy;
    }

    /// Returns the port at which PE 0 waits for a debugger before its program starts; PE `i` waits at this port
    /// plus `i`. The default is 0: no PE waits.
    public int debugPort() {
        return debugPort;
    }

    /// Returns a copy whose PEs wait for debuggers at ports from this one on.
    public JobSpec withDebugPort(int debugPort) {
        JobSpec copy = new JobSpec(this);
        copy.debugPort = debugPort;
        return copy;
    }

    /// Returns the hosts of the PEs, or null if all PEs are on this machine.
    public @Nullable HostPlan hosts() {
        return hosts;
    }

    /// Returns a copy with PEs on these hosts, which have as many PEs as the job.
    public JobSpec withHosts(HostPlan hosts) {
        JobSpec copy = new JobSpec(this);
        copy.hosts = hosts;
        copy.nodes = HostPlan.nodes(hosts.hosts());
        return copy;
    }

    /// What a PE runs: a class with a main method, from these jars and folders.
    ///
    /// @param mainClass binary name
    /// @param module the module of the class, or null if the class is on the class path
    /// @param runtime jars of the runtime, which come before the class path, and which PEs that are threads share;
    ///     empty if the runtime is on one of the other paths
    /// @param classPath jars and folders, in order
    /// @param modulePath jars and folders of modules
    public record Program(
            String mainClass,
            @Nullable String module,
            List<Path> runtime,
            List<Path> classPath,
            List<Path> modulePath,
            List<String> arguments) {
        /// A program whose class path or module path has the runtime.
        public Program(
                String mainClass,
                @Nullable String module,
                List<Path> classPath,
                List<Path> modulePath,
                List<String> arguments) {
            this(mainClass, module, List.of(), classPath, modulePath, arguments);
        }

        /// Returns the class path of a PE that is a process.
        public List<Path> wholeClassPath() {
            List<Path> whole = new ArrayList<>(runtime);
            whole.addAll(classPath);
            return whole;
        }
    }

    /// Files that PE 0 makes for later runs of its program.
    ///
    /// @param recording gets, at the PE's end, what its JVM has loaded and how often each method has run, for
    ///     [CacheAssembly]; null to record nothing. The job has no vector instructions then: with their module the
    ///     JVM of JDK 25 makes caches that have neither linked classes nor lambdas nor profiles
    /// @param vectors made, empty, once the PE has reduced so much that vector instructions pay
    public record TrainingFiles(@Nullable Path recording, Path vectors) {}

    /// A simulator and what it runs.
    ///
    /// @param name of its provider, see [SimulatorDiscovery]
    /// @param script settings of all runs
    /// @param scope whether the program is one run, or begins and ends several runs by itself, see
    ///     [SimulationSession]
    public record SimulatorSpec(String name, String script, RunScope scope) {
        /// Which part of a program is a simulated run.
        public enum RunScope {
            WHOLE_PROGRAM,
            AS_THE_PROGRAM_SAYS
        }
    }

    /// The destination of the output of PEs, which the launcher writes in whole lines.
    public sealed interface Output {
        /// The launcher's own stdout and stderr.
        ///
        /// @param tagged whether each line begins with `[pe] `
        record Console(boolean tagged) implements Output {}

        /// Files `pe.<n>.out` and `pe.<n>.err` in this folder.
        record Folder(Path folder) implements Output {}

        /// A program that takes the output line by line.
        record Lines(LineSink sink) implements Output {}

        /// No destination: the launcher drops the output of PEs, and prints no reports.
        record Discarded() implements Output {}
    }

    /// Takes one line of a PE's output, without its end. A line of more than 16 MiB comes in pieces, and each
    /// piece but the last ends with a backslash. Several threads call it, but only one at a time for each PE and
    /// stream.
    @FunctionalInterface
    public interface LineSink {
        void line(int pe, boolean standardError, String line);
    }

    /// Which PE reads standard input.
    public enum Input {
        /// PE 0 reads the launcher's standard input; the other PEs read an empty one
        FIRST,
        /// all PEs read an empty standard input
        NONE,
        /// each PE reads a pipe, and the program that uses the job writes to the pipe, see [Job#inputOf]
        PIPES
    }
}
