// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.coarray.FaultedImages;
import coterie.internal.launch.JobSpec;
import coterie.internal.launch.OnFailure;
import coterie.junit.job.EndedJob;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The product of faults of images: signal 9 kills each image at each step of each algorithm of the module. A build
/// runs a sample; the soak tier runs all for 2 to 4 images, or with `-Dcoterie.faults.pes=3-3` a part.
@DisplayName("wherever an image is killed, the others go on with right values, form teams and end")
class ImageFaultProductTest {
    private static final Pattern STEP = Pattern.compile("step (IMAGES_\\w+:\\d+@\\d+)#(\\d+)");
    private static final int SAMPLE = 3;

    /// @param faults as the setting `fault` has them
    record FaultedRun(int images, String faults) {
        EndedJob run() {
            JobSpec spec = EndedJob.spec("faulted images", images, FaultedImages.class);
            return EndedJob.of(
                    spec.withEnvironment(Map.of("COTERIE_FAULT", faults)).withOnFailure(OnFailure.CONTINUE));
        }
    }

    private static final Map<Integer, Map<String, Integer>> STEPS = new ConcurrentHashMap<>();

    /// Returns how often each image reaches each step in a job without faults, by `ALGORITHM:step@pe`.
    private static Map<String, Integer> steps(int images) {
        return STEPS.computeIfAbsent(images, ImageFaultProductTest::counted);
    }

    private static Map<String, Integer> counted(int images) {
        EndedJob job = new FaultedRun(images, "steps").run();
        Map<String, Integer> times = new TreeMap<>();
        for (String line : job.lines()) {
            Matcher step = STEP.matcher(line);
            if (step.find()) {
                times.merge(step.group(1), Integer.parseInt(step.group(2)), Math::max);
            }
        }
        assertThat(job.exitCode()).as("%s", job).isZero();
        return times;
    }

    private static List<FaultedRun> faults(int images) {
        Random random = new Random(images);
        return steps(images).entrySet().stream()
                .map(step -> step.getKey() + "#" + (1 + random.nextInt(step.getValue())) + "=kill")
                .map(fault -> new FaultedRun(images, fault))
                .toList();
    }

    @Test
    @DisplayName("a job without faults reaches each step of each algorithm")
    void everyStepIsReached() {
        assertThat(steps(3).keySet().stream().map(step -> step.replaceAll("IMAGES_|@.*", "")))
                .contains("ABANDON:0", "ABANDON:1", "AGREE:0", "AGREE:1", "AGREE:2", "AGREE:3", "CLOSE:0", "CLOSE:1")
                .contains("CLOSE:2", "CLOSE:3", "END:0", "END:1", "END:2", "END:3", "FORM:0", "FORM:1", "FORM:2", "FORM:3")
                .contains("FORM:4", "FORM:5", "PAIRS:0", "PAIRS:1", "PAIRS:2", "STOP:0", "STOP:1", "STOP:2", "STOP:3")
                .contains("STOP:4", "SYNC:0");
    }

    static Stream<FaultedRun> sample() {
        List<FaultedRun> runs = new ArrayList<>(faults(3));
        Collections.shuffle(runs, new Random(23));
        return runs.stream().limit(SAMPLE);
    }

    static Stream<FaultedRun> product() {
        String[] bounds = System.getProperty("coterie.faults.pes", "2-4").split("-", 2);
        return IntStream.rangeClosed(Integer.parseInt(bounds[0]), Integer.parseInt(bounds[1]))
                .boxed()
                .flatMap(images -> faults(images).stream());
    }

    @ParameterizedTest
    @MethodSource("sample")
    void aSample(FaultedRun run) {
        survive(run);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("product")
    void theProduct(FaultedRun run) {
        survive(run);
    }

    private static void survive(FaultedRun run) {
        EndedJob job = run.run();
        assertThat(job.lines()).as("%s: %s", run, job).noneMatch(line -> line.contains("WRONG"));
        boolean isStruck = job.lines().stream().anyMatch(line -> line.contains("WARNING: fault "));
        long survivors = job.lines().stream()
                .filter(line -> line.contains("survived in"))
                .count();
        assertThat(survivors).as("%s: %s", run, job).isBetween(run.images() - (isStruck ? 1L : 0L), (long)
                run.images());
        assertThat(job.exitCode()).as("%s: %s", run, job).isZero();
    }
}
