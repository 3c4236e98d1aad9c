// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.LongView;
import coterie.PeFailedException;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A PE that makes itself fail, as a process, as a thread and in a simulator.
class FailingPeConformanceTest {

    @ParameterizedTest
    @EnumSource
    @DisplayName("a PE calls fail: it does nothing any more, the waits of the others end, and they go on without it")
    void theOthersGoOn(PeMode mode) {
        EndedJob job =
                EndedJob.of(EndedJob.spec("failing PE", 4, Failing.class, mode).withOnFailure(OnFailure.CONTINUE));
        assertThat(job.exitCode()).as("%s", job.lines()).isZero();
        for (int pe : new int[] {0, 2, 3}) {
            assertThat(job.lines())
                    .anySatisfy(line -> assertThat(line)
                            .startsWith(pe + " lost [1]: barrier")
                            .contains("PE 1 failed (exit code 137)"))
                    .contains(pe + " 3 go on");
        }
        boolean isMapped = mode != PeMode.SIMULATED && !"false".equals(System.getProperty("coterie.load.store"));
        assertThat(job.lines())
                .contains(
                        !isMapped
                                ? "0 can't reach the lock: [1]" // the lock's words on the failed PE are lost
                                : "0 recovers from OptionalInt[1]")
                .noneMatch(line -> line.contains("goes on after fail"));
    }

    @ParameterizedTest
    @EnumSource(names = {"PROCESSES", "THREADS"})
    @DisplayName("a PE calls fail in a job that a failure ends: its exit code is 137")
    void theJobEnds(PeMode mode) {
        EndedJob job = EndedJob.of(EndedJob.spec("failing PE", 2, FailingAtOnce.class, mode));
        assertThat(job.exitCode()).as("%s", job.lines()).isEqualTo(137);
        if (mode == PeMode.PROCESSES) {
            assertThat(job.lines()).noneMatch(line -> line.startsWith("1 "));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "THREADS")
    @DisplayName("a PE that is a thread calls fail: its other threads can't use the world any more")
    void itsThreadsAreRefused(PeMode mode) {
        EndedJob job = EndedJob.of(
                EndedJob.spec("failing PE", 2, FailingWithThreads.class, mode).withOnFailure(OnFailure.CONTINUE));
        assertThat(job.exitCode()).as("%s", job.lines()).isZero();
        assertThat(job.lines()).contains("1 the putter is refused", "1 the waiter is refused");
    }

    /// PE 1 fails while it holds a lock, and the others wait for it in a barrier.
    static final class Failing {
        public static void main(String[] args) {
            World world = World.join();
            SymmetricLock lock = world.allocate(SymmetricLock.BYTES).lock(0);
            Team workers = world.team().duplicate();
            world.team().syncLiving(); // so that all have the team when PE 1 fails
            if (world.pe() == 1) {
                lock.lock();
                RuntimeException never = world.fail();
                System.out.println("goes on after fail");
                throw never;
            }
            try {
                workers.barrier();
            } catch (PeFailedException e) {
                System.out.println("lost " + e.failedPes() + ": " + e.getMessage());
            }
            try (Team survivors = workers.survivors()) {
                System.out.println(survivors.sum(1L) + " go on");
                if (world.pe() == 0) {
                    recover(lock);
                }
            }
        }

        private static void recover(SymmetricLock lock) {
            try {
                System.out.println("recovers from " + lock.lockOrRecover());
                lock.unlock();
            } catch (PeFailedException e) {
                System.out.println("can't reach the lock: " + e.failedPes());
            }
        }
    }

    static final class FailingAtOnce {
        public static void main(String[] args) {
            World world = World.join();
            if (world.pe() == 1) {
                Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("runs a hook")));
                throw world.fail();
            }
            world.team().barrier();
        }
    }

    /// PE 1 fails while a thread of it puts, and another waits for a word.
    static final class FailingWithThreads {
        public static void main(String[] args) throws Exception {
            World world = World.join();
            SymmetricMemory block = world.allocate(3 * Long.BYTES);
            LongView words = block.longs();
            if (world.pe() == 1) {
                refused("putter", () -> {
                    while (true) {
                        words.put(0, words.get(0, 0) + 1, 0);
                    }
                });
                refused("waiter", () -> words.waitUntil(1, Comparison.EQ, 1));
                words.waitUntil(2, Comparison.EQ, 1);
                throw world.fail();
            }
            words.waitUntil(0, Comparison.GE, 1000);
            words.put(2, 1, 1);
            try {
                world.team().barrier();
            } catch (PeFailedException e) {
                System.out.println("lost " + e.failedPes());
            }
        }

        private static void refused(String name, Runnable work) {
            Thread.ofPlatform().start(() -> {
                try {
                    work.run();
                } catch (RuntimeException e) {
                    System.out.println("the " + name + " is refused");
                }
            });
        }
    }
}
