// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import coterie.conformance.ObjectJob;
import coterie.spi.Channel;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// The conduits of two PEs that are objects of this JVM, on different nodes.
final class TwoPes implements AutoCloseable {
    static final long SYNC_BYTES = 1 << 16;

    final ObjectJob job = new ObjectJob(2, InetAddress.getLoopbackAddress());
    final UcxConduit zero = new UcxConduit(new TestContext(job.pe(0)));
    final UcxConduit one = new UcxConduit(new TestContext(job.pe(1)));
    final Channel fromZero = zero.openChannel();
    final Channel fromOne = one.openChannel();

    /// Whether the test has closed PE 1.
    boolean hasClosedOne;

    /// Waits until a condition holds, or the time limit of the test interrupts the thread.
    static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            if (Thread.interrupted()) {
                throw new AssertionError("not within the test's time limit");
            }
            Thread.onSpinWait();
        }
    }

    /// Returns the memory of PE 0 in its region SYNC.
    MemorySegment syncOfZero() {
        return zero.sync();
    }

    /// Returns the first word of the region SYNC of PE 0.
    long wordOfZero() {
        return (long) JAVA_LONG.varHandle().getAcquire(syncOfZero(), 0L);
    }

    /// Returns the messages of PE 1 that PE 0 has dropped.
    long droppedByZero() {
        zero.worker.lock.lock();
        try {
            return zero.worker.peers.get(1).dropped;
        } finally {
            zero.worker.lock.unlock();
        }
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
    private record TestContext(PeJob job) implements ConduitContext {
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
