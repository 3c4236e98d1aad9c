// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.HeapStatistics;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.DisplayName;

/// Symmetric memory that becomes longer, shorter and nothing.
class ReallocateConformanceTest {
    private static final int MEBIBYTE = 1 << 20;

    /// Twice what no machine gives to one job; addresses there are enough.
    private static final long WHAT_NO_MACHINE_HAS = 1L << 43;

    @EverySize
    @DisplayName("SH-H2 16 bytes become a MiB, then 8, then none: contents stay, places agree, and all is freed")
    void contentsGoOver(World world) {
        SymmetricMemory bottom = world.allocate(8);
        SymmetricMemory small = world.allocate(16);
        SymmetricMemory behind = world.allocate(8);
        fill(small, world.pe());
        SymmetricMemory big = small.reallocate(MEBIBYTE);
        long place = big.segment().address() - bottom.segment().address();
        assertThat(world.team().sum(place)).isEqualTo(place * world.size());
        assertThat(place).as("moved past the block behind it").isEqualTo(3 * 128);
        assertThat(big.byteSize()).isEqualTo(MEBIBYTE);
        int right = (world.pe() + 1) % world.size();
        byte[] theirs = new byte[MEBIBYTE];
        big.bytes().get(0, MemorySegment.ofArray(theirs), 0, MEBIBYTE, right);
        byte[] expected = new byte[MEBIBYTE];
        for (int i = 0; i < 16; i++) {
            expected[i] = content(right, i);
        }
        assertThat(theirs).isEqualTo(expected);
        SymmetricMemory eight = big.reallocate(8);
        assertFilled(eight, 8, world.pe());
        SymmetricMemory none = eight.reallocate(0);
        assertThat(none.byteSize()).isZero();
        assertDead(world, small);
        assertDead(world, big);
        assertDead(world, eight);
        behind.close();
        assertThat(world.heapStatistics().usedBytes()).isEqualTo(128);
        bottom.close();
        none.close();
    }

    @EverySize
    @DisplayName("SH-H2 an empty handle becomes a block; a block keeps its alignment where it moves")
    void emptyHandlesGrow(World world) {
        SymmetricMemory first = world.allocate(0).reallocate(100);
        SymmetricMemory aligned = world.allocate(0, 4096).reallocate(100);
        SymmetricMemory behind = world.allocate(100);
        SymmetricMemory moved = aligned.reallocate(1000);
        assertThat(moved.segment().address() % 4096).isZero();
        assertThat(moved.segment().address()).isGreaterThan(behind.segment().address());
        assertThat(moved.segment().toArray(JAVA_BYTE)).hasSize(1000).containsOnly(0);
        moved.close();
        behind.close();
        first.close();
    }

    @EverySize
    @DisplayName("SH-H2 what is new is zero, in place or moved, whatever the bytes were used for before")
    void whatIsNewIsZero(World world) {
        SymmetricMemory dirty = world.allocate(10_000);
        dirty.segment().fill((byte) 0xFF);
        dirty.close();
        SymmetricMemory block = world.allocate(24);
        fill(block, world.pe());
        block = grow(block, 24, 100, world.pe()); // within the granule
        block = grow(block, 24, 9_000, world.pe()); // in place
        fill(block, world.pe());
        block = block.reallocate(24);
        SymmetricMemory tail = world.allocate(5_000);
        assertThat(tail.segment().toArray(JAVA_BYTE)).containsOnly(0);
        tail.segment().fill((byte) 0xFF);
        block = grow(block, 24, 2_000, world.pe()); // moved
        fill(block, world.pe());
        block = block.reallocate(24);
        tail.close();
        grow(block, 24, 20_000, world.pe()).close(); // in place, beyond all that was used
    }

    private static SymmetricMemory grow(SymmetricMemory block, int kept, int byteSize, int pe) {
        SymmetricMemory longer = block.reallocate(byteSize);
        assertFilled(longer, kept, pe);
        assertThat(longer.segment().asSlice(kept).toArray(JAVA_BYTE))
                .hasSize(byteSize - kept)
                .containsOnly(0);
        return longer;
    }

    @SpmdTest(
            pes = {1, 2, 3, 4, 8},
            timeoutSeconds = 300)
    @DisplayName("SH-H2 puts right before and right after meet the old block and the new one")
    void nobodyIsTooEarlyOrTooLate(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        int rounds = Rounds.of(40, 1_000);
        for (int round = 1; round <= rounds; round++) {
            SymmetricMemory block = world.allocate(64 << 10);
            SymmetricMemory behind = world.allocate(8);
            block.longs().put(0, round + 1000L * world.pe(), right);
            block.longs().put((8 << 10) - 1, round, right);
            SymmetricMemory moved = block.reallocate(100 << 10);
            moved.longs().put((8 << 10) - 1, -round, right);
            world.team().barrier();
            assertThat(Longs.get(moved, 0)).isEqualTo(round + 1000L * left);
            assertThat(Longs.get(moved, (8 << 10) - 1)).isEqualTo(-round);
            behind.close();
            moved.close();
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            heapBytes = MEBIBYTE)
    @DisplayName("SH-H4 a block that can't grow is refused on all and stays as it was; the heap can be had to its end")
    void exhaustionLeavesTheBlock(World world) {
        SymmetricMemory block = world.allocate(600_000);
        SymmetricMemory behind = world.allocate(1000);
        fill(block, world.pe());
        HeapStatistics before = world.heapStatistics();
        for (long byteSize : new long[] {601_000, MEBIBYTE + 1, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> block.reallocate(byteSize))
                    .isInstanceOf(SymmetricMemoryException.class)
                    .hasMessageContaining("reallocate on PE " + world.pe() + " (symmetric memory 1 (600000 bytes")
                    .hasMessageContaining("to " + byteSize + " bytes")
                    .hasMessageContaining("; all PEs refuse");
        }
        assertThat(world.heapStatistics()).isEqualTo(before);
        assertFilled(block, 600_000, world.pe());
        behind.close();
        SymmetricMemory whole = block.reallocate(MEBIBYTE);
        assertFilled(whole, 600_000, world.pe());
        assertThat(world.heapStatistics().largestFreeBytes()).isZero();
        whole.close();
    }

    @SpmdTest(
            pes = {1, 2},
            heapBytes = WHAT_NO_MACHINE_HAS)
    @DisplayName("SH-H4 more than the machine's memory is refused on all, with its figures, and the block stays")
    void scarcityLeavesTheBlock(World world) {
        SymmetricMemory block = world.allocate(1000);
        fill(block, world.pe());
        HeapStatistics before = world.heapStatistics();
        assertThatThrownBy(() -> block.reallocate(WHAT_NO_MACHINE_HAS / 2))
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining("can't give its part: 4194304.0 MiB on each of " + world.size() + " PEs, but ");
        assertThat(world.heapStatistics()).isEqualTo(before);
        SymmetricMemory behind = world.allocate(1000);
        assertThatThrownBy(() -> block.reallocate(WHAT_NO_MACHINE_HAS / 2))
                .isInstanceOf(SymmetricMemoryException.class);
        assertFilled(block, 1000, world.pe());
        behind.close();
        assertThat(world.heapStatistics().usedBytes()).isEqualTo(before.usedBytes());
        block.close();
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("SH-H5 PEs that differ in size or block get an error with each PE's, and keep the old ones")
    void namesDifferences(World world) {
        SymmetricMemory one = world.allocate(64);
        SymmetricMemory other = world.allocate(64);
        fill(one, world.pe());
        fill(other, world.pe());
        HeapStatistics before = world.heapStatistics();
        boolean odd = world.pe() == 1;
        assertThatThrownBy(() -> one.reallocate(odd ? 32 : 1 << 16))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("reallocate on PE " + world.pe())
                .hasMessageContaining("disagree on the size: 65536 on PEs [0")
                .hasMessageContaining("32 on PEs [1]");
        assertThatThrownBy(() -> one.reallocate(odd ? 0 : 8))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("0 on PEs [1]");
        assertThatThrownBy(() -> (odd ? one : other).reallocate(1 << 16))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("disagree on the block: 2 on PEs [0")
                .hasMessageContaining("1 on PEs [1]");
        assertThatThrownBy(() -> (odd ? world.allocate(0) : other).reallocate(1 << 16))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("0 on PEs [1]");
        assertThatThrownBy(() -> one.reallocate(odd ? -5 : 8))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(odd ? "size -5 is negative" : "PE 1");
        assertThat(world.heapStatistics()).isEqualTo(before);
        assertFilled(one, 64, world.pe());
        assertFilled(other, 64, world.pe());
        one.reallocate(128).close();
        other.close();
    }

    private static void assertDead(World world, SymmetricMemory block) {
        assertThatThrownBy(block::segment).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> block.reallocate(8))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("reallocate on PE " + world.pe())
                .hasMessageContaining("was freed");
        assertThatThrownBy(() -> block.longs().put(0, 1, 0)).isInstanceOf(IllegalStateException.class);
        block.close();
    }

    private static void fill(SymmetricMemory block, int pe) {
        for (long i = 0; i < block.byteSize(); i++) {
            block.segment().set(JAVA_BYTE, i, content(pe, i));
        }
    }

    private static void assertFilled(SymmetricMemory block, int end, int pe) {
        byte[] expected = new byte[end];
        for (int i = 0; i < end; i++) {
            expected[i] = content(pe, i);
        }
        assertThat(block.segment().asSlice(0, end).toArray(JAVA_BYTE)).isEqualTo(expected);
    }

    /// Never zero.
    private static byte content(int pe, long index) {
        return (byte) (1 + (7L * pe + index) % 101);
    }
}
