// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import coterie.CoterieException;
import coterie.spi.BootstrapContext;
import coterie.spi.PeJob;
import coterie.testing.Patience;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Joins by environment variables that end without a job, by a clock that the tests move. [EnvJobsTest] has the
/// others.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class EnvBootstrapTest {
    /// More than the clock moves before a test lets it pass.
    private static final Duration BOUND = Duration.ofSeconds(50_000);

    private static final Duration STEP = Duration.ofMillis(100);

    @TempDir
    private Path folder;

    private final ManualClock clock = new ManualClock();
    private Path secret;
    private int port;

    @BeforeEach
    void prepare() throws IOException {
        secret = secret("a secret of this test");
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    private Path secret(String content) throws IOException {
        Path file = Files.createTempFile(folder, "secret", null);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return Files.writeString(file, content);
    }

    private static BootstrapContext context(Map<String, String> settings) {
        Map<String, String> all = new HashMap<>(Map.of(
                "LISTEN", "127.0.0.1",
                "NODE", "auto",
                "LINK_TIMEOUT_S", "86400",
                "JOIN_TIMEOUT_S", Long.toString(BOUND.toSeconds()),
                "BOOTSTRAP", "auto"));
        all.putAll(settings);
        return new BootstrapContext() {
            @Override
            public String setting(String name) {
                return all.getOrDefault(name, "");
            }

            @Override
            public long defaultHeapBytes(int pes) {
                return 1 << 20;
            }
        };
    }

    private EnvBootstrap bootstrap(Map<String, String> environment, Map<String, String> settings) {
        EnvBootstrap env = new EnvBootstrap(environment, clock);
        env.configure(context(settings));
        return env;
    }

    private FutureTask<PeJob> joining(int pe, int size, Path secret, String coordinator) {
        EnvBootstrap env = bootstrap(
                Map.of("RANK", Integer.toString(pe), "WORLD_SIZE", Integer.toString(size)),
                Map.of("SECRET_FILE", secret.toString(), "COORDINATOR", coordinator));
        FutureTask<PeJob> joining = new FutureTask<>(env::join);
        Thread.ofPlatform().daemon().start(joining);
        return joining;
    }

    private FutureTask<PeJob> joining(int pe, int size) {
        return joining(pe, size, secret, "127.0.0.1:" + port);
    }

    /// Moves the clock as far as threads that look at it keep up.
    private void step(FutureTask<PeJob> joining) {
        clock.awaitLooks(joining);
        clock.advance(STEP);
    }

    /// Moves the clock until a join has ended, and returns its message.
    private String end(FutureTask<PeJob> joining) {
        Patience.until("end of a join", () -> {
            step(joining);
            return joining.isDone();
        });
        return message(joining);
    }

    private static String message(FutureTask<PeJob> joining) {
        try {
            return "joined as PE " + TestJob.get(joining).pe();
        } catch (CoterieException e) {
            return e.getMessage();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @DisplayName(
            "missing, double and surplus ranks, other sizes and wrong secrets: each ends with ranks and remedy, and"
                    + " PE 0 names them all")
    void wrongProcesses() throws Exception {
        FutureTask<PeJob> one = joining(2, 4);
        FutureTask<PeJob> other = joining(2, 4);
        FutureTask<PeJob> zero = joining(0, 4);
        Patience.until("the second of the same rank", () -> {
            step(zero);
            return one.isDone() || other.isDone();
        });
        FutureTask<PeJob> second = one.isDone() ? one : other;
        FutureTask<PeJob> first = one.isDone() ? other : one;
        assertThat(end(second)).contains("join by env as PE 2 of 4", "PE 2 has joined already", "a number of its own");
        assertThat(end(joining(4, 5))).contains("PE 4 expects a job of 5 PEs, and the job has 4", "one size");
        assertThat(end(joining(1, 3))).contains("PE 1 expects a job of 3 PEs, and the job has 4");
        assertThat(end(joining(1, 4, secret("another secret, as long"), "127.0.0.1:" + port)))
                .contains("join by env as PE 1 of 4", "another content of COTERIE_SECRET_FILE, or another job");
        assertThat(end(joining(0, 4))).contains("join by env as PE 0 of 4", "port " + port, "a second process with");

        assertThat(zero.isDone()).isFalse();
        assertThat(first.isDone()).isFalse();
        clock.advance(BOUND);
        assertThat(end(first)).contains("PE 2 of 4", "PEs [1, 3] of 4 have not joined within 50000 s");
        assertThat(end(zero))
                .contains("join by env as PE 0 of 4", "PEs [1, 3] of 4 have not joined within 50000 s")
                .contains("PE 2 has joined already", "PE 4 expects a job of 5 PEs", "PE 1 expects a job of 3 PEs")
                .contains("a connection from 127.0.0.1 (it has not the secret of the job), 3 times")
                .contains("PE 0 listened on 127.0.0.1:" + port, "set COTERIE_LISTEN");
    }

    @Test
    @DisplayName("a PE waits for PE 0 for the time of a join, and says where it has looked")
    void noZero() {
        FutureTask<PeJob> joining = joining(1, 2);
        for (int attempt = 0; attempt < 5; attempt++) {
            step(joining);
        }
        assertThat(joining.isDone()).isFalse();
        clock.advance(BOUND);
        assertThat(end(joining))
                .contains("join by env as PE 1 of 2", "127.0.0.1:" + port, "tried for 50000 s", "PE 0 has not come");
    }

    @Test
    @DisplayName("another program on the port: PE 0 ends at once, the others after the time of a join")
    void anotherProgram() throws Exception {
        try (ServerSocket program = new ServerSocket(port, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> {
                while (!program.isClosed()) {
                    try (var client = program.accept()) {
                        client.getOutputStream()
                                .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));
                    } catch (IOException e) {
                        return; // the end of the test
                    }
                }
            });
            assertThat(end(joining(0, 2)))
                    .contains("join by env as PE 0 of 2", "Address already in use", "another program, another job");
            FutureTask<PeJob> joining = joining(1, 2);
            clock.awaitLooks(joining);
            assertThat(joining.isDone()).isFalse();
            clock.advance(BOUND);
            assertThat(end(joining))
                    .contains("join by env as PE 1 of 2", "another program may have port " + port, "tried for");
        }
    }

    @Test
    @DisplayName("a name that never resolves ends the join of each PE, and PE 0 needs an address of its machine")
    void names() throws Exception {
        for (int pe = 0; pe < 2; pe++) {
            FutureTask<PeJob> joining = joining(pe, 2, secret, "nowhere.invalid:" + port);
            clock.awaitLooks(joining);
            assertThat(joining.isDone()).isFalse();
            clock.advance(BOUND);
            assertThat(end(joining))
                    .contains(
                            "join by env as PE " + pe + " of 2", "nowhere.invalid", "not resolve", "tried for 50000 s");
        }
        FutureTask<PeJob> elsewhere = joining(0, 2, secret, "192.0.2.1:" + port); // for documentation, on no machine
        clock.awaitLooks(elsewhere);
        assertThat(elsewhere.isDone()).isFalse();
        clock.advance(BOUND);
        assertThat(end(elsewhere)).contains("192.0.2.1", "no address of this machine", "COTERIE_LISTEN");
    }

    @Test
    @DisplayName("PE 0 listens where COTERIE_LISTEN says, wherever its name leads")
    void listen() throws Exception {
        Optional<InetAddress> other = NetworkInterface.networkInterfaces()
                .flatMap(NetworkInterface::inetAddresses)
                .filter(each -> each instanceof Inet4Address && !each.isLoopbackAddress())
                .findFirst();
        assumeThat(other).as("an address of this machine beside loopback").isPresent();
        String address = other.orElseThrow().getHostAddress();
        EnvBootstrap env = bootstrap(
                Map.of("RANK", "0", "WORLD_SIZE", "2"),
                Map.of("SECRET_FILE", secret.toString(), "COORDINATOR", "192.0.2.1:" + port, "LISTEN", address));
        FutureTask<PeJob> zero = new FutureTask<>(env::join);
        Thread.ofPlatform().daemon().start(zero);
        assertThat(end(joining(1, 3, secret, address + ":" + port))).contains("PE 1 expects a job of 3 PEs");
        clock.advance(BOUND);
        assertThat(end(zero))
                .contains("PE 0 listened on " + address + ":" + port)
                .doesNotContain("loopback");
    }

    @Test
    @DisplayName("a secret that is missing, too short or open ends the join")
    void secrets() throws Exception {
        assertThat(end(joining(1, 2, folder.resolve("none"), "127.0.0.1:" + port)))
                .contains("join by env as PE 1 of 2", "can't read the secret", "none");
        assertThat(end(joining(0, 2, secret("short"), "127.0.0.1:" + port))).contains("has 5 bytes");
        Path open = Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(end(joining(0, 2, open, "127.0.0.1:" + port))).contains("rw-r--r--", "other users");
    }

    private Optional<String> refusal(Map<String, String> environment, Map<String, String> settings) {
        return bootstrap(environment, settings).refusal();
    }

    @Test
    @DisplayName("only a secret makes a process a PE; a key and PMIx come before it, unless it is asked for")
    void refusals() {
        Map<String, String> rank = Map.of("RANK", "1", "WORLD_SIZE", "2", "MASTER_ADDR", "a", "MASTER_PORT", "1");
        assertThat(refusal(rank, Map.of())).get().asString().contains("COTERIE_SECRET_FILE", "names no file");
        Map<String, String> settings = Map.of("SECRET_FILE", "/s");
        assertThat(refusal(rank, settings)).isEmpty();
        assertThat(refusal(rank, Map.of("SECRET_FILE", "/s", "JOB_KEY", "-")))
                .get()
                .asString()
                .contains("COTERIE_JOB_KEY is set", "COTERIE_BOOTSTRAP=env");
        Map<String, String> pmix = new HashMap<>(rank);
        pmix.putAll(Map.of("PMIX_NAMESPACE", "n", "PMIX_RANK", "1"));
        assertThat(refusal(pmix, settings)).get().asString().contains("PMIX_NAMESPACE is set", "COTERIE_BOOTSTRAP=env");
        assertThat(refusal(pmix, Map.of("SECRET_FILE", "/s", "JOB_KEY", "-", "BOOTSTRAP", "env")))
                .isEmpty();
        assertThatThrownBy(() -> refusal(Map.of("RANK", "1"), settings))
                .as("half a description is no job of its own")
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll("neither COTERIE_SIZE nor", "neither COTERIE_COORDINATOR nor");
    }
}
