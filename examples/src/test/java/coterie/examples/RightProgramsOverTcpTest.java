// SPDX-License-Identifier: Apache-2.0

package coterie.examples;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RightProgramsOverTcpTest {
    private static final boolean IS_SOAK = Boolean.getBoolean("coterie.soak");

    /// Others than those of [RightProgramsTest].
    private static final long SEEDS = 2_000_000;

    @BeforeAll
    static void build() throws Exception {
        ProgramRun.build();
    }

    @Test
    @DisplayName("random right programs over sockets, with PEs that are late, are never called stuck")
    void late() throws Exception {
        int programs = IS_SOAK ? 100 : 10;
        StarvedJob.inParallel(IS_SOAK ? 30 : 2, 2, number -> {
            try (StarvedJob job = RightProgramsTest.startOverTcp(SEEDS + (long) number * programs, programs)) {
                RightProgramsTest.assertHasRun(job.awaitGoodEnd(), programs);
            }
        });
    }
}
