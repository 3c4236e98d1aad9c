// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `coterie run --hosts` by OpenSSH, with a server on the loopback interface.
@NeedsTools(Tool.SSH)
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SshIT {
    @TempDir
    private Path folder;

    private Process server;
    private int port;

    @BeforeEach
    void startServer() throws Exception {
        if (System.getProperty("user.name").equals("root")) {
            Files.createDirectories(Path.of("/run/sshd")); // in which a server of root wants to be confined
        }
        assertThat(run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/key"))
                .isZero();
        assertThat(run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder + "/host"))
                .isZero();
        Files.copy(folder.resolve("key.pub"), folder.resolve("allowed"));
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        Path config = Files.writeString(folder.resolve("config"), """
                ListenAddress 127.0.0.1:%d
                HostKey %2$s/host
                PidFile none
                AuthorizedKeysFile %2$s/allowed
                StrictModes no
                PasswordAuthentication no
                PermitRootLogin prohibit-password
                UsePAM no
                """.formatted(port, folder));
        // A server must be started by its path.
        String program = Tool.program("sshd").toString();
        server = new ProcessBuilder(program, "-D", "-e", "-f", config.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("server").toFile())
                .start();
        Awaitility.await().atMost(20, TimeUnit.SECONDS).until(this::isListening);
    }

    private boolean isListening() throws IOException {
        assertThat(server.isAlive())
                .as(Files.readString(folder.resolve("server")))
                .isTrue();
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @AfterEach
    void stopServer() {
        if (server != null) {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
        }
    }

    private int run(String... command) throws Exception {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start()
                .waitFor();
    }

    private HostsRun start(String... arguments) throws IOException {
        return start(List.of("--hosts", "localhost:2,127.0.0.1:1"), arguments);
    }

    private HostsRun start(List<String> options, String... arguments) throws IOException {
        String ssh = "ssh -F none -p " + port + " -i " + folder + "/key -o BatchMode=yes"
                + " -o StrictHostKeyChecking=accept-new -o UserKnownHostsFile=" + folder + "/known";
        List<String> words = new ArrayList<>(options);
        words.addAll(List.of("--ssh", ssh));
        return new HostsRun(folder, List.of(), words, arguments);
    }

    @Test
    @DisplayName("the PEs of a job whose agents ssh has started are one job, and their output comes back")
    void oneJob() throws Exception {
        try (HostsRun run = start("end")) {
            List<String> lines = new ArrayList<>();
            assertThat(run.await(lines)).as(run.err()).isZero();
            assertThat(lines)
                    .containsExactlyInAnyOrder(
                            "PE 0 left 102 sum 6 node 2", "PE 1 left 100 sum 6 node 2", "PE 2 left 101 sum 6 node 1");
            assertThat(Files.readString(folder.resolve("server"))).contains("Accepted publickey");
        }
    }

    @Test
    @DisplayName("the PEs of one host that ssh has started open nothing to others: they map each other's memory")
    void oneHost() throws Exception {
        try (HostsRun run = start(List.of("--hosts", "localhost:3", "--env", "COTERIE_CONDUIT=auto"), "openings")) {
            assertThat(run.awaitLines("PE [0-2] of 3 opens \\[]", 3)).doesNotHaveDuplicates();
            assertThat(run.await(new ArrayList<>())).as(run.err()).isZero();
        }
    }

    @Test
    @DisplayName("kill -9 of the launcher ends the PEs that ssh has started")
    void launcherIsKilled() throws Exception {
        try (HostsRun run = start("survive")) {
            List<Long> pes = run.awaitLines("PE [0-9] up [0-9]+", 3).stream()
                    .map(HostsRun::pid)
                    .toList();
            HostsRun.signal("KILL", run.launcher.pid());
            Awaitility.await()
                    .atMost(20, TimeUnit.SECONDS)
                    .until(() -> pes.stream()
                            .noneMatch(pid -> ProcessHandle.of(pid)
                                    .map(ProcessHandle::isAlive)
                                    .orElse(false)));
        }
    }

    @Test
    @DisplayName("an ssh that is refused ends the run with the host's name and what ssh has said")
    void refused() throws Exception {
        Files.writeString(folder.resolve("allowed"), "");
        try (HostsRun run = start("end")) {
            assertThat(run.await(new ArrayList<>())).as(run.err()).isNotZero();
            assertThat(run.err()).contains("localhost", "Permission denied");
        }
    }
}
