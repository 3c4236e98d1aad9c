// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

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
}
