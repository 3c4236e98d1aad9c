// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.add;
import static coterie.diagnosis.SnapshotPrograms.await;
import static coterie.diagnosis.SnapshotPrograms.barrier;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.Json;
import coterie.internal.record.RecordedLane;
import coterie.spi.OperationRecord.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What the fields of a report say of its source, and of the edges that matter.
class ReportFieldsTest {
    private static final PendingOperation W = barrier("W", 0, 1);

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> list(Diagnosis diagnosis, String field) {
        return (List<Map<String, Object>>) diagnosis.fields().get(field);
    }

    @Test
    @DisplayName("ST-S41: host, time and the process of each PE")
    void source() {
        Instant before = Instant.now();
        Diagnosis diagnosis =
                Diagnosis.of(new RecordedJobs().waiting(0).waiting(0).snapshot());
        assertThat(diagnosis.fields()).containsEntry("host", "box").containsEntry("schema", 2);
        Instant time = Instant.parse(diagnosis.fields().get("time").toString());
        assertThat(time).isBetween(before.minus(Duration.ofNanos(1)), Instant.now());
        assertThat(list(diagnosis, "processes"))
                .containsExactly(
                        Map.of("pe", 0, "pid", 100L, "status", "RUNNING", "detail", ""),
                        Map.of("pe", 1, "pid", 101L, "status", "RUNNING", "detail", ""));
        assertThat(Json.of(diagnosis.fields())).contains("\"host\":\"box\",\"time\":\"" + time + "\",\"processes\":[{");
    }

    private static RecordedLane lane(long issued, long completed, List<String> history) {
        return new RecordedLane(
                0,
                "S",
                false,
                -1,
                false,
                0,
                issued,
                completed,
                0,
                List.of(RecordedJobs.operation(Action.WAIT, true, 8)),
                history);
    }

    private static Map<String, Object> dropped(long issued, long completed, List<String> history) {
        return list(
                        Diagnosis.of(new RecordedJobs()
                                .waiting(0, lane(issued, completed, history))
                                .snapshot()),
                        "lanes")
                .getFirst();
    }

    @Test
    @DisplayName("ST-S41: how many operations of a lane have no record, and which is the last one")
    void lanes() {
        assertThat(dropped(2, 1, List.of("#0 put")))
                .containsEntry("lane", "S")
                .containsEntry("completed", 1L)
                .containsEntry("pending", 1)
                .containsEntry("droppedCompleted", 0L)
                .containsEntry("droppedPending", 0L)
                .containsEntry("lastDropped", -1L);
        assertThat(dropped(41, 40, List.of("#38 put", "#39 put")))
                .containsEntry("droppedCompleted", 38L)
                .containsEntry("droppedPending", 0L)
                .containsEntry("lastDropped", 37L);
        assertThat(dropped(50, 40, List.of("#38 put", "#39 put")))
                .containsEntry("droppedPending", 9L)
                .containsEntry("lastDropped", 49L);
    }

    @Test
    @DisplayName("ST-S22, ST-S41: the edges of the cycle, and the least set of them that frees all")
    void edges() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(2)
                .stream(0, W, add(1)).stream(1, await(1), W).snapshot());
        assertThat(list(diagnosis, "edges"))
                .containsExactly(
                        edge("P0.S0#0", "P1.S0#1", "COLLECTIVE"),
                        edge("P1.S0#1", "P1.S0#0", "ORDER"),
                        edge("P1.S0#0", "P0.S0#1", "SIGNAL"),
                        edge("P0.S0#1", "P0.S0#0", "ORDER"));
        assertThat(list(diagnosis, "cut")).containsExactly(edge("P0.S0#1", "P0.S0#0", "ORDER"));
    }

    @Test
    @DisplayName("two circles need an edge of each; without a cut the list is empty")
    void cuts() {
        PendingOperation other = barrier("V", 2, 3);
        Diagnosis two = Diagnosis.of(new SnapshotPrograms(4)
                .stream(0, W, add(1)).stream(1, await(1), W).stream(2, other, add(3)).stream(3, await(3), other)
                        .snapshot());
        assertThat(list(two, "cut"))
                .containsExactly(edge("P0.S0#1", "P0.S0#0", "ORDER"), edge("P2.S0#1", "P2.S0#0", "ORDER"));
        Diagnosis lost =
                Diagnosis.of(new SnapshotPrograms(2).stream(0, await(0)).snapshot());
        assertThat(lost.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(list(lost, "cut")).isEmpty();
    }

    private static Map<String, Object> edge(String from, String to, String kind) {
        return Map.of("from", from, "to", to, "kind", kind);
    }
}
