// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The programs that need a device: with one they check themselves, without one they say so.
class GpuExamplesTest {
    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @ParameterizedTest
    @CsvSource({
        "HaloExchange.java, halo.cu, the plate is that of one thread",
        "TokenDispatch.java, dispatch.cu, the results are those of one thread"
    })
    @DisplayName("with a device on each PE the result is that of one thread; without, each PE says why")
    void runs(String program, String kernels, String result) throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(2, "processes"), "gpu/" + program, "4", "3", "gpu/" + kernels);

        assertThat(run.exitCode()).as(String.join("\n", run.errors())).isZero();
        assertThat(run.output()).isNotEmpty().allMatch(line -> line.contains("no device: ") || line.contains(result));
    }

    @ParameterizedTest
    @CsvSource({"HaloExchange.java", "TokenDispatch.java"})
    @DisplayName("each program explains itself, and refuses what it can't read")
    void explains(String program) throws Exception {
        ProgramRun help = ProgramRun.of(new Pes(1, "processes"), "gpu/" + program, "--help");
        ProgramRun nonsense = ProgramRun.of(new Pes(1, "processes"), "gpu/" + program, "no-number");

        assertThat(help.exitCode()).isZero();
        assertThat(help.output()).anyMatch(line -> line.startsWith("usage: coterie run -n PES " + program));
        assertThat(nonsense.exitCode()).isOne();
        assertThat(String.join("\n", nonsense.errors())).contains("no-number");
    }
}
