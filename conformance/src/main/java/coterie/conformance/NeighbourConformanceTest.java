// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.AtomicOperation;
import coterie.IntegerView;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Elements side by side that PEs change at the same time: an operation on one never touches those beside it,
/// though the machine has no atomics of 1 and 2 bytes.
class NeighbourConformanceTest {
    @EverySize
    @DisplayName("SH-A6 the words beside one that all PEs add to stay 0, at every width")
    void neighboursStayZero(World world) {
        int rounds = Rounds.of(1_000);
        try (SymmetricMemory memory = world.allocate(3 * Long.BYTES)) {
            for (IntegerView words : List.of(memory.bytes(), memory.shorts(), memory.ints(), memory.longs())) {
                int target = world.size() - 1;
                for (int i = 0; i < rounds; i++) {
                    words.add(1, 1, target);
                    words.getAndAdd(1, -3, target);
                }
                world.team().barrier();
                if (world.pe() == target) {
                    assertThat(words.get(0)).isZero();
                    assertThat(words.get(2)).isZero();
                    words.add(1, 2L * rounds * world.size(), target);
                    world.context().quiet();
                    assertThat(words.get(1)).as("%s", words).isZero();
                    assertThat(Longs.of(memory)).containsOnly(0);
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName(
            "SH-A6 every PE works on an element of its own, all side by side: each finds what it left, by every form")
    void eachFindsWhatItLeft(World world) {
        int elements = world.size() + 3;
        int rounds = Rounds.of(2_000, 1_000_000);
        try (SymmetricMemory memory = world.allocate(elements * 8L + 8)) {
            for (IntegerView words : List.of(memory.bytes(), memory.shorts(), memory.ints(), memory.longs())) {
                Owner owner = new Owner(world, words, 1 + world.pe());
                for (int round = 0; round < rounds; round++) {
                    owner.oneRound(round);
                    // All meet here, in the middle of the same 4 bytes that narrow elements lie in.
                    words.add(world.size() + 1, 1, 0);
                }
                world.team().barrier();
                assertThat(words.get(0, 0)).as("the guard below").isZero();
                assertThat(words.get(elements - 1, 0)).as("the guard above").isZero();
                long shared = words.unsigned().getAcquire(world.size() + 1, 0);
                int bits = 8 * words.type().byteSize();
                assertThat(shared).isEqualTo((long) rounds * world.size() & -1L >>> (Long.SIZE - bits));
                world.team().barrier();
                memory.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    /// The only one that changes an element of PE 0, and so knows what it is.
    private static final class Owner {
        private final World world;
        private final IntegerView words;
        private final long index;
        private final MemorySegment result = MemorySegment.ofArray(new long[1]);
        private byte value;

        Owner(World world, IntegerView words, long index) {
            this.world = world;
            this.words = words;
            this.index = index;
        }

        void oneRound(int round) {
            switch (round % 6) {
                case 0 -> {
                    value = (byte) (round + world.pe());
                    words.put(index, value, 0);
                    world.context().quiet();
                }
                case 1 -> {
                    expect(words.getAndAdd(index, 1, 0), round);
                    value++;
                    // A byte's sum wraps at any width of mine.
                    words.setRelease(index, value, 0);
                    world.context().quiet();
                }
                case 2 -> {
                    expect(words.getAndBitwiseXor(index, 0x15, 0), round);
                    value ^= 0x15;
                }
                case 3 -> {
                    expect(words.compareAndExchange(index, value, -5, 0), round);
                    value = -5;
                }
                case 4 -> {
                    result.fill(value);
                    words.putNbi(index, result, 0, 1, 0);
                    world.context().quiet();
                    words.setRelease(index, value, 0);
                    world.context().quiet();
                }
                default -> {
                    words.fetchNbi(AtomicOperation.SWAP, index, 3, result, 0, 0);
                    world.context().quiet();
                    expect(result.get(JAVA_BYTE, 0), round);
                    value = 3;
                }
            }
            expect(words.get(index, 0), round);
        }

        private void expect(long found, int round) {
            if (found != value) {
                throw new AssertionError(
                        words + ", element " + index + ", round " + round + ": " + found + " instead of " + value);
            }
        }
    }
}
