// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static coterie.tcp.TcpPair.await;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import coterie.spi.Encryption;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Both PEs send as much as they can, from memory in place and from arrays.
@Timeout(60)
class TcpFloodTest {
    private static final int ROUNDS = 60;
    private static final int BYTES = 1 << 20;

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1"})
    @DisplayName("two PEs that put to and get from each other without a pause both finish, and all bytes are right")
    void flood(String host) throws UnknownHostException {
        try (TcpPair pair = new TcpPair(InetAddress.getByName(host))) {
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> flood(pair.one, pair.fromOne, 0));
            flood(pair.zero, pair.fromZero, 1);
            await(other::isDone);
            other.join();
        }
    }

    @Test
    @DisplayName("as much goes both ways over TLS, and all bytes are right")
    void encryptedFlood() {
        try (TcpPair pair = new TcpPair(InetAddress.getLoopbackAddress(), Encryption.tls(), Encryption.tls())) {
            CompletableFuture<Void> other = CompletableFuture.runAsync(() -> flood(pair.one, pair.fromOne, 0));
            flood(pair.zero, pair.fromZero, 1);
            await(other::isDone);
            other.join();
        }
    }

    /// The peer's heap: a part that this PE puts to, and behind it one that it gets from.
    private static void flood(Conduit conduit, Channel channel, int peer) {
        long heap = conduit.remoteBase(Region.HEAP, peer);
        Random random = new Random(peer);
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        MemorySegment array = MemorySegment.ofArray(bytes);
        MemorySegment outside = Arena.ofAuto().allocate(BYTES).copyFrom(array);
        MemorySegment[] results = new MemorySegment[ROUNDS];
        for (int i = 0; i < ROUNDS; i++) {
            long place = heap + (long) (i % 8) * BYTES;
            start(channel, peer);
            channel.put(i % 2 == 0 ? outside : array, 0, BYTES, peer, place);
            results[i] = i % 3 == 0
                    ? MemorySegment.ofArray(new byte[BYTES])
                    : Arena.ofAuto().allocate(BYTES);
            start(channel, peer);
            channel.get(peer, place, results[i], 0, BYTES);
            for (int j = 0; j < 100; j++) {
                start(channel, peer);
                channel.update(AtomicOperation.ADD, 1, 8, peer, conduit.remoteBase(Region.SYNC, peer));
                start(channel, peer);
                channel.put(array, 1000 + j, 1 + 37 * j, peer, heap + 32L * BYTES + 4096L * j);
            }
        }
        await(channel, channel.quiet(Channel.ALL_PEERS));
        for (MemorySegment each : results) {
            assertThat(each.mismatch(array)).isEqualTo(-1);
        }
        MemorySegment word = Arena.ofAuto().allocate(JAVA_LONG);
        await(channel, channel.getWord(8, peer, conduit.remoteBase(Region.SYNC, peer), word, 0));
        assertThat(word.get(JAVA_LONG, 0)).isEqualTo(100L * ROUNDS);
        byte[] last = new byte[1 + 37 * 99];
        await(channel, channel.get(peer, heap + 32L * BYTES + 4096L * 99, MemorySegment.ofArray(last), 0, last.length));
        assertThat(last).isEqualTo(Arrays.copyOfRange(bytes, 1099, 1099 + last.length));
    }

    private static void start(Channel channel, int peer) {
        await(() -> channel.accepts(peer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "tls"})
    @DisplayName("a signal comes after its bytes, of any number, though the target polls and calls nothing")
    void signals(String encryption) {
        try (TcpPair pair = TcpPair.encrypted(encryption);
                Arena arena = Arena.ofShared()) {
            MemorySegment heap = ProcessMemory.ALL.asSlice(pair.one.localBase(Region.HEAP), TcpPair.HEAP_BYTES);
            long signal = pair.zero.remoteBase(Region.SYNC, 1);
            int round = 0;
            for (int length : new int[] {0, 1, 8192, 8193, 16_384, 100_000, 5_000_000}) {
                round++;
                MemorySegment source = arena.allocate(Math.max(1, length)).fill((byte) round);
                long ticket = pair.fromZero.putSignal(
                        source, 0, length, 1, pair.zero.remoteBase(Region.HEAP, 1), signal, SignalOperation.ADD, 1);
                int seen = round;
                await(() -> (long) JAVA_LONG.varHandle().getAcquire(pair.one.sync(), 0L) == seen);
                for (int i = 0; i < length; i++) {
                    assertThat(heap.get(JAVA_BYTE, i)).isEqualTo((byte) round);
                }
                await(pair.fromZero, ticket);
            }
        }
    }
}
