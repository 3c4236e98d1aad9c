// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.CacheAssembly;
import coterie.internal.launch.CpuBinding;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.PeMode;
import coterie.internal.launch.SystemInfo;
import coterie.internal.launch.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// `coterie run` and `coterie perf`: each starts a job, waits for its end, and returns its exit code.
final class RunCommand {
    /// The system property that the script sets to the file of the start-up cache of PEs, if it exists.
    static final String STARTUP_CACHE = "coterie.pe.cache";

    /// The module of the benchmarks.
    static final String PERF_MODULE = "coterie.bench";
    private static final String PERF_CLASS = "coterie.bench.Perf";

    /// A small program of the runtime, which checks common operations and prints a latency.
    static final String SELF_TEST = "coterie.internal.launch.SelfTest";

    private static final String CACHE_TRAINING = "coterie.internal.launch.CacheTraining";

    private final CommandEnvironment commandEnvironment;

    RunCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run(ParsedArguments arguments) throws IOException {
        JobSpec spec = spec(arguments);
        Simulation simulation = Simulation.of(arguments);
        if (simulation == null) {
            return startWithCache(spec, arguments);
        }
        warnOfOtherLauncher(spec);
        try (SimulatedRuns runs =
                new SimulatedRuns(commandEnvironment, simulation, arguments, spec, Terminal.is(Terminal.ERR))) {
            return runs.all();
        }
    }

    private int startWithCache(JobSpec spec, ParsedArguments arguments) throws IOException {
        boolean keeps = new JobOptions(arguments, commandEnvironment.environment(), 1).keepsProgramCache();
        if (!keeps || spec.startupCache() == null || !CacheAssembly.fits(spec)) {
            return start(spec, job -> {});
        }
        ProgramCache cache;
        try {
            cache = ProgramCache.of(spec, CacheFolder.open(commandEnvironment.environment()));
        } catch (IOException e) {
            return start(spec, job -> {}); // without a folder for caches, of which `coterie doctor` tells
        }
        try (cache) {
            int exitCode = start(cache.spec(), job -> {});
            if (exitCode == ExitCode.SUCCESS.code() && cache.isToBeMade()) {
                make(cache, spec.name());
            }
            return exitCode;
        }
    }

    /// A job that has ended well does not end with another code because its cache can't be made.
    private void make(ProgramCache cache, String name) {
        if (Terminal.is(Terminal.ERR)) {
            commandEnvironment
                    .err()
                    .println("coterie: keeping what this run has loaded and compiled, so that " + name
                            + " starts faster from now on (--program-cache off prevents it)");
        }
        String fault;
        try {
            fault = cache.make();
        } catch (IOException e) {
            fault = e.toString();
        }
        if (!fault.isEmpty()) {
            commandEnvironment.err().println("coterie: warning: no start-up cache of " + name + ": " + fault);
        }
    }

    /// Returns the job that a command line describes. It compiles a source program.
    JobSpec spec(ParsedArguments arguments) throws IOException {
        JobOptions options = new JobOptions(arguments, commandEnvironment.environment(), 1);
        // Checks the options before the compiler starts.
        options.spec("", new JobSpec.Program("", null, List.of(), List.of(), List.of()), null);
        ProgramFinder.Found found =
                new ProgramFinder(arguments, commandEnvironment.environment(), commandEnvironment.err()).find();
        return options.spec(found.name(), found.program(), startupCache(found.program()));
    }

    int perf(ParsedArguments arguments) throws IOException {
        JobSpec.Program program =
                RuntimePath.own().program(PERF_CLASS, RuntimePath.jarsOf(PERF_MODULE), arguments.operands());
        JobSpec spec = new JobOptions(arguments, commandEnvironment.environment(), 2)
                .spec("perf", program, startupCache(program));
        boolean fits = spec.pes() <= Runtime.getRuntime().availableProcessors();
        boolean binds = !arguments.has(Option.BIND) && fits && spec.mode() == PeMode.PROCESSES;
        // mpirun binds, too: two PEs that the system puts on one processor would measure its scheduler.
        return start(binds ? spec.withBinding(CpuBinding.CORE) : spec, job -> {});
    }

    /// Writes the start-up cache of PEs, by a job with one PE that runs [coterie.internal.launch.CacheTraining].
    /// Its class path is the runtime alone: the JVM accepts a cache if the class path begins with the cache's, as
    /// those of all programs do.
    int makeStartupCache(Path file) {
        JobSpec.Program program = RuntimePath.own().program(CACHE_TRAINING, List.of(), List.of());
        JobSpec spec = JobSpec.of("cache", 1, program).withJvmOptions(List.of("-XX:AOTCacheOutput=" + file));
        try (Job job = Job.start(spec)) {
            return job.await();
        }
    }

    private void warnOfOtherLauncher(JobSpec spec) {
        SystemInfo.otherLauncher(commandEnvironment.environment(), spec.pes())
                .ifPresent(warning -> commandEnvironment.err().println("coterie: warning: " + warning));
    }

    /// Starts a job and waits for its end.
    ///
    /// @param atEnd gets the job when it has ended
    int start(JobSpec spec, Consumer<Job> atEnd) throws IOException {
        warnOfOtherLauncher(spec);
        int processors = Runtime.getRuntime().availableProcessors();
        if (spec.pes() > processors && Terminal.is(Terminal.ERR)) {
            commandEnvironment
                    .err()
                    .println("coterie: " + spec.pes() + " PEs share " + processors
                            + " processors; a PE that waits yields its processor");
        }
        try (SignalForwarding signals = new SignalForwarding(spec.grace());
                Job job = Job.start(spec)) {
            int exitCode = signals.await(job);
            atEnd.accept(job);
            return exitCode;
        }
    }

    /// Returns the start-up cache of the runtime if the program can use it: the runtime is in front on the class path
    /// of its PEs, or of the JVM that hosts them.
    private static @Nullable Path startupCache(JobSpec.Program program) {
        String cache = System.getProperty(STARTUP_CACHE);
        boolean fits = !program.runtime().isEmpty() && program.modulePath().isEmpty();
        return cache != null && fits ? Path.of(cache) : null;
    }
}
