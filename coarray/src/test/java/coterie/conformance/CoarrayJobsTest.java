// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Coterie;
import coterie.coarray.CoarrayPrograms;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnFailure;
import coterie.internal.launch.PeMode;
import coterie.junit.job.EndedJob;
import coterie.testing.SoakBound;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Coarray cases whose images fail, stop or end the job.
class CoarrayJobsTest {

    /// For statements that do the same whatever the images are: a build runs them as threads, which take one JVM.
    static List<PeMode> modes() {
        return Boolean.getBoolean("coterie.soak") ? List.of(PeMode.PROCESSES, PeMode.THREADS) : List.of(PeMode.THREADS);
    }

    private static JobSpec spec(String scenario, int images, PeMode mode, String... more) {
        JobSpec spec = EndedJob.spec("coarrays: " + scenario, images, CoarrayPrograms.class, mode);
        List<String> arguments = new ArrayList<>(List.of(scenario, mode.name()));
        arguments.addAll(List.of(more));
        JobSpec.Program program = spec.program();
        return JobSpec.of(
                        spec.name(),
                        images,
                        new JobSpec.Program(
                                program.mainClass(),
                                program.module(),
                                program.classPath(),
                                program.modulePath(),
                                arguments))
                .withMode(mode)
                .withOnFailure(OnFailure.CONTINUE);
    }

    private static EndedJob run(String scenario, int images, PeMode mode, String... more) {
        return EndedJob.of(spec(scenario, images, mode, more));
    }

    private static List<String> lines(EndedJob job, String prefix) {
        assertThat(job.lines()).noneMatch(line -> line.contains("WRONG"));
        return job.lines().stream()
                .filter(line -> line.substring(line.indexOf(' ') + 1).startsWith(prefix))
                .sorted()
                .toList();
    }

    @ParameterizedTest
    @EnumSource(
            value = PeMode.class,
            names = {"PROCESSES", "THREADS"})
    @DisplayName("CA-F02, CA-F03, CA-F05, CA-F11, CA-F14, CA-F15, CA-F18, CA-F19, CA-F21, CA-F22: an image fails in its"
            + " team and its critical construct; the others go on")
    void anImageFails(PeMode mode) {
        EndedJob job = run("fails", 4, mode);

        assertThat(lines(job, "F14")).containsExactly("0 F14 F15 initial", "2 F14 F15 initial", "3 F14 F15 initial");
        assertThat(lines(job, "F02"))
                .hasSize(3)
                .allMatch(line -> line.endsWith("F02 [ACTIVE, FAILED, ACTIVE, ACTIVE] [2] []"));
        assertThat(lines(job, "F05")).hasSize(3).allMatch(line -> line.endsWith("F05 37 2 Failed[images=[2]] Ok[]"));
        assertThat(lines(job, "lock")).hasSize(3);
        assertThat(lines(job, "lock AcquiredFromFailed[image=2]")).hasSize(1);
        assertThat(lines(job, "lock Acquired[]")).hasSize(2);
        assertThat(lines(job, "F19 Failed[images=[2]]")).hasSize(1);
        assertThat(lines(job, "F19 Ok[]")).hasSize(2);
        assertThat(lines(job, "formed")).hasSize(3).allMatch(line -> line.endsWith("formed Failed[images=[2]] 3"));
        assertThat(lines(job, "done")).hasSize(3);
        assertThat(job.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("CA-F12: after a failure the living images form their teams without the failed one")
    void formAfterFailure(PeMode mode) {
        EndedJob job = run("fails-in-six", 6, mode);

        assertThat(lines(job, "F12"))
                .containsExactly(
                        "0 F12 2 2 of 6", "1 F12 1 3 of 6", "3 F12 1 3 of 6", "4 F12 2 2 of 6", "5 F12 1 3 of 6");
        assertThat(job.exitCode()).isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = PeMode.class,
            names = {"PROCESSES", "THREADS"})
    @DisplayName(
            "CA-F06, CA-F07, CA-F10: statements with a stopped image are Stopped, also if another image has failed")
    void anImageStops(PeMode mode) {
        EndedJob job = run("stops", 4, mode);

        assertThat(lines(job, "F06"))
                .containsExactly("0 F06 [2] [] 20 STOPPED", "2 F06 [2] [] 20 STOPPED", "3 F06 [2] [] 20 STOPPED");
        assertThat(lines(job, "F07")).containsExactly("0 F07 [2] [3]", "3 F07 [2] [3]");
        assertThat(job.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("CA-F16: a statement without status throws; without a handler the job ends")
    void throwsWithoutStatus(PeMode mode) {
        EndedJob job = run("throwing", 4, mode);

        // An image that has thrown has ended the job's wait for it, so a slow one may find it among the failed.
        assertThat(lines(job, "F16")).isNotEmpty().allMatch(line -> line.matches("\\d F16 \\[(1, )?2(, 3)?(, 4)?]"));
        assertThat(job.exitCode()).isEqualTo(1);
    }

    @Test
    @DisplayName("CA-F23: an image that is suspended for three seconds has not failed")
    void suspended() {
        EndedJob job = run("suspended", 4, PeMode.PROCESSES);

        assertThat(lines(job, "F23"))
                .containsExactlyElementsOf(
                        IntStream.range(0, 4).mapToObj(pe -> pe + " F23 []").toList());
        assertThat(job.exitCode()).isZero();
    }

    private static void untilOneIsLeft(int images, long seed) {
        EndedJob job = run("random-kills", images, PeMode.PROCESSES, Long.toString(seed));

        assertThat(lines(job, "F24"))
                .as("seed " + seed)
                .hasSize(1)
                .allMatch(line -> line.endsWith(images - 1 + " without the last"));
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("CA-F24: images are killed until one is left, which knows all of them")
    void untilOneIsLeft() {
        untilOneIsLeft(4, 1);
    }

    @Test
    @Tag("soak")
    @DisplayName("CA-F24: images of 8 are killed until one is left, by 52 seeds")
    void untilOneIsLeftFiftyTimes() {
        for (long seed = 1; seed < 53; seed++) {
            untilOneIsLeft(8, seed);
        }
    }

    private static void killsInForms(int images, long seed) {
        EndedJob job = run("kills-in-forms", images, PeMode.PROCESSES, Long.toString(seed));
        int half = images / 2;

        assertThat(lines(job, "survived"))
                .as("seed " + seed)
                .hasSize(half)
                .allMatch(line -> line.endsWith("survived " + half));
        assertThat(job.exitCode()).isZero();
    }

    @Test
    @DisplayName("images that are killed while teams are formed leave the others in whole teams")
    void killsInForms() {
        killsInForms(4, 1);
    }

    @Test
    @Tag("soak")
    @DisplayName("images that are killed while teams are formed leave the others in whole teams: 52 seeds")
    void killsInFormsOften() {
        for (long seed = 1; seed < 53; seed++) {
            killsInForms(6, seed);
        }
    }

    @Test
    @DisplayName("CA-M04: a job of processes ends with the stop code of the lowest image that has one")
    void stopCodeOfProcesses() {
        assertThat(run("stop", 3, PeMode.PROCESSES, "two").exitCode()).isEqualTo(5);
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("CA-M04: the job ends with the stop code of the lowest image that has one")
    void stopCodes(PeMode mode) {
        assertThat(run("stop", 4, mode, "0").exitCode()).isZero();
        assertThat(run("stop", 4, mode, "3").exitCode()).isEqualTo(3);
        assertThat(run("stop", 3, mode, "two").exitCode()).isEqualTo(5);
        EndedJob text = run("stop", 2, mode, "text");
        assertThat(text.exitCode()).isZero();
        assertThat(lines(text, "STOP the end")).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(
            value = PeMode.class,
            names = {"PROCESSES", "THREADS"})
    @DisplayName("CA-M06: an error stop ends all images within 2 s, in a barrier or in a loop")
    void errorStop(PeMode mode) {
        EndedJob job = run("error-stop", 4, mode);
        assertThat(lines(job, "M06"))
                .singleElement()
                .satisfies(line -> SoakBound.assertWithin(
                        "the end of the job", Duration.ofSeconds(2), Long.parseLong(line.split(" ", -1)[2])));
        assertThat(job.exitCode()).isEqualTo(7);
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("CA-M08: stop callbacks run in the reverse order, after all images have stopped")
    void callbacks(PeMode mode) {
        EndedJob job = run("callbacks", 2, mode);

        for (char pe : new char[] {'0', '1'}) {
            assertThat(job.lines().stream().filter(line -> line.charAt(0) == pe))
                    .containsExactly(pe + " M08 3 after 99", pe + " M08 2 after 99", pe + " M08 1 after 99");
        }
        assertThat(job.exitCode()).isZero();
    }

    @ParameterizedTest
    @MethodSource("modes")
    @DisplayName("CA-M09: an uncaught exception of an image ends the job, with one stack trace")
    void uncaught(PeMode mode) {
        EndedJob job = run("exception", 2, mode);

        assertThat(lines(job, "image 2: error stop 1, uncaught exception")).hasSize(1);
        assertThat(lines(job, "java.lang.IllegalStateException: a mistake in the program"))
                .hasSize(1);
        assertThat(job.exitCode()).isEqualTo(1);
    }

    @Test
    @DisplayName("CA-T31: image 1 of the initial team has the standard input, whatever its number is in another team")
    void standardInput() throws Exception {
        Process launcher = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        InputJob.class.getName())
                .redirectErrorStream(true)
                .start();
        try (Writer input = launcher.outputWriter(StandardCharsets.UTF_8)) {
            input.write("42\n");
        }
        String output = new String(launcher.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(output.lines()).containsExactlyInAnyOrder("T31 1 is 2 reads 42", "T31 2 is 1 reads null");
        assertThat(launcher.waitFor()).isZero();
    }

    /// Starts a job whose first image reads this program's input.
    public static final class InputJob {
        private InputJob() {}

        /// Starts the job.
        public static void main(String[] args) {
            System.exit(Coterie.run(2, CoarrayPrograms.class, "input", "PROCESSES"));
        }
    }
}
