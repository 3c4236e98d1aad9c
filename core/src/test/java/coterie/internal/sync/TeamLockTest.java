// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.internal.memory.StatusLabel;
import coterie.internal.trace.PeTracer;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.UpcallGuard;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("one thread of a PE at a time calls a team's collectives")
class TeamLockTest {
    private static final int TIMES = Boolean.getBoolean("coterie.soak") ? 100 : 1;
    private static final int CALLS = 100;

    private final TeamLock lock = new TeamLock(membership(), null, PeTracer.off(), new UpcallGuard());

    private static Membership membership() {
        return new Membership(new StatusLabel("testers"), TeamMap.full(1), 0);
    }

    @ParameterizedTest
    @CsvSource({"2, false, 20000", "3, false, 400", "2, true, 400"})
    @DisplayName("of threads that arrive at any moment one acquires the lock, and the others throw")
    void oneAtATime(int threads, boolean areVirtual, int fewestTeams) throws Exception {
        int many = TIMES * fewestTeams;
        ThreadFactory factory = areVirtual
                ? Thread.ofVirtual().factory()
                : Thread.ofPlatform().daemon().factory();
        Guarded[] teams = new Guarded[many];
        Arrays.setAll(teams, team -> new Guarded());
        AtomicIntegerArray done = new AtomicIntegerArray(many);
        AtomicInteger ready = new AtomicInteger();
        try (ExecutorService executor = Executors.newFixedThreadPool(threads, factory)) {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                all.add(executor.submit(() -> {
                    try {
                        for (int team = 0; team < many; team++) {
                            ready.getAndIncrement();
                            while (ready.get() < threads * (team + 1)) {
                                spin(10);
                            }
                            spin(ThreadLocalRandom.current().nextInt(100));
                            done.addAndGet(team, teams[team].callOften());
                        }
                    } finally {
                        ready.getAndAdd(threads * many); // the others must not wait for a thread that failed
                    }
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        }
        for (int team = 0; team < many; team++) {
            assertThat(teams[team].done).as("calls that no other thread was in").isEqualTo(done.get(team));
        }
    }

    /// Counts without synchronization: if two threads hold the lock, counts get lost.
    private static final class Guarded {
        private final TeamLock lock = new TeamLock(membership(), null, PeTracer.off(), new UpcallGuard());
        private int done;

        /// Returns how often the calling thread held the lock.
        int callOften() {
            int mine = 0;
            for (int call = 0; call < CALLS; call++) {
                try {
                    lock.acquire(OperationKind.SYNC);
                } catch (IllegalStateException refused) {
                    continue;
                }
                int before = done;
                spin(mine++ == 0 ? 50 : 0); // long enough for a thread that missed the lock
                done = before + 1;
                lock.release();
            }
            return mine;
        }
    }

    private static void spin(int times) {
        for (int spin = 0; spin < times; spin++) {
            Thread.onSpinWait();
        }
    }

    @Test
    @DisplayName("a thread that is refused leaves the holder in, and after the release others may enter")
    void theHolderStays() throws Exception {
        lock.acquire(OperationKind.SYNC);
        inAnother(() -> assertThatThrownBy(() -> lock.acquire(OperationKind.SYNC))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll(
                        "on team \"testers\"", Thread.currentThread().getName(), "one at a time"));
        lock.acquire(OperationKind.SYNC); // again, within the collective in progress
        inAnother(() -> assertThatThrownBy(() -> lock.checkNoOtherThread(OperationKind.CLOSE))
                .isInstanceOf(IllegalStateException.class));
        lock.release();
        inAnother(() -> {
            lock.acquire(OperationKind.SYNC);
            lock.release();
        });
        lock.acquire(OperationKind.SYNC);
        inAnother(() ->
                assertThatThrownBy(() -> lock.acquire(OperationKind.SYNC)).isInstanceOf(IllegalStateException.class));
        lock.release();
        inAnother(() -> lock.check(OperationKind.CLOSE));
    }

    @Test
    @DisplayName("a thread enters after the earlier holder has ended")
    void theHolderHasEnded() throws Exception {
        inAnother(() -> {
            lock.acquire(OperationKind.SYNC);
            lock.release();
        });
        lock.acquire(OperationKind.SYNC);
        lock.release();
    }

    @Test
    @DisplayName("a confined team serves its one thread and no other")
    void confined() throws Exception {
        TeamLock confined = new TeamLock(membership(), Thread.currentThread(), PeTracer.off(), new UpcallGuard());
        for (int times = 0; times < 2; times++) {
            confined.acquire(OperationKind.SYNC);
            inAnother(() -> assertThatThrownBy(() -> confined.acquire(OperationKind.SYNC))
                    .isInstanceOf(WrongThreadException.class));
            confined.release();
            inAnother(() -> assertThatThrownBy(() -> confined.check(OperationKind.CLOSE))
                    .isInstanceOf(WrongThreadException.class));
        }
    }

    @Test
    @DisplayName(
            "a program's own kind of thread acquires the lock like any other, and the lock reads no thread's stack")
    void anOwnKindOfThread() throws Exception {
        List<Throwable> failures = new ArrayList<>();
        Thread own =
                new Thread(() -> {
                    try {
                        for (int times = 0; times < 2; times++) {
                            lock.acquire(OperationKind.SYNC);
                            inAnother(() -> assertThatThrownBy(() -> lock.acquire(OperationKind.SYNC))
                                    .isInstanceOf(IllegalStateException.class)
                                    .hasMessageContaining("one at a time"));
                            lock.release();
                            inAnother(() -> {
                                lock.acquire(OperationKind.SYNC);
                                lock.release();
                            });
                        }
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }) {
                    @Override
                    public StackTraceElement[] getStackTrace() {
                        throw new AssertionError("the lock must not read a stack");
                    }
                };
        own.setUncaughtExceptionHandler((which, failure) -> failures.add(failure));
        own.start();
        own.join();
        assertThat(failures).isEmpty();
    }

    private static void inAnother(Runnable work) throws InterruptedException {
        List<Throwable> failures = new ArrayList<>();
        Thread thread = new Thread(work);
        thread.setUncaughtExceptionHandler((which, failure) -> failures.add(failure));
        thread.start();
        thread.join();
        assertThat(failures).isEmpty();
    }
}
