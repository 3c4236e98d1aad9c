// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import coterie.internal.wait.OperationKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A verdict on a job is certain or it is not given: in each call that waits.
class WaitingCallsTest {
    /// After which a job counts as stalled.
    private static final String THRESHOLD_MILLIS = "200";

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    private static ProgramRun run(String onDeadlock, String pes, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(ProgramRun.RUN);
        words.addAll(List.of(
                "-n",
                "3",
                "--pes",
                pes,
                "--stall",
                THRESHOLD_MILLIS + "ms",
                "--on-deadlock",
                onDeadlock,
                "--timeout",
                "100s",
                "-cp",
                Path.of("target/test-classes").toAbsolutePath().toString(),
                "coterie.examples.WaitingCalls"));
        words.addAll(List.of(arguments));
        return ProgramRun.coterie(Map.of(), words);
    }

    @Test
    @DisplayName("the table has each operation that waits for other PEs' programs")
    void tableIsWhole() {
        Set<OperationKind> found = EnumSet.noneOf(OperationKind.class);
        WaitingCalls.rows().forEach(row -> found.add(row.kind()));
        Set<OperationKind> missing = EnumSet.allOf(OperationKind.class);
        missing.removeAll(found);
        missing.removeAll(WaitingCalls.OTHERS);
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"late, processes", "images, threads"})
    @DisplayName("a PE that comes three thresholds late to any call is waited for")
    void late(String mode, String pes) throws Exception {
        ProgramRun run = run("abort", pes, mode, THRESHOLD_MILLIS);
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).contains("all calls done");
    }

    @Test
    @DisplayName("a PE that never comes to a call is named, with the line in which each PE waits")
    void stuck() throws Exception {
        ProgramRun run = run("fail", "threads", "stuck");
        assertThat(run.output()).as(run.errors().toString()).contains("all calls done");
        Set<String> without = new TreeSet<>();
        String row = "";
        boolean isNamed = true;
        for (String line : run.errors()) {
            if (line.startsWith("row ")) {
                if (!isNamed) {
                    without.add(row);
                }
                row = line;
                isNamed = false;
            }
            isNamed |= line.contains("DEADLOCK: no schedule can complete");
        }
        assertThat(without).isEmpty();
        assertThat(isNamed).as(row).isTrue();
        assertThat(run.errors()).anySatisfy(line -> assertThat(line).contains("at WaitingCalls.java:"));
    }

    @ParameterizedTest
    @CsvSource({
        "sync images, 'sync images, for image 3 at WaitingCalls.java:'",
        "form team, 'form team, for image 3 at WaitingCalls.java:'",
        "event wait, 'event wait of element 0, until its count is 1 at WaitingCalls.java:'"
    })
    @DisplayName("a statement to which an image never comes is named in the words of Fortran, with its line")
    void stuckImages(String statement, String words) throws Exception {
        ProgramRun run = run("abort", "threads", "image", statement);
        assertThat(run.exitCode()).as(run.errors().toString()).isEqualTo(ExitCode.DEADLOCK.code());
        assertThat(run.errors()).anySatisfy(line -> assertThat(line).contains(words));
    }
}
