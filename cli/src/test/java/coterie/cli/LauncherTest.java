// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.DefaultSignals;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The launcher as a process of its own, started as the script starts it: signals and exit codes.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LauncherTest {
    /// Prints that it is up; with an argument, it does not end when the launcher asks for it.
    private static final String WAITING = """
            void main(String[] arguments) throws Exception {
                var ended = new java.util.concurrent.CountDownLatch(1);
                for (String name : new String[] {"USR1", "USR2"}) {
                    sun.misc.Signal.handle(new sun.misc.Signal(name), signal -> IO.println("got " + name));
                }
                if (arguments.length > 0) {
                    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
                        IO.println("asked");
                        System.out.flush();
                        while (true) {
                            java.util.concurrent.locks.LockSupport.park();
                        }
                    }));
                }
                IO.println("up");
                ended.await();
            }
            """;

    @TempDir
    private Path folder;

    private Process launcher;
    private BufferedReader out;

    private void start(String... words) throws IOException {
        start(Map.of(), words);
    }

    private void start(Map<String, String> environment, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                "env",
                "--block-signal=HUP,INT,QUIT,USR1,USR2,TERM",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xrs",
                "-D" + SignalForwarding.PROPERTY + "=blocked",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "run"));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(DefaultSignals.of(command))
                .redirectError(folder.resolve("err").toFile());
        builder.environment().put("_JAVA_SR_SIGNUM", "16");
        builder.environment().put("XDG_CACHE_HOME", folder.toString());
        builder.environment().putAll(environment);
        launcher = builder.start();
        out = launcher.inputReader(UTF_8);
    }

    private void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(launcher.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    private void awaitLines(String... lines) throws IOException {
        List<String> missing = new ArrayList<>(List.of(lines));
        while (!missing.isEmpty()) {
            String line = out.readLine();
            assertThat(line).as("waiting for %s", missing).isNotNull();
            missing.remove(line);
        }
    }

    private String err() throws IOException {
        return Files.readString(folder.resolve("err"));
    }

    private String program(String text) throws IOException {
        return Files.writeString(folder.resolve("Program.java"), text).toString();
    }

    @AfterEach
    void stop() throws Exception {
        launcher.destroyForcibly().waitFor();
    }

    @Test
    @DisplayName(
            "USR1 and USR2 reach the PEs' handlers, QUIT shows the threads of each PE, and the job goes on; TERM ends it")
    void passesOn() throws Exception {
        start("-n", "2", "--tag-output", program(WAITING));
        awaitLines("[0] up", "[1] up");
        signal("USR1");
        awaitLines("[0] got USR1", "[1] got USR1");
        signal("USR2");
        awaitLines("[0] got USR2", "[1] got USR2");
        signal("QUIT");
        signal("USR1"); // taken after QUIT; its echo shows that the PEs live
        awaitLines("[0] got USR1", "[1] got USR1");
        signal("TERM");
        assertThat(launcher.waitFor()).isEqualTo(143);
        assertThat(err()).contains("[0] Full thread dump").contains("[1] Full thread dump");
    }

    @Test
    @DisplayName(
            "a PE that does not end when asked to is killed by the second signal; the exit code is the first one's")
    void secondSignalKills() throws Exception {
        start("--grace", "1h", program(WAITING), "stubborn");
        awaitLines("up");
        signal("INT");
        awaitLines("asked");
        signal("TERM");
        assertThat(launcher.waitFor()).isEqualTo(130);
    }

    @Test
    @DisplayName("a PE that does not end when asked to is killed after the grace")
    void graceEnds() throws Exception {
        start("--grace", "100ms", program(WAITING), "stubborn");
        awaitLines("up");
        signal("TERM");
        assertThat(launcher.waitFor()).isEqualTo(143);
    }

    @Test
    @DisplayName("kill ends a job by its name, and ps shows it alone")
    void killsByName() throws Exception {
        String name = "job of " + folder.getFileName();
        start("--name", name, "-n", "2", "--tag-output", program(WAITING));
        awaitLines("[0] up", "[1] up");
        ByteArrayOutputStream listed = new ByteArrayOutputStream();
        PrintStream print = new PrintStream(listed, true, UTF_8);
        assertThat(Main.run(List.of("ps", name), new CommandEnvironment(print, print, Map.of())))
                .isZero();
        assertThat(listed.toString(UTF_8)).startsWith(name + ": 2 PEs, launcher " + launcher.pid() + ", ");
        listed.reset();
        assertThat(Main.run(List.of("kill", name), new CommandEnvironment(print, print, Map.of())))
                .isZero();
        assertThat(listed.toString(UTF_8)).isEqualTo(name + " (launcher " + launcher.pid() + ") was asked to end\n");
        assertThat(launcher.waitFor()).isEqualTo(143);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    0   | IO.println(1);
                    3   | System.exit(3);
                    1   | throw new IllegalStateException("thrown on purpose");
                    137 | new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start().waitFor();
                    """)
    @DisplayName("the exit code is that of the PE, 128 + n for signal n, and 1 for an uncaught exception")
    void exitCodes(int exitCode, String body) throws Exception {
        start(program("void main() throws Exception { " + body + " }"));
        assertThat(launcher.waitFor()).as(err()).isEqualTo(exitCode);
    }

    @Test
    @DisplayName("a job that runs too long ends with 124")
    void timeout() throws Exception {
        start("--timeout", "1s", program(WAITING));
        assertThat(launcher.waitFor()).isEqualTo(124);
    }

    @Test
    @DisplayName("under another launcher the first process prints one warning, and its PEs print none")
    void warnsOfOtherLaunchers() throws Exception {
        String joins = program("void main() { coterie.World.join().close(); }");
        start(Map.of("PMI_RANK", "0", "PMI_SIZE", "2"), "-n", "2", joins);
        assertThat(launcher.waitFor()).as(err()).isZero();
        assertThat(err())
                .startsWith("coterie: warning: environment variable PMI_SIZE is 2: ")
                .hasLineCount(1);
        start(Map.of("PMI_RANK", "1", "PMI_SIZE", "2"), "-n", "2", joins);
        assertThat(launcher.waitFor()).as(err()).isZero();
        assertThat(err()).isEmpty();
    }

    @Test
    @DisplayName("a value of --env is in no command line of a PE")
    void valuesStayOutOfCommandLines() throws Exception {
        String program = program("""
                void main() throws Exception {
                    IO.println(System.getenv("KEY").length());
                    for (ProcessHandle it = ProcessHandle.current(); ; it = it.parent().orElseThrow()) {
                        String words = java.nio.file.Files.readString(java.nio.file.Path.of("/proc/" + it.pid() + "/cmdline"));
                        IO.println(words.contains("coterie.cli.Main") ? "launcher" : "PE " + words.contains("s3cret"));
                        if (words.contains("coterie.cli.Main")) {
                            return;
                        }
                    }
                }
                """);
        start("--env", "KEY=s3cret", program);
        assertThat(out.lines()).containsExactly("6", "PE false", "launcher");
        assertThat(launcher.waitFor()).as(err()).isZero();
    }

    @Test
    @DisplayName("an absent class ends with 127, a class without a main method with 126")
    void notRunnable() throws Exception {
        start("-cp", folder.toString(), "absent.Main");
        assertThat(launcher.waitFor()).isEqualTo(127);
        start("-cp", folder.toString(), UsageException.class.getName());
        assertThat(launcher.waitFor()).isEqualTo(126);
    }
}
