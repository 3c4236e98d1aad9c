// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.World;
import coterie.junit.SpmdTest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Random requests between nodes, and all that hierarchies have for them.
class RequestNodesConformanceTest {
    @SpmdTest(pes = 4, nodes = "a:2,b:2", timeoutSeconds = 600)
    @DisplayName(
            "UC-22 UC-23 UC-26 UC-27 random requests between nodes, and all that hierarchies have, do what the model does")
    void evenNodes(World world) {
        RequestSweepConformanceTest.sweep(world, Rounds.few(500));
        RequestSweepConformanceTest.hierarchies(world, true);
    }

    @SpmdTest(pes = 4, nodes = "a:3,b:1", timeoutSeconds = 600)
    @EnabledIfSystemProperty(named = "coterie.soak", matches = "true")
    @DisplayName("UC-22 UC-23 UC-26 UC-27 random requests between nodes of different sizes do what the model does")
    void unevenNodes(World world) {
        RequestSweepConformanceTest.sweep(world, Rounds.few(500));
        RequestSweepConformanceTest.hierarchies(world, false);
    }

    @SpmdTest(pes = 5, nodes = "a:2,b:1,a:1,c:1", timeoutSeconds = 600)
    @DisplayName(
            "UC-22 UC-23 UC-26 UC-27 random requests do what the model does, if members of nodes don't follow each other")
    void scatteredNodes(World world) {
        RequestSweepConformanceTest.sweep(world, Rounds.few(500));
        RequestSweepConformanceTest.hierarchies(world, false);
    }
}
