// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.Diagnosis;
import coterie.diagnosis.Verdict;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnDeadlock;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Jobs that are stuck because members have called different collectives, or because a PE is dead.
class MismatchedJobsTest {
    private static DiagnosedJob job(String what, int pes, PeMode mode) {
        DiagnosedJob made = DiagnosedJob.of(MismatchedProgram.class, what, pes);
        return new DiagnosedJob(made.spec().withMode(mode).withOnDeadlock(OnDeadlock.IGNORE));
    }

    @ParameterizedTest
    @CsvSource({"sync, PROCESSES, 2", "allReduce, THREADS, 3", "order, THREADS, 2"})
    @DisplayName("ST-S31: a barrier in a stream and a collective without one, of one team, are a MISMATCH")
    void streamAndHost(String what, PeMode mode, int pes) {
        DiagnosedJob mixed = job(what, pes, mode);
        try (Job job = Job.start(mixed.spec())) {
            Diagnosis diagnosis = mixed.await(Verdict.MISMATCH);
            assertThat(diagnosis.causes())
                    .hasSize(pes - 1)
                    .allMatch(each -> each.startsWith("P0.S#0 at MismatchedProgram.java:"))
                    .allMatch(each -> each.contains(" is barrier of team \"world\" in a stream or kernel, and P"))
                    .first()
                    .asString()
                    .contains("and P1.main#0 is " + (what.equals("order") ? "sync" : what) + " #");
            assertThat(DiagnosedJob.ids(diagnosis)).contains("P0.host#0", "P0.S#0", "P1.main#0");
            assertThat(job.whereabouts(0)).contains("waiting");
        }
    }

    @ParameterizedTest
    @CsvSource({"sync, THREADS, 3", "allReduce, PROCESSES, 3"})
    @Tag("soak")
    @DisplayName("ST-S31: a barrier in a stream and a collective without one are a MISMATCH in the other mode, too")
    void streamAndHostInTheOtherMode(String what, PeMode mode, int pes) {
        streamAndHost(what, mode, pes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PROCESSES", "THREADS"})
    @DisplayName("ST-S31: a member whose stream has failed has skipped its collectives, which is a MISMATCH, too")
    void skipped(PeMode mode) {
        DiagnosedJob failed = job("skipped", 2, mode);
        try (Job job = Job.start(failed.spec())) {
            Diagnosis diagnosis = failed.await(Verdict.MISMATCH);
            assertThat(diagnosis.causes())
                    .containsExactly("PE 1 has skipped 1 of the collectives of team \"world\": its S#0, host function,"
                            + " has failed");
            assertThat(DiagnosedJob.ids(diagnosis)).containsExactly("P0.host#0", "P0.S#0", "P1.main#0");
            assertThat(job.whereabouts(1)).contains("waitUntil");
        }
    }

    @Test
    @DisplayName("ST-S34: streams that wait for a signal of a PE killed by signal 9 get PE_DEAD, with how it ended")
    void killed() throws Exception {
        DiagnosedJob made = job("killed", 3, PeMode.PROCESSES);
        DiagnosedJob killed = new DiagnosedJob(made.spec().withOnFailure(OnFailure.CONTINUE));
        try (Job job = Job.start(killed.spec())) {
            killed.await(Verdict.NO_PROGRESS);
            killed.signal("KILL", 1);
            Diagnosis diagnosis = killed.await(Verdict.PE_DEAD);
            assertThat(diagnosis.causes()).containsExactly("PE 1 has failed: ended (exit code 137)");
            assertThat(DiagnosedJob.ids(diagnosis)).contains("P0.T#0", "P2.T#0");
            assertThat(job.whereabouts(0)).contains("waiting");
        }
    }

    @ParameterizedTest
    @CsvSource({"sync, 2", "killed, 3"})
    @DisplayName("ST-S31, ST-S34: the launcher finds a MISMATCH and PE_DEAD by itself, and ends the job")
    void launcher(String what, int pes) throws Exception {
        DiagnosedJob made = job(what, pes, PeMode.PROCESSES);
        JobSpec spec = made.spec().withOnDeadlock(OnDeadlock.ABORT).withOnFailure(OnFailure.CONTINUE);
        DiagnosedJob ended = new DiagnosedJob(spec);
        try (Job job = Job.start(spec)) {
            if (what.equals("killed")) {
                ended.await(Verdict.NO_PROGRESS);
                ended.signal("KILL", 1);
            }
            assertThat(job.await()).isEqualTo(ExitCode.DEADLOCK.code());
        }
    }
}
