// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// A job that can't go on is named, in each call that waits.
class StuckCallsTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("a PE that never comes to a call is named, with the line in which each PE waits")
    void stuck() throws Exception {
        ProgramRun run = LateCallsTest.run("fail", "threads", "stuck", "0");
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
    @ValueSource(strings = {"mapped", "tcp"})
    @DisplayName("PEs that load and store no memory of each other are called a deadlock once nothing travels any more")
    void network(String conduit) throws Exception {
        assertDeadlock(conduit);
    }

    static void assertDeadlock(String conduit) throws Exception {
        List<String> words = new ArrayList<>(ProgramRun.RUN);
        words.addAll(List.of("--nodes", "a:1,b:1", "--stall", "500ms", "--on-deadlock", "abort", "--timeout", "60s"));
        words.add("tutorial/Step09Deadlock.java");
        ProgramRun run = ProgramRun.coterie(Map.of("COTERIE_CONDUIT", conduit), words);
        assertThat(run.exitCode()).as(run.toString()).isEqualTo(ExitCode.DEADLOCK.code());
        assertThat(run.errors())
                .anySatisfy(line -> assertThat(line).contains("DEADLOCK: no schedule"))
                .anySatisfy(line -> assertThat(line).contains("Step09Deadlock.java:"));
    }

    @ParameterizedTest
    @CsvSource({
        "sync images, 'sync images, for image 3'",
        "form team, 'form team, for image 3'",
        "event wait, 'event wait of element 0, until its count is 1'"
    })
    @DisplayName("a statement to which an image never comes is named in the words of Fortran, with its line")
    void stuckImages(String statement, String words) throws Exception {
        ProgramRun run = LateCallsTest.run("abort", "threads", "image", statement);
        assertThat(run.exitCode()).as(run.errors().toString()).isEqualTo(ExitCode.DEADLOCK.code());
        assertThat(run.errors())
                .anySatisfy(line ->
                        assertThat(line).startsWith("  WaitingCalls.java:").contains(words));
    }

    @ParameterizedTest
    @CsvSource({
        "other signal, 'until signal 3 of context 0 is GE 1; signal 2 is 1 on this context'",
        "other context, 'until signal 3 of context 0 is GE 5; signal 3 is 5 on context 1'",
        "reset, 'until signal 1 of context 0 is GE 14; it was 7 when it was reset'",
        "counter, 'until counter 1 of context 0 is GE 2'",
        "barrier, 'until world barrier 1 of context 0, rank 0 is GE 1'",
        "named word, 'until halo 3 is EQ 9'",
        "word, 'waits for int 19 of allocation 3 (256 B) on PE '",
        "barrier of another context, 'until world barrier 1 of context 0, rank 0 is GE 1; rank 0 has arrived on context'"
    })
    @DisplayName("a wait is named by its signal, counter, barrier or word, with what may be the reason, and its line")
    void stuckSignals(String what, String words) throws Exception {
        ProgramRun run = LateCallsTest.run(StuckSignals.class, "abort", "processes", List.of(what));
        assertThat(run.exitCode()).as(run.errors().toString()).isEqualTo(ExitCode.DEADLOCK.code());
        assertThat(run.errors())
                .anySatisfy(line ->
                        assertThat(line).startsWith("  StuckSignals.java:").contains(words))
                .noneSatisfy(line -> assertThat(line).contains("instead of setting it"));
    }
}
