// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;

/// Requests that several threads of a PE post, where one of the runtime moves them on besides; a simulated network
/// has none.
class ProgressThreadConformanceTest {

    @BeforeAll
    static void withThread() {
        System.setProperty("coterie.progress.thread", "true");
    }

    @AfterAll
    static void asBefore() {
        System.clearProperty("coterie.progress.thread");
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "UC-37 threads post, each on a team of its own, and a progress thread advances them besides: every run counts once")
    void ownTeams(World world) throws Exception {
        new RequestThreads(world).ownTeams(3);
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName(
            "UC-37 threads take turns to post on one team, others wait, beside a progress thread: every request counts once")
    void oneTeam(World world) throws Exception {
        new RequestThreads(world).oneTeam();
    }
}
