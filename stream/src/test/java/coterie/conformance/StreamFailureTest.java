// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import coterie.stream.FailingStreamProgram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StreamFailureTest {
    @ParameterizedTest
    @EnumSource(
            value = PeMode.class,
            names = {"PROCESSES", "THREADS"})
    @DisplayName("a PE that fails ends the streams that wait for it, with its number; other streams go on")
    void aPeFails(PeMode mode) {
        EndedJob job = EndedJob.of(EndedJob.spec("failing streams", 3, FailingStreamProgram.class, mode)
                .withOnFailure(OnFailure.CONTINUE));

        assertThat(job.lines())
                .contains(
                        "0 wait FAILED [1]",
                        "2 wait FAILED [1]",
                        "0 barrier FAILED [1]",
                        "2 barrier FAILED [1]",
                        "0 going 102",
                        "2 going 100")
                .noneMatch(line -> line.contains("WRONG"));
        assertThat(job.exitCode()).isZero();
    }
}
