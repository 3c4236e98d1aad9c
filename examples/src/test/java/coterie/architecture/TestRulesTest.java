// SPDX-License-Identifier: Apache-2.0

package coterie.architecture;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// What a test waits for must happen, and must not happen by a certain time: a clock makes tests fail by chance.
class TestRulesTest {
    /// Reads of the clock, pauses, and assertions about them.
    private static final Pattern BY_THE_CLOCK = Pattern.compile("""
            \\b(Thread(\\.|::)sleep|System(\\.|::)(nanoTime|currentTimeMillis)|Instant\\.now)\\b\
            |\\b(parkNanos|assertTimeout\\w*)\\(\
            |SECONDS\\.sleep\\(\
            |\\.(pollDelay|during)\\(\
            |\\b(isLessThan\\w*|isBetween)\\(Duration\\b\
            |[nN]ano(Time|s)\\(\\) - .*\\bisLess""");

    private static final String PRINTS = "prints times, and no test looks at how long anything took";
    private static final String LATE = "a program with a PE that is late, is suspended or ends at a random moment";
    private static final String LOWER = "a lower bound, which no load of the machine can break";
    private static final String BETWEEN = "the time of a report is after the begin of its test and before the end";
    private static final String LIMIT = "ends a wait for what happens soon in each good run";

    /// Classes that may, and why.
    private static final Map<String, String> ALLOWED = Map.ofEntries(
            entry("ClockSampleTest", BETWEEN),
            entry("ClusterTimesTest", "all of it is in the soak tier"),
            entry("CoarrayPrograms", LATE),
            entry("DevicePrograms", LATE),
            entry("DiagnosisTest", BETWEEN),
            entry("DriverBench", LIMIT),
            entry("EventFileTest", "the events have times, and one of them lasts"),
            entry("ExecutorsSoakIT", "all of it is in the soak tier"),
            entry("FakeObjects", "a model of a device: its events have times, and its waits poll"),
            entry("FaultedWork", PRINTS),
            entry("FirstCollectives", "a program that goes on for a while"),
            entry("GossipLayer", "an address that no other run has"),
            entry("HostsProgram", PRINTS),
            entry("KeyValueJob", "the times of ends that a job tells the runtime"),
            entry("LateHelp", LATE),
            entry("Lateness", LATE),
            entry("Litmus", "the rounds of two PEs begin at one time, without a message"),
            entry("LoadersProgram", LIMIT),
            entry("ModesTest", LOWER),
            entry("RandomDeathTest", LATE),
            entry("ReportFieldsTest", BETWEEN),
            entry("SelfKill", LATE),
            entry("SimJob", LIMIT),
            entry("StarvedJob", LATE),
            entry("StreamsTest", "a program that prints for ever, a line in each millisecond"),
            entry("StuckProgram", LATE),
            entry("SurvivingWork", LATE),
            entry("SuspendedPeTest", LATE),
            entry("TestMembers", LIMIT),
            entry("TurnsSimulator", "the clock of its PEs"),
            entry("UcxFailureTest", LOWER),
            entry("WaitConformanceTest", "a writer that is late"),
            entry("WaitingCalls", LATE));

    @Test
    @DisplayName("tests neither sleep nor measure time, but for some with a reason")
    void noTestGoesByTheClock() {
        assertThat(byTheClock()).containsExactlyInAnyOrderElementsOf(new TreeSet<>(ALLOWED.keySet()));
    }

    @Test
    @DisplayName("sleeps, reads of the clock and bounds of time are found; comments and waits for a condition are not")
    void findsWhatItLooksFor() {
        assertThat(Stream.of(
                        "Thread.sleep(100);",
                        "long start = System.nanoTime();",
                        "LongSupplier clock = System::currentTimeMillis;",
                        "LockSupport.parkNanos(1);",
                        "TimeUnit.MILLISECONDS.sleep(5);",
                        "assertTimeoutPreemptively(LIMIT, this::run);",
                        "await().pollDelay(LIMIT).until(this::isOver);",
                        "assertThat(took).isLessThan(Duration.ofSeconds(1));",
                        "assertThat(world.nanoTime() - start).isLessThanOrEqualTo(5);"))
                .allMatch(TestRulesTest::goesByTheClock);
        assertThat(Stream.of(
                        "/// The waiter sleeps: Thread.sleep(100).",
                        "int i = 0; // System.nanoTime() takes long",
                        "assertThat(world.nanoTime() - start).isGreaterThanOrEqualTo(5);",
                        "Awaitility.await().atMost(1, TimeUnit.MINUTES).until(this::isOver);"))
                .noneMatch(TestRulesTest::goesByTheClock);
    }

    /// Returns the names of test classes that read the clock or sleep. Simple names are unique.
    private static Set<String> byTheClock() {
        try (Stream<Path> modules = Files.walk(SourceFilesTest.root(), 2)) { // examples has modules, too
            return modules.flatMap(TestRulesTest::folders)
                    .filter(Files::isDirectory)
                    .flatMap(TestRulesTest::sources)
                    .filter(TestRulesTest::hasClock)
                    .map(path -> path.getFileName().toString().replace(".java", ""))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The cases of conformance are the main code of their module.
    private static Stream<Path> folders(Path module) {
        boolean isConformance = module.endsWith("conformance");
        return (isConformance ? Stream.of("src/main/java", "src/test/java") : Stream.of("src/test/java"))
                .map(module::resolve);
    }

    private static Stream<Path> sources(Path folder) {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths
                    .filter(path -> path.toString().endsWith(".java") && !path.endsWith("TestRulesTest.java"))
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean hasClock(Path file) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(TestRulesTest::goesByTheClock);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean goesByTheClock(String line) {
        return BY_THE_CLOCK.matcher(line).find()
                && BY_THE_CLOCK.matcher(line.replaceFirst("//.*", "")).find();
    }
}
