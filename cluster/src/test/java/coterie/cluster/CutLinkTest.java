// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.PeState;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A link that is cut without any end of a connection: no byte passes.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CutLinkTest {
    /// Time for a crowded machine beside the bound.
    private static final Duration SLACK = Duration.ofSeconds(3);

    /// Joins a PE over the link.
    private static Future<ClusterJob> joining(TestJob test, FrozenProxy proxy, int pe) {
        return test.submit(() -> ClusterJob.join(
                proxy.key(), "the coordinator", pe, TestJob.place("far"), 1 << 20, Duration.ofSeconds(20)));
    }

    @Test
    @DisplayName("a cut link is noticed at both ends within the bound, and a PE that comes back is fenced")
    void cutAndMended() throws Exception {
        try (TestJob test = new TestJob(3, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            Future<ClusterJob> one = test.joining(1);
            Future<ClusterJob> far = joining(test, proxy, 2);
            ClusterJob near = TestJob.get(zero);
            ClusterJob lost = TestJob.get(far);
            near.state(PeState.RUNNING);
            TestJob.get(one).state(PeState.RUNNING);
            lost.state(PeState.RUNNING);
            TestJob.await("RUNNING", () -> near.state(2) == PeState.RUNNING);

            Thread.sleep(2 * TestJob.SILENCE.toMillis()); // a quiet job is not a silent one
            assertThat(near.state(2)).isEqualTo(PeState.RUNNING);
            assertThat(lost.state(2)).isEqualTo(PeState.RUNNING);

            long start = System.nanoTime();
            proxy.cut();
            TestJob.await("coordinator", () -> near.state(2) == PeState.FAILED);
            TestJob.await("PE", () -> lost.state(2) == PeState.FAILED);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestJob.SILENCE.plus(SLACK));
            assertThat(near.failureReason(2)).contains("no message came from it for 600 ms");
            assertThat(lost.failureReason(2)).get().asString().startsWith("no message came from the coordinator");
            assertThat(near.state(1)).isEqualTo(PeState.RUNNING);

            proxy.mend();
            lost.abort(9); // must have no effect
            near.put("a", new byte[1]);
            near.failed(1, "so that a later message has come");
            TestJob.await("later message", () -> near.state(1) == PeState.FAILED);
            assertThat(near.state(2)).isEqualTo(PeState.FAILED);
            assertThat(near.abortCode()).isEmpty();
        }
    }

    @Test
    @DisplayName("a link that is cut for less than the bound loses nothing")
    void shortCuts() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(joining(test, proxy, 1));
            ClusterJob near = TestJob.get(zero);
            for (int round = 0; round < 5; round++) {
                proxy.cut();
                far.put("round", new byte[] {(byte) round});
                long its = far.fence();
                long mine = near.fence();
                Thread.sleep(TestJob.SILENCE.toMillis() / 6);
                assertThat(near.isFenced(mine)).isFalse();
                proxy.mend();
                TestJob.await("fence", () -> near.isFenced(mine) && far.isFenced(its));
                assertThat(near.get(1, "round").orElseThrow()[0]).isEqualTo((byte) round);
            }
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
        }
    }

    @Test
    @DisplayName(
            "a PE goes on after the close of its world when the coordinator has it: the end that follows is a good one")
    void lateLastMessage() throws Exception {
        Duration silence = JobCoordinator.LAST_MESSAGES.multipliedBy(5);
        try (TestJob test = new TestJob(2, true, Duration.ZERO, silence);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(joining(test, proxy, 1));
            ClusterJob near = TestJob.get(zero);
            for (int world = 0; world < 3; world++) {
                far.state(PeState.RUNNING);
                TestJob.await("world", () -> near.state(1) == PeState.RUNNING);
                proxy.cut();
                Future<?> closing = test.submit(() -> {
                    far.state(PeState.CLOSED);
                    return near.state(1);
                });
                Thread.sleep(200); // on a whole link it takes less than one
                assertThat(closing.isDone()).isFalse();
                assertThat(near.state(1)).isEqualTo(PeState.RUNNING);
                proxy.mend();
                TestJob.get(closing);
                TestJob.await("close", () -> near.state(1) == PeState.CLOSED);
            }
            proxy.drop(); // as the end of a process does on whose connection a message has just arrived
            test.coordinator.exited(1, 0);
            TestJob.await("end", () -> near.state(1) == PeState.ENDED);
        }
    }

    @Test
    @DisplayName("a PE that has lost its coordinator does not wait for it at the close of its world")
    void closeWithoutCoordinator() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(joining(test, proxy, 1));
            ClusterJob near = TestJob.get(zero);
            far.state(PeState.RUNNING);
            TestJob.await("world", () -> near.state(1) == PeState.RUNNING);
            proxy.cut();
            Future<Boolean> closing = test.submit(() -> {
                Thread.currentThread().interrupt(); // ends no operation
                far.state(PeState.CLOSED);
                return Thread.currentThread().isInterrupted();
            });
            assertThat(TestJob.get(closing)).isTrue();
            TestJob.await("end", () -> near.state(1) == PeState.FAILED && far.state(1) == PeState.FAILED);
        }
    }

    @Test
    @DisplayName(
            "messages that come late and in pieces lose nothing; a dropped connection fails its PE within the bound")
    void delayedAndDropped() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(joining(test, proxy, 1));
            ClusterJob near = TestJob.get(zero);
            proxy.delay((int) TestJob.SILENCE.toMillis() / 40); // a message of 25 bytes is in time
            for (int round = 0; round < 5; round++) {
                far.put("round", new byte[] {(byte) round});
                long its = far.fence();
                long mine = near.fence();
                TestJob.await("fence", () -> near.isFenced(mine) && far.isFenced(its));
                assertThat(near.get(1, "round").orElseThrow()[0]).isEqualTo((byte) round);
            }
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
            long start = System.nanoTime();
            proxy.drop();
            TestJob.await("coordinator", () -> near.state(1) == PeState.FAILED);
            TestJob.await("PE", () -> far.state(1) == PeState.FAILED);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(TestJob.SILENCE.plus(SLACK));
            assertThat(near.state(0)).isEqualTo(PeState.STARTING);
        }
    }
}
