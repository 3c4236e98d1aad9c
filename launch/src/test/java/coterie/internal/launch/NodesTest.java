// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Nodes as users write them, and what a job makes of them.
class NodesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    a:1               | [0]
                    a:3,b:2           | [0, 0, 0, 1, 1]
                    a:2,b:1,a:1       | [0, 0, 1, 0]
                    b:1,a:1,c:1,a:2   | [0, 1, 2, 1, 1]
                    n-1.rack_7:2,7:1  | [0, 0, 1]
                    """)
    void nodesAreNumberedAsTheyAreNamedFirst(String text, String nodes) {
        assertThat(NodeAssignment.parse(text, 1024)).hasToString(nodes);
    }

    @Test
    void aNodeMayHaveAllPesOfTheLargestJob() {
        assertThat(NodeAssignment.parse("a:1024", 1024)).hasSize(1024).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a",
                "a:",
                ":2",
                "a:0",
                "a:-1",
                "a:+1",
                "a:01",
                "a:1025",
                "a:99999999999",
                "a:x",
                "a:1,",
                ",a:1",
                "a:1,,b:1",
                "a:1 ,b:1",
                "a:1:1",
                "a b:1",
                "a:1;b:1"
            })
    void whatCannotBeReadIsQuotedBesideWhatCould(String text) {
        assertThatThrownBy(() -> NodeAssignment.parse(text, 1024))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "\"[^,]*\" is not NAME:N, N PEs in \\[1, 1024\\] on a node; write a:3,b:2 for example");
    }

    @Test
    void theOffendingPartAloneIsQuoted() {
        assertThatThrownBy(() -> NodeAssignment.parse("a:3,b:0,c:1", 1024))
                .hasMessageStartingWith("\"b:0\" is not NAME:N");
    }

    @Test
    void allNodesTogetherHaveAsManyPesAsAJobMayHave() {
        assertThatThrownBy(() -> NodeAssignment.parse("a:1000,b:25", 1024))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("1025 PEs are outside [1, 1024]");
    }

    // The tests' simulator has no nodes: all of its PEs are on mapped memory.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    void pesSeeTheMemoryOfTheirNodeAndNoOther(PeMode mode) {
        try (Launch launch = tellingWhoseMemoryTheySee("pes=4 nodes=a:2,b:1,a:1 mode=" + mode)) {
            assertThat(launch.out())
                    .as("stderr: %s", launch.err())
                    .containsExactlyInAnyOrder(
                            "PE 0 sees [0, 1, 3]", "PE 1 sees [0, 1, 3]", "PE 2 sees [2]", "PE 3 sees [0, 1, 3]");
            assertThat(launch.exitCode()).isZero();
        }
    }

    @Test
    void withoutNodesAllPesSeeEachOther() {
        try (Launch launch = tellingWhoseMemoryTheySee("pes=2")) {
            assertThat(launch.out()).containsExactlyInAnyOrder("PE 0 sees [0, 1]", "PE 1 sees [0, 1]");
        }
    }

    /// Starts a job with loads and stores, whatever the environment of the tests sets.
    private static Launch tellingWhoseMemoryTheySee(String options) {
        Launch launch =
                Launch.start(Map.of("COTERIE_LOAD_STORE", "true"), options, Programs.TellsWhoseMemoryItSees.class);
        launch.awaitEnd();
        return launch;
    }

    @Test
    void aRunningJobIsListedWithItsNodes() {
        try (Launch launch = Launch.start("pes=3 nodes=a:1,b:1,a:1", Programs.Waits.class)) {
            Awaitility.await()
                    .untilAsserted(() -> assertThat(Jobs.list().running())
                            .filteredOn(job ->
                                    job.launcherPid() == launch.launcher().pid())
                            .singleElement()
                            .satisfies(job -> assertThat(job.pes())
                                    .extracting(Jobs.Pe::node)
                                    .isEqualTo(List.of(0, 1, 0))));
        }
    }
}
