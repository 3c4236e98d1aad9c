// SPDX-License-Identifier: Apache-2.0
package coterie.internal.order;

import static coterie.testing.AllocationAssertions.assertClean;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.SignalOperation;
import coterie.spi.Channel;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class OrderedAllocationTest {
    private static final MemorySegment MEMORY = MemorySegment.ofArray(new long[8]);

    /// Completes each operation at the third poll.
    private static final class Slow implements Channel {
        private long latest;
        private int polls;

        @Override
        public long put(MemorySegment source, long sourceOffset, long length, int peer, long remote) {
            return ++latest;
        }

        @Override
        public long get(int peer, long remote, MemorySegment target, long targetOffset, long length) {
            return ++latest;
        }

        @Override
        public long putSignal(
                MemorySegment source,
                long sourceOffset,
                long length,
                int peer,
                long remote,
                long signal,
                SignalOperation update,
                long value) {
            return ++latest;
        }

        @Override
        public void putWord(long word, int bytes, int peer, long remote) {}

        @Override
        public long getWord(int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
            return ++latest;
        }

        @Override
        public long atomic(
                AtomicOperation operation,
                long operand,
                int bytes,
                int peer,
                long remote,
                MemorySegment result,
                long resultOffset) {
            return ++latest;
        }

        @Override
        public void update(AtomicOperation operation, long operand, int bytes, int peer, long remote) {}

        @Override
        public long compareAndSwap(
                long expected, long value, int bytes, int peer, long remote, MemorySegment result, long resultOffset) {
            return ++latest;
        }

        @Override
        public void fence() {
            throw new AssertionError("this channel does not order");
        }

        @Override
        public long quiet(int peer) {
            return ++latest;
        }

        @Override
        public boolean isDone(long ticket) {
            return ++polls % 3 == 0;
        }

        @Override
        public void close() {}
    }

    @Test
    void holdingBackAllocatesNothingOnceItHasBeenDone() {
        OrderedChannel channel = new OrderedChannel(new Slow(), closed -> {});
        int[] heldBack = new int[1];
        assertClean("120,000 operations", () -> heldBack[0] += use(channel));
        assertThat(heldBack[0]).isPositive();
    }

    /// Returns how many operations were held back.
    private static int use(OrderedChannel channel) {
        int heldBack = 0;
        for (int round = 0; round < 10_000; round++) {
            int peer = round & 7;
            for (int operation = 0; operation < 2; operation++) {
                channel.put(MEMORY, 0, 8, peer, 0);
                channel.fence();
                channel.putSignal(MEMORY, 0, 8, peer, 0, 8, SignalOperation.ADD, 1);
                channel.putWord(1, 8, peer, 0);
                long fetch = channel.atomic(AtomicOperation.ADD, 1, 8, peer, 0, MEMORY, 0);
                heldBack += DeferredOperation.isOurs(fetch) ? 1 : 0;
                long quiet = channel.quiet(Channel.ALL_PEERS);
                while (!channel.isDone(fetch) || !channel.isDone(quiet)) {
                    channel.advance();
                }
            }
        }
        return heldBack;
    }
}
