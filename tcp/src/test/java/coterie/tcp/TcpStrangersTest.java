// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static coterie.tcp.TcpPair.await;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.conformance.ObjectJob;
import coterie.spi.PeState;
import coterie.tcp.ConnectionProof.Role;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Strangers where PE 0 listens. After each, PE 1 reaches PE 0.
@Timeout(60)
class TcpStrangersTest {
    private static final int MANY = Boolean.getBoolean("coterie.soak") ? 10_000 : 300;
    private static final int NOISE_BYTES = 1_000_000;

    private final TcpPair pair = new TcpPair();
    private final PeAddress zero = address(0);
    private final PeAddress one = address(1);

    private PeAddress address(int pe) {
        return PeAddress.decode(pair.job.pe(0).get(pe, "tcp.address").orElseThrow());
    }

    @AfterEach
    void theJobIsAsItWas() {
        pair.putToZero(7);
        assertThat(pair.wordOfZero()).isEqualTo(7);
        assertThat(pair.job.pe(0).state(1)).isEqualTo(PeState.RUNNING);
        pair.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(zero.socket().getAddress(), zero.socket().getPort());
        socket.setSoTimeout(20_000);
        return socket;
    }

    /// Returns the bytes that come before the end of the connection.
    private static byte[] rest(Socket socket) throws IOException {
        try {
            return socket.getInputStream().readAllBytes();
        } catch (java.net.SocketException e) { // a reset: the listener has not read all that was sent
            return new byte[0];
        }
    }

    @Test
    @DisplayName("noise gets no answer, and its connection is closed")
    void noise() throws IOException {
        byte[] noise = new byte[NOISE_BYTES];
        new Random(1).nextBytes(noise);
        try (Socket socket = connect()) {
            try {
                socket.getOutputStream().write(noise);
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?i).*(reset|broken pipe).*");
            }
            assertThat(rest(socket)).isEmpty();
        }
    }

    @Test
    @DisplayName("while hundreds of connections say nothing, ten thousand in the long tier, a peer is admitted, and the"
            + " oldest of them are closed")
    void halfOpen() throws IOException {
        List<Socket> held = new ArrayList<>();
        try {
            for (int i = 0; i < MANY; i++) {
                held.add(connect());
            }
            pair.putToZero(6);
            assertThat(rest(held.getFirst())).isEmpty();
        } finally {
            for (Socket each : held) {
                each.close();
            }
        }
    }

    @Test
    @DisplayName("a caller with another key, or with a proof for another world, is not admitted")
    void wrongProofs() throws IOException {
        byte[] other = "another key of the same length....".getBytes(StandardCharsets.US_ASCII);
        assertThat(verdict(other, zero.world(), new byte[0])).isEmpty();
        assertThat(verdict(ObjectJob.key(), one.world(), new byte[0])).isEmpty();
    }

    @Test
    @DisplayName("what a peer has sent to be admitted admits no second connection, and neither does a new proof")
    void replay() throws IOException {
        pair.putToZero(5);
        byte[] hello = Handshake.hello(1, 0, 0, new byte[ConnectionProof.NONCE_BYTES]);
        try (Socket socket = connect()) {
            socket.getOutputStream().write(hello);
            assertThat(rest(socket)).as("PE 1 is here").isEmpty();
        }
    }

    @Test
    @DisplayName("a proof that was right once is wrong for the next connection")
    void oldProof() throws IOException {
        byte[] proof = proof(ObjectJob.key(), zero.world(), new byte[ConnectionProof.NONCE_BYTES]);
        assertThat(verdict(ObjectJob.key(), zero.world(), proof)).isEmpty();
    }

    @Test
    @DisplayName("a hello from no PE of the job, from the PE itself, or to another PE gets no challenge")
    void wrongNumbers() throws IOException {
        for (int[] numbers : new int[][] {{2, 0}, {-1, 0}, {0, 0}, {1, 1}}) {
            try (Socket socket = connect()) {
                socket.getOutputStream()
                        .write(Handshake.hello(numbers[0], numbers[1], 0, new byte[ConnectionProof.NONCE_BYTES]));
                assertThat(rest(socket)).isEmpty();
            }
        }
    }

    private byte[] proof(byte[] key, byte[] acceptorWorld, byte[] nonce) {
        byte[] hello = Handshake.hello(1, 0, 0, new byte[ConnectionProof.NONCE_BYTES]);
        return new ConnectionProof(key).of(Role.INITIATOR, hello, nonce, acceptorWorld, one.world(), new byte[0]);
    }

    /// Calls PE 0 as PE 1 would, and returns what comes after the proof.
    ///
    /// @param given the proof to send; empty for one by the key
    private byte[] verdict(byte[] key, byte[] acceptorWorld, byte[] given) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(Handshake.hello(1, 0, 0, new byte[ConnectionProof.NONCE_BYTES]));
            InputStream in = socket.getInputStream();
            byte[] challenge = in.readNBytes(Handshake.CHALLENGE_BYTES);
            assertThat(challenge).hasSize(Handshake.CHALLENGE_BYTES);
            byte[] nonce = Arrays.copyOf(challenge, ConnectionProof.NONCE_BYTES);
            socket.getOutputStream().write(given.length > 0 ? given : proof(key, acceptorWorld, nonce));
            return rest(socket);
        }
    }

    @Test
    @DisplayName("a listener that has not the secret is not trusted: the PE that calls it reports its peer")
    void impostor() throws IOException {
        try (java.net.ServerSocket impostor =
                        new java.net.ServerSocket(0, 10, zero.socket().getAddress());
                TcpPair other = new TcpPair()) {
            PeAddress lie = new PeAddress(
                    new java.net.InetSocketAddress(zero.socket().getAddress(), impostor.getLocalPort()),
                    1,
                    one.world(),
                    new byte[1]);
            other.job.pe(0).put("tcp.address", lie.encode());
            other.fromOne.putWord(1, 8, 0, 0);
            try (Socket caller = impostor.accept()) {
                assertThat(caller.getInputStream().readNBytes(Handshake.HELLO_BYTES))
                        .hasSize(Handshake.HELLO_BYTES);
                caller.getOutputStream().write(new byte[Handshake.CHALLENGE_BYTES]);
                await(() -> other.job.pe(1).state(0) == PeState.FAILED);
                assertThat(other.job.pe(1).failureReason(0).orElseThrow()).contains("has not the secret of the job");
            }
        }
    }
}
