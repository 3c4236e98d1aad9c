// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.World;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;

/// Requests that several threads of a PE post and advance.
class RequestThreadsConformanceTest {

    @SpmdTest(pes = {1, 3})
    @DisplayName("UC-37 threads post, each on a team of its own, and advance each other's: every run counts once")
    void ownTeams(World world) throws Exception {
        new RequestThreads(world).ownTeams(3);
    }

    @SpmdTest(pes = {1, 3})
    @DisplayName("UC-37 threads take turns to post on one team, others wait: every request counts once")
    void oneTeam(World world) throws Exception {
        new RequestThreads(world).oneTeam();
    }
}
