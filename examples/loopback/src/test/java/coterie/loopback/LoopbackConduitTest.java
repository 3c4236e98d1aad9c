// SPDX-License-Identifier: Apache-2.0

package coterie.loopback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.internal.launch.SystemInfo;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import coterie.spi.Conduit;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LoopbackConduitTest {
    private static final String CONDUIT = "coterie.conduit";

    @SpmdTest(
            pes = 3,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("under COTERIE_CONDUIT=loopback no PE loads or stores another PE's memory, in one world after another")
    void isUsed() {
        for (int round = 0; round < 3; round++) {
            try (World world = World.join()) {
                assertThat(world.sharedTeam().size()).isEqualTo(1);
                assertThat(world.nodeTeam().size()).isEqualTo(3);
                try (SymmetricMemory memory = world.allocate(8)) {
                    assertThat(memory.longs().get(0)).as("new memory is zero").isZero();
                    world.team().barrier();
                    memory.longs().add(0, 1, (world.pe() + 1) % 3);
                    world.team().barrier();
                    assertThat(memory.longs().get(0)).isEqualTo(1);
                }
            }
        }
    }

    @SpmdTest(
            pes = 2,
            modes = {SpmdMode.PROCESSES, SpmdMode.THREADS})
    @DisplayName("a put and a get of megabytes travel in pieces, and arrive whole")
    void longTransfers(World world) {
        int count = 1 << 19;
        try (SymmetricMemory memory = world.allocate(3L * count * Long.BYTES)) {
            LongView longs = memory.longs();
            int peer = 1 - world.pe();
            long[] source = new long[count];
            for (int i = 0; i < count; i++) {
                source[i] = 31L * i + world.pe();
            }
            longs.put(0, MemorySegment.ofArray(source), 0, count, peer);
            world.team().barrier();
            long[] back = new long[count];
            longs.get(0, MemorySegment.ofArray(back), 0, count, peer);
            assertThat(back).isEqualTo(source);
            for (int i = 0; i < count; i++) {
                assertThat(longs.get(i)).isEqualTo(31L * i + peer);
            }
        }
    }

    @Test
    @DisplayName("the module and META-INF/services declare the same provider")
    void isDeclaredTwice() throws IOException, URISyntaxException {
        Path classes = Path.of(LoopbackProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module;
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(file);
        }
        String service = Conduit.Provider.class.getName();
        assertThat(module.provides())
                .extracting(ModuleDescriptor.Provides::service, ModuleDescriptor.Provides::providers)
                .containsExactly(tuple(service, Files.readAllLines(classes.resolve("META-INF/services/" + service))));
    }

    @Test
    @DisplayName("the tools list the conduits in the order of choice, with what each can do")
    void isListed() {
        assertThat(SystemInfo.conduits())
                .extracting(SystemInfo.ConduitInfo::name)
                .startsWith("mapped", "loopback");
        assertThat(SystemInfo.conduits().get(1).because())
                .isEqualTo("choice 2 of COTERIE_CONDUIT=auto; can [ORDERED, THREADS]");
    }

    @Test
    @DisplayName("a join with a conduit that does not exist throws, and names setting, value and all that exist")
    void unknownNames() {
        String before = System.setProperty(CONDUIT, "loopbakc");
        try {
            assertThatThrownBy(World::join)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("CONDUIT", CONDUIT, "PE 0", "\"loopbakc\"", "auto, mapped, loopback");
        } finally {
            System.setProperty(CONDUIT, before == null ? "auto" : before);
        }
    }
}
