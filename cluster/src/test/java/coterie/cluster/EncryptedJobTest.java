// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.spi.EncryptedChannel;
import coterie.spi.Encryption;
import coterie.testing.Patience;
import coterie.testing.Relay;
import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Jobs whose coordinator and PEs have TLS between them, and what stands between them.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class EncryptedJobTest {
    private static final byte[] PATTERN = "a value that a PE has published".getBytes(StandardCharsets.US_ASCII);
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// Of a first message that says that TLS comes.
    private static final int GREETING_BYTES =
            JobFrame.HEADER_BYTES + 1 + JobFrame.MAGIC.length + Integer.BYTES + "tls".length();

    private TestJob test;

    private void start(int size, String encryption) {
        Encryption its = encryption.equals("tls") ? Encryption.tls() : Encryption.none();
        test = TestJob.encrypted(size, its, Duration.ZERO);
    }

    @AfterEach
    void end() {
        test.close();
    }

    private static JobKey key(JobKey key, Relay relay) throws IOException {
        return JobKey.of("127.0.0.1", relay.address().getPort(), key.secret());
    }

    private Future<ClusterJob> joining(JobKey key, Encryption encryption, int pe) {
        return test.submit(() -> ClusterJob.join(
                key,
                encryption,
                "the coordinator",
                pe,
                JobFrame.ANY_SIZE,
                TestJob.place("node"),
                1 << 20,
                LIMIT,
                true,
                null,
                JobClock.SYSTEM));
    }

    private static void exchange(List<ClusterJob> jobs) {
        for (ClusterJob job : jobs) {
            job.put("key", PATTERN);
        }
        List<Long> tickets = jobs.stream().map(ClusterJob::fence).toList();
        for (int pe = 0; pe < jobs.size(); pe++) {
            ClusterJob job = jobs.get(pe);
            long ticket = tickets.get(pe);
            Patience.until("fence", () -> job.isFenced(ticket));
            assertThat(job.get(jobs.size() - 1 - pe, "key")).contains(PATTERN);
        }
    }

    @Test
    @DisplayName("four PEs exchange values, while strangers without TLS are connected")
    void exchange() throws Exception {
        start(4, "tls");
        try (Socket silent = new Socket(
                        test.coordinator.key().address().getAddress(),
                        test.coordinator.key().address().getPort());
                Socket plain = new Socket(
                        test.coordinator.key().address().getAddress(),
                        test.coordinator.key().address().getPort())) {
            assertThat(silent.getInputStream().readNBytes(GREETING_BYTES)).hasSize(GREETING_BYTES);
            plain.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            exchange(test.all(4));
            assertThat(plain.getInputStream().readNBytes(GREETING_BYTES)).hasSize(GREETING_BYTES);
            assertThat(plain.getInputStream().readAllBytes())
                    .as("an alert, and the end")
                    .hasSizeLessThan(64);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "tls"})
    @DisplayName("a host between reads values of PEs without TLS alone, and the secret never")
    void readable(String encryption) throws Exception {
        start(2, encryption);
        JobKey key = test.coordinator.key();
        try (Relay relay = new Relay(key.address())) {
            Encryption its = encryption.equals("tls") ? Encryption.tls() : Encryption.none();
            Future<ClusterJob> zero = joining(key(key, relay), its, 0);
            Future<ClusterJob> one = joining(key(key, relay), its, 1);
            exchange(List.of(TestJob.get(zero), TestJob.get(one)));
            assertThat(relay.hasSeen(PATTERN)).isEqualTo(encryption.equals("none"));
            assertThat(relay.hasSeen(key.secret())).isFalse();
        }
    }

    @Test
    @DisplayName("a host that ends the TLS of both by a certificate of its own joins no PE, and the message says so")
    void between() throws Exception {
        start(1, "tls");
        JobKey key = test.coordinator.key();
        Encryption another = Encryption.tls();
        try (Relay relay = new Relay(key.address(), (caller, called) -> ended(another, caller, called))) {
            Future<ClusterJob> joining = joining(key(key, relay), Encryption.tls(), 0);
            assertThatThrownBy(() -> TestJob.get(joining))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContainingAll("closes the connection after the proof", "no host between that ends TLS");
            assertThat(relay.hasSeen(JobFrame.MAGIC))
                    .as("it has read the proof")
                    .isTrue();
        }
        assertThat(test.events).isEmpty();
        assertThat(test.all(1)).hasSize(1);
    }

    private static List<ByteChannel> ended(Encryption own, SocketChannel caller, SocketChannel called)
            throws IOException {
        ByteBuffer greeting = ByteBuffer.allocate(GREETING_BYTES);
        while (greeting.hasRemaining()) {
            called.read(greeting);
        }
        caller.write(greeting.flip());
        EncryptedChannel toCaller = own.accept(caller);
        EncryptedChannel toCalled = own.connect(called);
        Patience.until("TLS with both", () -> {
            boolean isCallerSecured = toCaller.handshake();
            return toCalled.handshake() && isCallerSecured;
        });
        return List.of(toCaller, toCalled);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "tls"})
    @DisplayName("a process that differs from its coordinator ends at once, with both values, and the others learn it")
    void differs(String encryption) throws Exception {
        Encryption its = encryption.equals("tls") ? Encryption.tls() : Encryption.none();
        Encryption other = encryption.equals("tls") ? Encryption.none() : Encryption.tls();
        test = TestJob.encrypted(2, its, Duration.ofSeconds(2));
        Future<ClusterJob> zero = joining(test.coordinator.key(), its, 0);
        Future<ClusterJob> one = joining(test.coordinator.key(), other, 1);
        assertThatThrownBy(() -> TestJob.get(one))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(
                        "has ENCRYPTION=" + its.value(),
                        "this process has ENCRYPTION=" + other.value(),
                        "COTERIE_ENCRYPTION");
        assertThatThrownBy(() -> TestJob.get(zero))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll("PEs [1] of 2 have not joined", "127.0.0.1", "ENCRYPTION");
    }

    @Test
    @DisplayName("a process with another secret is refused over TLS, too")
    void wrongSecret() {
        start(1, "tls");
        JobKey key = test.coordinator.key();
        JobKey wrong = JobKey.create("127.0.0.1", key.address().getPort());
        Future<ClusterJob> joining = joining(wrong, Encryption.tls(), 0);
        assertThatThrownBy(() -> TestJob.get(joining))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("use the key or the secret of this coordinator");
    }
}
