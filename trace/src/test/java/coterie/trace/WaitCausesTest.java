// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import static coterie.trace.TestTraces.await;
import static coterie.trace.TestTraces.barrier;
import static coterie.trace.TestTraces.put;
import static coterie.trace.TestTraces.trace;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WaitCausesTest {
    /// The causes as texts: waiter ← PE and begin of the cause, and for how long.
    private static List<String> causes(RecordedEvent... events) {
        MergedTrace merged = trace(3, events);
        return merged.causes().stream()
                .map(cause -> merged.events().get(cause.waiter()).pe() + " <- "
                        + merged.events().get(cause.cause()).pe() + "@"
                        + merged.events().get(cause.cause()).beginNanos() + " " + cause.nanos())
                .toList();
    }

    @Test
    @DisplayName("a wait ends with the latest update of its word that began before its end")
    void latestUpdate() {
        assertThat(causes(
                        put(1, 0, 64, 5, 20, 21),
                        put(2, 0, 64, 5, 40, 41),
                        put(1, 0, 64, 5, 60, 61),
                        await(0, 64, 5, 10, 50)))
                .containsExactly("0 <- 2@40 40");
    }

    @Test
    @DisplayName("an update that left another value, another word or another PE has not ended the wait")
    void otherUpdates() {
        assertThat(causes(
                        put(1, 0, 64, 5, 20, 21),
                        put(2, 0, 64, 6, 30, 31),
                        put(2, 0, 72, 5, 32, 33),
                        put(2, 1, 64, 5, 34, 35),
                        await(0, 64, 5, 10, 50)))
                .containsExactly("0 <- 1@20 40");
    }

    @Test
    @DisplayName("an update that was over before the wait began has cost no time")
    void earlierUpdate() {
        assertThat(causes(put(1, 0, 64, 5, 2, 3), await(0, 64, 5, 10, 11))).containsExactly("0 <- 1@2 0");
    }

    @Test
    @DisplayName("a put of many bytes ends the wait for a word within")
    void block() {
        RecordedEvent block =
                new RecordedEvent(2, 0, 30, 35, EventKind.PUT, Comparison.EQ, 0, "put", "", 0, 32, 0, 64, 0, "");
        assertThat(causes(put(1, 0, 64, 5, 20, 21), block, await(0, 64, 5, 10, 50)))
                .containsExactly("0 <- 2@30 40");
    }

    @Test
    @DisplayName("an addition may have left any value")
    void addition() {
        RecordedEvent addition =
                new RecordedEvent(2, 0, 30, 35, EventKind.ATOMIC, Comparison.EQ, 0, "add", "", 0, 64, 1, 8, 0, "");
        assertThat(causes(addition, await(0, 64, 5, 10, 50))).containsExactly("0 <- 2@30 40");
    }

    @Test
    @DisplayName("a wait for any of a set ends with an update of the word that it has found")
    void set() {
        RecordedEvent wait = new RecordedEvent(
                0, 0, 10, 50, EventKind.WAIT, Comparison.EQ, TraceLayout.OF_SET, "waitAny", "", 0, 64, 1, 32, 16, "");
        assertThat(causes(put(1, 0, 80, 1, 20, 21), put(2, 0, 88, 1, 30, 31), wait))
                .containsExactly("0 <- 1@20 40");
    }

    @Test
    @DisplayName("members of a barrier wait for the member that comes last; another number is another barrier")
    void barriers() {
        assertThat(causes(barrier(0, 7, 10, 60), barrier(1, 7, 20, 60), barrier(2, 7, 50, 60), barrier(2, 8, 55, 59)))
                .containsExactly("0 <- 2@50 40", "1 <- 2@50 30");
    }

    @Test
    @DisplayName("a member that goes on before the last one comes has not waited for it")
    void leavesEarly() {
        assertThat(causes(barrier(0, 7, 10, 30), barrier(1, 7, 20, 60), barrier(2, 7, 50, 60)))
                .containsExactly("0 <- 1@20 10", "1 <- 2@50 30");
    }

    @Test
    @DisplayName("a lock comes from the latest unlock of another PE")
    void locks() {
        RecordedEvent unlock = new RecordedEvent(
                1, 0, 30, 31, EventKind.LOCK, Comparison.EQ, TraceLayout.UNLOCKS, "unlock", "", -1, 64, 0, 4, 0, "");
        RecordedEvent lock =
                new RecordedEvent(0, 0, 10, 35, EventKind.LOCK, Comparison.EQ, 0, "lock", "", -1, 64, 0, 4, 0, "");
        assertThat(causes(unlock, lock)).containsExactly("0 <- 1@30 25");
    }

    @Test
    @DisplayName("a wait that has not ended has no cause, and ends with the job")
    void open() {
        MergedTrace merged = trace(2, put(1, 0, 64, 5, 20, 21), await(0, 64, 0, 10, 0));
        assertThat(merged.causes()).isEmpty();
        assertThat(merged.events().getFirst().endNanos()).isEqualTo(1000);
        assertThat(merged.open().cardinality()).isEqualTo(1);
    }
}
