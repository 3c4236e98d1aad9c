// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.spi.Encryption;
import coterie.spi.PeState;
import coterie.testing.Patience;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A link that is cut without any end of a connection: no byte passes, or a few at a time. The tests move the clock.
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class CutLinkTest {
    /// Quarters of the silence that a cut link is not noticed in.
    private static final int QUARTERS = CoordinatorLoop.MESSAGES_PER_SILENCE;

    @Test
    @DisplayName("a cut link is noticed at both ends at the bound, and a PE that comes back is fenced")
    void cutAndMended() throws Exception {
        try (TestJob test = new TestJob(3, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            Future<ClusterJob> one = test.joining(1);
            ManualClock its = test.clock.twin();
            Future<ClusterJob> far = test.joining(proxy, 2, its);
            ClusterJob near = TestJob.get(zero);
            ClusterJob lost = TestJob.get(far);
            ClusterJob third = TestJob.get(one);
            near.state(PeState.RUNNING);
            third.state(PeState.RUNNING);
            lost.state(PeState.RUNNING);
            Patience.until("RUNNING", () -> near.state(2) == PeState.RUNNING);

            for (int quarter = 0; quarter < 2 * QUARTERS; quarter++) {
                test.quarter(near, third, lost); // a quiet job is not a silent one
            }
            assertThat(near.state(2)).isEqualTo(PeState.RUNNING);
            assertThat(lost.state(2)).isEqualTo(PeState.RUNNING);

            test.cut(proxy, its);
            for (int quarter = 0; quarter < QUARTERS; quarter++) {
                test.quarter(near, third);
            }
            assertThat(near.state(2)).isEqualTo(PeState.RUNNING);
            assertThat(lost.state(2)).isEqualTo(PeState.RUNNING);
            test.quarter(near, third);
            Patience.until("coordinator", () -> near.state(2) == PeState.FAILED);
            Patience.until("PE", () -> lost.state(2) == PeState.FAILED);
            assertThat(near.failureReason(2)).contains("no message came from it for 8000 ms");
            assertThat(lost.failureReason(2)).get().asString().startsWith("no message came from the coordinator");
            assertThat(near.state(1)).isEqualTo(PeState.RUNNING);

            proxy.mend();
            lost.abort(9); // must have no effect
            near.put("a", new byte[1]);
            near.failed(1, "so that a later message has come");
            Patience.until("later message", () -> near.state(1) == PeState.FAILED);
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
            ManualClock clock = test.clock.twin();
            ClusterJob far = TestJob.get(test.joining(proxy, 1, clock));
            ClusterJob near = TestJob.get(zero);
            for (int round = 0; round < 5; round++) {
                test.quarter(near, far);
                test.cut(proxy, clock);
                far.put("round", new byte[] {(byte) round});
                long its = far.fence();
                long mine = near.fence();
                for (int quarter = 0; quarter < QUARTERS; quarter++) {
                    test.quarter(near);
                }
                assertThat(near.isFenced(mine)).isFalse();
                proxy.mend();
                Patience.until("fence", () -> near.isFenced(mine) && far.isFenced(its));
                assertThat(near.get(1, "round").orElseThrow()[0]).isEqualTo((byte) round);
            }
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
        }
    }

    @Test
    @DisplayName(
            "a PE goes on after the close of its world when the coordinator has it: the end that follows is a good one")
    void lateLastMessage() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ManualClock clock = test.clock.twin();
            ClusterJob far = TestJob.get(test.joining(proxy, 1, clock));
            ClusterJob near = TestJob.get(zero);
            for (int world = 0; world < 3; world++) {
                far.state(PeState.RUNNING);
                Patience.until("world", () -> near.state(1) == PeState.RUNNING);
                test.cut(proxy, clock);
                Thread closing = Thread.ofPlatform().daemon().start(() -> far.state(PeState.CLOSED));
                Patience.until("message", proxy::holds);
                Patience.until(
                        "wait for the answer",
                        () -> closing.getState() == Thread.State.TIMED_WAITING || !closing.isAlive());
                assertThat(closing.isAlive()).isTrue();
                assertThat(near.state(1)).isEqualTo(PeState.RUNNING);
                proxy.mend();
                closing.join();
                Patience.until("close", () -> near.state(1) == PeState.CLOSED);
            }
            proxy.drop(); // as the end of a process does on whose connection a message has just arrived
            test.coordinator.exited(1, 0);
            Patience.until("end", () -> near.state(1) == PeState.ENDED);
        }
    }

    @Test
    @DisplayName("a PE that has lost its coordinator does not wait for it at the close of its world")
    void closeWithoutCoordinator() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ManualClock clock = test.clock.twin();
            ClusterJob far = TestJob.get(test.joining(proxy, 1, clock));
            ClusterJob near = TestJob.get(zero);
            far.state(PeState.RUNNING);
            Patience.until("world", () -> near.state(1) == PeState.RUNNING);
            test.quarter(near, far);
            test.cut(proxy, clock);
            Future<Boolean> closing = test.submit(() -> {
                Thread.currentThread().interrupt(); // ends no operation
                far.state(PeState.CLOSED);
                return Thread.currentThread().isInterrupted();
            });
            Patience.until("message", proxy::holds);
            for (int quarter = 0; quarter <= QUARTERS; quarter++) {
                test.quarter(near);
            }
            assertThat(TestJob.get(closing)).isTrue();
            Patience.until("end", () -> near.state(1) == PeState.FAILED && far.state(1) == PeState.FAILED);
        }
    }

    @Test
    @DisplayName("messages that come late and in pieces lose nothing; a dropped connection fails its PE at once")
    void lateAndDropped() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ManualClock clock = test.clock.twin();
            ClusterJob far = TestJob.get(test.joining(proxy, 1, clock));
            ClusterJob near = TestJob.get(zero);
            test.cut(proxy, clock);
            for (int round = 0; round < 5; round++) {
                far.put("round", new byte[] {(byte) round});
                long its = far.fence();
                long mine = near.fence();
                while (!near.isFenced(mine) || !far.isFenced(its)) {
                    test.clock.advance(TestJob.QUARTER);
                    proxy.pass(7); // a message that shows life has five
                    test.awaitHeard(near, far);
                }
                assertThat(near.get(1, "round").orElseThrow()[0]).isEqualTo((byte) round);
            }
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
            proxy.mend();
            test.quarter(near, far);
            proxy.drop();
            Patience.until("PE", () -> far.state(1) == PeState.FAILED);
            test.clock.advance(Duration.ofNanos(1));
            long now = test.clock.nanoTime();
            Patience.until("no connection", () -> test.coordinator.heardNanos().join()[1] == now);
            test.clock.advance(JobCoordinator.LAST_MESSAGES); // for a report of the end of its process
            Patience.until("coordinator", () -> near.state(1) == PeState.FAILED);
            assertThat(near.state(0)).isEqualTo(PeState.STARTING);
        }
    }

    @Test
    @DisplayName("each byte is a sign of life, on both ends: a message may take longer than the bound")
    void messageInPieces() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ManualClock clock = test.clock.twin();
            ClusterJob far = TestJob.get(test.joining(proxy, 1, clock));
            ClusterJob near = TestJob.get(zero);
            test.cut(proxy, clock);
            far.put("value", new byte[200]);
            near.put("value", new byte[200]);
            far.fence();
            near.fence();
            for (int quarter = 0; quarter < 3 * QUARTERS; quarter++) { // for some bytes of both values
                test.clock.advance(TestJob.QUARTER);
                proxy.pass(1);
                test.awaitHeard(near, far);
            }
            assertThat(near.get(1, "value")).isEmpty();
            proxy.mend();
            Patience.until(
                    "values",
                    () -> near.get(1, "value").isPresent()
                            && far.get(0, "value").isPresent());
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
            assertThat(far.state(1)).isEqualTo(PeState.STARTING);
        }
    }

    @Test
    @DisplayName("a PE that joins counts each byte as a sign of life: the start of the job may come in pieces")
    void startInPieces() throws Exception {
        try (TestJob test = new TestJob(2, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            ManualClock its = new ManualClock();
            Future<ClusterJob> joining = test.joining(proxy, 1, its);
            Patience.until("PE 1", () -> test.events.contains("1 STARTING"));
            proxy.cut();
            ClusterJob near = TestJob.get(test.joining(0));
            for (int quarter = 0; quarter < 3 * QUARTERS; quarter++) { // for some bytes of START
                test.clock.advance(TestJob.QUARTER);
                its.advance(TestJob.QUARTER);
                proxy.pass(1);
                Patience.until("a byte on its way", proxy::isSpent);
                its.awaitLooks(joining);
                test.awaitHeard(near);
                long now = test.clock.nanoTime();
                Patience.until(
                        "a byte of PE 1", () -> test.coordinator.heardNanos().join()[1] == now);
            }
            assertThat(joining.isDone()).isFalse();
            proxy.mend();
            assertThat(TestJob.get(joining).pe()).isEqualTo(1);
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
        }
    }

    @Test
    @DisplayName("an answer to a join may come in pieces, within the limit of a step")
    void answerInPieces() throws Exception {
        try (TestJob test = new TestJob(1, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            ManualClock its = new ManualClock();
            proxy.cut();
            Future<JobLink> connecting =
                    test.submit(() -> JobLink.connect(proxy.key(), Encryption.none(), Duration.ofSeconds(1), its));
            Patience.until("challenge", proxy::holds);
            for (int bytes = 0; bytes < 2 * JobFrame.PROOF_LENGTH && !connecting.isDone(); bytes++) {
                proxy.pass(1);
                its.awaitLooks(connecting);
            }
            try (JobLink link = TestJob.get(connecting)) {
                assertThat(link.silenceNanos()).isEqualTo(TestJob.SILENCE.toNanos());
            }
        }
    }

    @Test
    @DisplayName("an answer to a join that is not whole at the limit is none, although pieces of it came all the time")
    void answerTooLate() throws Exception {
        try (TestJob test = new TestJob(1, true);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            ManualClock its = new ManualClock();
            proxy.cut();
            Future<JobLink> connecting =
                    test.submit(() -> JobLink.connect(proxy.key(), Encryption.none(), Duration.ofSeconds(4), its));
            Patience.until("challenge", proxy::holds);
            for (int second = 0; second < 5; second++) {
                proxy.pass(1);
                its.awaitLooks(connecting);
                assertThat(connecting.isDone()).isFalse();
                its.advance(Duration.ofSeconds(1));
            }
            assertThatThrownBy(() -> TestJob.get(connecting))
                    .isInstanceOf(CoterieException.class)
                    .hasMessageContaining("no answer within 5000 ms (tried for 4 s)");
        }
    }
}
