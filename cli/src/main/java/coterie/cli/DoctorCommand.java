// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import coterie.CoterieException;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.SystemInfo;
import coterie.internal.launch.Terminal;
import coterie.internal.launch.Terminal.Style;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// `coterie doctor`: checks this machine, prints a remedy for each fault, removes leftover files, and runs a job
/// of two PEs.
final class DoctorCommand {
    private static final Duration SELF_TEST_LIMIT = Duration.ofSeconds(60);
    private static final int ROUNDS = 200_000;
    private static final int MIN_DESCRIPTORS = 256;
    private static final long MIN_SHM_BYTES = 64 << 20;

    /// The conduit without which no job of one machine runs.
    private static final String BUILT_IN = "mapped";

    private final CommandEnvironment commandEnvironment;
    private boolean isHealthy = true;

    DoctorCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run() throws IOException {
        Thread.currentThread().setContextClassLoader(InfoCommand.loader(List.of()));
        java();
        conduits();
        accelerators();
        sharedMemory();
        parentDeath();
        signals();
        limits();
        caches();
        check(true, "leftover job segments: removed " + SystemInfo.sweepSegments(), null);
        selfTest();
        return isHealthy ? ExitCode.SUCCESS.code() : ExitCode.UNCAUGHT.code();
    }

    /// Prints the result of a check, and a remedy for a fault.
    private void check(boolean good, String finding, @Nullable String remedy) {
        isHealthy &= good;
        commandEnvironment.out().println(mark(good, "✗", Style.RED) + finding);
        if (!good && remedy != null) {
            commandEnvironment.out().println("  → " + remedy);
        }
    }

    private String mark(boolean good, String fault, Style style) {
        boolean hasColor = Terminal.hasColor(Terminal.OUT, commandEnvironment.environment());
        return (good ? Style.GREEN.of("✓", hasColor) : style.of(fault, hasColor)) + " ";
    }

    /// Prints the result of a check that is no fault if it fails.
    private void note(boolean good, String finding, String remedy) {
        commandEnvironment.out().println(mark(good, "!", Style.YELLOW) + finding);
        if (!good) {
            commandEnvironment.out().println("  → " + remedy);
        }
    }

    private void java() {
        check(
                true,
                "Java " + System.getProperty("java.runtime.version") + " in " + System.getProperty("java.home"),
                null);
        Map<String, String> environment = commandEnvironment.environment();
        JdkFaults.Jvm jvm = new JdkFaults.Jvm(
                Runtime.version(),
                System.getProperty("os.arch"),
                environment.getOrDefault("JDK_JAVA_OPTIONS", "")
                        + " "
                        + environment.getOrDefault("JAVA_TOOL_OPTIONS", ""));
        JdkFaults.of(jvm).forEach(fault -> note(false, "this Java: " + fault.text(), fault.remedy()));
        String cache = System.getProperty(RunCommand.STARTUP_CACHE);
        note(
                cache != null,
                "start-up cache of PEs: " + (cache == null ? "none; programs start more slowly" : cache),
                "start Coterie with its script; if you did, read target/dist/start/caches.log");
        check(
                Coterie.class.getModule().isNativeAccessEnabled(),
                "native access for the runtime",
                "start Coterie with its script, or pass --enable-native-access=coterie to java");
    }

    /// A machine without what a conduit that plugs in needs is healthy, too.
    private void conduits() {
        for (SystemInfo.ConduitInfo conduit : SystemInfo.conduits()) {
            String finding = "conduit " + conduit.name() + ": ";
            if (conduit.usable() || conduit.name().equals(BUILT_IN)) {
                check(conduit.usable(), finding + conduit.because(), null);
            } else {
                note(false, finding + "not usable here", conduit.because());
            }
        }
    }

    /// A machine without devices is healthy, too.
    private void accelerators() {
        for (SystemInfo.AcceleratorInfo accelerator : SystemInfo.accelerators()) {
            String finding = "accelerator " + accelerator.name() + ": ";
            note(
                    accelerator.usable(),
                    finding + (accelerator.usable() ? accelerator.because() : "none"),
                    accelerator.because());
        }
    }

    private void sharedMemory() throws IOException {
        Path folder = Path.of("/dev/shm");
        if (!Files.isWritable(folder)) {
            note(
                    false,
                    "/dev/shm is not writable; job segments are memory files, with which jobs start more slowly",
                    "mount a tmpfs there");
            return;
        }
        FileStore store = Files.getFileStore(folder);
        long free = store.getUsableSpace();
        check(
                free >= MIN_SHM_BYTES,
                "/dev/shm: " + (free >> 20) + " MiB free of " + (store.getTotalSpace() >> 20)
                        + " MiB (for job segments; symmetric memory is not in it)",
                "remove files from it, or enlarge it: mount -o remount,size=1g /dev/shm; if a segment does not fit,"
                        + " it is a memory file, with which a job starts more slowly; if /dev/shm is full later, the"
                        + " runtime refuses new teams");
    }

    private void parentDeath() {
        boolean found = false;
        for (Path folder : RuntimePath.split(commandEnvironment.environment().getOrDefault("PATH", ""))) {
            found |= Files.isExecutable(folder.resolve("setpriv"));
        }
        note(
                found,
                "setpriv, with which the kernel kills PEs when their launcher ends"
                        + (found ? "" : ": not found; each PE arranges it by itself, shortly after its start"),
                "install util-linux");
    }

    private void signals() {
        boolean blocked = "blocked".equals(System.getProperty(SignalForwarding.PROPERTY));
        note(
                blocked,
                "the launcher passes signals on to PEs"
                        + (blocked ? "" : ": no; a signal to the launcher ends the job at once"),
                "start Coterie with its script; it needs an env with --block-signal (coreutils 8.31)");
    }

    private void limits() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
            if (line.startsWith("Max open files")) {
                String figures = line.substring("Max open files".length()).strip();
                String soft = figures.substring(0, figures.indexOf(' '));
                boolean enough = soft.equals("unlimited") || Long.parseLong(soft) >= MIN_DESCRIPTORS;
                check(enough, "open files: at most " + soft, "ulimit -n 4096");
            }
            if (line.startsWith("Max address space")) {
                boolean unlimited = line.contains("unlimited");
                check(unlimited, "address space: " + (unlimited ? "unlimited" : "limited"), "ulimit -v unlimited");
            }
        }
    }

    private void caches() {
        try {
            Path cache = CacheFolder.open(commandEnvironment.environment());
            Path programs = cache.resolve("programs");
            int removed = Files.isDirectory(programs) ? StagingDirectory.sweep(programs) : 0;
            removed += ProgramCache.sweep(cache);
            check(Files.isWritable(cache), "cache folder " + cache + ": removed " + removed + " leftovers", null);
            check(true, "start-up caches of programs: " + ProgramCache.described(cache), null);
        } catch (IOException e) {
            check(false, "cache folder: " + e.getMessage(), "set XDG_CACHE_HOME to a folder that you can write to");
        }
    }

    private void selfTest() {
        JobSpec.Program program =
                RuntimePath.own().program(RunCommand.SELF_TEST, List.of(), List.of(Integer.toString(ROUNDS)));
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        JobSpec spec = JobSpec.of("self-test", 2, program)
                .withInput(JobSpec.Input.NONE)
                .withTimeout(SELF_TEST_LIMIT)
                .withOutput(new JobSpec.Output.Lines((pe, standardError, line) -> lines.add("[" + pe + "] " + line)));
        try (Job job = Job.start(spec)) {
            int exitCode = job.await();
            String latency = printed(lines, "latency ");
            String reductions = printed(lines, "reductions ");
            check(
                    exitCode == 0 && latency != null,
                    "a job of two PEs: "
                            + (latency == null ? "exit code " + exitCode : latency + " ns from PE 0 to PE 1"),
                    "its output: " + String.join("\n    ", lines));
            if (reductions != null) {
                check(true, "reductions by " + reductions, null);
            }
        } catch (CoterieException e) {
            check(false, "a job of two PEs: " + e.getMessage(), null);
        }
    }

    /// Returns the rest of the line of PE 0 that begins with a word, or null.
    private static @Nullable String printed(List<String> lines, String word) {
        String mark = "[0] ".concat(word);
        for (String line : lines) {
            if (line.startsWith(mark)) {
                return line.substring(mark.length());
            }
        }
        return null;
    }
}
