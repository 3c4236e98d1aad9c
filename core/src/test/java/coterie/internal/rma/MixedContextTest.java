// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ByteView;
import coterie.Team;
import coterie.internal.mapped.HeapAddresses;
import coterie.internal.mapped.MappedConduit;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.wait.Counters;
import coterie.internal.wait.MachineWaitStrategy;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Channel;
import java.lang.foreign.Arena;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/// Order and completion where PEs 0 and 1 can be loaded and stored, and PE 2 is behind a conduit whose own order
/// and completion mean nothing to the processor.
class MixedContextTest {
    private static final int NEAR = 2;
    private static final int PES = 3;
    private static final long HEAP_BYTES = 4096;

    @AutoClose
    private final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", PES, HEAP_BYTES, 2, false));

    @AutoClose
    private final Arena arena = Arena.ofShared();

    private final long heaps = arena.allocate(NEAR * HEAP_BYTES, 128).address();

    @Test
    void onlyTheDistantAreCompletedByTheConduit() {
        List<String> asked = new ArrayList<>();
        PeContext context = context(0, asked);
        context.quiet(1, 0);
        context.quiet();
        context.quiet(2, 1, 2);
        context.quiet(new int[0]);
        context.fence();
        assertThat(asked).containsExactly("quiet -1", "quiet 2", "quiet 2", "fence");
    }

    @Test
    void quietCompletesWhatWasStoredToo() throws InterruptedException {
        assertThat(storesBuffered(PeContext::quiet)).isZero();
    }

    @Test
    void quietTowardsAPeCompletesWhatWasStoredToIt() throws InterruptedException {
        assertThat(storesBuffered(context -> context.quiet(1 - context.me))).isZero();
    }

    private interface Completion {
        void complete(PeContext context);
    }

    /// Store buffering: each of two PEs stores to the other, completes that, and loads what the other stores to
    /// it. Returns how often both have read the old value.
    private int storesBuffered(Completion completion) throws InterruptedException {
        int rounds = 50_000;
        long[][] seen = new long[NEAR][rounds];
        AtomicInteger ready = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int pe = 0; pe < NEAR; pe++) {
            int me = pe;
            PeContext context = context(me, null);
            ByteView cells = new PeMemory(new AddressHeap(this::base), context, 1, 0, HEAP_BYTES, 8).bytes();
            threads.add(Thread.ofPlatform().start(() -> {
                for (int round = 0; round < rounds; round++) {
                    long cell = round % HEAP_BYTES;
                    byte value = (byte) (1 + round / HEAP_BYTES);
                    ready.getAndIncrement();
                    while (ready.get() < NEAR * (round + 1)) {
                        Thread.onSpinWait();
                    }
                    cells.put(cell, value, 1 - me);
                    completion.complete(context);
                    seen[me][round] = cells.get(cell) - value;
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        int missed = 0;
        for (int round = 0; round < rounds; round++) {
            missed += seen[0][round] != 0 && seen[1][round] != 0 ? 1 : 0;
        }
        return missed;
    }

    private PeContext context(int me, @Nullable List<String> asked) {
        PeRuntime runtime = new PeRuntime(
                new SegmentJob(job, me, "a test"),
                job.status(me),
                new MachineWaitStrategy(PES, 2),
                new Half(me, null),
                new Counters(),
                Long.MAX_VALUE,
                "");
        PeContext context = new PeContext(me, PES, new Half(me, asked), runtime, null);
        context.belongTo((Team) Proxy.newProxyInstance(
                Team.class.getClassLoader(), new Class<?>[] {Team.class}, (self, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("pe");
                    return arguments[0];
                }));
        BitSet all = new BitSet();
        all.set(0, PES);
        context.peerBases().attach(all);
        return context;
    }

    private long base(int pe) {
        return heaps + pe * HEAP_BYTES;
    }

    /// Does nothing for the processor when asked for order and completion.
    private final class Half extends MappedConduit {
        private final @Nullable List<String> asked;

        /// @param asked where to record the calls, or null
        Half(int me, @Nullable List<String> asked) {
            super(job, me, new HeapAddresses(PES));
            this.asked = asked;
        }

        @Override
        public long directBase(Region region, int peer) {
            return peer < NEAR ? base(peer) : 0;
        }

        @Override
        public long remoteBase(Region region, int peer) {
            return 0;
        }

        @Override
        public Channel openChannel() {
            return (Channel) Proxy.newProxyInstance(
                    Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (self, method, arguments) -> {
                        if (asked != null) {
                            asked.add(method.getName() + (arguments == null ? "" : " " + arguments[0]));
                        }
                        return method.getReturnType() == long.class ? 0L : null;
                    });
        }
    }
}
