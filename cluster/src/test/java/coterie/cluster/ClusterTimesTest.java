// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.PeState;
import coterie.testing.Patience;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The bounds of [CutLinkTest], [ClusterJobTest] and [StrangersTest] by the clock of the system.
@Tag("soak")
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ClusterTimesTest {
    private static final Duration SILENCE = Duration.ofMillis(600);

    /// Time for a crowded machine beside the bound.
    private static final Duration SLACK = Duration.ofSeconds(3);

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    @Test
    @DisplayName("a cut link is noticed at both ends within the silence, and a quiet job is not a silent one")
    void linkDownInTime() throws Exception {
        try (TestJob test = TestJob.inRealTime(2, SILENCE);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(test.joining(proxy, 1, JobClock.SYSTEM));
            ClusterJob near = TestJob.get(zero);
            far.state(PeState.RUNNING);
            Patience.until("RUNNING", () -> near.state(1) == PeState.RUNNING);
            Thread.sleep(SILENCE.multipliedBy(2));
            assertThat(near.state(1)).isEqualTo(PeState.RUNNING);
            assertThat(far.state(1)).isEqualTo(PeState.RUNNING);
            long start = System.nanoTime();
            proxy.cut();
            Patience.until("coordinator", () -> near.state(1) == PeState.FAILED);
            Patience.until("PE", () -> far.state(1) == PeState.FAILED);
            assertThat(since(start)).isLessThan(SILENCE.plus(SLACK));
        }
    }

    @Test
    @DisplayName("a link that is cut for a sixth of the silence, again and again, loses nothing")
    void shortCuts() throws Exception {
        try (TestJob test = TestJob.inRealTime(2, SILENCE);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(test.joining(proxy, 1, JobClock.SYSTEM));
            ClusterJob near = TestJob.get(zero);
            for (int round = 0; round < 5; round++) {
                proxy.cut();
                long its = far.fence();
                long mine = near.fence();
                Thread.sleep(SILENCE.dividedBy(6));
                proxy.mend();
                Patience.until("fence", () -> near.isFenced(mine) && far.isFenced(its));
            }
            assertThat(near.state(1)).isEqualTo(PeState.STARTING);
        }
    }

    @Test
    @DisplayName("a dropped connection fails its PE within the silence")
    void dropInTime() throws Exception {
        try (TestJob test = TestJob.inRealTime(2, SILENCE);
                FrozenProxy proxy = new FrozenProxy(test.coordinator.key())) {
            Future<ClusterJob> zero = test.joining(0);
            ClusterJob far = TestJob.get(test.joining(proxy, 1, JobClock.SYSTEM));
            ClusterJob near = TestJob.get(zero);
            long start = System.nanoTime();
            proxy.drop();
            Patience.until("coordinator", () -> near.state(1) == PeState.FAILED);
            Patience.until("PE", () -> far.state(1) == PeState.FAILED);
            assertThat(since(start)).isLessThan(SILENCE.plus(SLACK));
        }
    }

    @Test
    @DisplayName("a PE without a coordinator counts itself as failed within four times the silence")
    void coordinatorGoneInTime() throws Exception {
        TestJob test = TestJob.inRealTime(2, SILENCE);
        List<ClusterJob> jobs = test.all(2);
        jobs.get(0).state(PeState.RUNNING);
        long start = System.nanoTime();
        test.close();
        Patience.until("end of the coordinator", () -> jobs.get(0).state(0) == PeState.FAILED);
        assertThat(since(start)).isLessThan(SILENCE.multipliedBy(4));
    }

    @Test
    @DisplayName("a connection that sends a byte at a time ends after 5 s")
    void slowStrangerInTime() throws Exception {
        try (TestJob test = TestJob.inRealTime(1, SILENCE);
                Socket slow = new Socket()) {
            long start = System.nanoTime();
            slow.connect(test.coordinator.key().address());
            Patience.until("stranger", () -> test.coordinator.strangers() == 1);
            byte[] header = new byte[JobFrame.HEADER_BYTES];
            header[header.length - 1] = (byte) JobFrame.PROOF_LENGTH;
            for (int sent = 0; test.coordinator.strangers() > 0; sent++) {
                try {
                    slow.getOutputStream().write(sent < header.length ? header[sent] : 1);
                } catch (IOException e) {
                    break; // it was closed
                }
                Thread.sleep(150);
            }
            assertThat(since(start)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(9));
        }
    }
}
