// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;

/// Jobs of [OpeningsProgram] on one host.
abstract class OneHostCase {
    /// What a PE opens that neither has a coordinator nor stands by for one, and one that does.
    static final String NOTHING = "\\[]";

    static final String COORDINATOR = "\\[tcp6? (127\\.0\\.0\\.1|\\[0+FFFF00000100007F]|\\[0+1000000]):[0-9]+]";

    static List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                OpeningsProgram.class.getName());
    }

    /// Checks that all PEs of a job map each other's memory, and what the PEs open, in each of two worlds.
    ///
    /// @param first what PE 0 opens, and those that stand by for it, as an expression
    static void assertOpens(String output, int size, String first) {
        for (int pe = 0; pe < size; pe++) {
            String line = "PE " + pe + " of " + size + " got " + (1 + (pe + size - 1) % size) + " opens "
                    + (pe == 0 || StandbyPlace.isOf(pe) ? first : NOTHING);
            assertThat(output.lines().filter(each -> each.matches(line)))
                    .as("%s in %s", line, output)
                    .hasSize(2);
        }
    }
}
