// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.IntView;
import coterie.IntegerView;
import coterie.LongView;
import coterie.ShortView;
import coterie.SymmetricMemory;
import coterie.WaitSet;
import coterie.WaitTimeoutException;
import coterie.World;
import java.time.Duration;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Waits for and tests of several words of one's own memory.
class WaitSetConformanceTest {

    @EverySize
    @DisplayName("SH-W3 BR-31 of a set without elements, or with all skipped, every call returns at once: all, none,"
            + " nothing")
    void emptySetsAreSatisfied(World world) {
        try (SymmetricMemory block = world.allocate(3 * Long.BYTES)) {
            BitSet every = new BitSet();
            every.set(0, 3);
            LongView words = block.longs();
            for (WaitSet set : List.of(
                    words.waitSet(0, 0),
                    words.waitSet(3, 0),
                    words.waitSet(0, 3).withSkipped(every))) {
                int[] found = {-7, -7, -7};
                long[] operands = {1, 2, 3};
                set.waitAll(Comparison.EQ, 1);
                set.waitAll(Comparison.EQ, operands);
                assertThat(set.waitAny(Comparison.EQ, 1)).isEqualTo(-1);
                assertThat(set.waitAny(Comparison.EQ, operands)).isEqualTo(-1);
                assertThat(set.waitSome(Comparison.EQ, 1, found)).isZero();
                assertThat(set.waitSome(Comparison.EQ, operands, found)).isZero();
                assertThat(set.testAll(Comparison.EQ, 1)).isTrue();
                assertThat(set.testAll(Comparison.EQ, operands)).isTrue();
                assertThat(set.testAny(Comparison.EQ, 0)).isEqualTo(-1);
                assertThat(set.testAny(Comparison.EQ, operands)).isEqualTo(-1);
                assertThat(set.testSome(Comparison.EQ, 0, found)).isZero();
                assertThat(set.testSome(Comparison.EQ, operands, found)).isZero();
                assertThat(found).containsOnly(-7);
            }
        }
    }

    @EverySize
    @DisplayName(
            "SH-W4 of [0, 1 skipped, 0] with cell 1 satisfied none is; after cell 2 is, it is 2; by test and by wait")
    void skippedElementsTakeNoPart(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory block = world.allocate(4 * Long.BYTES)) {
            for (IntegerView words : List.of(block.ints(), block.longs().unsigned(), block.bytes())) {
                world.team().barrier();
                BitSet skipped = new BitSet();
                skipped.set(1);
                WaitSet set = words.waitSet(1, 3).withSkipped(skipped);
                int[] found = new int[3];
                words.set(2, 7);
                assertThat(set.testAny(Comparison.EQ, 7)).isEqualTo(-1);
                assertThat(set.testSome(Comparison.EQ, 7, found)).isZero();
                assertThat(set.testAll(Comparison.NE, 7)).isTrue();
                world.team().barrier();
                words.put(3, 7, right);
                assertThat(set.waitAny(Comparison.EQ, 7)).isEqualTo(2);
                assertThat(set.waitSome(Comparison.EQ, 7, found)).isEqualTo(1);
                assertThat(found[0]).isEqualTo(2);
                assertThat(set.testAny(Comparison.EQ, 7)).isEqualTo(2);
                assertThat(set.testAll(Comparison.EQ, 7)).isFalse();
                skipped.clear(); // the set reads it anew
                assertThat(set.testSome(Comparison.EQ, 7, found)).isEqualTo(2);
                assertThat(found).startsWith(1, 2);
                assertThat(words.get(1)).isZero();
                world.team().barrier();
                words.set(2, 0);
                words.set(3, 0);
            }
        }
    }

    @EverySize
    @DisplayName(
            "SH-W6 BR-31 each PE sets its cell on PE 0 at some time: a wait for some, marking them, sees each once")
    void someSeesEachOnce(World world) {
        try (SymmetricMemory block = world.allocate(world.size() * (long) Integer.BYTES)) {
            IntView cells = block.ints();
            for (int round = 0; round < 20; round++) {
                pause(new Random(world.pe() * 31L + round));
                cells.put(world.pe(), round + 1, 0);
                if (world.pe() == 0) {
                    BitSet seen = new BitSet();
                    WaitSet set = cells.waitSet(0, world.size()).withSkipped(seen);
                    int[] found = new int[world.size()];
                    int total = 0;
                    for (int count = set.waitSome(Comparison.EQ, round + 1, found);
                            count > 0;
                            count = set.waitSome(Comparison.EQ, round + 1, found)) {
                        IntStream.of(found).limit(count).forEach(cell -> {
                            assertThat(seen.get(cell)).as("cell %s", cell).isFalse();
                            seen.set(cell);
                        });
                        total += count;
                    }
                    assertThat(total).isEqualTo(world.size());
                }
                world.team().barrier();
            }
        }
    }

    /// So that the cells are set in another order each time.
    private static void pause(Random random) {
        for (int turns = random.nextInt(2_000); turns > 0; turns--) {
            Thread.onSpinWait();
        }
    }

    @EverySize
    @DisplayName("SH-W6 an element that stays satisfied does not hide the others from a wait for any")
    void anyIsFair(World world) {
        int right = (world.pe() + 1) % world.size();
        int count = 5;
        try (SymmetricMemory block = world.allocate(count * (long) Short.BYTES)) {
            ShortView cells = block.shorts();
            WaitSet set = cells.waitSet(0, count);
            cells.put(0, 1, right);
            assertThat(set.waitAny(Comparison.EQ, 1)).isZero();
            world.team().barrier();
            for (int cell = 1; cell < count; cell++) {
                cells.put(cell, 1, right);
            }
            set.waitAll(Comparison.EQ, 1);
            Set<Integer> waited = new HashSet<>();
            Set<Integer> tested = new HashSet<>();
            for (int call = 0; call < count; call++) {
                waited.add(set.waitAny(Comparison.EQ, 1));
            }
            for (int call = 0; call < count; call++) {
                tested.add(set.testAny(Comparison.EQ, 1));
            }
            assertThat(waited).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
            assertThat(tested).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
        }
    }

    @EverySize
    @DisplayName("a wait for all ends when each has had its value at some moment, with one operand or one for each")
    void allWaitsForEach(World world) {
        int right = (world.pe() + 1) % world.size();
        int count = 6;
        try (SymmetricMemory block = world.allocate(count * (long) Long.BYTES)) {
            LongView cells = block.longs();
            WaitSet set = cells.waitSet(0, count);
            long[] squares = {0, 1, 4, 9, 16, 25};
            for (int cell = count - 1; cell >= 0; cell--) {
                cells.put(cell, squares[cell], right);
            }
            set.waitAll(Comparison.EQ, squares);
            assertThat(set.testAll(Comparison.EQ, squares)).isTrue();
            assertThat(set.testAll(Comparison.GE, 1)).as("cell 0 is 0").isFalse();
            assertThat(set.testAny(Comparison.GT, squares)).isEqualTo(-1);
            int[] found = new int[count];
            assertThat(set.testSome(Comparison.LT, new long[] {1, 1, 5, 1, 17, 1}, found))
                    .isEqualTo(3);
            assertThat(found).startsWith(0, 2, 4);
            world.team().barrier();
            cells.put(0, 1, right);
            set.waitAll(Comparison.GE, 1);
            assertThat(set.waitAny(Comparison.EQ, new long[] {9, 9, 9, 8, 9, 25}))
                    .isEqualTo(5);
            assertThat(set.waitSome(Comparison.EQ, new long[] {9, 9, 9, 8, 9, 25}, found))
                    .isEqualTo(1);
            assertThat(found[0]).isEqualTo(5);
        }
    }

    @EverySize
    @DisplayName("SH-W2 sets compare as their view does: unsigned or signed")
    void setsHaveTheViewsSign(World world) {
        try (SymmetricMemory block = world.allocate(2 * Long.BYTES)) {
            LongView longs = block.longs();
            longs.set(0, Long.MIN_VALUE);
            longs.set(1, Long.MIN_VALUE);
            assertThat(longs.waitSet(0, 2).testAll(Comparison.GT, 1)).isFalse();
            assertThat(longs.waitSet(0, 2).testAny(Comparison.GT, new long[] {1, 1}))
                    .isEqualTo(-1);
            longs.unsigned().waitSet(0, 2).waitAll(Comparison.GT, 1);
            assertThat(longs.unsigned().waitSet(1, 1).waitAny(Comparison.GT, new long[] {1}))
                    .isZero();
            longs.set(1, 0);
            assertThat(longs.unsigned().waitSet(0, 2).testAny(Comparison.GT, 1)).isZero();
        }
    }

    @EverySize
    @DisplayName(
            "SH-W10 BR-31 waits of a set with a timeout end then, and tell how many are missing and what the first one"
                    + " is")
    void setsTimeOut(World world) {
        try (SymmetricMemory block = world.allocate(4 * Long.BYTES)) {
            block.longs().set(2, 5);
            WaitSet set = block.longs().waitSet(1, 3).withTimeout(Duration.ofNanos(300_000));
            assertThatThrownBy(() -> set.waitAll(Comparison.NE, 0))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("on PE " + world.pe())
                    .hasMessageContaining("2 of 3 words missing, first word at offset")
                    .hasMessageContaining("NE 0 (it is 0)")
                    .hasMessageContaining("not within 300000 ns");
            assertThatThrownBy(() -> set.waitAny(Comparison.GT, new long[] {9, 9, 9}))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("3 of 3 words missing")
                    .hasMessageContaining("GT 9 (it is 0)");
            assertThatThrownBy(() -> set.waitSome(Comparison.GT, 9, new int[3]))
                    .isInstanceOf(WaitTimeoutException.class)
                    .hasMessageContaining("3 of 3 words missing");
            assertThat(set.waitAny(Comparison.GT, 4)).as("the set goes on").isEqualTo(1);
        }
    }

    @EverySize
    @DisplayName("a set is a value: one with a timeout or with skipped elements is another, and leaves it as it is")
    void setsAreValues(World world) {
        try (SymmetricMemory block = world.allocate(4 * Long.BYTES)) {
            block.longs().set(0, 5);
            WaitSet set = block.longs().waitSet(0, 4);
            BitSet first = new BitSet();
            first.set(0);
            WaitSet others = set.withSkipped(first);
            WaitSet brief = others.withTimeout(Duration.ofNanos(300_000));
            assertThat(others.testAny(Comparison.EQ, 5)).isEqualTo(-1);
            assertThat(set.testAny(Comparison.EQ, 5))
                    .as("it still has all elements")
                    .isZero();
            assertThatThrownBy(() -> brief.waitAny(Comparison.EQ, 5))
                    .as("it has the skipped elements of the set that it was made of")
                    .isInstanceOf(WaitTimeoutException.class);
            others.waitAll(Comparison.EQ, 0);
            assertThat(set.testAll(Comparison.EQ, new long[] {5, 0, 0, 0})).isTrue();
            assertThat(others.withSkipped(new BitSet()).testAny(Comparison.EQ, 5))
                    .isZero();
            assertThat(List.of(set.size(), others.size(), brief.size())).containsOnly(4);
        }
    }

    @EverySize
    @DisplayName("sets refuse ranges outside of the block, arrays that are too short, bad timeouts, and a freed block")
    void refusesBadArguments(World world) {
        SymmetricMemory block = world.allocate(4 * Long.BYTES);
        LongView words = block.longs();
        for (long[] range : new long[][] {{-1, 1}, {0, 5}, {4, 1}, {1, -1}, {5, 0}, {Long.MAX_VALUE, 2}}) {
            assertThatThrownBy(() -> words.waitSet(range[0], (int) range[1]))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageMatching("waitSet on PE \\d+: (-?\\d+ elements from index|element) .*");
        }
        WaitSet set = words.waitSet(0, 3);
        assertThat(set.size()).isEqualTo(3);
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofNanos(-1))) {
            assertThatThrownBy(() -> set.withTimeout(timeout))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is not positive");
        }
        assertThatThrownBy(() -> set.waitAll(Comparison.EQ, new long[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("waitAll on PE " + world.pe() + ": 2 operands for a set of 3");
        assertThatThrownBy(() -> set.testAny(Comparison.EQ, new long[2])).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> set.waitSome(Comparison.EQ, 0, new int[2]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        "waitSome on PE " + world.pe() + ": the array for the found indices has length 2");
        assertThatThrownBy(() -> set.testSome(Comparison.EQ, new long[3], new int[0]))
                .isInstanceOf(IllegalArgumentException.class);
        block.close();
        assertThatThrownBy(() -> set.waitAny(Comparison.EQ, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("was freed");
        assertThatThrownBy(() -> set.testAll(Comparison.EQ, 0)).isInstanceOf(IllegalStateException.class);
    }
}
