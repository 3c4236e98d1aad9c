// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.ExitCode;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    @CsvSource({
        "sync images, 'sync images, for image 3 at WaitingCalls.java:'",
        "form team, 'form team, for image 3 at WaitingCalls.java:'",
        "event wait, 'event wait of element 0, until its count is 1 at WaitingCalls.java:'"
    })
    @DisplayName("a statement to which an image never comes is named in the words of Fortran, with its line")
    void stuckImages(String statement, String words) throws Exception {
        ProgramRun run = LateCallsTest.run("abort", "threads", "image", statement);
        assertThat(run.exitCode()).as(run.errors().toString()).isEqualTo(ExitCode.DEADLOCK.code());
        assertThat(run.errors()).anySatisfy(line -> assertThat(line).contains(words));
    }
}
