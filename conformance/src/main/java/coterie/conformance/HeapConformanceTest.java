// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AllocationHint;
import coterie.CollectiveMismatchException;
import coterie.HeapStatistics;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/// Allocating and freeing symmetric memory.
class HeapConformanceTest {

    @SpmdTest(pes = {2, 4})
    @DisplayName("SH-H1 size 0: one PE alone gets an empty handle and frees it, at once")
    void sizeZeroDoesNotMeet(World world) {
        if (world.pe() == 0) {
            SymmetricMemory empty = world.allocate(0);
            assertThat(empty.byteSize()).isZero();
            empty.close();
            empty.close();
            world.allocate(0).reallocate(0).close();
        }
        world.team().barrier();
    }

    @EverySize
    @DisplayName(
            "SH-H3 alignments of 1 byte to 4 MiB hold on every PE, at addresses of 8 at least; others are refused on"
                    + " all")
    void alignmentsHold(World world) {
        for (long alignment = 1; alignment <= 4 << 20; alignment *= 2) {
            SymmetricMemory odd = world.allocate(24, 8);
            try (SymmetricMemory memory = world.allocate(24, alignment)) {
                assertThat(memory.segment().address() % Math.max(alignment, 8)).isZero();
            }
            odd.close();
        }
        for (long alignment : new long[] {24, 3, 0, -8, 1L << 31}) {
            assertThatThrownBy(() -> world.allocate(64, alignment))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("allocate on PE " + world.pe())
                    .hasMessageContaining("alignment " + alignment);
        }
        assertThatThrownBy(() -> world.allocate(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> world.allocate(0, 24)).isInstanceOf(IllegalArgumentException.class);
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
    @DisplayName("SH-H5 one PE asks for another size: every PE gets an error with PEs and sizes, and can continue")
    void namesDifferentSizes(World world) {
        assertThatThrownBy(() -> world.allocate(world.pe() == 1 ? 64 : 128))
                .isInstanceOf(CollectiveMismatchException.class)
                .hasMessageContaining("allocate on PE " + world.pe())
                .hasMessageContaining("64 on PEs [1]")
                .hasMessageContaining("128 on PEs [0");
        world.allocate(128).close();
    }

    @EverySize
    @DisplayName("SH-H6 hints are taken, and need not be the same on all PEs")
    void hintsAreOnlyHints(World world) {
        AllocationHint[] hints = AllocationHint.values();
        try (SymmetricMemory same = world.allocate(64, 128, hints);
                SymmetricMemory different = world.allocate(64, 128, hints[world.pe() % hints.length])) {
            assertThat(Longs.of(same)).containsOnly(0);
            assertThat(Longs.of(different)).containsOnly(0);
        }
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
            fresh.bytes().get(0, MemorySegment.ofArray(peers), 0, byteSize, right);
            assertThat(peers).containsOnly(0);
        }
    }

    @SpmdTest(
            pes = {1, 2, 3, 4, 8},
            timeoutSeconds = 300)
    @DisplayName("SH-H9 random blocks are allocated, resized, freed: offsets agree on all PEs, contents stay, one free"
            + " block")
    void randomAllocationsAgree(World world) {
        SplittableRandom random = new SplittableRandom(42); // the same everywhere: allocation is collective
        SymmetricMemory bottom = world.allocate(8);
        List<SymmetricMemory> blocks = new ArrayList<>();
        List<Byte> contents = new ArrayList<>();
        int right = (world.pe() + 1) % world.size();
        long places = 0;
        int rounds = Rounds.of(500, 10_000);
        for (int round = 0; round < rounds; round++) {
            int choice = blocks.isEmpty() ? 0 : random.nextInt(blocks.size() < 50 ? 0 : 2, 4);
            int victim = blocks.isEmpty() ? 0 : random.nextInt(blocks.size());
            byte content = (byte) random.nextInt();
            SymmetricMemory block;
            switch (choice) {
                case 0, 1 -> {
                    block = world.allocate(random.nextLong(1, 20_000), 8L << random.nextInt(8));
                    blocks.add(block);
                    contents.add(content);
                }
                case 2 -> {
                    SymmetricMemory before = blocks.get(victim);
                    block = before.reallocate(random.nextLong(1, 20_000));
                    assertHolds(block, 0, Math.min(before.byteSize(), block.byteSize()), contents.get(victim));
                    assertHolds(block, before.byteSize(), block.byteSize(), (byte) 0);
                    blocks.set(victim, block);
                    contents.set(victim, content);
                }
                default -> {
                    block = blocks.remove(victim);
                    byte expected = contents.remove(victim);
                    world.team().barrier();
                    byte[] there = new byte[1];
                    block.bytes().get(block.byteSize() - 1, MemorySegment.ofArray(there), 0, 1, right);
                    assertThat(there[0]).isEqualTo(expected);
                    assertHolds(block, 0, block.byteSize(), expected);
                    block.close();
                    continue;
                }
            }
            block.segment().fill(content);
            places = 31 * places + block.segment().address() - bottom.segment().address();
        }
        assertThat(world.team().sum(places)).as("places of all PEs").isEqualTo(places * world.size());
        while (!blocks.isEmpty()) {
            blocks.removeLast().free();
        }
        bottom.free();
        HeapStatistics end = world.heapStatistics();
        assertThat(end.usedBytes()).isZero();
        assertThat(end.blocks()).isZero();
        assertThat(end.largestFreeBytes()).isEqualTo(end.byteSize());
    }

    /// Bytes `[start, end)` of my own part, none where `start` is not before `end`.
    private static void assertHolds(SymmetricMemory block, long start, long end, byte content) {
        if (start < end) {
            byte[] expected = new byte[(int) (end - start)];
            Arrays.fill(expected, content);
            assertThat(block.segment().asSlice(start, end - start).mismatch(MemorySegment.ofArray(expected)))
                    .as("first byte of %s from %d on that is not %d", block, start, content)
                    .isEqualTo(-1);
        }
    }

    @SpmdTest(
            pes = {1, 2},
            heapBytes = 3L << 30,
            timeoutSeconds = 300)
    @Tag("soak")
    @DisplayName("SH-H9 a block of more than 2 GiB has all its bytes, and keeps them when it shrinks")
    void blocksMayBeLongerThanAnInt(World world) {
        long byteSize = (2L << 30) + (64 << 10);
        long[] offsets = {0, (2L << 30) - 1, 2L << 30, (2L << 30) + 1, byteSize - 1};
        SymmetricMemory block = world.allocate(byteSize);
        int right = (world.pe() + 1) % world.size();
        for (int i = 0; i < offsets.length; i++) {
            assertThat(block.segment().get(JAVA_BYTE, offsets[i])).isZero();
            block.segment().set(JAVA_BYTE, offsets[i], (byte) (10 * world.pe() + i));
        }
        world.team().barrier();
        byte[] there = new byte[1];
        for (int i = 0; i < offsets.length; i++) {
            block.bytes().get(offsets[i], MemorySegment.ofArray(there), 0, 1, right);
            assertThat(there[0]).isEqualTo((byte) (10 * right + i));
        }
        SymmetricMemory shorter = block.reallocate(byteSize - 1);
        assertThat(shorter.segment().get(JAVA_BYTE, 1L << 31)).isEqualTo((byte) (10 * world.pe() + 2));
        SymmetricMemory longer = shorter.reallocate(byteSize);
        assertThat(longer.segment().get(JAVA_BYTE, byteSize - 1)).isZero();
        longer.close();
    }

    @SpmdTest(
            pes = {1, 3},
            heapBytes = (1 << 20) + 100)
    @DisplayName("statistics count what is in blocks, before the first one too, and each PE asks alone")
    void statisticsCount(World world) {
        HeapStatistics before = world.heapStatistics();
        assertThat(before.byteSize()).isEqualTo(1 << 20);
        assertThat(before.usedBytes()).isZero();
        assertThat(before.blocks()).isZero();
        assertThat(before.largestFreeBytes()).isEqualTo(1 << 20);
        SymmetricMemory first = world.allocate(1000);
        SymmetricMemory second = world.allocate(1);
        assertThatThrownBy(() -> world.allocate(2 << 20)).isInstanceOf(SymmetricMemoryException.class);
        first.close();
        if (world.pe() == 0) {
            assertThat(world.heapStatistics())
                    .isEqualTo(new HeapStatistics(1 << 20, 128, 1024 + 128, 1, (1 << 20) - 1024 - 128));
        }
        second.close();
    }

    @EverySize
    @DisplayName("a freed handle throws and names the block; a second close does nothing")
    void freedHandlesThrow(World world) {
        SymmetricMemory memory = world.allocate(64);
        memory.close();
        memory.close();
        assertThatThrownBy(memory::segment).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> memory.longs().put(0, 1, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("put on PE " + world.pe())
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
            assertThatThrownBy(() -> left.longs().get(0, 0)).isInstanceOf(IllegalStateException.class);
            try (SymmetricMemory fresh = world.allocate(64)) {
                assertThat(Longs.of(fresh)).containsOnly(0);
            }
        }
    }
}
