// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.add;
import static coterie.diagnosis.SnapshotPrograms.await;
import static coterie.diagnosis.SnapshotPrograms.barrier;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.OperationAction.Help;
import coterie.diagnosis.PeSnapshot.Collectives;
import coterie.diagnosis.PeSnapshot.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Members whose collectives of a team do not meet.
class MismatchTest {
    private static final PendingOperation T = barrier("T [0, 1]", 0, 1);

    private static LaneSnapshot host(String team, int... pes) {
        List<Integer> awaited = new ArrayList<>();
        for (int pe : pes) {
            awaited.add(pe);
        }
        return LaneSnapshot.host("main", new PendingOperation("sync #3", new Help(awaited, team)));
    }

    @Test
    @DisplayName("ST-S31: a collective in a stream and one without it, of one team, are a MISMATCH")
    void streamAndHost() {
        Diagnosis diagnosis = Diagnosis.of(
                new SnapshotPrograms(2).stream(0, T).lane(1, host("T", 0)).snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.MISMATCH);
        assertThat(diagnosis.causes())
                .containsExactly("P0.S0#0 is barrier of team \"T [0, 1]\" in a stream or kernel, and P1.main#0 is"
                        + " sync #3 of the same team without one: they never meet");
    }

    @ParameterizedTest
    @CsvSource({"U, 0", "'', 0", "T, 2"})
    @DisplayName("a collective of another team, another wait, and one that does not wait for the PE are a DEADLOCK")
    void others(String team, int awaited) {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(3)
                .stream(0, T).lane(1, host(team, awaited)).stream(2, await(2)).snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    @DisplayName("a PE that has called both is late with the stream's: a DEADLOCK")
    void both() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(3)
                .stream(0, T).lane(0, host("T", 2)).lane(1, host("T", 0)).stream(2, await(2))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
    }

    private static Snapshot skipping(SnapshotPrograms programs, long called, long skipped) {
        Snapshot snapshot = programs.snapshot();
        List<PeSnapshot> pes = new ArrayList<>(snapshot.pes());
        PeSnapshot last = pes.removeLast();
        Collectives collectives = new Collectives(called, skipped, "A#0, host function, has failed");
        pes.add(new PeSnapshot(
                last.pe(), Status.RUNNING, "", last.lanes(), Map.of("T [0, 1]", collectives), QueueLimits.NONE, 0));
        return new Snapshot("test", pes, snapshot.words(), snapshot.stalledNanos());
    }

    @Test
    @DisplayName("a collective that a member has skipped is not over there: a MISMATCH with the cause")
    void skipped() {
        SnapshotPrograms waiting = new SnapshotPrograms(2).stream(0, T).stream(1, await(1));
        assertThat(Diagnosis.of(skipping(waiting, 1, 0)).verdict())
                .as("the collective is over on PE 1")
                .isEqualTo(Verdict.DEADLOCK);
        Diagnosis diagnosis = Diagnosis.of(skipping(waiting, 1, 1));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.MISMATCH);
        assertThat(diagnosis.causes())
                .containsExactly("PE 1 has skipped 1 of the collectives of team \"T [0, 1]\": its A#0, host"
                        + " function, has failed");
        assertThat(diagnosis.stuck()).extracting(StuckOperation::id).contains("P0.S0#0");
    }

    @Test
    @DisplayName("a later collective takes the place of a skipped one, so that they may meet")
    void shifted() {
        PendingOperation second = new PendingOperation("barrier", meet(1));
        SnapshotPrograms later = new SnapshotPrograms(2).stream(0, T, add(1)).stream(1, second, await(1));
        assertThat(Diagnosis.of(skipping(later, 2, 1)).verdict().isFinal()).isFalse();
        assertThat(Diagnosis.of(skipping(later, 2, 0)).verdict()).isEqualTo(Verdict.DEADLOCK);
        SnapshotPrograms over = new SnapshotPrograms(2).stream(0, T, add(1)).stream(1, await(1));
        assertThat(Diagnosis.of(skipping(over, 2, 1)).verdict().isFinal())
                .as("a later one is over")
                .isFalse();
    }

    private static OperationAction.Meet meet(long sequence) {
        return new OperationAction.Meet("T [0, 1]", List.of(0, 1), sequence, "barrier");
    }
}
