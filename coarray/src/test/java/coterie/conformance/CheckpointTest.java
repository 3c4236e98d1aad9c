// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.coarray.Checkpoints;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Images that fail lose no state that they have saved.
class CheckpointTest {

    @ParameterizedTest
    @CsvSource({
        "THREADS, 4, 3",
        "THREADS, 5, 3 2 30 3 40",
        "THREADS, 5, 3 1 0 2 1",
        "THREADS, 6, 3 1 7 2 33 3 59",
        "PROCESSES, 5, 3 2 30 3 41"
    })
    @DisplayName("the images that take over for failed ones restore their parts, and the result is right")
    void resultIsRight(PeMode mode, int images, String arguments) {
        JobSpec spec = EndedJob.spec("checkpoints", images, Checkpoints.class, mode);
        JobSpec.Program program = spec.program();
        EndedJob job = EndedJob.of(JobSpec.of(
                        spec.name(),
                        images,
                        new JobSpec.Program(
                                program.mainClass(),
                                program.module(),
                                program.classPath(),
                                program.modulePath(),
                                List.of(arguments.split(" "))))
                .withMode(mode)
                .withOnFailure(OnFailure.CONTINUE));

        assertThat(job.lines()).as("%s", job).noneMatch(line -> line.contains("WRONG"));
        assertThat(job.lines()).as("%s", job).filteredOn(line -> line.contains("result ")).hasSize(1);
        assertThat(job.exitCode()).as("%s", job).isZero();
    }
}
