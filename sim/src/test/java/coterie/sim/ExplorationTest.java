// SPDX-License-Identifier: Apache-2.0
package coterie.sim;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Programs of two and three operations, in every order that the network allows: each guarantee holds in all of
/// them, and some order violates what is not guaranteed.
class ExplorationTest {
    /// PE 0 executes the operations; PE 1 waits for the signal and reads words 1 and 2.
    private static String told(World world, SymmetricMemory memory, Runnable does) {
        if (world.pe() == 0) {
            does.run();
            return "";
        }
        memory.signal(0).waitUntil(Comparison.GE, 1);
        return memory.longs().get(1) + "," + memory.longs().get(2);
    }

    @Test
    @DisplayName("GI-V3 a weak signal covers its own put and no earlier one")
    void aSignalCoversItsOwnPut() {
        assertThat(SimJob.explore(
                        2,
                        64,
                        (world, memory) -> told(world, memory, () -> {
                            memory.longs().put(1, 11, 1);
                            putSignal(world, memory, 2, 22);
                        })))
                .containsExactlyInAnyOrder("11,22", "0,22");
    }

    @Test
    @DisplayName("GI-V4 a strong signal covers its own put and every earlier one of its context and target")
    void aFencedSignalCoversAll() {
        assertThat(SimJob.explore(
                        2,
                        64,
                        (world, memory) -> told(world, memory, () -> {
                            memory.longs().put(1, 11, 1);
                            world.context().fence();
                            putSignal(world, memory, 2, 22);
                        })))
                .containsExactly("11,22");
    }

    @Test
    @DisplayName("GI-V6 a weak signal without a put covers nothing")
    void aSignalAloneCoversNothing() {
        assertThat(SimJob.explore(
                        2,
                        64,
                        (world, memory) -> told(world, memory, () -> {
                            memory.longs().put(1, 11, 1);
                            memory.longs().put(2, 22, 1);
                            memory.signal(0).add(1, 1);
                        })))
                .containsExactlyInAnyOrder("0,0", "11,0", "0,22", "11,22");
    }

    @Test
    void quietCompletesForEverybody() {
        assertThat(SimJob.explore(
                        2,
                        64,
                        (world, memory) -> told(world, memory, () -> {
                            memory.longs().put(1, 11, 1);
                            memory.longs().put(2, 22, 1);
                            world.context().quiet();
                            memory.signal(0).set(1, 1);
                        })))
                .containsExactly("11,22");
    }

    @Test
    @DisplayName("GI-V10 two ordered adds are seen in their order")
    void orderedAddsAreSeenInOrder() {
        assertThat(SimJob.explore(2, 64, (world, memory) -> {
                    SignalWord signal = memory.signal(0);
                    if (world.pe() == 0) {
                        signal.add(1, 1);
                        world.context().fence();
                        signal.add(10, 1);
                        return "";
                    }
                    return signal.fetch() + "," + signal.fetch();
                }))
                .containsExactlyInAnyOrder("0,0", "0,1", "0,11", "1,1", "1,11", "11,11");
    }

    @Test
    @DisplayName("GI-V11 two adds without order are seen in either")
    void freeAddsAreSeenInAnyOrder() {
        assertThat(SimJob.explore(2, 64, (world, memory) -> {
                    SignalWord signal = memory.signal(0);
                    if (world.pe() == 0) {
                        signal.add(1, 1);
                        signal.add(10, 1);
                        return "";
                    }
                    return Long.toString(signal.fetch());
                }))
                .containsExactlyInAnyOrder("0", "1", "10", "11");
    }

    private static void putSignal(World world, SymmetricMemory memory, int word, long value) {
        SymmetricMemory from = memory;
        from.longs().set(7, value);
        from.longs().putSignal(word, from.segment(), 7, 1, from.signal(0).adding(1), 1 - world.pe());
    }
}
