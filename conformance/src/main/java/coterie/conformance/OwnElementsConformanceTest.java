// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Atomics on a PE's own elements, which other PEs read and change meanwhile.
class OwnElementsConformanceTest {
    private static final int ROUNDS = 50;

    private static List<IntegerView> views(SymmetricMemory block) {
        return List.of(
                block.bytes(),
                block.shorts(),
                block.ints(),
                block.longs(),
                block.bytes().unsigned(),
                block.shorts().unsigned(),
                block.ints().unsigned(),
                block.longs().unsigned());
    }

    @EverySize
    @DisplayName("what a PE stores before a release is seen by one that acquires the value, which polls its own words")
    void releaseAndAcquire(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory block = world.allocate(6 * Long.BYTES)) {
            LongView data = block.longs();
            for (IntegerView flags :
                    List.of(block.bytes().slice(40, 2), block.longs().slice(2, 2))) {
                for (int round = 1; round <= ROUNDS; round++) {
                    data.set(0, 100L * world.pe() + round);
                    flags.setRelease(0, round);
                    while (flags.getAcquire(0, left) != round) {
                        Thread.onSpinWait();
                    }
                    assertThat(data.get(0, left)).isEqualTo(100L * left + round);
                    data.put(1, 1000L * round + world.pe(), right);
                    world.context().fence();
                    flags.setRelease(1, -round, right);
                    while (flags.getAcquire(1) != -round) {
                        Thread.onSpinWait();
                    }
                    assertThat(data.get(1)).isEqualTo(1000L * round + left);
                    world.team().barrier();
                }
            }
        }
    }

    @EverySize
    @DisplayName("adds of the owner and of all others lose nothing, and each sees a number of its own, at every width")
    void addsMeet(World world) {
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            for (IntegerView words : List.of(block.shorts(), block.ints(), block.longs())) {
                long sum = 0;
                for (int round = 0; round < ROUNDS; round++) {
                    sum += world.pe() == 0 ? words.getAndAdd(1, 1) : words.getAndAdd(1, 1, 0);
                }
                long all = (long) ROUNDS * world.size();
                assertThat(world.team().sum(sum)).as("each former value once").isEqualTo(all * (all - 1) / 2);
                assertThat(words.get(1, 0)).isEqualTo(all);
                world.team().barrier();
                if (world.pe() == 0) {
                    words.setRelease(1, 0);
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("former values have the view's width and sign, and neighbours stay")
    void values(World world) {
        try (SymmetricMemory block = world.allocate(4 * Long.BYTES)) {
            for (IntegerView words : views(block)) {
                boolean isUnsigned = words.type().name().startsWith("UNSIGNED");
                int bits = Byte.SIZE * words.type().byteSize();
                for (int i = 0; i < 3; i++) {
                    words.set(i, 7);
                }
                words.setRelease(1, -1);
                long ones = words.getAcquire(1);
                assertThat(ones).isEqualTo(isUnsigned ? -1L >>> (Long.SIZE - bits) : -1);
                assertThat(words.getAndAdd(1, 2)).isEqualTo(ones);
                assertThat(words.getAndSet(1, 5)).isEqualTo(1);
                assertThat(words.compareAndExchange(1, 4, 9)).isEqualTo(5);
                assertThat(words.getAcquire(1)).isEqualTo(5);
                assertThat(words.compareAndExchange(1, 5, -1)).isEqualTo(5);
                assertThat(words.compareAndExchange(1, -1, 3)).isEqualTo(ones);
                assertThat(List.of(words.get(0), words.get(1), words.get(2))).containsExactly(7L, 3L, 7L);
            }
        }
    }

    @EverySize
    @DisplayName("in a team with other numbers they are still the caller's own elements")
    void ofTeams(World world) {
        try (Team reversed = world.team().splitByColor(0, -world.pe());
                SymmetricMemory block = reversed.allocate(Long.BYTES, 8)) {
            LongView words = block.longs();
            words.setRelease(0, world.pe());
            assertThat(words.getAndAdd(0, 10)).isEqualTo(world.pe());
            assertThat(words.getAndSet(0, world.pe() + 20)).isEqualTo(world.pe() + 10);
            assertThat(words.compareAndExchange(0, world.pe() + 20, world.pe() + 30))
                    .isEqualTo(world.pe() + 20);
            reversed.barrier();
            assertThat(words.get(0, 0)).isEqualTo(world.size() - 1 + 30);
            reversed.barrier();
        }
    }

    @EverySize
    @DisplayName("indices outside of the view are refused, and freed memory")
    void refusals(World world) {
        SymmetricMemory block = world.allocate(2 * Long.BYTES);
        LongView words = block.longs();
        for (long index : new long[] {-1, 2, Long.MAX_VALUE}) {
            refused("getAcquire", () -> words.getAcquire(index));
            refused("setRelease", () -> words.setRelease(index, 1));
            refused("getAndAdd", () -> words.getAndAdd(index, 1));
            refused("getAndSet", () -> words.getAndSet(index, 1));
            refused("compareAndExchange", () -> words.compareAndExchange(index, 0, 1));
        }
        block.close();
        assertThatThrownBy(() -> words.setRelease(0, 1)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> words.getAcquire(0)).isInstanceOf(IllegalStateException.class);
        world.team().barrier();
    }

    private static void refused(String operation, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageStartingWith(operation + " on PE ");
    }
}
