// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static coterie.tcp.TcpPair.await;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.conformance.ObjectJob;
import coterie.spi.Conduit.Region;
import coterie.spi.EncryptedChannel;
import coterie.spi.Encryption;
import coterie.spi.PeState;
import coterie.testing.Patience;
import coterie.testing.Relay;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Connections over TLS, and what stands between their ends.
@Timeout(60)
class TcpEncryptionTest {
    private static final byte[] PATTERN = "a pattern that a put carries".getBytes(StandardCharsets.US_ASCII);
    private static final int MANY = 100;

    private static PeAddress address(TcpPair pair, int pe) {
        return PeAddress.decode(pair.job.pe(pe).get(pe, "tcp.address").orElseThrow());
    }

    /// Lets PE 1 find a relay where PE 0 listens.
    private static Relay relayed(TcpPair pair, Relay.Between between) throws IOException {
        PeAddress zero = address(pair, 0);
        Relay relay = new Relay(zero.socket(), between);
        pair.job.pe(0).put("tcp.address", new PeAddress(relay.address(), 1, zero.world(), new byte[1]).encode());
        return relay;
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "tls"})
    @DisplayName("a host between reads what a put carries without TLS alone, and the key of the job never")
    void readable(String encryption) throws IOException {
        try (TcpPair pair = TcpPair.encrypted(encryption);
                Relay relay = relayed(pair, List::of);
                Arena arena = Arena.ofShared()) {
            long place = pair.one.remoteBase(Region.HEAP, 0);
            MemorySegment source = arena.allocate(100_000);
            for (int length : new int[] {PATTERN.length, 100_000}) {
                source.asSlice(length - PATTERN.length).copyFrom(MemorySegment.ofArray(PATTERN));
                await(pair.fromOne, pair.fromOne.put(source, 0, length, 0, place));
                await(pair.fromOne, pair.fromOne.quiet(0));
                assertThat(ProcessMemory.ALL
                                .asSlice(pair.zero.localBase(Region.HEAP) + length - PATTERN.length, PATTERN.length)
                                .toArray(JAVA_BYTE))
                        .isEqualTo(PATTERN);
            }
            assertThat(relay.seen().length).isGreaterThan(100_000);
            assertThat(relay.hasSeen(PATTERN)).isEqualTo(encryption.equals("none"));
            assertThat(relay.hasSeen(ObjectJob.key())).isFalse();
        }
    }

    @Test
    @DisplayName("a host that ends the TLS of both by a certificate of its own gets no byte of the job, and is named")
    void between() throws IOException {
        Encryption another = Encryption.tls();
        try (TcpPair pair = TcpPair.encrypted("tls");
                Relay relay = relayed(pair, (caller, called) -> ended(another, caller, called))) {
            pair.fromOne.putWord(1, 8, 0, pair.one.remoteBase(Region.SYNC, 0));
            await(() -> pair.job.pe(1).state(0) == PeState.FAILED);
            assertThat(pair.job.pe(1).failureReason(0).orElseThrow())
                    .contains("has not the secret of the job, or a host between ends TLS");
            assertThat(pair.wordOfZero()).isZero();
            assertThat(relay.seen())
                    .as("a greeting and a challenge")
                    .hasSize(Handshake.HELLO_BYTES + Handshake.CHALLENGE_BYTES);
        }
    }

    private static List<ByteChannel> ended(Encryption own, SocketChannel caller, SocketChannel called)
            throws IOException {
        EncryptedChannel toCaller = own.accept(caller);
        EncryptedChannel toCalled = own.connect(called);
        Patience.until("TLS with both", () -> {
            boolean isCallerSecured = toCaller.handshake();
            return toCalled.handshake() && isCallerSecured;
        });
        return List.of(toCaller, toCalled);
    }

    @Test
    @DisplayName("noise, plain greetings and connections that say nothing change nothing for a job over TLS")
    void strangers() throws IOException {
        try (TcpPair pair = TcpPair.encrypted("tls")) {
            PeAddress zero = address(pair, 0);
            InetAddress host = zero.socket().getAddress();
            List<Socket> held = new ArrayList<>();
            try {
                for (int i = 0; i < MANY; i++) {
                    held.add(new Socket(host, zero.socket().getPort()));
                }
                try (Socket plain = new Socket(host, zero.socket().getPort())) {
                    plain.setSoTimeout(20_000);
                    plain.getOutputStream().write(Handshake.hello(1, 0, 0, new byte[ConnectionProof.NONCE_BYTES]));
                    assertThat(plain.getInputStream().readAllBytes())
                            .as("an alert")
                            .hasSizeLessThan(64);
                }
                pair.putToZero(5);
            } finally {
                for (Socket each : held) {
                    each.close();
                }
            }
            pair.putToZero(6);
            assertThat(pair.wordOfZero()).isEqualTo(6);
            assertThat(pair.job.pe(0).state(1)).isEqualTo(PeState.RUNNING);
        }
    }

    @Test
    @DisplayName("a greeting of TLS where PEs have none gets no answer, and changes nothing")
    void tlsToPlainPort() throws IOException {
        try (TcpPair pair = TcpPair.encrypted("none")) {
            PeAddress zero = address(pair, 0);
            try (SocketChannel called = SocketChannel.open(zero.socket())) {
                EncryptedChannel channel = Encryption.tls().connect(called);
                assertThat(org.assertj.core.api.Assertions.catchThrowable(channel::handshake))
                        .isInstanceOf(IOException.class);
            }
            pair.putToZero(6);
            assertThat(pair.wordOfZero()).isEqualTo(6);
        }
    }
}
