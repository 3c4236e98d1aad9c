// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `coterie run --hosts` with agents on this machine, by a remote shell that runs its command here.
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class HostsTest {
    private static final int KILLS = Boolean.getBoolean("coterie.soak") ? 60 : 3;

    @TempDir
    private Path folder;

    private HostsRun start(String options, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(
                "--hosts",
                "localhost:2,127.0.0.1:1",
                "--ssh",
                HostsRun.shell(folder).toString()));
        words.addAll(options.isEmpty() ? List.of() : Arrays.asList(options.split(" ")));
        return new HostsRun(folder, List.of(), words, arguments);
    }

    @Test
    @DisplayName("PEs of all hosts are one job: numbers, nodes, memory, collectives; output has the PE's number")
    void oneJob() throws Exception {
        try (HostsRun run = start("--tag-output", "end")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            assertThat(lines)
                    .containsExactlyInAnyOrder(
                            "[0] PE 0 left 102 sum 6 node 2",
                            "[1] PE 1 left 100 sum 6 node 2",
                            "[2] PE 2 left 101 sum 6 node 1");
            assertThat(run.err()).isEmpty();
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName("PEs of one host open nothing to others: they map each other's memory")
    void oneHost() throws Exception {
        String shell = HostsRun.shell(folder).toString();
        List<String> words = List.of("--hosts", "localhost:3", "--ssh", shell, "--env", "COTERIE_CONDUIT=auto");
        try (HostsRun run = new HostsRun(folder, List.of(), words, "openings")) {
            assertThat(run.awaitLines("PE [0-2] of 3 opens \\[]", 3)).doesNotHaveDuplicates();
            assertThat(run.await(new ArrayList<>())).as(run.err()).isZero();
        }
    }

    @Test
    @DisplayName("staged files are on each host while the job runs; what the job has written there stays, and is named")
    void staging() throws Exception {
        Path parent = Files.createDirectory(folder.resolve("staged"));
        try (HostsRun run = start("--stage " + parent + " --stage-files pom.xml", "copies")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            String its = parent + "/coterie-[0-9a-f-]+" + Path.of("").toAbsolutePath();
            assertThat(lines.stream().filter(line -> line.contains(" works in ")))
                    .hasSize(3)
                    .allMatch(line -> line.matches("PE [0-2] works in " + its + ", runs " + parent
                            + "/coterie-.*, has a file of " + fileSize() + " bytes"));
            assertThat(run.err())
                    .containsPattern(
                            "coterie: files that the job has written stay on host 1-127.0.0.1: " + its + "/result.txt");
            run.awaitNothing();
        }
        try (Stream<Path> files = Files.walk(parent)) {
            assertThat(files.filter(Files::isRegularFile))
                    .singleElement()
                    .satisfies(file -> assertThat(file).hasContent("a result"));
        }
    }

    private static long fileSize() {
        return Path.of("pom.xml").toFile().length();
    }

    @Test
    @DisplayName("a host that takes no files ends the job with 125 before anything runs, and its reason is printed")
    void noStaging() throws Exception {
        try (HostsRun run = start("--stage " + folder.resolve("absent"), "end")) {
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(125);
            assertThat(run.err())
                    .contains("host localhost does not take the job's files: mkdir -m 700 " + folder.resolve("absent"))
                    .contains("No such file or directory");
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName("where a host has no Java at the place of the launcher's, its own serves")
    void ownJava() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin");
        Path shell = Files.writeString(
                folder.resolve("elsewhere"),
                "#!/bin/sh\nshift\nPATH=" + java + ":$PATH\nexec sh -c \"exec $(echo \"$*\" | sed 's#PATH=" + java
                        + ":#PATH=/absent:#')\"\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        List<String> words = List.of("--hosts", "localhost,127.0.0.1", "--ssh", shell.toString());
        try (HostsRun run = new HostsRun(folder, List.of(), words, "end")) {
            assertThat(run.await(new ArrayList<>())).as(run.err()).isZero();
        }
    }

    @Test
    @DisplayName("PE 0 reads the launcher's input, and each PE has the variables of --env")
    void input() throws Exception {
        try (HostsRun run = start("--env FROM_OPTION=yes", "input")) {
            run.launcher.getOutputStream().write("hello".getBytes(UTF_8));
            run.launcher.getOutputStream().close();
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            assertThat(lines).contains("PE 0 read hello for yes", "PE 1 read  for yes", "PE 2 read  for yes");
        }
    }

    @Test
    @DisplayName("a PE that fails ends the job with its exit code, and the report names it")
    void exitCodes() throws Exception {
        try (HostsRun run = start("", "exit", "2", "7")) {
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(7);
            assertThat(run.err()).containsPattern("coterie: PE 2 \\(pid [0-9]+\\) ended with exit code 7 after");
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName("an abort ends all PEs on all hosts with its exit code")
    void abort() throws Exception {
        try (HostsRun run = start("", "abort", "1", "5")) {
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(5);
            run.awaitNothing();
        }
    }

    @Test
    @DisplayName("with --on-failure continue survivors on all hosts learn of a killed PE and go on")
    void survivors() throws Exception {
        try (HostsRun run = start("--on-failure continue", "survive", "halt")) {
            List<String> up = run.awaitLines("PE [0-9] up [0-9]+", 3);
            String victim = up.stream()
                    .filter(line -> line.startsWith("PE 1"))
                    .findFirst()
                    .orElseThrow();
            HostsRun.signal("KILL", HostsRun.pid(victim));
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines))
                    .as("survivors that end inside their world: %s", run.err())
                    .isEqualTo(1);
            assertThat(lines).hasSize(2).allMatch(line -> line.matches("PE [02] lost \\[1] after .*"));
            assertThat(lines).anyMatch(line -> line.contains("PE 1 failed (exit code 137)"));
            assertThat(run.err()).contains("PE 1 (pid ", "exit code 137 (signal 9, KILL)");
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM, 143", "INT, 130"})
    @DisplayName("a signal to the launcher asks the PEs of all hosts to end, and decides the exit code")
    void signals(String signal, int exitCode) throws Exception {
        try (HostsRun run = start("", "wait")) {
            run.awaitLines("PE [0-9] up [0-9]+", 3);
            HostsRun.signal(signal, run.launcher.pid());
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isEqualTo(exitCode);
            assertThat(lines).containsExactlyInAnyOrder("PE 0 was asked", "PE 1 was asked", "PE 2 was asked");
            run.awaitNothing();
        }
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    @DisplayName("kill -9 of the launcher, of an agent or of a PE leaves no process")
    void kills() throws Exception {
        for (int round = 0; round < KILLS; round++) {
            try (HostsRun run = start("", "wait")) {
                List<String> up = run.awaitLines("PE [0-9] up [0-9]+", 3);
                switch (round % 3) {
                    case 0 -> HostsRun.signal("KILL", run.launcher.pid());
                    case 1 -> {
                        HostsRun.signal("KILL", run.agents().getLast());
                        assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(125);
                        assertThat(run.err()).containsPattern("the agent of host .* ended with exit code 137");
                    }
                    default -> {
                        HostsRun.signal("KILL", HostsRun.pid(up.get(round / 3 % 3)));
                        assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(137);
                    }
                }
                run.awaitNothing();
            }
        }
    }

    @Test
    @DisplayName("a host that can't be reached ends the job with 125, and what the remote shell says is printed")
    void unreachable() throws Exception {
        Path shell = folder.resolve("broken");
        Files.writeString(
                shell, "#!/bin/sh\ncase $1 in localhost) shift; exec $* ;; esac\necho no route to $1 >&2\nexit 255\n");
        assertThat(shell.toFile().setExecutable(true)).isTrue();
        List<String> words = List.of("--hosts", "localhost:1,127.0.0.1:2", "--ssh", shell.toString());
        try (HostsRun run = new HostsRun(folder, List.of(), words, "end")) {
            assertThat(run.await(new ArrayList<>())).as(run.err()).isEqualTo(125);
            assertThat(run.err())
                    .contains(
                            "no route to 127.0.0.1",
                            "PEs 1, 2 have failed: the agent of host 127.0.0.1 ended with exit code 255");
            run.awaitNothing();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --hosts a:2 | can't reach 127.0.0.1, where this launcher listens; add --listen
            --hosts a: | "a:" is not NAME or NAME:N
            --hosts a:0 | "a:0" is not NAME or NAME:N
            --hosts fe80::1 | an address of IPv6 is in brackets
            --hosts -oProxyCommand=x:1 | is not NAME or NAME:N
            --hosts localhost:2 --hostfile x | --hostfile and --hosts exclude each other
            --hostfile absent | --hostfile absent: can't read it
            --hosts localhost:2 --stage tmp | --stage tmp: expected an absolute path
            --hosts localhost:2 --stage-files pom.xml | --stage-files: belongs to --stage
            --hosts localhost:2 --stage /tmp --stage-files absent | there is no file "absent"
            --stage /tmp | --stage: belongs to --hosts
            --hosts localhost:2 -n 3 | names the hosts of 2 PEs, but -n is 3
            --hosts localhost:2 --listen 192.0.2.7 | --listen: listen address "192.0.2.7": the address is not one of
            --hosts localhost:2 --pes threads | --pes and --hosts exclude each other
            --hosts localhost:2 --debug | --debug and --hosts exclude each other
            --listen 127.0.0.1 | --listen: belongs to --hosts
            """)
    @DisplayName("options that can't work are refused before anything starts")
    void usage(String words, String expected) {
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        List<String> line = new ArrayList<>(List.of("run"));
        line.addAll(Arrays.asList(words.split(" ")));
        line.add("No.java");
        int code = Main.run(
                line,
                new CommandEnvironment(
                        new PrintStream(new ByteArrayOutputStream()),
                        new PrintStream(err, true, UTF_8),
                        Map.of("HOME", folder.toString())));
        assertThat(err.toString(UTF_8)).contains(expected);
        assertThat(code).isEqualTo(2);
    }
}
