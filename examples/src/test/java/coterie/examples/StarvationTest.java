// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// A healthy job whose PEs do not get the processor is never called dead, however long that is: while it starts, in its
/// first collectives, and after. The threshold is shorter than the time for which a PE stands still.
class StarvationTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    private static final int STARTS = Integer.getInteger("coterie.starvation.starts", IS_SOAK ? 1000 : 4);

    private static final int PES = 4;

    private static final long THRESHOLD_MILLIS = 60;

    /// A job goes on for so long after its start, and some pauses longer.
    private static final long RUN_MILLIS = 1200;

    /// Others than those of [RightProgramsTest].
    private static final long SEEDS_OF_PROGRAMS = 2_000_000;

    /// Jobs that have next to no processor leave it to others.
    private static final int AT_ONCE = STARTS > 4 ? 12 : 4;

    private static final RightProgram.Delays PAUSES = new RightProgram.Delays(20, 6 * THRESHOLD_MILLIS);

    /// Under a quota of 1 ms a second.
    private static final RightProgram.Delays WINDOWS = new RightProgram.Delays(1000, IS_SOAK ? 4000 : 2000);

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    private static StarvedJob start() throws Exception {
        return StarvedJob.start(List.of(
                "-n",
                Integer.toString(PES),
                "--stall",
                THRESHOLD_MILLIS + "ms",
                FirstCollectives.class.getName(),
                Long.toString(RUN_MILLIS)));
    }

    @Test
    @NeedsTools(Tool.PROCESSOR_QUOTA)
    @DisplayName("starts of healthy jobs that have 1 ms of a processor a second for some seconds: no verdict")
    void throttled() throws Exception {
        StarvedJob.inParallel(STARTS, AT_ONCE, number -> {
            try (StarvedJob job = start()) {
                if (number % 2 == 0) {
                    job.awaitPes(PES);
                } else {
                    job.awaitLine(FirstCollectives.OPEN);
                }
                job.throttle(new Random(number), WINDOWS, 1);
                assertThat(job.awaitGoodEnd())
                        .filteredOn(FirstCollectives.DONE::equals)
                        .hasSize(PES);
            }
        });
    }

    @Test
    @NeedsTools(Tool.PROCESSOR_QUOTA)
    @DisplayName("random programs that can't deadlock, with 1 ms of a processor a second now and then: no verdict")
    void throttledPrograms() throws Exception {
        int programs = IS_SOAK ? 50 : 10;
        StarvedJob.inParallel(IS_SOAK ? 20 : 2, AT_ONCE, number -> {
            long seed = SEEDS_OF_PROGRAMS + (long) number * programs;
            try (StarvedJob job = RightProgramsTest.start("processes", seed, programs)) {
                job.throttle(new Random(seed), WINDOWS, IS_SOAK ? 8 : 2);
                RightProgramsTest.assertHasRun(job.awaitGoodEnd(), programs);
            }
        });
    }

    @Test
    @DisplayName("starts of healthy jobs that signals suspend and continue, as they do the launcher: no verdict")
    void paused() throws Exception {
        StarvedJob.inParallel(STARTS, AT_ONCE, number -> {
            try (StarvedJob job = start()) {
                job.pauseToEnd(new Random(number), PAUSES);
                assertThat(job.awaitGoodEnd())
                        .filteredOn(FirstCollectives.DONE::equals)
                        .hasSize(PES);
            }
        });
    }
}
