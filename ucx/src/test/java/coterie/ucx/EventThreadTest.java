// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static coterie.ucx.TwoPes.await;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Conduit.Region;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What the thread of a conduit costs, with two PEs that are objects of this JVM.
@Timeout(60)
class EventThreadTest {
    /// What a thread computes that is always busy, meanwhile.
    private static final long BUSY_MILLIS = 500;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private static long cpuMillis(String name) {
        long id = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .findFirst()
                .orElseThrow()
                .threadId();
        return THREADS.getThreadCpuTime(id) / 1_000_000;
    }

    @Test
    @DisplayName("a connection that a peer does not answer, as it gets no processor, keeps no processor busy")
    void unanswered() throws Exception {
        try (TwoPes pes = new TwoPes()) {
            pes.one.worker.lock.lock(); // PE 1 advances nothing
            try {
                pes.fromZero.putWord(7, 8, 1, pes.zero.remoteBase(Region.SYNC, 1));
                long before = cpuMillis("coterie-ucx-0");
                long end = THREADS.getCurrentThreadCpuTime() + BUSY_MILLIS * 1_000_000;
                while (THREADS.getCurrentThreadCpuTime() < end) {
                    Thread.onSpinWait();
                }
                assertThat(cpuMillis("coterie-ucx-0") - before).isLessThan(BUSY_MILLIS / 2);
            } finally {
                pes.one.worker.lock.unlock();
            }
            long quiet = pes.fromZero.quiet(1);
            await(() -> pes.fromZero.isDone(quiet));
        }
    }
}
