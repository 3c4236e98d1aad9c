// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the NAS Parallel Benchmarks in the folder `npb` say of their arguments.
class NasArgumentsTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @ParameterizedTest
    @CsvSource({
        "EP, 1, X, 'EP: the problem class is S, W, A or B, not X'",
        "FT, 1, S W, 'FT takes one argument, not [S, W]'",
        "MG, 3, S, 'MG runs on a power of 2 of PEs up to 2^12 in this class, not on 3'"
    })
    @DisplayName("a wrong problem class or number of PEs is named, with a non-zero exit code")
    void wrongArgumentsAreNamed(String kernel, int pes, String arguments, String message) throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(pes, "threads"), "npb/" + kernel + ".java", arguments.split(" "));

        assertThat(run.exitCode()).isOne();
        assertThat(run.output()).isEmpty();
        assertThat(String.join("\n", run.errors())).contains(message);
    }

    @Test
    @DisplayName("a benchmark explains itself once")
    void benchmarksExplainThemselves() throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(2, "threads"), "npb/CG.java", "--help");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).containsExactly("usage: coterie run -n PES CG.java [S | W | A | B]");
    }
}
