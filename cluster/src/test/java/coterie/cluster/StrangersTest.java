// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.cluster.JobFrame.Kind;
import coterie.spi.Encryption;
import coterie.spi.PeState;
import coterie.testing.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Strangers at the port of a coordinator, while its job runs: PEs fence again and again all the while.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class StrangersTest {
    private static final List<Kind> KINDS = List.of(Kind.values());
    private static final int NOISE_BYTES = 100_000_000;

    /// For an attempt to join.
    private static final Duration LIMIT = Duration.ofSeconds(10);

    private TestJob test;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final List<Future<Long>> running = new ArrayList<>();

    @BeforeEach
    void startJob() throws Exception {
        test = new TestJob(2, true);
        for (ClusterJob job : test.all(2)) {
            job.state(PeState.RUNNING);
            running.add(test.submit(() -> fences(job)));
        }
    }

    /// Fences until the test is over, and returns how many there were. PE 0 tells the other by a value which fence
    /// is the last.
    private long fences(ClusterJob job) {
        long ticket = 0;
        boolean isLast = false;
        while (!isLast) {
            job.put("last", new byte[] {(byte) (isOver.get() ? 1 : 0)});
            ticket = job.fence();
            long begun = ticket;
            Patience.until(
                    "fence, or a PE that counts as failed",
                    () -> job.isFenced(begun) || job.state(0) == PeState.FAILED || job.state(1) == PeState.FAILED);
            assertThat(test.events).as("fence %d", begun).noneMatch(event -> event.contains("FAILED"));
            isLast = job.get(0, "last").orElseThrow()[0] == 1;
        }
        assertThat(job.state(0)).isEqualTo(PeState.RUNNING);
        assertThat(job.state(1)).isNotEqualTo(PeState.FAILED);
        return ticket;
    }

    @AfterEach
    void jobRunsOn() throws Exception {
        isOver.set(true);
        try {
            assertThat(TestJob.get(running.get(0))).isPositive();
            assertThat(TestJob.get(running.get(1))).isEqualTo(TestJob.get(running.get(0)));
            assertThat(test.events).containsExactlyInAnyOrder("0 STARTING", "1 STARTING", "0 RUNNING", "1 RUNNING");
        } finally {
            test.close();
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(test.coordinator.key().address());
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static byte[] bytes(ByteBuffer message) {
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        return bytes;
    }

    /// Returns how many bytes come before the end of a connection that the coordinator closes.
    private static long untilEnd(Socket socket) {
        long count = 0;
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                count++;
            }
        } catch (IOException e) {
            assertThat(e).isNotInstanceOf(SocketTimeoutException.class); // closed with bytes unread
        }
        return count;
    }

    /// A challenge, and nothing else.
    private static final long CHALLENGE_BYTES =
            JobFrame.HEADER_BYTES + 1L + JobFrame.MAGIC.length + KeyProof.NONCE_BYTES;

    @Test
    @DisplayName("a process with another secret is told nothing, and its join names the key")
    void wrongSecret() {
        JobKey wrong = JobKey.create(
                test.coordinator.key().address().getHostString(),
                test.coordinator.key().address().getPort());
        assertThatThrownBy(() -> ClusterJob.join(
                        wrong,
                        Encryption.none(),
                        "the coordinator",
                        -1,
                        JobFrame.ANY_SIZE,
                        TestJob.place("node"),
                        1,
                        LIMIT,
                        true,
                        null,
                        JobClock.SYSTEM))
                .isInstanceOf(CoterieException.class)
                .hasMessageContainingAll(
                        test.coordinator.key().place(), "closes the connection after the proof", "use the key");
    }

    @Test
    @DisplayName("a process refuses a coordinator that has not the secret")
    void wrongCoordinator() throws Exception {
        try (TestJob other = new TestJob(1, true)) {
            JobKey mixed = JobKey.parse(
                    test.coordinator
                            .key()
                            .text()
                            .replaceFirst(
                                    "address .*",
                                    "address " + other.coordinator.key().place()),
                    "the test");
            ManualClock its = new ManualClock();
            Future<ClusterJob> joining = test.submit(() -> ClusterJob.join(
                    mixed,
                    Encryption.none(),
                    "the coordinator",
                    -1,
                    JobFrame.ANY_SIZE,
                    TestJob.place("node"),
                    1,
                    LIMIT,
                    true,
                    null,
                    its));
            Patience.until("refusal", () -> {
                its.advance(Duration.ofMillis(100)); // to the next attempt
                return joining.isDone();
            });
            assertThatThrownBy(() -> TestJob.get(joining)).isInstanceOf(CoterieException.class);
            assertThat(other.events).isEmpty();
        }
    }

    @Test
    @DisplayName("messages without a proof end the connection, whatever they are")
    void noSecret() throws Exception {
        for (Kind kind : Kind.values()) {
            try (Socket socket = connect()) {
                ByteBuffer message = new JobFrame.Builder(kind)
                        .number(0)
                        .number(1L)
                        .text("node")
                        .build();
                socket.getOutputStream().write(bytes(message));
                assertThat(untilEnd(socket)).as("%s", kind).isLessThanOrEqualTo(CHALLENGE_BYTES);
            }
        }
    }

    @Test
    @DisplayName("a proof of another connection does not open this one")
    void replay() throws Exception {
        byte[] mine = KeyProof.nonce();
        byte[] proof;
        try (Socket first = connect()) {
            byte[] challenge = first.getInputStream().readNBytes((int) CHALLENGE_BYTES);
            byte[] nonce = Arrays.copyOfRange(challenge, challenge.length - KeyProof.NONCE_BYTES, challenge.length);
            proof = KeyProof.of(KeyProof.Role.PE, test.coordinator.key().secret(), nonce, mine, new byte[0]);
        }
        ByteBuffer message = new JobFrame.Builder(Kind.PROOF)
                .bytes(JobFrame.MAGIC)
                .bytes(mine)
                .bytes(proof)
                .build();
        try (Socket second = connect()) {
            second.getOutputStream().write(bytes(message));
            assertThat(untilEnd(second)).isLessThanOrEqualTo(CHALLENGE_BYTES);
        }
    }

    @Test
    @DisplayName("a port scan, with and without bytes, leaves no connection")
    void portScan() throws Exception {
        for (int i = 0; i < 300; i++) {
            try (Socket socket = connect()) {
                if (i % 3 == 0) {
                    socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } else if (i % 3 == 1) {
                    socket.setSoLinger(true, 0); // a reset instead of an end
                }
            }
        }
        Patience.until("no strangers", () -> test.coordinator.strangers() == 0);
    }

    @Test
    @DisplayName("100 MB of noise on one connection and on many end at once, and cost no memory")
    void noise() throws Exception {
        Random random = new Random(27);
        byte[] piece = new byte[1 << 20];
        random.nextBytes(piece);
        long sent = 0;
        int connections = 0;
        while (sent < NOISE_BYTES) {
            connections++;
            try (Socket socket = connect()) {
                while (sent < NOISE_BYTES) {
                    sent += piece.length; // counted whether the system takes all of it or not
                    socket.getOutputStream().write(piece);
                }
            } catch (IOException e) {
                assertThat(e).hasMessageMatching(".*(reset|pipe).*");
            }
        }
        assertThat(connections).isGreaterThan(1);
        Patience.until("no strangers", () -> test.coordinator.strangers() == 0);
    }

    /// A byte for each second that a stranger has.
    private static final byte[] PROOF_BEGIN = Arrays.copyOf(
            bytes(new JobFrame.Builder(Kind.PROOF).bytes(new byte[1]).build()), 5);

    @Test
    @DisplayName(
            "connections that send a byte at a time end after 5 s, and keep neither a PE out nor a job from running")
    void slowLoris() throws Exception {
        List<Socket> slow = new ArrayList<>();
        try (TestJob other = new TestJob(1, true)) {
            for (int i = 0; i < 200; i++) {
                Socket socket = new Socket();
                socket.connect(other.coordinator.key().address());
                slow.add(socket);
            }
            for (int i = 0; i < 200; i++) {
                slow.addFirst(connect());
            }
            Patience.until("limit of strangers", () -> other.coordinator.strangers() <= 65);
            Patience.until("limit of strangers of the running job", () -> test.coordinator.strangers() <= 66);
            assertThat(TestJob.get(other.joining(0)).pe()).isZero();
            Socket last = slow.getLast();
            last.setSoTimeout(20_000);
            Future<Long> end = test.submit(() -> untilEnd(last));
            for (byte each : PROOF_BEGIN) {
                last.getOutputStream().write(each);
                other.clock.advance(Duration.ofSeconds(1));
                other.coordinator.heardNanos().join();
            }
            assertThat(end.isDone()).isFalse();
            other.clock.advance(Duration.ofNanos(1)); // beyond 5 s
            assertThat(TestJob.get(end)).isEqualTo(CHALLENGE_BYTES);
            Patience.until("no strangers", () -> other.coordinator.strangers() == 0);
            for (Socket each : slow) {
                each.close();
            }
            Patience.until("no strangers", () -> test.coordinator.strangers() == 0);
        } finally {
            for (Socket each : slow) {
                each.close();
            }
        }
    }

    @Test
    @DisplayName("a member that breaks the protocol after its proof is cut off, and the job runs on")
    void badMembers() throws Exception {
        Random random = new Random(9);
        for (int round = 0; round < 200; round++) {
            try (JobLink link = JobLink.connect(test.coordinator.key(), Encryption.none(), LIMIT, JobClock.SYSTEM)) {
                byte[] body = new byte[random.nextInt(64)];
                random.nextBytes(body);
                Kind kind = KINDS.get(random.nextInt(KINDS.size()));
                link.send(new JobFrame.Builder(kind).bytes(body).build());
                try {
                    JobFrame answer = link.receive(LIMIT.toNanos());
                    assertThat(answer.kind()).isEqualTo(Kind.REFUSED); // a JOIN that is none of a PE of this job
                } catch (IOException e) {
                    assertThat(e).hasMessageMatching("(?i).*(closed|reset).*");
                }
            }
        }
    }
}
