// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.PeFailedException;
import coterie.internal.memory.JobSegment;
import coterie.internal.memory.SegmentJob;
import coterie.internal.memory.StatusField;
import coterie.spi.PeState;
import coterie.spi.WaitStrategy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Threads of one PE that wait at once.
class ThreadsTest {
    private static final int THREADS = 6;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final MemorySegment memory = Arena.ofShared().allocate(8 * THREADS, 8);
    private final JobSegment job = JobSegment.create(new JobSegment.Parameters("test", 3, 4096, 2, true));
    private final CountDownLatch waiting = new CountDownLatch(THREADS);
    private final WaitingRoom room = new PeRuntime(
                    new SegmentJob(job, 0, "a test"),
                    job.status(0),
                    new Announcing(),
                    ScriptedWaitStrategy.conduit(),
                    new Counters(),
                    Long.MAX_VALUE,
                    "")
            .room();
    private final Map<Integer, Throwable> thrown = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();

    /// Signals that a thread has found nothing and begins to wait for long.
    private final class Announcing implements WaitStrategy {
        private final WaitStrategy machine = new MachineWaitStrategy(THREADS, 1);
        private final ThreadLocal<Boolean> announced = ThreadLocal.withInitial(() -> false);

        @Override
        public int spins() {
            return machine.spins();
        }

        @Override
        public long nanoTime() {
            return machine.nanoTime();
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // a scheduler that never sleeps leaves the processors to others
        public void idle(long waitedNanos, long leftNanos) {
            if (!announced.get()) {
                announced.set(true);
                waiting.countDown();
            }
            machine.idle(waitedNanos, leftNanos);
        }
    }

    @Test
    @DisplayName("one failure interrupts them all, whether they wait for a word or for a set")
    void oneFailureInterruptsAll() throws InterruptedException {
        start();
        job.end(2, 137);
        join();
        assertThat(thrown).hasSize(THREADS);
        assertThat(thrown.values())
                .allSatisfy(e -> assertThat(e)
                        .isInstanceOf(PeFailedException.class)
                        .hasMessageContaining("PE 2 failed (exit code 137)"));
        assertThat(thrown).allSatisfy((thread, e) -> assertThat(e).hasMessageContaining("offset " + 8 * thread + " "));
    }

    @Test
    @DisplayName("each gets what it waits for, and none is left on the status page")
    void eachGetsItsOwn() throws InterruptedException {
        start();
        for (int thread = 0; thread < THREADS; thread++) {
            JAVA_LONG.varHandle().setRelease(memory, 8L * thread, thread + 1L);
        }
        join();
        assertThat(thrown).isEmpty();
        assertThat(job.status(0).get(StatusField.WAIT_KIND)).isZero();
    }

    private void start() throws InterruptedException {
        job.status(1).state(PeState.RUNNING);
        for (int thread = 0; thread < THREADS; thread++) {
            int me = thread;
            threads.add(Thread.ofPlatform().daemon().start(() -> {
                try {
                    await(me);
                } catch (Throwable e) {
                    thrown.put(me, e);
                }
            }));
        }
        waiting.await();
    }

    private void await(int thread) {
        long offset = 8L * thread;
        long address = memory.address() + offset;
        if (thread % 2 == 0) {
            assertThat(room.awaitWord(
                            () -> false, WordType.LONG, address, Comparison.NE, 0, offset, WaitingRoom.FOREVER))
                    .isEqualTo(thread + 1);
        } else {
            WordSet set = new WordSet(() -> false, WordType.LONG, address, 1, offset, null);
            set.operand(thread + 1);
            assertThat(room.awaitAny(set, Comparison.EQ, WaitingRoom.FOREVER)).isZero();
        }
    }

    private void join() throws InterruptedException {
        for (Thread thread : threads) {
            assertThat(thread.join(PATIENCE)).as("a thread's wait ends").isTrue();
        }
    }
}
