// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;

/// Which PEs can be reached, and whose memory can be loaded and stored.
class AccessConformanceTest {
    @EverySize
    @DisplayName("SH-R20 what is stored through another PE's segment is there after a barrier")
    void segmentsOfOthersAreTheirMemory(World world) {
        try (SymmetricMemory memory = world.allocate(8L * world.size())) {
            for (int pe = 0; pe < world.size(); pe++) {
                memory.segment(pe)
                        .orElse(MemorySegment.ofArray(new long[world.size()]))
                        .setAtIndex(JAVA_LONG, world.pe(), 100 + world.pe());
            }
            world.team().barrier();
            for (int pe = 0; pe < world.size(); pe++) {
                // PEs of a node see each other's memory alike, or not at all.
                long expected = pe == world.pe() || memory.segment(pe).isPresent() ? 100 + pe : 0;
                assertThat(Longs.get(memory, pe)).isEqualTo(expected);
            }
            assertThat(memory.segment(world.pe())).contains(memory.segment());
        }
    }

    @EverySize
    @DisplayName("every PE of the world can be reached, and no other; another one's segment is refused by name")
    void accessIsToPesOfTheWorld(World world) {
        int size = world.size();
        SymmetricMemory memory = world.allocate(64);
        for (int pe = -1; pe <= size; pe++) {
            assertThat(world.isAccessible(pe)).isEqualTo(pe >= 0 && pe < size);
            assertThat(memory.isAccessible(pe)).isEqualTo(pe >= 0 && pe < size);
        }
        for (int pe : new int[] {-1, size}) {
            assertThatThrownBy(() -> memory.segment(pe))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessage("segment on PE " + world.pe() + ": PE " + pe + " is outside [0, " + size + ")");
        }
        memory.close();
        assertThat(memory.isAccessible(0)).isFalse();
        assertThatThrownBy(() -> memory.segment(0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("segment on PE " + world.pe())
                .hasMessageContaining("was freed");
    }

    @EverySize
    @DisplayName("a segment that ends with an arena is the caller's part of the block, until the arena closes")
    void segmentEndsWithArena(World world) {
        SymmetricMemory memory = world.allocate(64);
        MemorySegment kept;
        try (Arena arena = Arena.ofConfined()) {
            kept = memory.segment(arena);
            kept.set(JAVA_LONG, 8, 5);
            assertThat(memory.longs().get(1)).isEqualTo(5);
            assertThat(kept.byteSize()).isEqualTo(64);
        }
        assertThatThrownBy(() -> kept.get(JAVA_LONG, 8)).isInstanceOf(IllegalStateException.class);
        assertThat(memory.longs().get(1)).isEqualTo(5);
        memory.close();
        assertThatThrownBy(() -> memory.segment(Arena.global())).isInstanceOf(IllegalStateException.class);
    }
}
