// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.coarray.ErrorStops;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorStopTest {

    private static EndedJob run(String how, int images, PeMode mode) {
        JobSpec spec = EndedJob.spec("error stop: " + how, images, ErrorStops.class, mode);
        JobSpec.Program program = spec.program();
        return EndedJob.of(JobSpec.of(
                        spec.name(),
                        images,
                        new JobSpec.Program(
                                program.mainClass(),
                                program.module(),
                                program.classPath(),
                                program.modulePath(),
                                List.of(how)))
                .withMode(mode)
                .withStartupCache(spec.startupCache()));
    }

    @ParameterizedTest
    @CsvSource({"PROCESSES, 3, code, 7", "THREADS, 5, code, 7", "THREADS, 3, text, 1", "THREADS, 3, stopped, 7"})
    @DisplayName("at an error stop the caller's callbacks run, and the other images end quietly wherever they wait")
    void othersEndQuietly(PeMode mode, int images, String how, int code) {
        EndedJob job = run(how, images, mode);

        assertThat(job.exitCode()).isEqualTo(code);
        String said = "0 image 1: error stop " + code;
        if (how.equals("text")) {
            assertThat(job.lines()).containsExactlyInAnyOrder("0 ERROR STOP the end", said, "0 callback of image 1");
        } else {
            assertThat(job.lines()).containsExactlyInAnyOrder(said, "0 callback of image 1");
        }
    }

    @ParameterizedTest
    @CsvSource({"PROCESSES, 3", "THREADS, 5"})
    @DisplayName("an exception that leaves an image's main ends the other images as quietly")
    void exception(PeMode mode, int images) {
        EndedJob job = run("exception", images, mode);

        assertThat(job.exitCode()).isEqualTo(1);
        assertThat(job.lines()).allMatch(line -> line.startsWith("0 "));
        assertThat(job.lines())
                .contains("0 image 1: error stop 1, uncaught exception", "0 callback of image 1")
                .contains("0 java.lang.IllegalStateException: a mistake");
    }
}
