// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.coarray.StatementForms;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatementFormsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "failed | 2 | 14 | Failed[images=[2]]",
                "stopped | 2 | 12 | Stopped[images=[2]]",
                "left | 3 | 10 | Abandoned[image=2",
                "out-of-range | 3 | 0 | nothing",
                "closed | 3 | 0 | nothing"
            })
    @DisplayName("the form with try has an outcome where the other one throws, and the message names what went wrong")
    void bothForms(String situation, int ends, int outcomes, String outcome) {
        JobSpec spec = EndedJob.spec("statement forms: " + situation, 3, StatementForms.class, PeMode.THREADS);
        JobSpec.Program program = spec.program();
        EndedJob job = EndedJob.of(JobSpec.of(
                        spec.name(),
                        3,
                        new JobSpec.Program(
                                program.mainClass(),
                                program.module(),
                                program.classPath(),
                                program.modulePath(),
                                List.of(situation)))
                .withMode(PeMode.THREADS)
                .withOnFailure(OnFailure.CONTINUE));

        assertThat(job.lines()).noneMatch(line -> line.contains("WRONG"));
        assertThat(job.lines().stream().filter(line -> line.endsWith(" done")))
                .as("%s", job)
                .hasSize(ends);
        assertThat(job.lines().stream().filter(line -> line.startsWith("0 ") && line.contains(outcome)))
                .as("%s", job)
                .hasSize(outcomes);
        assertThat(job.exitCode()).isZero();
    }
}
