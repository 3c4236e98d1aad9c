// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Blocks that end in other orders than they began, with all their bytes written by a neighbour.
class BlockOrderConformanceTest {
    private static final int PAGE = 4096;

    /// A block and what it has.
    ///
    /// @param number tells its bytes from those of other blocks
    private record Block(SymmetricMemory memory, int number) {
        /// Bytes that a PE puts. Their period is odd, so that a shift by any power of two shows.
        byte[] written(int pe) {
            return pattern(pe, number, (int) memory.byteSize());
        }

        Block put(World world) {
            byte[] bytes = written(world.pe());
            memory.bytes().put(0, bytes, 0, bytes.length, right(world));
            return this;
        }

        /// That the caller's part has what the left neighbour has put.
        void assertPut(World world) {
            assertThat(memory.segment().mismatch(MemorySegment.ofArray(written(left(world)))))
                    .as("first wrong byte of block %d", number)
                    .isEqualTo(-1);
        }

        long place(SymmetricMemory bottom) {
            return memory.segment().address() - bottom.segment().address();
        }
    }

    private static byte[] pattern(int pe, int number, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (1 + (37 * pe + 101 * number + i) % 251);
        }
        return bytes;
    }

    private static int right(World world) {
        return (world.pe() + 1) % world.size();
    }

    private static int left(World world) {
        return (world.pe() + world.size() - 1) % world.size();
    }

    /// That no two blocks have a byte in common, and that all PEs have them at the same places.
    private static void assertPlaces(World world, SymmetricMemory bottom, List<Block> blocks) {
        List<Block> ascending = blocks.stream()
                .sorted(Comparator.comparingLong(block -> block.place(bottom)))
                .toList();
        for (int i = 1; i < ascending.size(); i++) {
            Block before = ascending.get(i - 1);
            assertThat(ascending.get(i).place(bottom))
                    .isGreaterThanOrEqualTo(before.place(bottom) + before.memory.byteSize());
        }
        long places = 0;
        for (Block block : blocks) {
            places = 31 * places + block.place(bottom);
        }
        assertThat(world.team().sum(places)).as("places of all PEs").isEqualTo(places * world.size());
    }

    /// All numbers of blocks: even ones first, from the last one down, or by chance.
    private static List<Integer> order(int blocks, SplittableRandom random) {
        List<Integer> order = new ArrayList<>();
        switch (random.nextInt(3)) {
            case 0 -> {
                IntStream.range(0, blocks).filter(i -> i % 2 == 0).forEach(order::add);
                IntStream.range(0, blocks).filter(i -> i % 2 == 1).forEach(order::add);
            }
            case 1 -> IntStream.range(0, blocks).forEach(i -> order.addFirst(i));
            default -> IntStream.range(0, blocks).forEach(i -> order.add(random.nextInt(i + 1), i));
        }
        return order;
    }

    /// That the heap is one free block again.
    private static void assertWhole(World world) {
        assertThat(world.heapStatistics().blocks()).isZero();
        SymmetricMemory whole = world.allocate(world.heapStatistics().byteSize());
        assertThat(whole.byteSize()).isEqualTo(world.heapStatistics().byteSize());
        whole.free();
        assertThat(world.heapStatistics().largestFreeBytes())
                .isEqualTo(world.heapStatistics().byteSize());
    }

    @SpmdTest(
            pes = {1, 2, 3, 4, 8},
            timeoutSeconds = 300)
    @DisplayName("NV-6 blocks of all sizes and alignments are aligned, apart and at the same places on all PEs; freed"
            + " or closed even ones first, backwards or by chance, and resized, they keep a neighbour's bytes and leave"
            + " one free block")
    void binsAndOrders(World world) {
        SplittableRandom random = new SplittableRandom(world.size()); // the same on all PEs
        SymmetricMemory bottom = world.allocate(8);
        int count = Rounds.simulated() ? 3 : 6;
        for (int bin = 64; bin <= 64 << 10; bin *= 4) {
            for (int alignment = 8; alignment <= 64 << 10; alignment *= Rounds.simulated() ? 64 : 8) {
                List<Block> blocks = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    SymmetricMemory memory = world.allocate(bin / 2 + random.nextInt(bin / 2) + 1, alignment);
                    assertThat(memory.segment().address() % alignment).isZero();
                    blocks.add(new Block(memory, i).put(world));
                }
                world.team().barrier();
                assertPlaces(world, bottom, blocks);
                int resized = random.nextInt(count);
                blocks.set(resized, resized(world, blocks.get(resized), bin));
                blocks.forEach(block -> block.assertPut(world));
                boolean together = random.nextBoolean();
                for (int i : order(count, random)) {
                    blocks.get(i).assertPut(world);
                    if (together) {
                        blocks.get(i).memory.free();
                    } else {
                        blocks.get(i).memory.close();
                    }
                }
            }
        }
        bottom.close();
        assertWhole(world);
    }

    /// The block twice as long, and then again as long as it was: the old bytes stay, the new ones are zero.
    private static Block resized(World world, Block block, int bin) {
        long before = block.memory.byteSize();
        SymmetricMemory longer = block.memory.reallocate(2L * bin);
        assertThat(longer.segment().asSlice(before).toArray(JAVA_BYTE)).containsOnly(0);
        Block same = new Block(longer.reallocate(before), block.number);
        same.assertPut(world);
        return same;
    }

    @SpmdTest(
            pes = {1, 2, 3, 4, 8},
            timeoutSeconds = 300)
    @DisplayName("NV-7 PEs close blocks each in its own order: a block keeps its bytes, also on PEs that have closed"
            + " it, until the last PE has; then one free block is left")
    void ownOrders(World world) {
        int n = world.size();
        SplittableRandom random = new SplittableRandom(7L * n); // the same on all PEs
        List<Block> mine = new ArrayList<>();
        List<List<Integer>> open = new ArrayList<>(); // by PE, numbers of blocks that it has not closed
        IntStream.range(0, n).forEach(pe -> open.add(new ArrayList<>()));
        int rounds = Rounds.of(60, 2_000);
        for (int round = 0; round < rounds; round++) {
            int number = round;
            Block made = new Block(world.allocate(1 + random.nextInt(20_000), 8L << random.nextInt(10)), number);
            assertThat(made.memory.segment().toArray(JAVA_BYTE)).containsOnly(0);
            world.team().barrier();
            mine.add(made.put(world));
            open.forEach(numbers -> numbers.add(number));
            world.team().barrier();
            for (Block block : mine) {
                block.assertPut(world);
                byte[] there = new byte[(int) block.memory.byteSize()];
                block.memory.bytes().get(0, there, 0, there.length, right(world));
                assertThat(there).as("block %d, round %d", block.number, round).isEqualTo(block.written(world.pe()));
            }
            for (int pe = 0; pe < n; pe++) {
                List<Integer> numbers = open.get(pe);
                for (int closes = random.nextInt(numbers.size() < 8 ? 2 : 4); closes > 0; closes--) {
                    if (!numbers.isEmpty()) {
                        int closed = numbers.remove(/* index */ random.nextInt(numbers.size()));
                        if (pe == world.pe()) {
                            mine.removeIf(block -> closes(block, closed));
                        }
                    }
                }
            }
        }
        if (world.pe() % 2 == 0) {
            mine.reversed().forEach(block -> block.memory.close());
        } else {
            mine.forEach(block -> block.memory.close());
        }
        assertWhole(world);
    }

    /// Closes a block if it has this number.
    ///
    /// @return whether it has
    private static boolean closes(Block block, int number) {
        if (block.number == number) {
            block.memory.close();
        }
        return block.number == number;
    }

    @SpmdTest(pes = {1, 2, 3, 4, 8})
    @DisplayName("NV-8 parts of memory that begin and end at, before and after the ends of pages go to the same parts"
            + " of a neighbour, from slices of symmetric memory and from other memory, and no other byte changes")
    void partsOfPages(World world) {
        int length = 4 * PAGE;
        int[] offsets = {0, 1, PAGE - 1, PAGE, PAGE + 17};
        int[] lengths = {1, PAGE - 1, PAGE + 37};
        try (SymmetricMemory target = world.allocate(length, PAGE);
                SymmetricMemory source = world.allocate(length, PAGE)) {
            source.segment().copyFrom(MemorySegment.ofArray(pattern(world.pe(), 0, length)));
            for (int offset : offsets) {
                for (int count : lengths) {
                    MemorySegment part = source.slice(offset, count).segment();
                    checkPart(world, target, part, offset, count);
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment other = arena.allocate(length, PAGE);
                        other.copyFrom(source.segment());
                        checkPart(world, target, other.asSlice(offset, count), offset, count);
                    }
                }
            }
        }
    }

    /// Puts a part to the right neighbour, and checks what has come from the left one.
    private static void checkPart(World world, SymmetricMemory target, MemorySegment part, int offset, int count) {
        target.segment().fill((byte) 0);
        world.team().barrier();
        target.slice(offset, count).bytes().put(0, part, 0, count, right(world));
        world.team().barrier();
        byte[] expected = new byte[(int) target.byteSize()];
        System.arraycopy(pattern(left(world), 0, expected.length), offset, expected, offset, count);
        assertThat(target.segment().mismatch(MemorySegment.ofArray(expected)))
                .as("first wrong byte, %d bytes from %d on", count, offset)
                .isEqualTo(-1);
        world.team().barrier();
    }
}
