// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.Allocator.End;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AllocatorTest {
    private static final long HEAP = 1 << 20;

    private record Block(long offset, long length) {
        boolean meets(Block other) {
            return offset < other.offset + other.length && other.offset < offset + length;
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void blocksNeverMeetAndTheFreeListStaysWhole(long seed) {
        Random random = new Random(seed);
        Allocator allocator = new Allocator(HEAP);
        List<Block> taken = new ArrayList<>();
        for (int round = 0; round < 5_000; round++) {
            if (!taken.isEmpty() && random.nextInt(5) == 0) {
                int chosen = random.nextInt(taken.size());
                Block block = taken.get(chosen);
                Block resized = new Block(block.offset, 1L + random.nextLong(2 * block.length));
                boolean fits = taken.stream().noneMatch(other -> !other.equals(block) && resized.meets(other))
                        && resized.offset + resized.length <= HEAP;
                assertThat(allocator.resize(block.offset, block.length, resized.length))
                        .isEqualTo(fits);
                taken.set(chosen, fits ? resized : block);
            } else if (taken.isEmpty() || random.nextInt(5) < 3) {
                int most = random.nextInt(10) == 0 ? 200_000 : 2_000;
                long length = 1L + random.nextInt(most);
                long alignment = 1L << random.nextInt(14);
                End end = random.nextBoolean() ? End.BOTTOM : End.TOP;
                long offset = allocator.allocate(end, length, alignment);
                if (offset >= 0) {
                    Block block = new Block(offset, length);
                    assertThat(offset % alignment).isZero();
                    assertThat(offset + length).isLessThanOrEqualTo(HEAP);
                    assertThat(taken).noneMatch(block::meets);
                    taken.add(block);
                }
            } else {
                Block block = taken.remove(random.nextInt(taken.size()));
                allocator.free(block.offset, block.length);
            }
            assertThat(allocator.isConsistent()).isTrue();
            assertThat(allocator.blocks()).isEqualTo(taken.size());
        }
        taken.forEach(block -> allocator.free(block.offset, block.length));
        assertThat(allocator.used()).isZero();
        assertThat(allocator.largestFree()).isEqualTo(HEAP);
    }

    @Test
    void worldBlocksDoNotShiftWhateverTheTeamsTake() {
        Allocator plain = new Allocator(HEAP);
        Allocator withTeams = new Allocator(HEAP);
        for (int i = 1; i <= 50; i++) {
            withTeams.allocate(End.TOP, 100L * i, 128);
            assertThat(withTeams.allocate(End.BOTTOM, 64L * i, 128))
                    .isEqualTo(plain.allocate(End.BOTTOM, 64L * i, 128));
        }
    }

    @ParameterizedTest
    @EnumSource(End.class)
    void givesTheWholeHeapAndNotAByteMore(End end) {
        Allocator allocator = new Allocator(HEAP);
        assertThat(allocator.allocate(end, HEAP + 1, 8)).isEqualTo(-1);
        assertThat(allocator.allocate(end, HEAP, 8)).isZero();
        assertThat(allocator.allocate(end, 1, 8)).isEqualTo(-1);
        allocator.free(0, HEAP);
        assertThat(allocator.largestFree()).isEqualTo(HEAP);
    }

    @Test
    void aBlockGrowsIntoWhatIsFreeBehindItAndNoFurther() {
        Allocator allocator = new Allocator(HEAP);
        long first = allocator.allocate(End.BOTTOM, 100, 128);
        long second = allocator.allocate(End.BOTTOM, 1000, 128);
        assertThat(allocator.resize(first, 100, 128)).isTrue();
        assertThat(allocator.resize(first, 128, 129)).isFalse();
        assertThat(allocator.resize(second, 1000, HEAP - 127)).isFalse();
        assertThat(allocator.resize(second, 1000, Long.MAX_VALUE)).isFalse();
        assertThat(allocator.resize(second, 1000, HEAP - 128)).isTrue();
        assertThat(allocator.largestFree()).isZero();
        assertThat(allocator.resize(second, HEAP - 128, 1)).isTrue();
        assertThat(allocator.largestFree()).isEqualTo(HEAP - 256);
        assertThat(allocator.used()).isEqualTo(256);
        assertThat(allocator.blocks()).isEqualTo(2);
    }

    @Test
    void teamBlocksComeFromTheTop() {
        Allocator allocator = new Allocator(HEAP);
        assertThat(allocator.allocate(End.TOP, 128, 128)).isEqualTo(HEAP - 128);
        assertThat(allocator.allocate(End.BOTTOM, 128, 128)).isZero();
    }

    @Test
    void aLaterProposalIsNoNearerThanTheDistanceAsked() {
        Allocator allocator = new Allocator(HEAP);
        for (End end : End.values()) {
            long first = allocator.allocate(end, 100, 128);
            long second = allocator.allocate(end, 1000, 128, 100_000);
            assertThat(allocator.distance(end, first, 100)).isEqualTo(128);
            assertThat(allocator.distance(end, second, 1000)).isBetween(100_000L, 100_128L);
            long third = allocator.allocate(end, 100, 128, allocator.distance(end, second, 1000));
            assertThat(allocator.distance(end, third, 100)).isEqualTo(allocator.distance(end, second, 1000) + 128);
            assertThat(allocator.allocate(end, 128, 128, HEAP + 1)).isEqualTo(-1);
        }
        assertThat(allocator.isConsistent()).isTrue();
    }
}
