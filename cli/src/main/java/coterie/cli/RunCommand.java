// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.CpuBinding;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.PeMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `coterie run` and `coterie perf`: start a job, wait for it, end with its exit code.
final class RunCommand {
    /// Set by the script to the start-up cache of PEs, where there is one.
    static final String STARTUP_CACHE = "coterie.pe.cache";

    /// The module of the measurements.
    static final String PERF_MODULE = "coterie.bench";
    private static final String PERF_CLASS = "coterie.bench.Perf";

    /// A small program in the runtime itself, which checks a bit of everything and prints its latency.
    static final String SELF_TEST = "coterie.internal.launch.SelfTest";

    private static final String REHEARSAL = "coterie.internal.launch.CacheTraining";

    private final CommandEnvironment commandEnvironment;

    RunCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) throws IOException {
        JobOptions options = new JobOptions(arguments, commandEnvironment.environment(), 1);
        // Options first: a wrong one is told before a compiler starts.
        JobSpec draft = options.spec("", new JobSpec.Program("", null, List.of(), List.of(), List.of()), null);
        ProgramFinder.Found found =
                new ProgramFinder(arguments, commandEnvironment.environment(), commandEnvironment.err()).find();
        JobSpec spec = options.spec(found.name(), found.program(), startupCache(draft, found.program()));
        Simulation simulation = Simulation.of(arguments);
        if (simulation == null) {
            return start(spec);
        }
        try (SimulatedRuns runs = new SimulatedRuns(commandEnvironment, simulation, arguments, spec, isTerminal())) {
            return runs.all();
        }
    }

    int perf(ParsedArguments arguments) throws IOException {
        RuntimePath runtime = RuntimePath.of(PERF_MODULE);
        String module = runtime.modulePath().isEmpty() ? null : PERF_MODULE;
        JobSpec.Program program = new JobSpec.Program(
                PERF_CLASS, module, runtime.classPath(), runtime.modulePath(), arguments.operands());
        JobSpec spec = new JobOptions(arguments, commandEnvironment.environment(), 2).spec("perf", program, null);
        boolean fits = spec.pes() <= Runtime.getRuntime().availableProcessors();
        boolean binds = !arguments.has(Option.BIND) && fits && spec.mode() == PeMode.PROCESSES;
        // As mpirun does: two PEs that the system puts on one processor would measure its scheduler.
        return start(binds ? spec.withBinding(CpuBinding.CORE) : spec);
    }

    /// Runs a program of the runtime's own as the one PE of a job, on a class path that is empty: the JVM accepts
    /// its cache wherever the class path begins with what it was made with, and so everywhere.
    int makeStartupCache(Path file) {
        JobSpec.Program program = new JobSpec.Program(
                REHEARSAL, null, List.of(), RuntimePath.own().modulePath(), List.of());
        JobSpec spec = JobSpec.of("cache", 1, program).withJvmOptions(List.of("-XX:AOTCacheOutput=" + file));
        try (Job job = Job.start(spec)) {
            return job.await();
        }
    }

    private int start(JobSpec spec) throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        if (spec.pes() > processors && isTerminal()) {
            commandEnvironment
                    .err()
                    .println("coterie: " + spec.pes() + " PEs share " + processors
                            + " processors; those that wait give way to the others");
        }
        try (SignalForwarding signals = new SignalForwarding(spec.grace());
                Job job = Job.start(spec)) {
            return signals.await(job);
        }
    }

    /// The cache fits PEs whose module path is the runtime's alone.
    private static @Nullable Path startupCache(JobSpec draft, JobSpec.Program program) {
        String cache = System.getProperty(STARTUP_CACHE);
        boolean fits = cache != null
                && draft.mode() == PeMode.PROCESSES
                && program.module() == null
                && program.modulePath().equals(RuntimePath.own().modulePath());
        return fits ? Path.of(cache) : null;
    }

    /// Whether somebody looks at stderr.
    static boolean isTerminal() throws IOException {
        Path standardError = Path.of("/proc/self/fd/2");
        if (!Files.isSymbolicLink(standardError)) {
            return false;
        }
        String target = Files.readSymbolicLink(standardError).toString();
        return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    }
}
