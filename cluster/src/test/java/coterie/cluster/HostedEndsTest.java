// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.World;
import coterie.spi.PeState;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Ends of PEs that are threads of this JVM, other than a close: each is an exception of the others, and ends no
/// process.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class HostedEndsTest extends HostedCase {

    private static long waiting(World world) {
        while (true) {
            world.team().sum(1L);
        }
    }

    private static void assertLost(Future<?> pe, int lost, String reason) throws InterruptedException {
        assertThat(thrown(pe)).isInstanceOfSatisfying(PeFailedException.class, e -> {
            assertThat(e.failedPes()).containsExactly(lost);
            assertThat(e).hasMessageContaining(reason);
        });
    }

    @Test
    @DisplayName("a task that throws makes its PE fail, and its own exception comes out")
    void taskThrows() throws Exception {
        try (JobCoordinator coordinator = open(3)) {
            List<Future<Long>> others = start(coordinator, 0, 2, HostedEndsTest::waiting);
            Future<Long> two = this.<Long>start(coordinator, 2, 3, world -> {
                        world.team().sum(1L);
                        throw new IOException("no rows");
                    })
                    .getFirst();
            assertThat(thrown(two)).isInstanceOf(IOException.class).hasMessage("no rows");
            for (Future<Long> each : others) {
                assertLost(each, 2, "its task threw java.io.IOException: no rows");
            }
            JobEnd end = coordinator.awaitEnd();
            assertThat(end.isSuccess()).isFalse();
            assertThat(end.pes().get(2).reason()).isEqualTo("its task threw java.io.IOException: no rows");
        }
    }

    @Test
    @DisplayName("a PE fails with its thread, if the thread ends without a close")
    void threadEnds() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            List<Future<Long>> others = start(coordinator, 0, 1, HostedEndsTest::waiting);
            Thread one = new Thread(() -> WorldJoin.by(coordinator.key()).pe(1).join());
            one.start();
            assertLost(others.getFirst(), 1, "the thread that had joined has ended without a close of its world");
            assertThat(coordinator.awaitEnd().pes()).extracting(PeExit::state).contains(PeState.FAILED);
        }
    }

    @Test
    @DisplayName("a virtual thread is a PE, and fails as any thread does")
    void virtualThreadEnds() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            List<Future<Long>> others = start(coordinator, 0, 1, HostedEndsTest::waiting);
            Thread.ofVirtual().start(() -> {
                World world = WorldJoin.by(coordinator.key()).pe(1).join();
                world.team().sum(1L);
            });
            assertLost(others.getFirst(), 1, "has ended without a close");
        }
    }

    @Test
    @DisplayName("an abort throws on all PEs, the caller too, and the coordinator tells its code")
    void abort() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            List<Future<Long>> others = start(coordinator, 0, 1, HostedEndsTest::waiting);
            Future<Long> one = this.<Long>start(coordinator, 1, 2, world -> {
                        world.team().sum(1L);
                        throw world.abort(7);
                    })
                    .getFirst();
            assertThat(thrown(one)).isInstanceOf(CoterieException.class).hasMessageContaining("exit code 7");
            assertThat(thrown(others.getFirst()))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("7");
            assertThat(coordinator.awaitEnd().abortCode()).hasValue(7);
        }
    }

    @Test
    @DisplayName("a coordinator aborts the PEs of host programs, and their closes return")
    void coordinatorAborts() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            CountDownLatch joined = new CountDownLatch(2);
            List<Future<Throwable>> pes = List.of(
                    threads.submit(() -> closedAfterAbort(coordinator, joined)),
                    threads.submit(() -> closedAfterAbort(coordinator, joined)));
            joined.await();
            coordinator.abort(3);
            for (Throwable each : results(pes)) {
                assertThat(each).isInstanceOf(CoterieException.class);
            }
            assertThat(coordinator.awaitEnd().isSuccess()).isFalse();
        }
    }

    private static Throwable closedAfterAbort(JobCoordinator coordinator, CountDownLatch joined) {
        try (World world = WorldJoin.by(coordinator.key()).join()) {
            joined.countDown();
            return new AssertionError("sum " + waiting(world));
        } catch (CoterieException e) {
            return e;
        }
    }

    @Test
    @DisplayName("World.fail ends the calling thread by an error, also for a PE without a process")
    void fail() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            List<Future<Long>> others = start(coordinator, 0, 1, HostedEndsTest::waiting);
            Future<Long> one = this.<Long>start(coordinator, 1, 2, world -> {
                        world.team().sum(1L);
                        throw world.fail();
                    })
                    .getFirst();
            assertThat(thrown(one)).isInstanceOf(Error.class).hasMessageContaining("PE 1");
            assertLost(others.getFirst(), 1, "it called World.fail");
        }
    }

    @Test
    @DisplayName("where one thread of a PE makes it fail, the others get exceptions from what they wait in")
    void failInAnotherThread() throws Exception {
        try (JobCoordinator coordinator = open(2)) {
            List<Future<Long>> others = start(coordinator, 0, 1, HostedEndsTest::waiting);
            Future<Long> one = this.<Long>start(coordinator, 1, 2, world -> {
                        world.team().sum(1L);
                        assertThat(threads.submit(world::fail)).isNotNull();
                        return waiting(world);
                    })
                    .getFirst();
            assertThat(thrown(one)).isInstanceOf(RuntimeException.class);
            assertLost(others.getFirst(), 1, "it called World.fail");
        }
    }

    @Test
    @DisplayName("a PE that loses its coordinator throws in its host's thread")
    void lostCoordinator() throws Exception {
        JobCoordinator coordinator = open(2);
        CountDownLatch joined = new CountDownLatch(2);
        List<Future<Long>> pes = start(coordinator, 0, 2, world -> {
            joined.countDown();
            return waiting(world);
        });
        joined.await();
        coordinator.close();
        for (Future<Long> each : pes) {
            assertThat(thrown(each)).isInstanceOf(CoterieException.class).hasMessageContaining("counts as failed");
        }
    }

    @Test
    @DisplayName("the coordinator tells which PEs have not joined in time, and so do the joins of the others")
    void missing() throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (JobCoordinator coordinator = JobCoordinator.open(new JobCoordinator.Options(
                2,
                loopback,
                loopback.getHostAddress(),
                HEAP,
                Duration.ofSeconds(10),
                Duration.ofMillis(300),
                false,
                true))) {
            Future<Integer> zero =
                    this.<Integer>start(coordinator, 0, 1, World::pe).getFirst();
            assertThat(thrown(zero)).isInstanceOf(CoterieException.class).hasMessageContaining("have not joined");
            Future<JobEnd> end = threads.submit(coordinator::awaitEnd);
            assertThat(thrown(end)).isInstanceOf(CoterieException.class).hasMessageContaining("of 2 have not joined");
        }
    }

    @Test
    @DisplayName("a close of the coordinator ends the wait for the end of its job")
    void closedCoordinator() throws Exception {
        JobCoordinator coordinator = open(1);
        Future<JobEnd> end = threads.submit(coordinator::awaitEnd);
        coordinator.close();
        assertThat(thrown(end)).isInstanceOf(CoterieException.class).hasMessageContaining("closed");
    }

    @Test
    @DisplayName("survivors go on in a team of their own after a PE of a host program has failed")
    void survivors() throws Exception {
        try (JobCoordinator coordinator = open(3)) {
            List<Future<Long>> others = start(coordinator, 0, 2, world -> {
                try {
                    return waiting(world);
                } catch (PeFailedException e) {
                    return world.team().survivors().sum(1L);
                }
            });
            start(coordinator, 2, 3, world -> {
                world.team().sum(1L);
                throw new IllegalStateException("on purpose");
            });
            assertThat(results(others)).containsExactly(2L, 2L);
        }
    }
}
