// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Context;
import coterie.ContextOption;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.collective.Collective;
import coterie.junit.SpmdTest;
import java.time.Duration;
import java.util.BitSet;
import org.junit.jupiter.api.DisplayName;

/// What handles and values say of themselves.
class TextConformanceTest {

    @SpmdTest(pes = 2)
    @DisplayName("a handle says what it is, of what it is, and whether it is closed")
    void handles(World world) {
        Context context = world.team().createContext(ContextOption.SERIALIZED);
        try (Team pair = world.team().duplicate();
                SymmetricMemory block = pair.allocate(SymmetricLock.BYTES + 64, 64)) {
            assertThat(world).hasToString("PE " + world.pe() + " of a world of 2");
            assertThat(world.team()).hasToString("team \"world\" of 2 PEs");
            assertThat(pair.toString()).startsWith("team \"world/").endsWith("\" of 2 PEs");
            assertThat(world.context())
                    .hasToString("default context on PE " + world.pe() + " of team \"world\" of 2 PEs");
            assertThat(context).hasToString("context on PE " + world.pe() + " of team \"world\" of 2 PEs");
            assertThat(block.toString())
                    .matches("symmetric memory \\d+ \\(\\d+ bytes at offset \\d+\\) of team \".*\","
                            + " allocated at TextConformanceTest.java:\\d+");
            assertThat(block.longs()).hasToString(block.byteSize() / 8 + " elements of type LONG in " + block);
            assertThat(block.doubles().slice(1, 2).toString()).startsWith("2 elements of type DOUBLE in slice of ");
            assertThat(block.longs().waitSet(1, 3).withSkipped(new BitSet()).withTimeout(Duration.ofSeconds(1)))
                    .hasToString("set of 3 of the " + block.longs());
            assertThat(block.signal(2)).hasToString("signal at index 2 of " + block);
            assertThat(block.lock(1)).hasToString("lock at index 1 of " + block);
            assertThat(pair.createBarriers(2)).hasToString("2 barriers of " + pair);
            assertThat(Collective.broadcast(1)
                            .source(block.longs(), 0, 2)
                            .source()
                            .orElseThrow())
                    .hasToString("1 block of the " + block.longs());
        }
        context.close();
        assertThat(context.toString()).endsWith(", closed");
    }

    @SpmdTest(pes = 1)
    @DisplayName("values are equal by what they say")
    void values(World world) {
        assertThat(TeamConfig.DEFAULT.withContexts(3))
                .isEqualTo(TeamConfig.DEFAULT.withContexts(3))
                .isNotEqualTo(TeamConfig.DEFAULT)
                .hasToString("TeamConfig[contexts=3]");
        assertThat(world.newTeamId()).isNotEqualTo(world.newTeamId());
        try (SymmetricMemory block = world.allocate(64)) {
            assertThat(block.signal(0).adding(3).toString()).contains("ADD", "3", "signal at index 0");
        }
    }
}
