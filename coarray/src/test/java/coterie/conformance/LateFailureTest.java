// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.coarray.LateFailures;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnFailure;
import coterie.junit.job.EndedJob;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Coarray cases in which an image fails, stops or leaves while others are in a statement that it has reached.
class LateFailureTest {

    private static EndedJob run(String scenario, int images, String faults) {
        JobSpec spec = EndedJob.spec("late: " + scenario, images, LateFailures.class);
        JobSpec.Program program = spec.program();
        return EndedJob.of(JobSpec.of(
                        spec.name(),
                        images,
                        new JobSpec.Program(
                                program.mainClass(),
                                program.module(),
                                program.classPath(),
                                program.modulePath(),
                                List.of(scenario)))
                .withEnvironment(faults.isEmpty() ? Map.of() : Map.of("COTERIE_FAULT", faults))
                .withOnFailure(OnFailure.CONTINUE));
    }

    private static EndedJob run(String scenario, int images) {
        return run(scenario, images, "");
    }

    /// The lines with a first word, each with its PE.
    private static List<String> lines(EndedJob job, String word) {
        assertThat(job.lines()).noneMatch(line -> line.contains("WRONG"));
        return job.lines().stream()
                .filter(line -> line.substring(2).startsWith(word))
                .sorted()
                .toList();
    }

    @Test
    @DisplayName("CA-F15: survivors close teams with a failed image at different times, also at the end of a scope")
    void closes() {
        EndedJob job = run("closes", 3);

        assertThat(lines(job, "closed")).containsExactly("0 closed Failed[images=[3]]", "1 closed Failed[images=[3]]");
        assertThat(job.exitCode()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"end-late", "free-late"})
    @DisplayName("CA-F15: an image that fails in the last barrier leaves the others at the same statements")
    void failsInTheLastBarrier(String scenario) {
        // two posts in each round of a word: change team and two allocations have six, so the seventh is the first at
        // the end, and one survivor completes that round
        EndedJob job = run(scenario, 3, "all_reduce:4@2#7=kill");

        assertThat(lines(job, "ended")).hasSize(2).allMatch(line -> line.endsWith("Failed[images=[3]]"));
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-F11: an image that fails in a sum leaves the others with the whole sum or with a failure")
    void failsInASum() {
        EndedJob job = run("sum-late", 3, "all_reduce:4@2#1=kill");

        assertThat(lines(job, "sum")).containsExactly("0 sum 6", "1 sum of [3]");
        assertThat(lines(job, "after")).hasSize(2).allMatch(line -> line.endsWith("Failed[images=[3]]"));
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-T27: an image that a failure refuses the entry to a team abandons it, so that no body waits")
    void refusedEntry() {
        EndedJob job = run("refused-entry", 3);

        assertThat(job.lines().stream().filter(line -> line.matches("\\d (body|refused|waited).*")))
                .containsExactlyInAnyOrder("0 refused [3]", "1 body 3", "0 waited");
        List<String> order = List.copyOf(job.lines());
        assertThat(order.indexOf("1 body 3")).isLessThan(order.indexOf("0 waited"));
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-F06: a barrier that all images have reached is Ok, also if one has stopped after it")
    void stopsBehindABarrier() {
        EndedJob job = run("stop-behind", 3);

        assertThat(lines(job, "first")).containsExactly("0 first Ok[] second 1", "2 first Ok[]");
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-F07: Stopped comes before Abandoned")
    void stoppedBeforeAbandoned() {
        EndedJob job = run("stop-before-abandoned", 3);

        assertThat(lines(job, "outcome")).containsExactly("2 outcome Stopped[images=[2]]");
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-M04: an image can't stop in a critical construct")
    void stopInCritical() {
        EndedJob job = run("stop-in-critical", 2);

        assertThat(lines(job, "refused")).hasSize(1).allMatch(line -> line.contains("critical"));
        assertThat(lines(job, "inside")).hasSize(2);
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-M04: an image that stops releases its locks")
    void stopWithLock() {
        EndedJob job = run("stop-with-lock", 2);

        assertThat(lines(job, "lock")).containsExactly("1 lock Acquired[] Acquired[]");
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-F18: the exception of a lock says whether the caller has the lock")
    void lockOfFailed() {
        EndedJob job = run("lock-of-failed", 2);

        assertThat(job.lines()).contains("0 LockRecoveredException 0", "0 ImageFailedException 2");
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-M06: an error stop keeps its code and runs all callbacks, also if one throws")
    void throwingCallback() {
        EndedJob job = run("throwing-callback", 1);

        assertThat(job.lines()).contains("0 first callback", "0 java.lang.IllegalStateException: a callback throws");
        assertThat(job.exitCode()).isEqualTo(7);
    }

    @Test
    @DisplayName("CA-T12: the own number names the images of the own team, also if one has failed as it was formed")
    void siblingLost() {
        EndedJob job = run("sibling-lost", 4, "form:1@2=kill");

        assertThat(lines(job, "sibling")).containsExactly("0 sibling 3 4", "1 sibling 3 4", "3 sibling 3 4");
        assertThat(job.exitCode()).isZero();
    }
}
