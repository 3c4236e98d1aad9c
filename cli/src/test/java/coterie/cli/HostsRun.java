// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.DefaultSignals;
import coterie.testing.NetworkNamespaces;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// A launcher in a process of its own that runs [HostsProgram] on several hosts.
final class HostsRun implements AutoCloseable {
    private static final String MARK = "HOSTS_TEST";

    private final String mark = UUID.randomUUID().toString();
    private final Path folder;
    final Process launcher;
    final BufferedReader out;

    /// @param prefix of the launcher's command, such as `ip netns exec a`
    /// @param words the options of `coterie run`, before the program
    /// @param arguments of the program
    HostsRun(Path folder, List<String> prefix, List<String> words, String... arguments) throws IOException {
        this.folder = folder;
        List<String> command = new ArrayList<>(DefaultSignals.of(prefix));
        command.addAll(List.of(
                "env",
                "--block-signal=HUP,INT,QUIT,USR1,USR2,TERM",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xrs",
                "-Xmx128m",
                "-D" + SignalForwarding.PROPERTY + "=blocked",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run",
                "--heap",
                "16m",
                "-J-Xmx64m",
                "-J-XX:TieredStopAtLevel=1",
                "-cp",
                "."));
        command.addAll(words);
        command.add(HostsProgram.class.getName());
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectError(folder.resolve("err").toFile());
        builder.environment().put("_JAVA_SR_SIGNUM", "16");
        builder.environment().put("XDG_CACHE_HOME", folder.toString());
        builder.environment().put("COTERIE_CONDUIT", "wire");
        builder.environment().put(MARK, mark);
        launcher = builder.start();
        out = launcher.inputReader(UTF_8);
    }

    /// Starts a job on hosts that are network namespaces: the launcher and one PE on the first, two PEs on each other.
    ///
    /// @param environment of the launcher: NAME=VALUE
    /// @param options of `coterie run` beside those that the network needs
    static HostsRun over(
            NetworkNamespaces network, Path folder, List<String> environment, List<String> options, String... arguments)
            throws IOException {
        StringBuilder list = new StringBuilder(network.name(0)).append(":1");
        for (int host = 1; host < network.hosts(); host++) {
            list.append(',').append(network.name(host)).append(":2");
        }
        List<String> prefix = new ArrayList<>(List.of("ip", "netns", "exec", network.name(0), "env"));
        prefix.addAll(environment);
        List<String> words = new ArrayList<>(
                List.of("--hosts", list.toString(), "--ssh", "ip netns exec", "--listen", network.network()));
        words.addAll(options);
        return new HostsRun(folder, prefix, words, arguments);
    }

    /// Writes a remote shell that runs the command on this machine: as ssh does, one string for a shell.
    static Path shell(Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("shell"), "#!/bin/sh\nshift\nexec sh -c \"exec $*\"\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /// Reads lines until as many as `count` match, and returns these.
    List<String> awaitLines(String regex, int count) throws IOException {
        List<String> found = new ArrayList<>();
        while (found.size() < count) {
            String line = out.readLine();
            assertThat(line)
                    .as("end of output instead of %s; errors: %s", regex, err())
                    .isNotNull();
            if (line.matches(regex)) {
                found.add(line);
            }
        }
        return found;
    }

    /// Reads the rest of the output, and returns the exit code.
    int await(List<String> lines) throws Exception {
        out.lines().forEach(lines::add);
        assertThat(launcher.waitFor(60, TimeUnit.SECONDS))
                .as("the launcher ends")
                .isTrue();
        return launcher.exitValue();
    }

    String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    /// Returns the process of a PE by its line "PE N up PID".
    static long pid(String up) {
        return Long.parseLong(up.substring(up.lastIndexOf(' ') + 1));
    }

    /// Sends a signal to a process.
    static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    /// Returns whether a process has the mark of this launcher.
    private boolean isOurs(Path process) {
        try {
            return Files.readString(process.resolve("environ"), ISO_8859_1).contains(MARK + "=" + mark);
        } catch (IOException e) {
            return false; // it has ended
        }
    }

    /// Returns the processes that this launcher has started and that still live, by their environment.
    List<Long> processes() {
        List<Long> found = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc"))) {
            for (Path each : all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                if (isOurs(each)) {
                    found.add(Long.parseLong(each.getFileName().toString()));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /// Returns the agents.
    List<Long> agents() throws IOException {
        List<Long> agents = new ArrayList<>();
        for (long pid : processes()) {
            Path file = Path.of("/proc/" + pid + "/cmdline");
            if (Files.exists(file) && Files.readString(file).endsWith("HostAgent\0")) {
                agents.add(pid);
            }
        }
        return agents;
    }

    /// Waits until no process of the job lives.
    void awaitNothing() {
        Awaitility.await()
                .atMost(20, TimeUnit.SECONDS)
                .untilAsserted(() -> assertThat(processes()).isEmpty());
    }

    @Override
    public void close() {
        launcher.destroyForcibly();
        awaitNothing();
    }
}
