// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs of `examples/deadlocks`, broken and mended.
class DeadlockExamplesTest {
    private static final Path FOLDER = ProgramRun.EXAMPLES.resolve("deadlocks");

    private static final Set<String> BRIEF =
            Set.of("Circular", "FewSlots", "LateCopy", "MissingMember", "FailedOperation");

    /// A program, and what it prints when it is broken.
    ///
    /// @param exitCode of the broken one
    record Scenario(String name, int pes, int exitCode, List<String> prints) {
        @Override
        public String toString() {
            return name;
        }
    }

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    /// A build runs one program for each thing that may be found.
    static List<Scenario> brief() {
        return scenarios().stream()
                .filter(scenario -> Boolean.getBoolean("coterie.soak") || BRIEF.contains(scenario.name))
                .toList();
    }

    static List<Scenario> scenarios() {
        int stuck = ExitCode.DEADLOCK.code();
        int thrown = ExitCode.UNCAUGHT.code();
        return List.of(
                new Scenario(
                        "Circular",
                        2,
                        stuck,
                        List.of(
                                "DEADLOCK: no schedule can complete these operations (Circular, 2 PEs,",
                                "  1. Circular.java:20  P0.S#0, barrier of team \"world\", waits for PE 1",
                                "by P0.S#3",
                                "  Circular.java:20  P0.S#0  barrier of team \"world\"",
                                "try: enqueue P0.S#1 (put of a value), and what comes after it, before P0.S#0")),
                new Scenario(
                        "FewSlots",
                        1,
                        stuck,
                        List.of("FALSE_DEPENDENCY", "P0.notifying#0 needs the slot that P0.waiting#0 holds")),
                new Scenario(
                        "FewThreads",
                        1,
                        stuck,
                        List.of(
                                "FALSE_DEPENDENCY",
                                "P0.notifying#0 needs 1 of the device's 2 threads, of which P0.waiting#0 holds 2")),
                new Scenario(
                        "OneQueue",
                        1,
                        stuck,
                        List.of("FALSE_DEPENDENCY", "P0.notifying#0 shares queue 0 with P0.waiting#0")),
                new Scenario(
                        "LargeGrid",
                        1,
                        stuck,
                        List.of(
                                "FALSE_DEPENDENCY",
                                "P0.S#0 needs 1 of the device's 4 threads, of which its own blocks hold 4",
                                "5 blocks of 1 threads, of which 4 have started, and the others have no room",
                                "collectiveLaunch")),
                new Scenario("SharedTeam", 2, thrown, List.of("SharedTeam.java:23 has no order with first#0")),
                new Scenario("LateCopy", 1, 0, List.of("HEAP_RACE", "allReduce at LateCopy.java:", "WRONG or 0")),
                new Scenario(
                        "LostSignal",
                        3,
                        stuck,
                        List.of("DEADLOCK", "to be EQ 3, and no pending operation changes it", "wait for GE")),
                new Scenario("MissingMember", 3, thrown, List.of("PE 2", "ended")),
                new Scenario(
                        "BlockedHost",
                        2,
                        stuck,
                        List.of(
                                "DEADLOCK",
                                "P0.main#0  allocate",
                                "  BlockedHost.java:27  P1.S#0  waitUntil of a signal")),
                new Scenario(
                        "FailedOperation",
                        1,
                        thrown,
                        List.of("after S#0, host function, has failed: java.lang.IllegalStateException: no data")));
    }

    private static ProgramRun run(Scenario scenario, String... arguments) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(ProgramRun.RUN);
        words.addAll(List.of(
                "-n",
                Integer.toString(scenario.pes),
                "--pes",
                scenario.name.equals("MissingMember") ? "processes" : "threads",
                "--on-deadlock",
                "abort",
                "--stall",
                "700ms",
                "--timeout",
                "60s",
                FOLDER.resolve(scenario.name + ".java").toString()));
        words.addAll(List.of(arguments));
        return ProgramRun.coterie(Map.of(), words);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("brief")
    @DisplayName("ST-S22, ST-S23, ST-S24, ST-S26, ST-S28, ST-S32, ST-S34: broken, it is explained; mended, it runs")
    void brokenAndMended(Scenario scenario) throws Exception {
        ProgramRun mended = run(scenario);
        assertThat(mended.errors()).isEmpty();
        assertThat(mended.output()).containsExactly("fine");
        assertThat(mended.exitCode()).isZero();

        ProgramRun broken = run(scenario, "broken");
        String printed = String.join("\n", broken.output()) + "\n" + String.join("\n", broken.errors());
        assertThat(printed).contains(scenario.prints);
        assertThat(broken.exitCode()).as(printed).isEqualTo(scenario.exitCode);
        DeadlockPage.check(scenario, broken);
    }

    @Test
    @DisplayName("the page has a report for each program")
    void page() throws IOException {
        assertThat(DeadlockPage.read().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        scenarios().stream().map(Scenario::name).toList());
    }

    @Test
    @DisplayName("each program of the folder is among them")
    void all() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            assertThat(files.map(file -> file.getFileName().toString().replace(".java", "")))
                    .containsExactlyInAnyOrderElementsOf(
                            scenarios().stream().map(Scenario::name).toList());
        }
    }
}
