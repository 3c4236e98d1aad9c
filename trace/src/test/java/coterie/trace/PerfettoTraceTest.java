// SPDX-License-Identifier: Apache-2.0
package coterie.trace;

import static coterie.trace.TestTraces.await;
import static coterie.trace.TestTraces.barrier;
import static coterie.trace.TestTraces.event;
import static coterie.trace.TestTraces.facts;
import static coterie.trace.TestTraces.put;
import static coterie.trace.TestTraces.trace;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.TraceLayout;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PerfettoTraceTest {
    @Test
    @DisplayName("slices, names, and an arrow from a put to the wait that it ends")
    void writes() throws IOException {
        TraceCheck check = TraceCheck.of(trace(2, put(1, 0, 64, 5, 20, 21), await(0, 64, 5, 10, 50)), facts(Map.of()));
        assertThat(check.slices()).containsExactly("waitUntil", "put");
        assertThat(check.names("process_name")).containsExactlyInAnyOrder("PE 0", "PE 1");
        assertThat(check.names("thread_name")).containsExactlyInAnyOrder("main", "S");
        assertThat(check.phase("s"))
                .singleElement()
                .satisfies(start -> assertThat(start).containsEntry("pid", 1.0).containsEntry("ts", 0.02));
        assertThat(check.phase("f"))
                .singleElement()
                .satisfies(
                        finish -> assertThat(finish).containsEntry("pid", 0.0).containsEntry("bp", "e"));
    }

    @Test
    @DisplayName("members of a barrier get an arrow from the last one")
    void barriers() throws IOException {
        TraceCheck check = TraceCheck.of(
                trace(3, barrier(0, 7, 10, 60), barrier(1, 7, 20, 60), barrier(2, 7, 50, 60)), facts(Map.of()));
        assertThat(check.phase("s"))
                .hasSize(2)
                .allSatisfy(start -> assertThat(start).containsEntry("pid", 2.0));
    }

    @Test
    @DisplayName("operations of threads that share a lane overlap: they are pairs, and all others nest")
    void overlaps() throws IOException {
        TraceCheck check = TraceCheck.of(
                trace(
                        1,
                        event(EventKind.GET, 0, 10, 30),
                        event(EventKind.GET, 0, 12, 20),
                        event(EventKind.GET, 0, 15, 25)),
                facts(Map.of()));
        assertThat(check.phase("X")).hasSize(2);
        assertThat(check.phase("b")).hasSize(1);
    }

    @Test
    @DisplayName("an operation goes on after its call until its ticket or a quiet completes it, and is counted")
    void transfers() throws IOException {
        TraceCheck check = TraceCheck.of(
                trace(1, pending(10, 77), pending(12, 78), ordered(20, 0, 77), ordered(30, TraceLayout.COMPLETES, 0)),
                facts(Map.of()));
        assertThat(check.phase("e")).extracting(event -> event.get("ts")).containsExactly(0.021, 0.031);
        assertThat(check.phase("C"))
                .extracting(event -> TraceCheck.arguments(event).get("transfers"))
                .containsExactly(1.0, 2.0, 1.0, 0.0);
    }

    private static RecordedEvent pending(long begin, long ticket) {
        return new RecordedEvent(
                0,
                0,
                begin,
                begin + 1,
                EventKind.PUT,
                Comparison.EQ,
                TraceLayout.PENDING,
                "putNbi",
                "",
                1,
                0,
                0,
                8,
                ticket,
                "");
    }

    private static RecordedEvent ordered(long begin, int flags, long ticket) {
        return new RecordedEvent(
                0, 0, begin, begin + 1, EventKind.ORDER, Comparison.EQ, flags, "complete", "", -1, 0, 0, 0, ticket, "");
    }

    @Test
    @DisplayName("a diagnosis is an instant, and what was dropped is in the metadata")
    void diagnosis() throws IOException {
        TraceCheck check =
                TraceCheck.of(trace(1, event(EventKind.GET, 0, 10, 30)), facts(Map.of("verdict", "DEADLOCK")));
        assertThat(check.phase("i"))
                .singleElement()
                .satisfies(instant -> assertThat(instant).containsEntry("name", "DEADLOCK"));
        assertThat(check.metadata()).containsEntry("droppedEvents", 0.0).containsEntry("maxEventsPerPe", 100.0);
    }

    @Test
    @DisplayName("the check of this test finds what it looks for")
    void checks() {
        MergedTrace torn = new MergedTrace(
                trace(1).pes(),
                java.util.List.of(event(EventKind.GET, 0, 10, 30), event(EventKind.GET, 7, 15, 40)),
                new java.util.BitSet(),
                java.util.List.of(),
                0,
                100);
        assertThatThrownBy(() -> TraceCheck.of(torn, facts(Map.of()))).hasMessageContaining("a process without a name");
    }
}
