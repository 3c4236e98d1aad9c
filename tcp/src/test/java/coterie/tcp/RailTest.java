// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static coterie.tcp.TcpPair.await;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.SignalOperation;
import coterie.spi.Conduit.Region;
import coterie.spi.PeState;
import coterie.testing.Relay;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Payloads that several connections carry.
@Timeout(60)
class RailTest {
    private static final long[] LENGTHS = {
        Rail.LEAST_BYTES - 1, Rail.LEAST_BYTES, Rail.LEAST_BYTES + 1, 300_007, 1 << 20, 5_000_011
    };

    @ParameterizedTest
    @CsvSource({"1, 1", "4095, 1", "4097, 1", "262144, 16", "262145, 16", "262145, 3", "5000011, 7"})
    @DisplayName("the slices of a payload are all of it, none longer than the first one")
    void slices(long length, int connections) {
        long whole = Rail.sliceBytes(length, connections);
        long sum = Math.min(whole, length);
        for (int i = 1; i < connections; i++) {
            assertThat(Rail.sliceBytes(length, connections, i)).isBetween(0L, whole);
            sum += Rail.sliceBytes(length, connections, i);
        }
        assertThat(sum).isEqualTo(length);
    }

    /// Waits until a PE has all its connections to the other one.
    private static void awaitRails(TcpConduit conduit, int pe, int rails) {
        await(() -> {
            conduit.engine.enter();
            try {
                TcpPeer peer = conduit.engine.known(pe);
                int begun = 0;
                for (Rail rail : peer == null ? new Rail[0] : peer.rails) {
                    begun += rail.link == null ? 0 : 1;
                }
                return begun == rails;
            } finally {
                conduit.engine.lock.unlock();
            }
        });
    }

    private static TcpPair connected(String encryption, int ofZero, int ofOne) {
        TcpPair pair = TcpPair.railed(encryption, ofZero, ofOne);
        pair.putToZero(1);
        awaitRails(pair.zero, 1, Math.min(ofZero, ofOne) - 1);
        awaitRails(pair.one, 0, Math.min(ofZero, ofOne) - 1);
        return pair;
    }

    @ParameterizedTest
    @CsvSource({"none, 4, 4", "none, 2, 16", "none, 16, 16", "none, 3, 1", "tls, 3, 3"})
    @DisplayName("puts, gets and signals of all lengths arrive whole and in order, from arrays and from native memory")
    void wholeAndInOrder(String encryption, int ofZero, int ofOne) {
        try (TcpPair pair = connected(encryption, ofZero, ofOne);
                Arena arena = Arena.ofShared()) {
            long heap = pair.one.remoteBase(Region.HEAP, 0);
            long signal = pair.one.remoteBase(Region.SYNC, 0) + 64;
            Random random = new Random(7);
            int round = 0;
            for (long length : LENGTHS) {
                byte[] bytes = new byte[(int) length];
                for (boolean isNative : new boolean[] {true, false}) {
                    random.nextBytes(bytes);
                    MemorySegment source = isNative
                            ? arena.allocate(length).copyFrom(MemorySegment.ofArray(bytes))
                            : MemorySegment.ofArray(bytes.clone());
                    round++;
                    pair.fromOne.put(source, 0, length, 0, heap + 8);
                    pair.fromOne.putSignal(source, 0, length, 0, heap + 16, signal, SignalOperation.SET, round);
                    long expected = round;
                    await(() -> (long) JAVA_LONG.varHandle().getAcquire(pair.zero.sync(), 64L) == expected);
                    assertThat(heapOfZero(pair, 16, length)).isEqualTo(bytes);
                    MemorySegment target =
                            isNative ? arena.allocate(length) : MemorySegment.ofArray(new byte[(int) length]);
                    await(pair.fromOne, pair.fromOne.get(0, heap + 16, target, 0, length));
                    assertThat(target.toArray(JAVA_BYTE)).isEqualTo(bytes);
                }
            }
        }
    }

    private static byte[] heapOfZero(TcpPair pair, long offset, long length) {
        return ProcessMemory.ALL
                .asSlice(pair.zero.localBase(Region.HEAP) + offset, length)
                .toArray(JAVA_BYTE);
    }

    @Test
    @DisplayName("PEs that put and get long payloads at the same time do not stop each other")
    void bothWays() {
        try (TcpPair pair = connected("none", 4, 4)) {
            long length = 3_000_003;
            MemorySegment source = MemorySegment.ofArray(new byte[(int) length]);
            MemorySegment gotten = MemorySegment.ofArray(new byte[(int) length]);
            Thread zero = Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 20; i++) {
                    await(() -> pair.fromZero.accepts(1));
                    pair.fromZero.put(source, 0, length, 1, pair.zero.remoteBase(Region.HEAP, 1));
                }
                await(pair.fromZero, pair.fromZero.quiet(1));
            });
            for (int i = 0; i < 20; i++) {
                await(() -> pair.fromOne.accepts(0));
                pair.fromOne.put(source, 0, length, 0, pair.one.remoteBase(Region.HEAP, 0));
                await(pair.fromOne, pair.fromOne.get(0, pair.one.remoteBase(Region.HEAP, 0), gotten, 0, length));
            }
            await(pair.fromOne, pair.fromOne.quiet(0));
            await(() -> !zero.isAlive());
        }
    }

    @Test
    @DisplayName("each connection carries its part of a long payload")
    void carried() throws IOException {
        List<AtomicLong> counts = new CopyOnWriteArrayList<>();
        try (TcpPair pair = TcpPair.railed("none", 4, 4);
                Relay relay = new Relay(address(pair, 0).socket(), (caller, called) -> {
                    AtomicLong count = new AtomicLong();
                    counts.add(count);
                    return List.of(counted(caller, count), called);
                })) {
            publish(pair, 0, relay);
            pair.fromZero.putWord(1, 8, 1, pair.zero.remoteBase(Region.SYNC, 1)); // PE 0 calls first, then for rails
            awaitRails(pair.one, 0, 3);
            assertThat(counts).as("PE 1 has called for none").isEmpty();
        }
        try (TcpPair pair = TcpPair.railed("none", 4, 4);
                Relay relay = new Relay(address(pair, 1).socket(), (caller, called) -> {
                    AtomicLong count = new AtomicLong();
                    counts.add(count);
                    return List.of(counted(caller, count), called);
                })) {
            publish(pair, 1, relay);
            pair.fromZero.putWord(1, 8, 1, pair.zero.remoteBase(Region.SYNC, 1));
            awaitRails(pair.zero, 1, 3);
            awaitRails(pair.one, 0, 3);
            MemorySegment source = MemorySegment.ofArray(new byte[4 << 20]);
            await(pair.fromZero, pair.fromZero.put(source, 0, 4 << 20, 1, pair.zero.remoteBase(Region.HEAP, 1)));
            await(pair.fromZero, pair.fromZero.quiet(1));
            assertThat(counts)
                    .hasSize(4)
                    .allSatisfy(count -> assertThat(count.get()).isBetween(1L << 20, (1L << 20) + 10_000));
        }
    }

    private static PeAddress address(TcpPair pair, int pe) {
        return PeAddress.decode(pair.job.pe(pe).get(pe, "tcp.address").orElseThrow());
    }

    private static void publish(TcpPair pair, int pe, Relay relay) throws IOException {
        PeAddress its = address(pair, pe);
        pair.job
                .pe(pe)
                .put(
                        "tcp.address",
                        new PeAddress(relay.address(), its.connections(), its.world(), new byte[1]).encode());
    }

    /// Counts the bytes that are read.
    private static ByteChannel counted(SocketChannel socket, AtomicLong count) {
        return new ByteChannel() {
            @Override
            public int read(ByteBuffer to) throws IOException {
                int read = socket.read(to);
                count.addAndGet(Math.max(0, read));
                return read;
            }

            @Override
            public int write(ByteBuffer from) throws IOException {
                return socket.write(from);
            }

            @Override
            public boolean isOpen() {
                return socket.isOpen();
            }

            @Override
            public void close() throws IOException {
                socket.close();
            }
        };
    }

    @Test
    @DisplayName("a peer of which one connection ends is lost, and what was under way to it ends")
    void cutRail() throws IOException {
        try (TcpPair pair = connected("none", 4, 4)) {
            pair.zero.engine.enter();
            try {
                TcpLink link = pair.zero.engine.peer(1).rails[1].link;
                assertThat(link).isNotNull();
                link.socket.shutdownOutput();
            } finally {
                pair.zero.engine.lock.unlock();
            }
            MemorySegment source = MemorySegment.ofArray(new byte[4 << 20]);
            long ticket = pair.fromZero.put(source, 0, 4 << 20, 1, pair.zero.remoteBase(Region.HEAP, 1));
            await(pair.fromZero, ticket);
            await(() ->
                    pair.job.pe(0).state(1) == PeState.FAILED || pair.job.pe(1).state(0) == PeState.FAILED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "17", "-1", "two", "1.5"})
    @DisplayName("a number of connections that is none is refused with its range")
    void wrongSetting(String connections) {
        assertThatThrownBy(() -> TcpPair.withConnections(InetAddress.getLoopbackAddress(), connections))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("TCP_CONNECTIONS", "\"" + connections + "\"", "[1, 16]");
    }
}
