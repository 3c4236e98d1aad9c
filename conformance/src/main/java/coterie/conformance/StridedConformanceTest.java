// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.DisplayName;

/// Copies of elements and blocks that lie a stride apart.
class StridedConformanceTest {
    private static final int BYTES = 1024;

    @SpmdTest
    @DisplayName("SH-R2 putStrided, target stride 1, source stride 2: every other element, close together")
    void putGathers(World world) {
        try (SymmetricMemory memory = world.allocate(80)) {
            memory.segment().fill((byte) -1);
            world.team().barrier();
            if (world.pe() == 0) {
                memory.longs().putStrided(0, 1, Longs.counting(1, 10), 0, 2, 1, 5, 1);
            }
            world.team().barrier();
            long[] untouched = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
            long[] put = {1, 3, 5, 7, 9, -1, -1, -1, -1, -1};
            assertThat(Longs.of(memory)).isEqualTo(world.pe() == 1 ? put : untouched);
        }
    }

    @EverySize
    @DisplayName("SH-R3 putStrided, target stride 2, source stride 1: what lies between stays as it is")
    void putScatters(World world) {
        try (SymmetricMemory memory = world.allocate(80)) {
            memory.segment().fill((byte) -1);
            world.team().barrier();
            memory.longs().putStrided(0, 2, Longs.counting(1, 5), 0, 1, 1, 5, (world.pe() + 1) % world.size());
            world.team().barrier();
            assertThat(Longs.of(memory)).containsExactly(1, -1, 2, -1, 3, -1, 4, -1, 5, -1);
        }
    }

    @EverySize
    @DisplayName("SH-R4 getStrided, remote stride 3, target stride 1: every third element, and none beyond")
    void getGathers(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(80)) {
            for (int i = 0; i < 10; i++) {
                Longs.set(memory, i, 10L * world.pe() + i);
            }
            world.team().barrier();
            long[] got = {-1, -1, -1, -1, -1};
            memory.longs().getStrided(0, 3, MemorySegment.ofArray(got), 0, 1, 1, 4, right);
            long first = 10L * right;
            assertThat(got).containsExactly(first, first + 3, first + 6, first + 9, -1);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("putStrided and getStrided of blocks: whole blocks move, what lies between them stays as it is")
    void movesBlocks(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(13 * Long.BYTES)) {
            memory.segment().fill((byte) -1);
            world.team().barrier();
            memory.longs().putStrided(1, 5, Longs.counting(1, 9), 0, 3, 2, 3, right);
            world.team().barrier();
            assertThat(Longs.of(memory)).containsExactly(-1, 1, 2, -1, -1, -1, 4, 5, -1, -1, -1, 7, 8);
            long[] got = new long[10];
            memory.longs().getStrided(1, 5, MemorySegment.ofArray(got), 1, 3, 2, 3, right);
            assertThat(got).containsExactly(0, 1, 2, 0, 4, 5, 0, 7, 8, 0);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("strides equal to the block's length copy what a plain put copies, bit for bit, whatever the lengths")
    void contiguousStridesEqualAPlainPut(World world) {
        int right = (world.pe() + 1) % world.size();
        byte[] bytes = new byte[BYTES];
        new Random(world.pe()).nextBytes(bytes);
        MemorySegment source = MemorySegment.ofArray(bytes);
        try (SymmetricMemory plain = world.allocate(BYTES);
                SymmetricMemory strided = world.allocate(BYTES)) {
            for (int blockLength : new int[] {1, 2, 3, 8, 60}) {
                for (int view = 0; view < Views.of(plain).size(); view++) {
                    ElementView target = Views.of(strided).get(view);
                    long blocks = (target.length() - 1) / blockLength;
                    Views.of(plain).get(view).put(1, source, 0, blocks * blockLength, right);
                    target.putStrided(1, blockLength, source, 0, blockLength, blockLength, blocks, right);
                    world.team().barrier();
                    assertThat(strided.segment().mismatch(plain.segment()))
                            .as("%s, blocks of %d", target.type(), blockLength)
                            .isEqualTo(-1);
                    world.team().barrier();
                }
            }
        }
    }

    @EverySize
    @DisplayName("any strides, block lengths and types, there and back: as a loop over single elements does it")
    void agreesWithALoop(World world) {
        int right = (world.pe() + 1) % world.size();
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            byte[] mine = new byte[BYTES];
            byte[] theirs = new byte[BYTES];
            int rounds = Rounds.of(300, 10_000);
            for (int round = 0; round < rounds; round++) {
                ElementView view =
                        Views.of(memory).get(random.nextInt(Views.of(memory).size()));
                Row row = Row.random(random, (int) view.length());
                random.nextBytes(mine);
                random.nextBytes(theirs);
                memory.bytes().put(0, MemorySegment.ofArray(theirs), 0, BYTES, right);
                memory.bytes().context().quiet();
                int width = view.type().byteSize();
                if (random.nextBoolean()) {
                    view.putStrided(
                            row.to,
                            row.toStride,
                            MemorySegment.ofArray(mine),
                            row.from,
                            row.fromStride,
                            row.length,
                            row.blocks,
                            right);
                    row.copy(mine, theirs, width);
                } else {
                    view.getStrided(
                            row.from,
                            row.fromStride,
                            MemorySegment.ofArray(mine),
                            row.to,
                            row.toStride,
                            row.length,
                            row.blocks,
                            right);
                    byte[] expected = mine.clone();
                    row.copy(theirs, expected, width);
                    assertThat(mine)
                            .as("%s, %s, seed %d", view.type(), row, seed)
                            .isEqualTo(expected);
                }
                memory.bytes().context().quiet();
                byte[] found = new byte[BYTES];
                memory.bytes().get(0, MemorySegment.ofArray(found), 0, BYTES, right);
                assertThat(found).as("%s, %s, seed %d", view.type(), row, seed).isEqualTo(theirs);
            }
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("SH-R13 strided copies within my own memory that overlap: as if the source had been copied away first")
    void overlappingCopies(World world) {
        long seed = ThreadLocalRandom.current().nextLong();
        Random random = new Random(seed);
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            byte[] expected = new byte[BYTES];
            int rounds = Rounds.of(300, 10_000);
            for (int round = 0; round < rounds; round++) {
                ElementView view =
                        Views.of(memory).get(random.nextInt(Views.of(memory).size()));
                Row row = Row.random(random, (int) view.length());
                random.nextBytes(expected);
                memory.segment().copyFrom(MemorySegment.ofArray(expected));
                row.copy(expected.clone(), expected, view.type().byteSize());
                if (random.nextBoolean()) {
                    view.putStrided(
                            row.to,
                            row.toStride,
                            memory.segment(),
                            row.from,
                            row.fromStride,
                            row.length,
                            row.blocks,
                            world.pe());
                } else {
                    view.getStrided(
                            row.from,
                            row.fromStride,
                            memory.segment(),
                            row.to,
                            row.toStride,
                            row.length,
                            row.blocks,
                            world.pe());
                }
                world.context().quiet();
                assertThat(memory.segment().mismatch(MemorySegment.ofArray(expected)))
                        .as("%s, %s, seed %d", view.type(), row, seed)
                        .isEqualTo(-1);
            }
        }
    }

    /// A copy of blocks, from one row to another, in elements.
    private record Row(int from, int fromStride, int to, int toStride, int length, int blocks) {

        static Row random(Random random, int elements) {
            int length = 1 + random.nextInt(random.nextBoolean() ? 4 : elements / 8);
            int fromStride = length + random.nextInt(random.nextBoolean() ? 3 : elements / 4);
            int toStride = random.nextBoolean() ? fromStride : length + random.nextInt(elements / 4);
            int most = 1 + (elements - length) / Math.max(fromStride, toStride);
            int blocks = random.nextInt(most + 1);
            int reach = Math.max(0, blocks - 1);
            return new Row(
                    random.nextInt(elements - length - reach * fromStride + 1),
                    fromStride,
                    random.nextInt(elements - length - reach * toStride + 1),
                    toStride,
                    length,
                    blocks);
        }

        void copy(byte[] source, byte[] target, int width) {
            for (int block = 0; block < blocks; block++) {
                for (int i = 0; i < length * width; i++) {
                    target[(to + block * toStride) * width + i] = source[(from + block * fromStride) * width + i];
                }
            }
        }
    }
}
