// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.FaultedJob.Outcome;
import coterie.internal.launch.FaultedJob.Way;
import coterie.internal.wait.OperationKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The product of faults: signal 9 kills each PE of a job at each step of each algorithm. A build runs a sample.
///
/// The soak tier runs all, or with `-Dcoterie.faults.pes=2-4` and `-Dcoterie.faults.ways=DIRECT,TREE` a part. A step
/// that several ways reach in one source file is struck in one of these ways. `-Dcoterie.faults.part=1/3` runs each
/// third fault, from the first one on; `-Dcoterie.faults.only=SPLIT_2D:0@2#2` those whose text begins so.
@DisplayName("wherever a PE is killed, the others have right values or its number, agree, go on, and leave nothing")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FaultProductTest {
    /// Separates a survivor that hangs from one that a loaded machine slows down; docs/failures.md has the bound
    /// for a machine with a processor for each PE, and docs/soak.md what was measured.
    private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final boolean SOAK = Boolean.getBoolean("coterie.soak");
    private static final int SAMPLE_PES = 3;
    private static final int SAMPLE_OF_EACH_WAY = 1;

    /// Kinds of waits that are no collective, and of the opening of layers that plug in.
    private static final Set<OperationKind> WITHOUT_STEPS = EnumSet.of(
            OperationKind.NONE,
            OperationKind.WORD,
            OperationKind.WORDS,
            OperationKind.CONDUIT,
            OperationKind.JOIN,
            OperationKind.LAYERS,
            OperationKind.PREPARE,
            OperationKind.PROGRESS,
            OperationKind.STATEMENT,
            OperationKind.CREATE_BARRIERS); // which allocates

    private static final Pattern STEP = Pattern.compile("runtime(?:\\(\\))?\\.step\\(.*, (\\w+)\\)");

    private final List<Long> delays = new ArrayList<>();
    private int jobs;
    private int struck;

    /// The steps of a job without faults, for each way.
    private List<FaultedSteps> recorded = List.of();

    private List<FaultedSteps> recorded() {
        if (recorded.isEmpty()) {
            recorded = Arrays.stream(Way.values())
                    .map(way -> FaultedSteps.of(way, SAMPLE_PES))
                    .toList();
        }
        return recorded;
    }

    @Test
    @DisplayName("a job without faults reaches every kind of operation, and every step that a source file names")
    void everyStepIsReached() throws IOException {
        Set<String> kinds = new TreeSet<>();
        Set<String> reached = new TreeSet<>();
        for (FaultedSteps steps : recorded()) {
            steps.files().forEach((step, files) -> {
                String[] words = step.split("[:@]", -1);
                kinds.add(words[0]);
                for (String file : files) {
                    reached.add(file + " " + words[1]);
                    reached.add(file + " number");
                }
            });
        }
        assertThat(kinds)
                .isEqualTo(EnumSet.complementOf(EnumSet.copyOf(WITHOUT_STEPS)).stream()
                        .map(OperationKind::name)
                        .collect(Collectors.toCollection(TreeSet::new)));
        assertThat(named()).isNotEmpty().isSubsetOf(reached);
    }

    /// The steps that the sources of core name: file and number, or `number` where a variable has it.
    private static Set<String> named() throws IOException {
        Set<String> named = new TreeSet<>();
        try (Stream<Path> files = Files.walk(Path.of("../core/src/main/java"))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".java")).toList()) {
                STEP.matcher(Files.readString(file))
                        .results()
                        .forEach(step -> named.add(file.getFileName() + " " + step.group(1)));
            }
        }
        return named;
    }

    /// In a build a death in each of the ways that share no code.
    private static boolean isInSample(FaultedSteps steps) {
        return SOAK || EnumSet.of(Way.DIRECT, Way.TREE, Way.PLANS).contains(steps.way());
    }

    Stream<FaultedJob> sample() {
        Random random = new Random(23);
        return recorded().stream().filter(FaultProductTest::isInSample).flatMap(steps -> {
            List<FaultedJob> deaths = new ArrayList<>(steps.deaths().toList());
            List<FaultedJob> inRecovery =
                    new ArrayList<>(steps.deathsInRecovery().toList());
            Collections.shuffle(deaths, random);
            Collections.shuffle(inRecovery, random);
            return Stream.concat(
                    deaths.stream().limit(SAMPLE_OF_EACH_WAY),
                    inRecovery.stream().limit(SOAK || steps.way() == Way.DIRECT ? 1 : 0));
        });
    }

    static Stream<FaultedJob> product() {
        int[] bounds = Arrays.stream(
                        System.getProperty("coterie.faults.pes", "2-8").split("-", 2))
                .mapToInt(Integer::parseInt)
                .toArray();
        String every = Arrays.stream(Way.values()).map(Way::name).collect(Collectors.joining(","));
        List<Way> ways = Arrays.stream(
                        System.getProperty("coterie.faults.ways", every).split(",", -1))
                .map(Way::valueOf)
                .toList();
        String[] part = System.getProperty("coterie.faults.part", "1/1").split("/", 2);
        int parts = Integer.parseInt(part[1]);
        String[] only = System.getProperty("coterie.faults.only", "").split(" ", -1);
        AtomicInteger number = new AtomicInteger(parts - Integer.parseInt(part[0]));
        return IntStream.rangeClosed(bounds[0], bounds[bounds.length - 1])
                .boxed()
                .flatMap(pes ->
                        FaultedSteps.apart(ways.stream()
                                        .map(way -> FaultedSteps.of(way, pes))
                                        .toList())
                                .stream())
                .flatMap(steps -> Stream.concat(steps.deaths(), steps.deathsInRecovery()))
                .filter(_ -> number.incrementAndGet() % parts == 0)
                .filter(job -> Arrays.stream(only).anyMatch(job.faults()::startsWith));
    }

    @ParameterizedTest
    @MethodSource("sample")
    void aSample(FaultedJob job) {
        run(job);
    }

    @Tag("soak")
    @ParameterizedTest
    @MethodSource("product")
    void theProduct(FaultedJob job) {
        run(job);
    }

    private void run(FaultedJob job) {
        Outcome outcome = job.run();
        List<Long> ofJob = outcome.delays();
        assertThat(ofJob).as("%s", outcome).allMatch(delay -> delay < LIMIT_NANOS);
        delays.addAll(ofJob);
        jobs++;
        struck += outcome.killed().isEmpty() ? 0 : 1;
    }

    /// A step of a lock or of a coordinator is not always reached as often as in the job without faults.
    @AfterAll
    void mostStruck() {
        System.out.printf(
                "from a planted death to its news: %d jobs, a fault struck in %d; %d survivors, %s%n",
                jobs, struck, delays.size(), RandomKillTest.distribution(delays));
        assertThat(struck).isGreaterThanOrEqualTo(jobs * 9 / 10);
    }
}
