// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import coterie.CoterieException;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.SystemInfo;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `coterie doctor`: what is well here, what is not and how to mend it; clears away leftovers; ends with a job of
/// two PEs.
final class DoctorCommand {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int ROUNDS = 200_000;
    private static final int LEAST_DESCRIPTORS = 256;
    private static final long LEAST_SHM_BYTES = 64 << 20;

    private final CommandEnvironment commandEnvironment;
    private boolean well = true;

    DoctorCommand(CommandEnvironment commandEnvironment) {
        this.commandEnvironment = commandEnvironment;
    }

    int run() throws IOException {
        java();
        for (SystemInfo.ConduitInfo conduit : SystemInfo.conduits()) {
            check(conduit.usable(), "conduit " + conduit.name() + ": " + conduit.because(), null);
        }
        sharedMemory();
        parentDeath();
        signals();
        limits();
        caches();
        check(true, "leftover job segments: swept " + SystemInfo.sweepSegments(), null);
        selfTest();
        return well ? ExitCode.SUCCESS.code() : ExitCode.UNCAUGHT.code();
    }

    /// Says how one thing stands; `mend` says what to do where it does not.
    private void check(boolean good, String what, @Nullable String mend) {
        well &= good;
        commandEnvironment.out().println((good ? "✓ " : "✗ ") + what);
        if (!good && mend != null) {
            commandEnvironment.out().println("  → " + mend);
        }
    }

    /// Something that we can do without.
    private void note(boolean good, String what, String mend) {
        commandEnvironment.out().println((good ? "✓ " : "! ") + what);
        if (!good) {
            commandEnvironment.out().println("  → " + mend);
        }
    }

    private void java() {
        check(
                true,
                "Java " + System.getProperty("java.runtime.version") + " in " + System.getProperty("java.home"),
                null);
        String cache = System.getProperty(RunCommand.STARTUP_CACHE);
        note(
                cache != null,
                "start-up cache of PEs: " + (cache == null ? "none, so that programs start more slowly" : cache),
                "start Coterie by its script; if it is the script, see caches.log beside the build");
        check(
                Coterie.class.getModule().isNativeAccessEnabled(),
                "native access for the runtime",
                "start Coterie by its script, or give java --enable-native-access=coterie");
    }

    private void sharedMemory() throws IOException {
        Path folder = Path.of("/dev/shm");
        if (!Files.isWritable(folder)) {
            note(
                    false,
                    "/dev/shm can't be written; job segments go to the folder for temporary files",
                    "mount a tmpfs there");
            return;
        }
        FileStore store = Files.getFileStore(folder);
        long free = store.getUsableSpace();
        check(
                free >= LEAST_SHM_BYTES,
                "/dev/shm: " + (free >> 20) + " MiB free of " + (store.getTotalSpace() >> 20)
                        + " MiB (holds job segments only; symmetric memory does not count here)",
                "remove what fills it, or enlarge it: mount -o remount,size=1g /dev/shm");
    }

    private void parentDeath() {
        boolean found = false;
        for (Path folder : RuntimePath.split(commandEnvironment.environment().getOrDefault("PATH", ""))) {
            found |= Files.isExecutable(folder.resolve("setpriv"));
        }
        note(
                found,
                "setpriv, which ends PEs with their launcher from their first instruction on"
                        + (found ? "" : ": not found; PEs see to it themselves once they run"),
                "install util-linux");
    }

    private void signals() {
        boolean blocked = "blocked".equals(System.getProperty(SignalForwarding.PROPERTY));
        note(
                blocked,
                "signals are passed on to PEs" + (blocked ? "" : ": no; a signal to the launcher ends the job at once"),
                "start Coterie by its script, with an env that knows --block-signal (coreutils 8.31)");
    }

    private void limits() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/limits"))) {
            if (line.startsWith("Max open files")) {
                String figures = line.substring("Max open files".length()).strip();
                String soft = figures.substring(0, figures.indexOf(' '));
                boolean enough = soft.equals("unlimited") || Long.parseLong(soft) >= LEAST_DESCRIPTORS;
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
            int swept = Files.isDirectory(programs) ? StagingDirectory.sweep(programs) : 0;
            check(Files.isWritable(cache), "cache folder " + cache + ": swept " + swept + " leftovers", null);
        } catch (IOException e) {
            check(false, "cache folder: " + e.getMessage(), "set XDG_CACHE_HOME to a folder that you can write");
        }
    }

    private void selfTest() {
        RuntimePath runtime = RuntimePath.own();
        JobSpec.Program program = new JobSpec.Program(
                RunCommand.SELF_TEST,
                null,
                runtime.classPath(),
                runtime.modulePath(),
                List.of(Integer.toString(ROUNDS)));
        List<String> lines = Collections.synchronizedList(new ArrayList<>());
        JobSpec spec = JobSpec.of("self-test", 2, program)
                .withInput(JobSpec.Input.NOBODY)
                .withTimeout(PATIENCE)
                .withOutput(new JobSpec.Output.Lines((pe, standardError, line) -> lines.add("[" + pe + "] " + line)));
        try (Job job = Job.start(spec)) {
            int exitCode = job.await();
            String latency = said(lines, "latency ");
            String reductions = said(lines, "reductions ");
            check(
                    exitCode == 0 && latency != null,
                    "a job of two PEs: "
                            + (latency == null ? "exit code " + exitCode : latency + " ns from one to the other"),
                    "it said: " + String.join("\n    ", lines));
            if (reductions != null) {
                check(true, "reductions by " + reductions, null);
            }
        } catch (CoterieException e) {
            check(false, "a job of two PEs: " + e.getMessage(), null);
        }
    }

    /// What PE 0 said behind a word.
    private static @Nullable String said(List<String> lines, String word) {
        String mark = "[0] ".concat(word);
        for (String line : lines) {
            if (line.startsWith(mark)) {
                return line.substring(mark.length());
            }
        }
        return null;
    }
}
