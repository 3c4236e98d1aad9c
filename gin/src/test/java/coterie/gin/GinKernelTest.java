// SPDX-License-Identifier: Apache-2.0
package coterie.gin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.WaitTimeoutException;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.stream.Extent;
import coterie.stream.StreamException;
import coterie.stream.StreamRuntime;
import coterie.stream.WorkStream;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;

/// GIN inside kernels, with groups of threads.
class GinKernelTest {
    private static final int THREADS = 8;

    @SpmdTest(
            pes = {2, 3},
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("threads and blocks put, signal, wait and read; a group does each once")
    void groups(World world) {
        GinFixture gins = GinFixture.open(world);
        AtomicInteger wrong = new AtomicInteger();
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream stream = runtime.createStream();
            for (int round = 1; round <= 5; round++) {
                int now = round;
                gins.fill(8192, 2 * THREADS * 64L, now);
                stream.launch(Extent.of(2), Extent.of(THREADS), thread -> {
                    int block = thread.blockIndex().x();
                    Gin alone = gins.gin(block).by(thread);
                    long mine = (block * THREADS + thread.number()) * 64L;
                    alone.put(
                            gins.all,
                            gins.right(),
                            gins.window,
                            mine,
                            gins.window,
                            8192 + mine,
                            64,
                            RemoteAction.weakSignalInc(0));
                    Gin together = gins.gin(block).by(thread.block());
                    together.waitSignal(0, (long) now * THREADS);
                    together.signal(gins.all, gins.left(), RemoteAction.strongSignalAdd(1, 1));
                    if (!gins.holds(mine, 64, now)) {
                        wrong.incrementAndGet();
                    }
                    together.flush();
                    together.waitSignal(1, now);
                    if (together.readSignal(1) != now) {
                        wrong.incrementAndGet();
                    }
                });
                stream.synchronize();
                gins.meet();
            }
        }
        assertThat(wrong.get()).isZero();
        gins.close();
    }

    @SpmdTest(
            pes = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a barrier session for each block of a kernel")
    void barriers(World world) {
        GinFixture gins = GinFixture.open(world);
        AtomicInteger wrong = new AtomicInteger();
        try (StreamRuntime runtime = StreamRuntime.open(world);
                BarrierSession first = gins.comm.worldBarrier(gins.gin(0), 0);
                BarrierSession second = gins.comm.worldBarrier(gins.gin(1), 1)) {
            WorkStream stream = runtime.createStream();
            stream.launch(Extent.of(2), Extent.of(4), thread -> {
                int block = thread.blockIndex().x();
                BarrierSession barrier = (block == 0 ? first : second).by(thread.block());
                Gin gin = gins.gin(block).by(thread.block());
                for (int round = 1; round <= 20; round++) {
                    gin.putValue(gins.all, gins.right(), gins.window, 8L * block, round, 8);
                    barrier.sync(FenceLevel.PUT);
                    if (gins.memory.longs().getAcquire(block, gins.me) != round) {
                        wrong.incrementAndGet();
                    }
                    barrier.sync(FenceLevel.NONE);
                }
            });
            stream.synchronize();
        }
        assertThat(wrong.get()).isZero();
        gins.meet();
        gins.close();
    }

    @SpmdTest(
            pes = 1,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a wait in a kernel ends at its timeout, and when another thread of the kernel fails")
    void ends(World world) {
        GinFixture gins = GinFixture.open(world);
        try (StreamRuntime runtime = StreamRuntime.open(world)) {
            WorkStream late = runtime.createStream();
            Gin shorter = gins.gin(0).withTimeout(Duration.ofMillis(50));
            late.launch(
                    Extent.of(1),
                    Extent.of(4),
                    thread -> shorter.by(thread.block()).waitSignal(3, 1));
            assertThatThrownBy(late::synchronize)
                    .isInstanceOf(StreamException.class)
                    .hasRootCauseInstanceOf(WaitTimeoutException.class)
                    .rootCause()
                    .hasMessageContaining("signal 3 is 0 and has not reached 1");
            WorkStream failing = runtime.createStream();
            failing.launch(Extent.of(1), Extent.of(2), thread -> {
                if (thread.number() == 0) {
                    throw new IllegalStateException("thrown by a thread");
                }
                gins.gin(0).by(thread).waitSignal(3, 1);
            });
            assertThatThrownBy(failing::synchronize).rootCause().hasMessage("thrown by a thread");
        } catch (StreamException e) {
            assertThat(e).isNotNull(); // the close reports the failures again
        }
        gins.meet();
        gins.close();
    }
}
