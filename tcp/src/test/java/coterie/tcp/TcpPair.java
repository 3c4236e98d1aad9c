// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.conformance.ObjectJob;
import coterie.spi.Channel;
import coterie.spi.Conduit.Region;
import coterie.spi.ConduitContext;
import coterie.spi.Encryption;
import coterie.spi.PeJob;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// The conduits of two PEs that are objects of this JVM, on different nodes.
final class TcpPair implements AutoCloseable {
    static final long SYNC_BYTES = 1 << 16;
    static final long HEAP_BYTES = 64 << 20;

    final ObjectJob job;
    final TcpConduit zero;
    final TcpConduit one;
    final Channel fromZero;
    final Channel fromOne;

    /// Whether the test has closed PE 1.
    boolean hasClosedOne;

    TcpPair() {
        this(InetAddress.getLoopbackAddress());
    }

    /// Makes a pair in which PE 0 has a value of the setting TCP_CONNECTIONS.
    static TcpPair withConnections(InetAddress host, String ofZero) {
        return new TcpPair(host, Encryption.none(), Encryption.none(), ofZero, "1");
    }

    /// @param host where both listen
    TcpPair(InetAddress host) {
        this(host, Encryption.none(), Encryption.none());
    }

    /// @param ofZero connections that PE 0 wants
    /// @param ofOne connections that PE 1 wants
    static TcpPair railed(String encryption, int ofZero, int ofOne) {
        UnaryOperator<String> settings = name -> name.equals("ENCRYPTION") ? encryption : "";
        return new TcpPair(
                InetAddress.getLoopbackAddress(),
                Encryption.of(settings),
                Encryption.of(settings),
                Integer.toString(ofZero),
                Integer.toString(ofOne));
    }

    /// @param encryption value of the setting ENCRYPTION
    static TcpPair encrypted(String encryption) {
        UnaryOperator<String> settings = name -> name.equals("ENCRYPTION") ? encryption : "";
        return new TcpPair(InetAddress.getLoopbackAddress(), Encryption.of(settings), Encryption.of(settings));
    }

    /// @param ofZero how PE 0 encrypts
    /// @param ofOne how PE 1 encrypts
    TcpPair(InetAddress host, Encryption ofZero, Encryption ofOne) {
        this(host, ofZero, ofOne, "1", "1");
    }

    private TcpPair(
            InetAddress host, Encryption ofZero, Encryption ofOne, String connectionsOfZero, String connectionsOfOne) {
        job = new ObjectJob(2, host);
        zero = new TcpConduit(new PairContext(job.pe(0), ofZero, connectionsOfZero));
        one = new TcpConduit(new PairContext(job.pe(1), ofOne, connectionsOfOne));
        byte[] heapOfZero = zero.createHeap(HEAP_BYTES);
        byte[] heapOfOne = one.createHeap(HEAP_BYTES);
        zero.attachHeap(1, heapOfOne);
        one.attachHeap(0, heapOfZero);
        fromZero = zero.openChannel();
        fromOne = one.openChannel();
    }

    /// Waits until a condition holds, or the time limit of the test interrupts the thread.
    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("not within the test's time limit");
            }
            Thread.onSpinWait();
        }
    }

    static void await(Channel channel, long ticket) {
        await(() -> channel.isDone(ticket));
    }

    /// Puts a word from PE 1 to PE 0, and waits until it is there.
    void putToZero(long word) {
        fromOne.putWord(word, 8, 0, one.remoteBase(Region.SYNC, 0));
        await(fromOne, fromOne.quiet(0));
    }

    /// Returns the first word of the region SYNC of PE 0.
    long wordOfZero() {
        return (long) JAVA_LONG.varHandle().getAcquire(zero.sync(), 0L);
    }

    /// Closes both at the same time, as the PEs of a world do.
    @Override
    public void close() {
        if (!hasClosedOne) {
            Thread closer = Thread.ofPlatform().start(one::close);
            zero.close();
            await(() -> !closer.isAlive());
        } else {
            zero.close();
        }
    }

    /// Memory of a PE of the test.
    private record PairContext(PeJob job, Encryption encryption, String connections) implements ConduitContext {
        @Override
        public String setting(String name) {
            return name.equals(TcpProvider.CONNECTIONS) ? connections : "";
        }

        @Override
        public long syncBytes() {
            return SYNC_BYTES;
        }

        @Override
        public MemorySegment memory(long byteSize) {
            return Arena.ofAuto().allocate(byteSize, 4096);
        }

        @Override
        public Optional<String> refusal(long byteSize) {
            return Optional.empty();
        }

        @Override
        public boolean isNear(int peer) {
            return peer == job.pe();
        }

        @Override
        public byte[] share(MemorySegment memory) {
            return new byte[1];
        }

        @Override
        public long attach(int peer, byte[] description, long byteSize) {
            throw new UnsupportedOperationException();
        }
    }
}
