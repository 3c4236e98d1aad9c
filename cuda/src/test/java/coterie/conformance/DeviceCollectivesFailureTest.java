// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.cuda.FailingCollectivesProgram;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DeviceCollectivesFailureTest {
    @ParameterizedTest
    @EnumSource(
            value = PeMode.class,
            names = {"PROCESSES", "THREADS"})
    @DisplayName("a PE that fails ends the others' collectives over device memory: streams, NCCL, and closes; survivors"
            + " make others")
    void aPeFails(PeMode mode) {
        EndedJob job = EndedJob.of(EndedJob.spec("failing collectives", 3, FailingCollectivesProgram.class, mode)
                .withOnFailure(OnFailure.CONTINUE));

        for (int pe = 0; pe < 3; pe += 2) {
            assertThat(job.lines())
                    .contains(
                            pe + " host FAILED [1]",
                            pe + " pairs FAILED [1]",
                            pe + " nccl broadcast of device memory on team \"world\", PE " + pe
                                    + ": the communicator has ended: PE 1 has failed; close the collectives",
                            pe + " close of host FAILED [1]",
                            pe + " close of pairs FAILED [1]",
                            pe + " close of nccl nothing",
                            pe + " close of memory nothing",
                            pe + " sum of the living by host 11",
                            pe + " broadcast of the living by nccl",
                            pe + " close nothing");
        }
        assertThat(job.exitCode()).isZero();
    }
}
