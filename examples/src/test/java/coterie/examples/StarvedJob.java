// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.ProcessorQuota;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/// A job under `--on-deadlock abort` whose processes get no processor for a while, again and again.
final class StarvedJob implements AutoCloseable {
    private static final long LIMIT_SECONDS = 300;

    /// The smallest part of a processor that the kernel gives.
    private static final long LEAST_MICROS = 1000;

    private final Process launcher;
    private final Path errors;
    private final BufferedReader output;
    private final List<String> lines = new ArrayList<>();

    private StarvedJob(List<String> words, Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>(ProgramRun.RUN);
        command.addAll(List.of("--on-deadlock", "abort", "--timeout", LIMIT_SECONDS + "s"));
        command.addAll(List.of("-cp", classes().toString()));
        command.addAll(words);
        errors = Files.createTempFile("starved", ".err");
        ProcessBuilder builder = new ProcessBuilder(ProgramRun.command(command)).redirectError(errors.toFile());
        builder.environment().putAll(environment);
        launcher = builder.start();
        launcher.getOutputStream().close();
        output = launcher.inputReader(StandardCharsets.UTF_8);
    }

    /// Starts a job.
    ///
    /// @param words of `coterie run`: options, the main class, which is one of these tests, and its arguments
    static StarvedJob start(List<String> words) throws IOException {
        return start(words, Map.of());
    }

    /// Starts a job with variables of the environment.
    static StarvedJob start(List<String> words, Map<String, String> environment) throws IOException {
        return new StarvedJob(words, environment);
    }

    private static Path classes() {
        return Path.of(StarvedJob.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath());
    }

    /// What a test does with one job.
    @FunctionalInterface
    interface Case {
        void run(int number) throws Exception;
    }

    /// Runs cases, some at once: jobs that wait leave the processors to others.
    static void inParallel(int cases, int atOnce, Case each) throws Exception {
        try (ExecutorService executor = Executors.newFixedThreadPool(atOnce)) {
            List<Future<?>> futures = new ArrayList<>();
            for (int number = 0; number < cases; number++) {
                int mine = number;
                futures.add(executor.submit(() -> {
                    each.run(mine);
                    return null;
                }));
            }
            for (Future<?> future : futures) {
                future.get();
            }
        }
    }

    /// Waits for a line of a PE.
    void awaitLine(String line) throws IOException {
        for (String read = output.readLine(); read != null; read = output.readLine()) {
            lines.add(read);
            if (read.equals(line)) {
                return;
            }
        }
        throw new AssertionError(launcher.info() + " ended without \"" + line + "\": " + lines + errors());
    }

    /// Waits until the launcher has started all PEs, which have not joined the job then.
    void awaitPes(int number) {
        Awaitility.await()
                .pollInterval(20, TimeUnit.MILLISECONDS)
                .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
                .until(() -> pes().size() == number);
    }

    private List<Long> pes() {
        return launcher.children().map(ProcessHandle::pid).toList();
    }

    /// Suspends random processes for random times, until the job ends: PEs, and now and then the launcher.
    ///
    /// @param pauses for how long
    void pauseToEnd(Random random, RightProgram.Delays pauses) throws IOException, InterruptedException {
        while (launcher.isAlive()) {
            List<Long> chosen = new ArrayList<>(pes());
            chosen.removeIf(pid -> random.nextInt(3) == 0);
            if (random.nextInt(4) == 0) {
                chosen.add(launcher.pid());
            }
            signal("STOP", chosen);
            try {
                Thread.sleep(pauses.next(random));
            } finally {
                signal("CONT", chosen);
            }
            Thread.sleep(pauses.next(random) / 2);
        }
    }

    /// Some may have ended meanwhile.
    private static void signal(String name, List<Long> pids) throws IOException, InterruptedException {
        if (!pids.isEmpty()) {
            List<String> command = new ArrayList<>(List.of("kill", "-" + name));
            pids.forEach(pid -> command.add(pid.toString()));
            new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    /// Lets all PEs together have 1 ms of a processor a second for a while, and then as much as they like; again and
    /// again until the job ends or the time is over.
    ///
    /// @param times how often
    void throttle(Random random, RightProgram.Delays windows, int times) throws IOException, InterruptedException {
        try (ProcessorQuota quota = new ProcessorQuota()) {
            for (int time = 0; time < times && launcher.isAlive(); time++) {
                for (long pid : pes()) {
                    quota.add(pid);
                }
                quota.limit(LEAST_MICROS);
                Thread.sleep(windows.next(random));
                quota.release();
                Thread.sleep(windows.next(random) / 4);
            }
            lines.add("throttled in " + quota.throttled() + " periods");
        }
    }

    /// Reads to the end of the job, which must be a good one.
    ///
    /// @return all lines of its PEs
    List<String> awaitGoodEnd() throws IOException, InterruptedException {
        for (String read = output.readLine(); read != null; read = output.readLine()) {
            lines.add(read);
        }
        assertThat(launcher.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(errors()).as("standard error; output %s", lines).isEmpty();
        assertThat(launcher.exitValue()).as("output %s", lines).isZero();
        return lines;
    }

    private String errors() throws IOException {
        return Files.readString(errors, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        launcher.destroyForcibly();
        Files.delete(errors);
    }
}
