// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.DefaultSignals;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// A launcher under test, in a process of its own: see [Launching].
final class Launch implements AutoCloseable {
    /// Everything here takes a second on an idle machine.
    static final int PATIENCE_SECONDS = 60;

    /// Enough on an idle machine, and a limit that a launcher has reached before [#PATIENCE_SECONDS] end.
    private static final long FIRST_LIMIT_MILLIS = 2_000;

    private static final long LAST_LIMIT_MILLIS = 16_000;

    /// A variable of the environment, by which a test finds the processes of its job.
    static final String MARKER = "COTERIE_TEST_MARKER";

    private final String marker = UUID.randomUUID().toString();
    private final Process launcher;
    private final List<String> out = new CopyOnWriteArrayList<>();
    private final List<String> err = new CopyOnWriteArrayList<>();
    private final Thread outReader;
    private final Thread errReader;

    private Launch(List<String> command, Map<String, String> environment) {
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().putAll(environment);
            builder.environment().put(MARKER, marker);
            launcher = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        outReader = read(launcher.getInputStream(), out);
        errReader = read(launcher.getErrorStream(), err);
    }

    /// Starts a launcher.
    ///
    /// @param options of [Launching], such as `pes=4`, separated by spaces
    static Launch start(String options, Class<?> program, String... arguments) {
        return start(Map.of(), options, program, arguments);
    }

    /// Starts a launcher like [#start(String, Class, String...)], with these variables in its environment.
    static Launch start(Map<String, String> environment, String options, Class<?> program, String... arguments) {
        return start(environment, options, program.getName(), arguments);
    }

    /// Starts a launcher like [#start(Map, String, Class, String...)], of a class that the tests do not have.
    static Launch start(Map<String, String> environment, String options, String program, String... arguments) {
        return start(List.of(), environment, options, program, arguments);
    }

    /// As [#start(Map, String, String, String...)], by a command that runs the command behind it.
    private static Launch start(
            List<String> prefix, Map<String, String> environment, String options, String program, String... arguments) {
        List<String> command = new ArrayList<>(DefaultSignals.of(prefix));
        CachedClasses classes = CachedClasses.ofThisRun();
        command.addAll(java());
        command.addAll(List.of(
                "-XX:AOTCache=" + classes.launcherCache(),
                "-D" + Launching.PE_CACHE + "=" + classes.peCache(),
                "-cp",
                classes.classPathText(),
                Launching.class.getName()));
        Stream.of(options.split(" ")).filter(option -> !option.isEmpty()).forEach(command::add);
        command.add("--");
        command.add(program);
        command.addAll(List.of(arguments));
        return new Launch(command, environment);
    }

    /// A launcher's JVM, without its class path.
    static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED");
    }

    /// Runs a launcher to its end, by a shell's command that ends with `exec "$@"`.
    static Launch runBy(List<String> shell, String options, Class<?> program, String... arguments) {
        Launch launch = start(shell, Map.of(), options, program.getName(), arguments);
        launch.type("");
        launch.awaitEnd();
        return launch;
    }

    /// Runs a launcher to its end.
    static Launch run(String options, Class<?> program, String... arguments) {
        Launch launch = start(options, program, arguments);
        launch.type("");
        launch.awaitEnd();
        return launch;
    }

    /// Runs a launcher to its end by a time limit, which doubles until the PEs have come as far as the law needs:
    /// how long they take to start depends on the machine.
    ///
    /// @param law checks what has come of it, however short the limit was the last time
    static void runWithin(String options, Class<?> program, Consumer<Launch> law) {
        for (long limitMillis = FIRST_LIMIT_MILLIS; ; limitMillis *= 2) {
            try (Launch launch = run(options + " timeoutMillis=" + limitMillis, program)) {
                law.accept(launch);
                return;
            } catch (AssertionError e) {
                if (limitMillis > LAST_LIMIT_MILLIS) {
                    throw e;
                }
            }
        }
    }

    private static Thread read(InputStream from, List<String> to) {
        return Thread.ofPlatform().daemon().start(() -> {
            try (BufferedReader lines = new BufferedReader(new InputStreamReader(from, StandardCharsets.UTF_8))) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    to.add(line);
                }
            } catch (IOException e) {
                to.add("reading failed: " + e);
            }
        });
    }

    /// Writes all that the launcher will ever read.
    void type(String text) {
        try (OutputStream in = launcher.getOutputStream()) {
            in.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Sends the launcher a command, see [Launching].
    void command(String line) {
        try {
            OutputStream in = launcher.getOutputStream();
            in.write(line.concat("\n").getBytes(StandardCharsets.UTF_8));
            in.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for the launcher's end. Returns its exit code.
    int awaitEnd() {
        try {
            assertThat(launcher.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS))
                    .as("ends in time; stdout %s, stderr %s", out, err)
                    .isTrue();
            outReader.join();
            errReader.join();
            return launcher.exitValue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits until a line comes up on stdout as often as that.
    void awaitOut(String line, int times) {
        Awaitility.await()
                .atMost(PATIENCE_SECONDS, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(out)
                        .filteredOn(line::equals)
                        .as("stderr: %s", err)
                        .hasSize(times));
    }

    int exitCode() {
        return launcher.exitValue();
    }

    List<String> out() {
        return out;
    }

    List<String> err() {
        return err;
    }

    /// The lines that the launcher itself wrote.
    List<String> reports() {
        return err.stream()
                .filter(line -> line.startsWith("coterie: PE") || line.startsWith("coterie: the job"))
                .toList();
    }

    Process launcher() {
        return launcher;
    }

    /// Running processes of the job, without the launcher.
    List<Long> processes() {
        return processes(marker).stream().filter(pid -> pid != launcher.pid()).toList();
    }

    /// Running processes with this value of [#MARKER].
    static List<Long> processes(String marker) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::pid)
                .filter(pid -> environment(pid).contains(MARKER + "=" + marker))
                .toList();
    }

    /// Processes of the job that have become PEs.
    List<Long> pes() {
        return processes().stream()
                .filter(pid -> environment(pid).contains("COTERIE_PE="))
                .toList();
    }

    private static String environment(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // gone, or not ours
        }
    }

    /// Waits until nothing of the job is left: no process, and no file of its segment.
    void awaitNothingLeft() {
        Awaitility.await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS).untilAsserted(() -> {
            assertThat(processes()).isEmpty();
            try (Stream<Path> files = Files.list(Path.of("/dev/shm"))) {
                assertThat(files.map(Path::toString)).noneMatch(file -> file.contains("coterie-job-" + launcher.pid()));
            }
        });
    }

    @Override
    public void close() {
        launcher.destroyForcibly();
        awaitNothingLeft();
    }
}
