// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/// The cases of the class above, over TCP. PEs that are threads have their settings in common, and so join one
/// after another in these cases, while a join over TCP waits for all: so PEs are processes.
@Tag("soak")
class TcpTunedScoreTest extends TunedScoreConformanceTest {
    @Override
    @SpmdTest(pes = 4, nodes = "a:2,b:2", modes = SpmdMode.PROCESSES)
    @DisplayName("UC-7 a score stands above the layer's own even when lower, and adds nothing where it offers nothing")
    void scoresOfOthers() {
        super.scoresOfOthers();
    }

    @Override
    @SpmdTest(
            pes = {2, 3},
            modes = SpmdMode.PROCESSES)
    @DisplayName(
            "UC-7 an algorithm that is set comes first at the score of the one before, which is its first fallback")
    void algorithms() {
        super.algorithms();
    }
}
