// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CollectiveMismatchException;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;

/// Allocating and freeing symmetric memory.
class HeapConformanceTest {
    private static final int ROUNDS = Boolean.getBoolean("coterie.soak") ? 10_000 : 200;

    @SpmdTest(pes = {2, 4})
    @DisplayName("SH-H1 size 0: one PE alone gets an empty handle and frees it, at once")
    void sizeZeroDoesNotMeet(World world) {
        if (world.pe() == 0) {
            SymmetricMemory empty = world.allocate(0);
            assertThat(empty.byteSize()).isZero();
            empty.close();
            empty.close();
        }
        world.team().barrier();
    }

    @EverySize
    @DisplayName("SH-H3 alignments of 8 bytes to 4 MiB hold on every PE; others are refused on all")
    void alignmentsHold(World world) {
        for (long alignment = 8; alignment <= 4 << 20; alignment *= 2) {
            SymmetricMemory odd = world.allocate(24, 8);
            try (SymmetricMemory memory = world.allocate(24, alignment)) {
                assertThat(memory.segment().address() % alignment).isZero();
            }
            odd.close();
        }
        for (long alignment : new long[] {24, 4, 0, -8, 1L << 31}) {
            assertThatThrownBy(() -> world.allocate(64, alignment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allocate on PE " + world.pe())
                    .hasMessageContaining("alignment " + alignment);
        }
        assertThatThrownBy(() -> world.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @SpmdTest(pes = {2, 3, 4})
    @DisplayName("SH-H3 one PE's bad argument is refused on all of them")
    void oneBadArgumentIsRefusedByAll(World world) {
        assertThatThrownBy(() -> world.allocate(64, world.pe() == 1 ? 24 : 64))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("allocate on PE " + world.pe())
                .hasMessageContaining(world.pe() == 1 ? "24" : "PE 1");
        world.allocate(64).close();
    }

    @SpmdTest(
            pes = {1, 2, 4},
            heapBytes = 1 << 20)
    @DisplayName("SH-H4 more than the heap is refused on all, and a small block can be had afterwards")
    void exhaustionIsAnException(World world) {
        assertThatThrownBy(() -> world.allocate((1 << 20) + 1))
                .isInstanceOf(SymmetricMemoryException.class)
                .hasMessageContaining("allocate on PE " + world.pe())
                .hasMessageContaining("1048577");
        assertThatThrownBy(() -> world.allocate(Long.MAX_VALUE)).isInstanceOf(SymmetricMemoryException.class);
        try (SymmetricMemory small = world.allocate(64)) {
            assertThat(small.byteSize()).isEqualTo(64);
        }
        SymmetricMemory whole = world.allocate(1 << 20);
        assertThatThrownBy(() -> world.allocate(8)).isInstanceOf(SymmetricMemoryException.class);
        whole.close();
    }

    @SpmdTest(pes = {2, 3, 4, 8})
    @DisplayName("SH-H5 one PE asks for another size: all are told who asked for what, and can go on")
    void namesDifferentSizes(World world) {
        assertThatThrownBy(() -> world.allocate(world.pe() == 1 ? 64 : 128))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("allocate on PE " + world.pe())
                .hasMessageContaining("64 on PEs [1]")
                .hasMessageContaining("128 on PEs [0");
        world.allocate(128).close();
    }

    @EverySize
    @DisplayName("SH-H8 a block that had been used before is zero for every peer at once")
    void reusedBlocksAreZero(World world) {
        int byteSize = 1 << 20;
        SymmetricMemory used = world.allocate(byteSize);
        used.segment().fill((byte) 0xFF);
        used.close();
        try (SymmetricMemory fresh = world.allocate(byteSize)) {
            long[] peers = new long[byteSize / 8];
            int right = (world.pe() + 1) % world.size();
            world.context().get(fresh, 0, MemorySegment.ofArray(peers), 0, byteSize, right);
            assertThat(peers).containsOnly(0);
        }
    }

    @EverySize
    @DisplayName(
            "SH-H9 random blocks come and go: places agree on all PEs, contents stay, and the end is one free block")
    void randomAllocationsAgree(World world) {
        SplittableRandom random = new SplittableRandom(42); // the same everywhere: allocation is collective
        List<SymmetricMemory> blocks = new ArrayList<>();
        List<Byte> contents = new ArrayList<>();
        int right = (world.pe() + 1) % world.size();
        for (int round = 0; round < ROUNDS; round++) {
            if (blocks.isEmpty() || (blocks.size() < 50 && random.nextBoolean())) {
                SymmetricMemory block = world.allocate(random.nextLong(1, 20_000), 8L << random.nextInt(8));
                byte content = (byte) random.nextInt();
                block.segment().fill(content);
                blocks.add(block);
                contents.add(content);
            } else {
                int victim = random.nextInt(blocks.size());
                SymmetricMemory block = blocks.remove(victim);
                byte content = contents.remove(victim);
                world.team().barrier();
                byte[] there = new byte[1];
                world.context().get(block, block.byteSize() - 1, MemorySegment.ofArray(there), 0, 1, right);
                assertThat(there[0]).isEqualTo(content);
                assertThat(block.segment().get(JAVA_BYTE, 0)).isEqualTo(content);
                block.close();
            }
        }
        while (!blocks.isEmpty()) {
            blocks.removeLast().close();
        }
    }

    @EverySize
    @DisplayName("a freed handle throws and names the block; a second close does nothing")
    void freedHandlesThrow(World world) {
        SymmetricMemory memory = world.allocate(64);
        memory.close();
        memory.close();
        assertThatThrownBy(memory::segment).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> world.context().putLong(memory, 0, 1, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("putLong on PE " + world.pe())
                .hasMessageContaining("freed");
        world.team().barrier();
    }

    @EverySize
    @DisplayName("what a world gave out dies with it; a later world of the same PEs starts afresh")
    void handlesDieWithTheirWorld() {
        SymmetricMemory left;
        try (World world = World.join()) {
            left = world.allocate(64);
            left.segment().set(JAVA_LONG, 0, 42);
        }
        assertThatThrownBy(left::segment).isInstanceOf(IllegalStateException.class);
        try (World world = World.join()) {
            assertThatThrownBy(() -> world.context().getLong(left, 0, 0)).isInstanceOf(IllegalStateException.class);
            try (SymmetricMemory fresh = world.allocate(64)) {
                assertThat(Longs.of(fresh)).containsOnly(0);
            }
        }
    }
}
