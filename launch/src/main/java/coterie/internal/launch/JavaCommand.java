// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.Coterie;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.launch.JobSpec.Program;
import coterie.internal.world.ConduitProviders;
import coterie.internal.world.Setting;
import coterie.spi.Accelerator;
import coterie.spi.Bootstrap;
import coterie.spi.Conduit;
import java.io.File;
import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The command line of a PE's JVM, or of the JVM that hosts all PEs.
///
/// ```
/// [setpriv --pdeathsig KILL] java <the launcher's options> <the user's options> PeMain|ThreadHost <guard> <more>
/// <class> <arguments>
/// ```
///
/// If an option occurs twice, the JVM uses the last one, so that the user's options override the launcher's. Two
/// kinds of options do not follow this rule: the JVM refuses to start with two garbage collectors, and `-Xmx`
/// overrides `-XX:MaxRAM…` in any order. The launcher leaves out its own option of these kinds if the user gives
/// one.
final class JavaCommand {
    /// The argument of a PE if the kernel kills it when the launcher ends.
    static final String GUARDED = "guarded";

    /// The argument of a PE that must ask the kernel for that itself.
    static final String UNGUARDED = "unguarded";

    /// The argument of a PE that marks the exception that ends it.
    static final String MARKED = "marked";

    /// The argument that means "none".
    static final String NONE = "-";

    /// The options that run all virtual threads on one platform thread. A PE that blocks this thread, for
    /// example in a read of standard input, also stops the other PEs; the simulator runs one PE at a time
    /// anyway.
    private static final List<String> ONE_CARRIER =
            List.of("-Djdk.virtualThreadScheduler.parallelism=1", "-Djdk.virtualThreadScheduler.maxPoolSize=1");

    /// The module of this class, which calls the program's main method.
    private static final String MODULE = "coterie.launch";

    private static final String SETPRIV = "setpriv";
    private static final Set<String> PLUG_INS =
            Set.of(Conduit.Provider.class.getName(), Bootstrap.class.getName(), Accelerator.class.getName());

    /// The module of the one accelerator that there is, and how the name of its jar begins: to find it by its
    /// services would open all jars at each start.
    private static final String ACCELERATOR = "coterie.cuda";

    private static final String ACCELERATOR_JAR = "coterie-cuda";

    /// An agent starts fast and needs little. Without handlers of its own it ends by each signal that ends a
    /// process, and leaves signals blocked that its parent has blocked.
    private static final List<String> AGENT_OPTIONS = List.of(
            "--enable-native-access=ALL-UNNAMED",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-XX:-UsePerfData",
            "-Xmx128m",
            "-Xrs");

    /// Compiles a method after four times as many calls. Where PEs take all processors, the compilers of each take time
    /// from all; a third fewer methods are then compiled in a program of a second.
    private static final String RARER_COMPILATION = "-XX:CompileThresholdScaling=4";

    /// Without these options the JVM prints on stdout that a cache does not fit; it then starts without the cache.
    private static final List<String> QUIET_CACHE =
            List.of("-Xlog:disable", "-Xlog:all=warning:stderr", "-Xlog:aot*=off:stderr");

    /// Maps the cache where it was made to be, if there is room, so that PEs share its pages: a quarter less memory for
    /// each. At another address, the default, a JVM must change all of them. The option is a diagnostic one, which
    /// another version of the JVM may not have.
    private static final List<String> SHARED_CACHE =
            List.of("-XX:+UnlockDiagnosticVMOptions", "-XX:ArchiveRelocationMode=0");

    private static final int VERSION_OF_SHARED_CACHE = 25;

    private static final String VECTORS_NOTE = "-D" + KernelChoice.NOTE + "=";

    private final JobSpec spec;
    private final String encoding;
    private final List<BitSet> processors;
    private final @Nullable Path setpriv;
    private final boolean vectors;
    private final boolean isAcrossHosts;
    private final boolean marksTraces;

    /// @param encoding of what the program prints
    /// @param marksTraces whether PEs mark the exceptions that end them, for a [TraceFold]
    JavaCommand(JobSpec spec, String encoding, boolean marksTraces) {
        this(spec, encoding, marksTraces, false);
    }

    private JavaCommand(JobSpec spec, String encoding, boolean marksTraces, boolean isAcrossHosts) {
        this.isAcrossHosts = isAcrossHosts;
        this.marksTraces = marksTraces;
        this.spec = spec;
        this.encoding = encoding;
        this.processors =
                spec.binding() == CpuBinding.NONE ? List.of() : Machine.processors(spec.binding(), spec.pes());
        this.setpriv = findSetpriv(System.getenv("PATH"));
        Program program = spec.program();
        this.vectors = spec.vectors()
                && (VectorModule.isOn(program.wholeClassPath()) || VectorModule.isOn(program.modulePath()))
                && VectorModule.isIn(spec.java());
    }

    /// Returns the commands of PEs that an agent starts, which need a conduit that plugs in.
    static JavaCommand acrossHosts(JobSpec spec, String encoding) {
        return new JavaCommand(spec, encoding, false, true);
    }

    /// Returns whether the launcher, and not the user, adds the option for [VectorModule].
    boolean addsVectors() {
        return vectors && !spec.jvmOptions().contains(VectorModule.OPTION);
    }

    /// Returns the command of a PE that is a process.
    List<String> ofPe(int pe) {
        List<String> command = java(pe);
        Program program = spec.program();
        if (!program.modulePath().isEmpty()) {
            command.add("--module-path");
            command.add(SearchPath.format(modulePath()));
        }
        command.add("-cp");
        command.add(SearchPath.format(program.wholeClassPath()));
        command.add(PeMain.class.getName());
        command.add(guard());
        command.add(processors.isEmpty() ? NONE : Machine.formatProcessors(processors.get(pe)));
        command.add(marksTraces ? MARKED : NONE);
        addProgram(command);
        return command;
    }

    /// Returns the command of the JVM that makes a start-up cache for PEs of a program on the class path.
    ///
    /// @param recording which a PE has written
    List<String> ofCache(Path recording, Path cache) {
        List<String> command = java(1);
        command.add("-XX:AOTMode=create");
        command.add("-XX:AOTConfiguration=".concat(recording.toString()));
        command.add("-XX:AOTCache=".concat(cache.toString()));
        command.add("-cp");
        command.add(SearchPath.format(spec.program().wholeClassPath()));
        return command;
    }

    /// Returns the command of the JVM that hosts all PEs as threads. Its class path or module path has the
    /// runtime and the simulator, if any. It does not have the user's classes, because each PE loads these with
    /// its own loader.
    List<String> ofHost() {
        List<String> command = java(0);
        Program program = spec.program();
        JobSpec.SimulatorSpec simulator = spec.simulator();
        if (simulator != null) {
            command.addAll(ONE_CARRIER);
        }
        List<Path> path = modulePath();
        if (path.isEmpty()) {
            path.addAll(program.runtime().isEmpty() ? runtime() : program.runtime());
        }
        if (vectors && program.modulePath().isEmpty()) {
            program.classPath().stream().filter(VectorModule::isAt).forEach(path::add);
        }
        if (simulator != null) {
            Path plugIn = SimulatorDiscovery.location(
                    SimulatorDiscovery.find(simulator.name()).getClass());
            if (!path.contains(plugIn)) {
                path.add(plugIn);
            }
        }
        if (program.modulePath().isEmpty()) {
            command.add("-cp");
            command.add(SearchPath.format(path));
        } else {
            command.add("--module-path");
            command.add(SearchPath.format(path));
            command.add("-cp");
            command.add("");
        }
        command.add(ThreadHost.class.getName());
        command.add(guard());
        command.add(spec.input().name());
        command.add(simulator == null ? NONE : simulator.name());
        command.add(simulator == null ? NONE : simulator.script());
        command.add(simulator == null ? NONE : simulator.scope().name());
        command.add(SearchPath.format(program.classPath()));
        command.add(SearchPath.format(program.modulePath()));
        addProgram(command);
        return command;
    }

    /// Returns the command of the agent that starts the PEs of a host. Its Java is that of the launcher, if the
    /// host has it at the same place, else the first of the host's path. No word needs quotes of a shell, unless
    /// the path of the JDK or of the runtime does: the program and its arguments travel in the [AgentOrder]. A
    /// shell of the host puts its path in; without a shell `"$PATH"` is a folder that there is not.
    List<String> ofAgent(HostStaging staging, int host) {
        List<String> command = new ArrayList<>(List.of(
                "env", "PATH=" + spec.java().resolve("bin") + ":\"$PATH\":/usr/local/bin:/usr/bin:/bin", "java"));
        command.addAll(AGENT_OPTIONS);
        command.add("-cp");
        command.add(SearchPath.format(staging.at(host, runtime())));
        command.add(HostAgent.class.getName());
        return command;
    }

    /// Returns where the runtime and the launcher are.
    static List<Path> runtime() {
        Path core = SimulatorDiscovery.location(Coterie.class);
        Path launcher = SimulatorDiscovery.location(JavaCommand.class);
        return core.equals(launcher) ? List.of(core) : List.of(core, launcher);
    }

    /// Returns the program's module path without the jars of coterie-vector, if the PEs' JDK has no Vector API:
    /// the JVM would not start with them.
    private List<Path> modulePath() {
        List<Path> path = new ArrayList<>(spec.program().modulePath());
        if (!vectors) {
            path.removeIf(entry -> VectorModule.isAt(entry) && !Files.isDirectory(entry));
        }
        return path;
    }

    private void addProgram(List<String> command) {
        Program program = spec.program();
        String module = program.module();
        command.add(module == null ? NONE : module);
        command.add(program.mainClass());
        command.addAll(program.arguments());
    }

    private List<String> java(int pe) {
        List<String> command = new ArrayList<>(spec.wrapper());
        if (setpriv != null) {
            command.add(setpriv.toString());
            command.add("--pdeathsig");
            command.add("KILL");
        }
        command.add(spec.java().resolve("bin/java").toString());
        boolean processes = spec.mode() == PeMode.PROCESSES;
        if (processes && spec.pes() > 1 && !userSets("-XX:+Use", "GC")) {
            command.add("-XX:+UseSerialGC");
        }
        if (!userSets("-Xmx", "") && !userSets("-XX:MaxHeapSize", "") && !userSets("-XX:MaxRAM", "")) {
            command.add("-Xmx".concat(Long.toString(javaHeapBytes(spec) >> 20)).concat("m"));
        }
        if (processes && spec.pes() >= Runtime.getRuntime().availableProcessors()) {
            command.add(RARER_COMPILATION);
        }
        command.add("-XX:+DisplayVMOutputToStderr");
        command.add("-XX:-UsePerfData"); // a killed PE would leave its file of performance data in /tmp
        command.add("-Dstdout.encoding=".concat(encoding));
        command.add("-Dstderr.encoding=".concat(encoding));
        if (spec.program().modulePath().isEmpty()) {
            command.add("--enable-native-access=ALL-UNNAMED");
        } else {
            command.add("--enable-native-access=coterie,".concat(plugIns()).concat("ALL-UNNAMED"));
            if (processes || spec.program().module() == null) {
                command.add("--add-modules=ALL-MODULE-PATH");
                openMainClass(command);
            } else {
                command.add("--add-modules=".concat(MODULE)); // all PEs would share a module that the host has
            }
        }
        if (addsVectors()) {
            command.add(VectorModule.OPTION);
        }
        JobSpec.TrainingFiles trainingFiles = pe == 0 ? spec.trainingFiles() : null;
        if (trainingFiles != null) {
            command.add(VECTORS_NOTE.concat(trainingFiles.vectors().toString()));
        }
        Path recording = trainingFiles == null ? null : trainingFiles.recording();
        if (recording != null) {
            command.add("-XX:AOTMode=record");
            command.add("-XX:AOTConfiguration=".concat(recording.toString()));
            command.addAll(QUIET_CACHE);
        } else if (spec.startupCache() != null) {
            command.add("-XX:AOTCache=".concat(spec.startupCache().toString()));
            command.addAll(QUIET_CACHE);
            if (processes && spec.pes() > 1 && Runtime.version().feature() == VERSION_OF_SHARED_CACHE) {
                command.addAll(SHARED_CACHE);
            }
        }
        if (spec.debugPort() != 0) {
            command.add("-agentlib:jdwp=transport=dt_socket,server=y,suspend=y,quiet=y,address=127.0.0.1:"
                    .concat(Integer.toString(spec.debugPort() + pe)));
        }
        command.addAll(spec.jvmOptions());
        return command;
    }

    /// Returns the modules on the path that bring conduits, bootstraps or accelerators, which may call foreign
    /// functions, each with a comma after it. The JVM resolves them, since the runtime uses what they provide.
    /// Most jobs of one host use the runtime's own conduit, and their start does not read the jars.
    private String plugIns() {
        String conduit = spec.environment().getOrDefault(Setting.CONDUIT.variable(), Setting.CONDUIT.value());
        if (!isAcrossHosts && ConduitProviders.isBuiltIn(conduit)) {
            return modulePath().stream().anyMatch(JavaCommand::isAccelerator) ? ACCELERATOR + "," : "";
        }
        return ModuleFinder.of(modulePath().toArray(Path[]::new)).findAll().stream()
                .map(ModuleReference::descriptor)
                .filter(module -> module.provides().stream()
                        .map(ModuleDescriptor.Provides::service)
                        .anyMatch(PLUG_INS::contains))
                .map(module -> module.name() + ",")
                .sorted()
                .collect(Collectors.joining());
    }

    private static boolean isAccelerator(Path entry) {
        Path file = entry.getFileName();
        return file != null
                && file.toString().startsWith(ACCELERATOR_JAR)
                && file.toString().endsWith(".jar");
    }

    /// Opens the package of the main class to the launcher's module. A program may have its main class in a package
    /// that its module does not export: the JDK's own launcher calls such a class, too.
    private void openMainClass(List<String> command) {
        String module = spec.program().module();
        String mainClass = spec.program().mainClass();
        int dot = mainClass.lastIndexOf('.');
        if (module != null && dot > 0) {
            command.add("--add-opens=" + module + "/" + mainClass.substring(0, dot) + "=" + MODULE);
        }
    }

    /// Returns the largest Java heap of a PE's JVM, unless the user sets it: in whole MiB, 16 at least.
    static long javaHeapBytes(JobSpec spec) {
        long heap = Machine.memoryBytes() / 4 / (spec.mode() == PeMode.PROCESSES ? spec.pes() : 1);
        return Math.max(16, heap >> 20) << 20;
    }

    private String guard() {
        return setpriv == null ? UNGUARDED : GUARDED;
    }

    private boolean userSets(String prefix, String suffix) {
        for (String option : spec.jvmOptions()) {
            if (option.startsWith(prefix) && option.endsWith(suffix)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the tool that asks the kernel, before the first instruction of a program, to kill this program
    /// when its parent ends; null if there is none. BusyBox has a tool of the same name that can't ask for this.
    private static @Nullable Path findSetpriv(@Nullable String path) {
        for (String folder : path == null ? new String[0] : path.split(File.pathSeparator)) {
            Path tool = Path.of(folder, SETPRIV);
            if (Files.isExecutable(tool)) {
                try {
                    return tool.toRealPath().endsWith(SETPRIV) ? tool : null;
                } catch (IOException e) {
                    return null; // the tool has disappeared meanwhile: PEs ask the kernel
                }
            }
        }
        return null;
    }
}
