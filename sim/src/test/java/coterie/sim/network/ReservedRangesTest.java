// SPDX-License-Identifier: Apache-2.0
package coterie.sim.network;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReservedRangesTest {
    private static final long SIZE = 1 << 20;

    @Test
    @DisplayName("both ends grow, and reserved bytes are not counted again")
    void ends() {
        ReservedRanges reservedRanges = new ReservedRanges(SIZE);
        assertThat(reservedRanges.more(0, 100)).isEqualTo(100);
        reservedRanges.take(0, 100);
        reservedRanges.take(SIZE - 64, 64);
        assertThat(reservedRanges.more(50, 50)).isZero();
        assertThat(reservedRanges.more(50, 60)).isEqualTo(10);
        assertThat(reservedRanges.more(200, 8)).as("after a gap").isEqualTo(8);
        assertThat(reservedRanges.more(SIZE - 64, 64)).isZero();
        assertThat(reservedRanges.more(SIZE - 100, 50)).isEqualTo(36);
        reservedRanges.take(SIZE - 100, 50);
        assertThat(reservedRanges.more(SIZE - 100, 100)).isZero();
        assertThat(reservedRanges.more(100, 1000))
                .as("not hidden by the far end")
                .isEqualTo(1000);
        reservedRanges.take(100, SIZE - 200);
        assertThat(reservedRanges.more(0, SIZE)).isZero();
    }

    @Test
    @DisplayName("clear zeroes the reserved bytes, and touches no page between them")
    void cleared() {
        try (Arena arena = Arena.ofConfined()) {
            List<MemorySegment> given = new ArrayList<>();
            SimulatedMemory memory = new SimulatedMemory(
                    1,
                    bytes -> {
                        given.add(arena.allocate(bytes));
                        return given.getLast();
                    },
                    bytes -> Optional.empty());
            memory.open(Region.HEAP, SIZE);
            MemorySegment heap = given.getLast();
            ReservedRanges reservedRanges = new ReservedRanges(SIZE);
            reservedRanges.take(0, 100);
            reservedRanges.take(SIZE - 64, 64);
            heap.asSlice(0, SIZE).fill((byte) 7);
            reservedRanges.clear(memory, 0);
            for (long at = 0; at < SIZE; at++) {
                assertThat(heap.get(JAVA_BYTE, at)).isEqualTo((byte) (at < 100 || at >= SIZE - 64 ? 0 : 7));
            }
            assertThat(reservedRanges.more(0, 100)).as("free after clear").isEqualTo(100);
        }
    }
}
