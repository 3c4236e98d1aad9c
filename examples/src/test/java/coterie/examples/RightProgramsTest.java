// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Random programs that can't deadlock, with PEs that are late in all ways, are never called dead. Each has a PE
/// that is late, two of three by so much that a check which forgets what helps it would call the job dead.
/// [StarvationTest] has some more, under a quota.
class RightProgramsTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    private static final long THRESHOLD_MILLIS = 40;

    private static final int PES = 3;

    private static final int AT_ONCE = 4;

    /// Others than those of the other method.
    private static final long SEEDS_OF_PAUSED = 1_000_000;

    private static final RightProgram.Delays PAUSES = new RightProgram.Delays(20, 6 * THRESHOLD_MILLIS);

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    static StarvedJob start(String pes, long firstSeed, int programs) throws Exception {
        return StarvedJob.start(words(pes, firstSeed, programs));
    }

    /// Starts a job whose PEs reach each other by sockets alone.
    static StarvedJob startOverTcp(long firstSeed, int programs) throws Exception {
        List<String> words = new ArrayList<>(List.of("--nodes", "a:1,b:1,c:1"));
        words.addAll(words("processes", firstSeed, programs));
        return StarvedJob.start(words, Map.of("COTERIE_CONDUIT", "tcp"));
    }

    private static List<String> words(String pes, long firstSeed, int programs) {
        return List.of(
                "-n",
                Integer.toString(PES),
                "--pes",
                pes,
                "--stall",
                THRESHOLD_MILLIS + "ms",
                RightPrograms.class.getName(),
                Long.toString(firstSeed),
                Integer.toString(programs),
                Long.toString(THRESHOLD_MILLIS));
    }

    static void assertHasRun(List<String> lines, int programs) {
        List<String> expected = new ArrayList<>();
        for (int pe = 0; pe < PES; pe++) {
            expected.add("PE " + pe + " has run " + programs + " programs");
        }
        assertThat(lines).containsAll(expected);
    }

    @Test
    @DisplayName("PEs that are late: as threads")
    void late() throws Exception {
        int programs = IS_SOAK ? 150 : 30;
        StarvedJob.inParallel(IS_SOAK ? 40 : 4, AT_ONCE, number -> {
            try (StarvedJob job = start("threads", (long) number * programs, programs)) {
                assertHasRun(job.awaitGoodEnd(), programs);
            }
        });
    }

    @Test
    @DisplayName("PEs that are late, and signals that pause them and the launcher")
    void paused() throws Exception {
        int programs = IS_SOAK ? 100 : 15;
        StarvedJob.inParallel(IS_SOAK ? 30 : 4, AT_ONCE, number -> {
            long seed = SEEDS_OF_PAUSED + (long) number * programs;
            try (StarvedJob job = start("processes", seed, programs)) {
                job.pauseToEnd(new Random(seed), PAUSES);
                assertHasRun(job.awaitGoodEnd(), programs);
            }
        });
    }
}
