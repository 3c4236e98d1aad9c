// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.PendingOperation.Slot;
import coterie.internal.record.RecordedLane;
import coterie.spi.OperationRecord.Action;
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
    @DisplayName("threads of a kernel need no slot beside that of their kernel")
    void slotsOfKernels() {
        RecordedLane stream = RecordedJobs.lane(0, "S", false, 1, RecordedJobs.operation(Action.WAIT, true, 8));
        RecordedLane group = RecordedJobs.lane(1, "kernel-lane-0", true, 0, RecordedJobs.operation(Action.WAIT, false, 16));
        Snapshot snapshot = new RecordedJobs().waiting(0, stream, group).snapshot();
        assertThat(snapshot.pes().getFirst().lanes())
                .flatExtracting(LaneSnapshot::pending)
                .extracting(PendingOperation::slot)
                .containsExactly(Slot.HELD, Slot.NONE, Slot.NONE);
    }
}
