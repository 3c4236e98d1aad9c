// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.wait.OperationKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// No verdict is given of a job that could still go on: in each call that waits.
class LateCallsTest {
    /// After which a job counts as stalled.
    private static final String THRESHOLD_MILLIS = "100";

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    static ProgramRun run(String onDeadlock, String pes, String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of(arguments));
        if (!Boolean.getBoolean("coterie.soak")) {
            words.add("brief");
        }
        return run(WaitingCalls.class, onDeadlock, pes, words);
    }

    static ProgramRun run(Class<?> program, String onDeadlock, String pes, List<String> arguments) throws Exception {
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
                program.getName()));
        words.addAll(arguments);
        return ProgramRun.coterie(Map.of(), words);
    }

    @Test
    @DisplayName("the table has each operation that waits for other PEs' programs")
    void tableIsWhole() {
        Set<String> missing =
                Arrays.stream(OperationKind.values()).map(Enum::name).collect(Collectors.toCollection(TreeSet::new));
        WaitingCalls.rows().forEach(row -> missing.remove(row.kind()));
        missing.removeAll(WaitingCalls.OTHERS);
        assertThat(missing).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"late, threads", "images, processes"})
    @DisplayName("a PE that comes three thresholds late to any call is waited for")
    void late(String mode, String pes) throws Exception {
        ProgramRun run = run("abort", pes, mode, THRESHOLD_MILLIS);
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).contains("all calls done");
    }

    @ParameterizedTest
    @ValueSource(strings = {"processes", "threads"})
    @DisplayName("code beside the waiting threads is waited for: under any thread's name, and called by the JVM")
    void lateHelp(String pes) throws Exception {
        String late = Long.toString(6 * Long.parseLong(THRESHOLD_MILLIS));
        ProgramRun run = run(LateHelp.class, "abort", pes, List.of(late));
        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).contains("all have helped");
    }
}
