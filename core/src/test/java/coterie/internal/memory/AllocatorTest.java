// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.Allocator.Region;
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
            if (taken.isEmpty() || random.nextInt(5) < 3) {
                int most = random.nextInt(10) == 0 ? 200_000 : 2_000;
                long length = 1L + random.nextInt(most);
                long alignment = 1L << random.nextInt(14);
                Region region = random.nextBoolean() ? Region.WORLD : Region.TEAM;
                long offset = allocator.allocate(region, length, alignment);
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
            withTeams.allocate(Region.TEAM, 100L * i, 128);
            assertThat(withTeams.allocate(Region.WORLD, 64L * i, 128))
                    .isEqualTo(plain.allocate(Region.WORLD, 64L * i, 128));
        }
    }

    @ParameterizedTest
    @EnumSource(Region.class)
    void givesTheWholeHeapAndNotAByteMore(Region region) {
        Allocator allocator = new Allocator(HEAP);
        assertThat(allocator.allocate(region, HEAP + 1, 8)).isEqualTo(-1);
        assertThat(allocator.allocate(region, HEAP, 8)).isZero();
        assertThat(allocator.allocate(region, 1, 8)).isEqualTo(-1);
        allocator.free(0, HEAP);
        assertThat(allocator.largestFree()).isEqualTo(HEAP);
    }

    @Test
    void teamBlocksComeFromTheTop() {
        Allocator allocator = new Allocator(HEAP);
        assertThat(allocator.allocate(Region.TEAM, 128, 128)).isEqualTo(HEAP - 128);
        assertThat(allocator.allocate(Region.WORLD, 128, 128)).isZero();
    }
}
