// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Context;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;

/// Fetch-add, and words that several PEs change.
class AtomicConformanceTest {
    private static final int ADDS = 10_000;

    @EverySize
    @DisplayName("SH-A1 N times 10,000 fetch-adds of 1 on one word: every value once")
    void everyValueIsFetchedOnce(World world) {
        int total = world.size() * ADDS;
        try (SymmetricMemory counter = world.allocate(Long.BYTES);
                SymmetricMemory fetched = world.allocate((long) total * Long.BYTES)) {
            long[] mine = new long[ADDS];
            for (int i = 0; i < ADDS; i++) {
                mine[i] = world.context().fetchAdd(counter, 0, 1, 0);
            }
            world.context()
                    .put(
                            fetched,
                            (long) world.pe() * ADDS * Long.BYTES,
                            MemorySegment.ofArray(mine),
                            0,
                            (long) ADDS * Long.BYTES,
                            0);
            world.team().barrier();
            assertThat(mine).as("values of one PE ascend").isSorted();
            if (world.pe() == 0) {
                assertThat(Longs.get(counter, 0)).isEqualTo(total);
                boolean[] seen = new boolean[total];
                for (long value : Longs.of(fetched)) {
                    assertThat(seen[(int) value]).as("%d fetched twice", value).isFalse();
                    seen[(int) value] = true;
                }
            }
        }
    }

    @EverySize
    @DisplayName("SH-A6 neighbours of a word that all PEs add to stay as they are; sums wrap")
    void neighboursAreUntouched(World world) {
        long delta = Long.MAX_VALUE;
        try (SymmetricMemory words = world.allocate(24)) {
            for (int i = 0; i < 1_000; i++) {
                world.context().fetchAdd(words, 8, delta, world.size() - 1);
            }
            world.team().barrier();
            if (world.pe() == world.size() - 1) {
                assertThat(Longs.of(words)).containsExactly(0, delta * 1_000 * world.size(), 0);
            }
        }
    }

    @SpmdTest(pes = {2, 4})
    @DisplayName("SH-A10 a reader that does nothing but read sees the write")
    void readersProgress(World world) {
        Context context = world.context();
        try (SymmetricMemory word = world.allocate(Long.BYTES)) {
            if (world.pe() == 0) {
                for (int pe = 1; pe < world.size(); pe++) {
                    context.putLong(word, 0, 7, pe);
                }
                context.quiet();
            } else {
                while (context.getLong(word, 0, world.pe()) != 7) {
                    Thread.onSpinWait();
                }
            }
        }
    }

    @EverySize
    @DisplayName("SH-A12 a misaligned address is refused with the offset")
    void refusesMisalignedWords(World world) {
        Context context = world.context();
        try (SymmetricMemory words = world.allocate(24)) {
            for (long offset : new long[] {1, 4, 15}) {
                assertThatThrownBy(() -> context.fetchAdd(words, offset, 1, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("fetchAdd on PE " + world.pe())
                        .hasMessageContaining("offset " + offset + " is not a multiple of 8");
                assertThatThrownBy(() -> context.putLong(words, offset, 1, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("putLong on PE " + world.pe());
            }
            assertThatThrownBy(() -> context.putInt(words, 2, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 2 is not a multiple of 4");
            world.team().barrier();
            assertThat(Longs.of(words)).containsOnly(0);
        }
    }
}
