// SPDX-License-Identifier: Apache-2.0

package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// When the agent of a host counts as silent. Each look is one pause of a quarter of the silence after the one before.
class AgentSilenceTest {
    private final AgentSilence silence = new AgentSilence("b", 1000, 3000);

    private void assertQuiet(int looks, long read, boolean hasSpoken) {
        for (int look = 0; look < looks; look++) {
            assertThat(silence.look(read, hasSpoken)).as("look %d", look).isNull();
        }
    }

    @Test
    @DisplayName("an agent is silent when four pauses have passed within one read; the phrase names host and bound")
    void silent() {
        assertQuiet(4, 7, true);
        assertThat(silence.look(7, true)).isEqualTo("the agent of host b has sent nothing for 1000 ms");
    }

    @Test
    @DisplayName("bytes end the silence")
    void bytes() {
        for (long read = 1; read < 10; read++) {
            assertQuiet(4, read, true);
        }
    }

    @Test
    @DisplayName("a launcher that does not read hears no silence, however long")
    void noReader() {
        assertQuiet(4, 7, true);
        assertQuiet(100, 0, true);
        assertQuiet(4, 8, true);
    }

    @Test
    @DisplayName("before its first bytes an agent has the time of a join")
    void firstBytes() {
        assertQuiet(12, 7, false);
        assertThat(silence.look(7, false)).isEqualTo("the agent of host b has not answered within 3000 ms");
    }

    @Test
    @DisplayName("the time of a join is no shorter than that of a silence")
    void shortJoin() {
        AgentSilence hasty = new AgentSilence("b", 1000, 10);
        for (int look = 0; look < 4; look++) {
            assertThat(hasty.look(7, false)).isNull();
        }
        assertThat(hasty.look(7, false)).isEqualTo("the agent of host b has not answered within 1000 ms");
    }
}
