// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.PendingOperation.Slot;
import coterie.internal.record.RecordedAllocation;
import coterie.internal.record.RecordedLane;
import coterie.spi.OperationRecord.Action;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What the records of a job say.
class JobSnapshotsTest {
    @Test
    @DisplayName("programs that wait for each other are a DEADLOCK; beside a stream without records they are STALLED")
    void unrecorded() {
        assertThat(Diagnosis.of(new RecordedJobs().waiting(0).waiting(0).snapshot())
                        .verdict())
                .isEqualTo(Verdict.DEADLOCK);
        Diagnosis diagnosis =
                Diagnosis.of(new RecordedJobs().waiting(0).waiting(2).snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(diagnosis.causes())
                .containsExactly("\"2 streams or groups without records\" of PE 1 runs code of the program");
        assertThat(diagnosis.unknown())
                .containsExactly("the operations of \"2 streams or groups without records\" of PE 1");
    }

    @Test
    @DisplayName("code of a PE that does not write the awaited words is no help")
    void writers() {
        Snapshot any = new RecordedJobs().waiting(0).waiting(0).waiting(1).snapshot();
        assertThat(Diagnosis.of(any).verdict()).isEqualTo(Verdict.STALLED);
        Snapshot told = new RecordedJobs()
                .waitingFor(0b10, 0)
                .waitingFor(0b01, 0)
                .waiting(1)
                .snapshot();
        assertThat(Diagnosis.of(told).verdict()).isEqualTo(Verdict.DEADLOCK);
    }

    @Test
    @DisplayName("a wait for any of some words is not stuck while an update of one of them is under way")
    void anyWord() {
        RecordedLane update = RecordedJobs.lane(0, "S", false, 0, RecordedJobs.operation(Action.ADD, true, 8));
        for (long words : new long[] {1, 2, 0}) {
            Verdict verdict = Diagnosis.of(new RecordedJobs()
                            .waitingForAny(words, 0, 0, update)
                            .waiting(0)
                            .snapshot())
                    .verdict();
            assertThat(verdict.equals(Verdict.DEADLOCK)).as("%s words", words).isEqualTo(words == 1);
        }
        assertThat(Diagnosis.of(new RecordedJobs()
                                .waitingForAny(2, 0, 0)
                                .waiting(0)
                                .snapshot())
                        .verdict())
                .isEqualTo(Verdict.DEADLOCK);
    }

    private static List<String> blockers(Diagnosis diagnosis, String id) {
        return diagnosis.stuck().stream()
                .filter(each -> each.id().equals(id))
                .flatMap(each -> each.blockers().stream())
                .map(Blocker::text)
                .toList();
    }

    @Test
    @DisplayName("awaited words are named by their allocation, each with its own index; once in a line")
    void allocations() {
        String tail = ", which is 0, to be GE 1, and no pending operation changes it";
        RecordedAllocation allocation = RecordedAllocation.of(8, 3, "", "Ring.java:12", 64);
        RecordedLane stream = RecordedJobs.lane(0, "S", false, 0, RecordedJobs.waitIn(allocation.text(), 16, 2));
        Diagnosis diagnosis = Diagnosis.of(new RecordedJobs()
                .waitingIn(RecordedAllocation.of(0, 1, "", "", 64), 1, 0, 0, stream)
                .snapshot());
        assertThat(diagnosis.stuck())
                .filteredOn(each -> each.lane().equals("main"))
                .singleElement()
                .satisfies(main -> {
                    assertThat(main.label()).isEqualTo("waitUntil");
                    assertThat(main.blockers())
                            .extracting(Blocker::text)
                            .containsExactly("waits for word 0 of allocation 1 (64 B) on PE 0" + tail);
                });
        assertThat(blockers(diagnosis, "P0.S#0"))
                .containsExactly(
                        "waits for word 1 of allocation 3 at Ring.java:12 (64 B) on PE 0" + tail,
                        "waits for word 2 of allocation 3 at Ring.java:12 (64 B) on PE 0" + tail);
    }

    @Test
    @DisplayName("ST-S41: ids are unique although two streams have one name, and the fields have what a wait needs")
    void fields() {
        Diagnosis diagnosis = Diagnosis.of(new RecordedJobs()
                .waiting(
                        0,
                        RecordedJobs.lane(0, "S", false, 0, RecordedJobs.operation(Action.WAIT, true, 8)),
                        RecordedJobs.lane(1, "S", false, 0, RecordedJobs.operation(Action.WAIT, true, 16)))
                .snapshot());
        assertThat(diagnosis.stuck()).extracting(StuckOperation::id).containsExactly("P0.S#0", "P0.S~2#0", "P0.main#0");
        assertThat(diagnosis.stuck().get(1).details())
                .containsEntry("number", 0L)
                .containsEntry("laneHistory", List.of("#0 put"))
                .containsEntry("slot", "HELD")
                .containsEntry("senders", List.of())
                .containsEntry(
                        "conditions",
                        List.of(Map.of(
                                "peer",
                                0,
                                "offset",
                                16L,
                                "width",
                                8,
                                "isUnsigned",
                                true,
                                "current",
                                0L,
                                "comparison",
                                "GE",
                                "wanted",
                                1L)));
        assertThat(diagnosis.fields())
                .hasEntrySatisfying(
                        "stuck", stuck -> assertThat(stuck.toString()).contains("wanted=1"));
    }

    @Test
    @DisplayName("threads of a kernel need no slot beside that of their kernel")
    void slotsOfKernels() {
        RecordedLane stream = RecordedJobs.lane(0, "S", false, 1, RecordedJobs.operation(Action.WAIT, true, 8));
        RecordedLane group =
                RecordedJobs.lane(1, "kernel-lane-0", true, 0, RecordedJobs.operation(Action.WAIT, false, 16));
        Snapshot snapshot = new RecordedJobs().waiting(0, stream, group).snapshot();
        assertThat(snapshot.pes().getFirst().lanes())
                .flatExtracting(LaneSnapshot::pending)
                .extracting(PendingOperation::slot)
                .containsExactly(Slot.HELD, Slot.NONE, Slot.NONE);
    }
}
