// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Context;
import coterie.ElementView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.conformance.Operations.Operation;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// What every operation refuses, by which words, and that it has changed nothing then.
class RefusalConformanceTest {
    private static final long BYTES = 64;
    private static final List<Operation> NONE = List.of();
    private static final int STRIDED_BYTES = 1024;

    @EverySize
    @DisplayName("every operation accepts the first element of every PE: what others refuse is not refused by mistake")
    void acceptsWhatIsRight(World world) {
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (int turn = 0; turn < world.size(); turn++) {
                for (Operation operation : turn == world.pe() ? Operations.on(memory, world.context()) : NONE) {
                    for (int pe = 0; pe < world.size(); pe++) {
                        operation.runAt(pe);
                        world.context().quiet();
                    }
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-R15 PE -1 or N: every operation refuses with its name, the PE and the range, and has done nothing")
    void refusesPesOutsideTheTeam(World world) {
        try (SymmetricMemory memory = world.allocate(BYTES);
                Context ofTeam = world.team().createContext()) {
            for (Context context : List.of(world.context(), ofTeam)) {
                for (Operation operation : Operations.on(memory, context)) {
                    for (int pe : new int[] {-1, world.size(), Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                        if (operation.namesPe()) {
                            assertThatThrownBy(() -> operation.runAt(pe))
                                    .as("%s, PE %d", operation, pe)
                                    .isInstanceOf(IndexOutOfBoundsException.class)
                                    .hasMessageContaining(operation.name() + " on PE " + world.pe())
                                    .hasMessageContaining("PE " + pe + " is outside [0, " + world.size() + ")");
                        }
                    }
                }
            }
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName("SH-R16 indices outside of the block: every operation refuses with index, length and what is allowed")
    void refusesIndicesOutsideTheBlock(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (Operation operation : Operations.on(memory, world.context())) {
                long length = operation.elements().length();
                for (long index : new long[] {-1, length, 1L << 40, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    if (operation.hasIndex()) {
                        assertThatThrownBy(() -> operation.call().run(index, 1, 0, right))
                                .as("%s at %d", operation, index)
                                .isInstanceOf(IndexOutOfBoundsException.class)
                                .hasMessageContaining(operation.name() + " on PE " + world.pe())
                                .hasMessageContaining("element " + index + " is outside the " + length + " of type ")
                                .hasMessageContaining(BYTES + " bytes")
                                .hasMessageContaining("allowed are indices in [0, " + (length - 1) + "]");
                    }
                }
            }
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName(
            "SH-R16 ranges that leave the block: every bulk operation refuses with index, count and what is allowed")
    void refusesRangesThatLeaveTheBlock(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (Operation operation : Operations.on(memory, world.context())) {
                if (operation.kind() == Operations.Kind.BULK) {
                    long length = operation.elements().length();
                    refuses(world, operation, 0, length + 1, right, "counts in [0, " + length + "]");
                    refuses(world, operation, length - 1, 2, right, "indices in [0, " + (length - 2) + "]");
                    refuses(world, operation, length + 1, 0, right, "indices in [0, " + length + "]");
                    refuses(world, operation, 0, -1, right, "counts in [0, " + length + "]");
                    refuses(world, operation, 0, Long.MAX_VALUE, right, "counts in [0, " + length + "]");
                    refuses(world, operation, Long.MAX_VALUE, 2, right, "indices in [0, " + (length - 2) + "]");
                }
            }
            assertUntouched(world, memory);
        }
    }

    private static void refuses(World world, Operation operation, long index, long count, int pe, String allowed) {
        assertThatThrownBy(() -> operation.call().run(index, count, 0, pe))
                .as("%s at %d, %d", operation, index, count)
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessageContaining(operation.name() + " on PE " + world.pe())
                .hasMessageContaining(count + " elements from index " + index + " are outside the ")
                .hasMessageContaining(BYTES + " bytes")
                .hasMessageContaining("allowed are " + allowed);
    }

    @EverySize
    @DisplayName("SH-R16 ranges that leave the memory on my side are refused with index, count and its size")
    void refusesRangesThatLeaveMySide(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (Operation operation : Operations.on(memory, world.context())) {
                long length = operation.localLength();
                for (long local : new long[] {-1, length, Long.MAX_VALUE, Long.MIN_VALUE}) {
                    if (operation.hasLocalSide()) {
                        assertThatThrownBy(() -> operation.call().run(0, 1, local, right))
                                .as("%s, mine at %d", operation, local)
                                .isInstanceOf(IndexOutOfBoundsException.class)
                                .hasMessageContaining(operation.name() + " on PE " + world.pe())
                                .hasMessageContaining("1 elements from index " + local + " are outside the ")
                                .hasMessageMatching(".* (segment|array) of " + Operations.LOCAL_BYTES + " bytes.*")
                                .hasMessageContaining("which has room for " + length + " of type ");
                    }
                }
            }
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName("SH-R7 count 0: every bulk operation does nothing, at the very end too, but checks its arguments")
    void countZeroIsANoOp(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(BYTES)) {
            for (Operation operation : Operations.on(memory, world.context())) {
                if (operation.kind() == Operations.Kind.BULK) {
                    long end = operation.elements().length();
                    if (!operation.name().startsWith("putSignal")) {
                        operation.call().run(0, 0, 0, right);
                        operation.call().run(end, 0, operation.localLength(), right);
                    }
                    assertThatThrownBy(() -> operation.call().run(end, 0, 0, world.size()))
                            .as("%s", operation)
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("PE " + world.size() + " is outside");
                    assertThatThrownBy(() -> operation.call().run(0, 0, operation.localLength() + 1, right))
                            .as("%s", operation)
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("0 elements from index " + (operation.localLength() + 1));
                }
            }
            assertUntouched(world, memory);
        }
    }

    @EverySize
    @DisplayName("SH-R6 strides shorter than the block, 0 or negative, and blocks shorter than 1 are refused with both")
    void refusesStridesAndLengths(World world) {
        int right = (world.pe() + 1) % world.size();
        MemorySegment mine = MemorySegment.ofArray(new long[STRIDED_BYTES / Long.BYTES]);
        try (SymmetricMemory memory = world.allocate(STRIDED_BYTES);
                Context context = world.team().createContext()) {
            for (ElementView view : Views.of(memory)) {
                long[][] refused = {
                    {0, 1, 1}, {1, 0, 1}, {-1, 1, 1}, {1, -3, 1}, {2, 4, 3}, {4, 2, 3}, {3, 3, Long.MAX_VALUE}
                };
                for (long[] it : refused) {
                    refusesStrides(
                            world,
                            "putStrided",
                            "strides are " + it[0] + " (symmetric memory) and " + it[1] + " (segment)",
                            it[2],
                            () -> view.putStrided(0, it[0], mine, 0, it[1], it[2], 2, right));
                    refusesStrides(
                            world,
                            "getStrided",
                            "strides are " + it[0] + " (symmetric memory) and " + it[1] + " (segment)",
                            it[2],
                            () -> view.through(context).getStrided(0, it[0], mine, 0, it[1], it[2], 2, right));
                }
                for (long blockLength : new long[] {0, -1, Long.MIN_VALUE}) {
                    refusesStrides(
                            world,
                            "putStrided",
                            "block length " + blockLength,
                            1,
                            () -> view.putStrided(0, 1, mine, 0, 1, blockLength, 0, right));
                    refusesStrides(
                            world,
                            "getStrided",
                            "block length " + blockLength,
                            1,
                            () -> view.getStrided(0, 1, mine, 0, 1, blockLength, 0, right));
                }
            }
            world.team().barrier();
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }

    private static void refusesStrides(World world, String operation, String values, long least, Runnable call) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(operation + " on PE " + world.pe())
                .hasMessageContaining(values + "; allowed are " + least);
    }

    @EverySize
    @DisplayName("SH-R16 rows that leave the block, or are longer than any memory, are refused, whatever overflows")
    void refusesRowsThatLeaveTheBlock(World world) {
        int right = (world.pe() + 1) % world.size();
        MemorySegment mine = MemorySegment.ofArray(new long[STRIDED_BYTES / Long.BYTES]);
        try (SymmetricMemory memory = world.allocate(STRIDED_BYTES)) {
            for (ElementView view : Views.of(memory)) {
                long length = view.length();
                long[][] refused = {
                    {length / 2, 1, 3},
                    {length, 1, 2},
                    {1, 1, Long.MAX_VALUE},
                    {Long.MAX_VALUE, 1, 2},
                    {Long.MAX_VALUE, Long.MAX_VALUE, 1},
                    {Long.MAX_VALUE, Long.MAX_VALUE, Long.MAX_VALUE},
                    {1L << 61, 1, 9},
                    {1L << 32, 1, 1L << 32},
                    {1, 1, -1}
                };
                for (long[] it : refused) {
                    assertThatThrownBy(() -> view.putStrided(0, it[0], mine, 0, it[0], it[1], it[2], right))
                            .as("%s, %s", view.type(), Arrays.toString(it))
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("putStrided on PE " + world.pe());
                    assertThatThrownBy(() -> view.getStrided(0, it[1], mine, 0, it[0], it[1], it[2], right))
                            .as("%s, mine, %s", view.type(), Arrays.toString(it))
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining("getStrided on PE " + world.pe());
                }
                // One block needs no room for its stride.
                view.putStrided(length - 1, Long.MAX_VALUE, mine, 0, Long.MAX_VALUE, 1, 1, right);
                world.context().fence();
                view.getStrided(length, Long.MAX_VALUE, mine, 0, Long.MAX_VALUE, Long.MAX_VALUE, 0, right);
            }
            world.team().barrier();
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }

    @EverySize
    @DisplayName(
            "SH-A12 indices can't be misaligned; a signal's or a lock's index is refused where it leaves the block")
    void refusesWordsOutsideTheBlock(World world) {
        String me = " on PE " + world.pe() + ": ";
        try (SymmetricMemory memory = world.allocate(64)) {
            for (long index : new long[] {-1, 8, 57, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> memory.signal(index))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("signal" + me + "64-bit word " + index + " is outside ")
                        .hasMessageContaining("indices in [0, 7]");
            }
            assertThatThrownBy(() -> memory.lock(8))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("lock" + me + "64-bit word 8 is outside ")
                    .hasMessageContaining("indices in [0, 7]");
        }
        try (SymmetricMemory odd = world.allocate(15)) {
            assertThat(odd.signal(0).index()).isZero();
            assertThatThrownBy(() -> odd.signal(1)).isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> odd.lock(1)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        try (SymmetricMemory small = world.allocate(7)) {
            assertThatThrownBy(() -> small.lock(0)).hasMessageContaining("the block is too small");
        }
    }

    /// Checks that no PE has written to this PE's part of the memory.
    static void assertUntouched(World world, SymmetricMemory memory) {
        world.team().barrier();
        assertThat(memory.segment().toArray(JAVA_BYTE)).containsOnly(0);
        world.team().barrier();
    }
}
