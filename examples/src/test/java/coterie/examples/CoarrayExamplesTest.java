// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.examples.ProgramRun.Pes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The programs that use coarrays.
class CoarrayExamplesTest {

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @ParameterizedTest
    @CsvSource({"2, processes", "3, threads", "1, threads"})
    @DisplayName("ocean and atmosphere: the heat is that of one image, on any number of images")
    void heatIsRight(int images, String mode) throws Exception {
        ProgramRun run = ProgramRun.of(new Pes(images, mode), "OceanAtmosphere.java", "50", "20");

        assertThat(run.errors()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.output())
                .singleElement()
                .asString()
                .startsWith(images == 1 ? "two models need" : "after 20 exchanges on " + images + " images: ocean ");
    }

    @Test
    @Tag("soak")
    @DisplayName("ocean and atmosphere: the heat is that of one image, on four of them")
    void heatOfFourIsRight() throws Exception {
        heatIsRight(4, "processes");
    }

    static int[] seeds() {
        return Boolean.getBoolean("coterie.soak") ? new int[] {0, 1, 2} : new int[] {0};
    }

    @ParameterizedTest
    @MethodSource("seeds")
    @DisplayName("spare images: the result is right, whichever images fail at whichever step")
    void resultIsRight(int seed) throws Exception {
        ProgramRun run = ProgramRun.coterie(
                Map.of(),
                List.of(
                        "run",
                        "-n",
                        "5",
                        "--on-failure",
                        "continue",
                        "--timeout",
                        "60s",
                        ProgramRun.EXAMPLES.resolve("SpareImages.java").toString(),
                        "2",
                        "2000",
                        Integer.toString(seed)));

        assertThat(run.exitCode()).isZero();
        assertThat(run.output()).singleElement().asString().startsWith("2000 steps of 3 workers: ");
    }
}
