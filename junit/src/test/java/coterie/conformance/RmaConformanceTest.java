// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.Context;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;

/// One-sided reads and writes, and their order.
class RmaConformanceTest {
    private static final int ROUNDS = Boolean.getBoolean("coterie.soak") ? 10_000_000 : 50_000;

    @SpmdTest
    @DisplayName("SH-R1 put: ten longs arrive at the barrier")
    void putArrivesAtTheBarrier(World world) {
        try (SymmetricMemory memory = world.allocate(80)) {
            if (world.pe() == 0) {
                world.context().put(memory, 0, Longs.counting(1, 10), 0, 80, 1);
            }
            world.team().barrier();
            long[] expected = world.pe() == 1 ? new long[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10} : new long[10];
            assertThat(Longs.of(memory)).isEqualTo(expected);
        }
    }

    @EverySize
    @DisplayName("SH-R8 put: the source may be overwritten at once")
    void sourceIsReusableOnReturn(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(80_000)) {
            long[] source = new long[10_000];
            Arrays.setAll(source, i -> world.pe() * 100_000L + i);
            world.context().put(memory, 0, MemorySegment.ofArray(source), 0, 80_000, right);
            Arrays.fill(source, -1);
            world.team().barrier();
            assertThat(Longs.of(memory))
                    .isEqualTo(Longs.counting(left * 100_000L, 10_000).toArray(JAVA_LONG));
        }
    }

    @SpmdTest
    @DisplayName("SH-R10 put, fence, flag: whoever sees the flag sees the data, in 10,000 rounds")
    void fenceOrdersDataBeforeFlag(World world) {
        Context context = world.context();
        try (SymmetricMemory data = world.allocate(64);
                SymmetricMemory flag = world.allocate(Long.BYTES)) {
            long[] payload = new long[8];
            for (long round = 1; round <= 10_000; round++) {
                if (world.pe() == 0) {
                    Arrays.fill(payload, round);
                    context.put(data, 0, MemorySegment.ofArray(payload), 0, 64, 1);
                    context.fence();
                    context.putLong(flag, 0, round, 1);
                    context.waitUntil(flag, 0, Comparison.EQ, round);
                } else {
                    context.waitUntil(flag, 0, Comparison.EQ, round);
                    for (int i = 0; i < 8; i++) {
                        long seen = Longs.get(data, i);
                        if (seen != round) {
                            throw new AssertionError("round " + round + ", word " + i + ": " + seen);
                        }
                    }
                    context.putLong(flag, 0, round, 0);
                }
            }
        }
    }

    @EverySize
    @DisplayName("SH-R13 all forms towards myself do what they do towards others, overlapping puts included")
    void selfIsLikeAnyOther(World world) {
        Context context = world.context();
        int me = world.pe();
        try (SymmetricMemory memory = world.allocate(128)) {
            context.put(memory, 0, Longs.counting(1, 8), 0, 64, me);
            context.putLong(memory, 64, Long.MIN_VALUE, me);
            context.putInt(memory, 72, -5, me);
            context.putFloat(memory, 76, 1.5f, me);
            context.putDouble(memory, 80, -2.25, me);
            long[] back = new long[8];
            context.get(memory, 0, MemorySegment.ofArray(back), 0, 64, me);

            assertThat(back).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
            assertThat(context.getLong(memory, 64, me)).isEqualTo(Long.MIN_VALUE);
            assertThat(context.getInt(memory, 72, me)).isEqualTo(-5);
            assertThat(context.getFloat(memory, 76, me)).isEqualTo(1.5f);
            assertThat(context.getDouble(memory, 80, me)).isEqualTo(-2.25);
            assertThat(context.fetchAdd(memory, 0, 41, me)).isEqualTo(1);
            assertThat(context.waitUntil(memory, 0, Comparison.GT, 41)).isEqualTo(42);

            context.put(memory, 8, memory.segment(), 0, 56, me);
            assertThat(Longs.of(memory)).startsWith(42, 42, 2, 3, 4, 5, 6, 7);
            context.put(memory, 0, memory.segment(), 8, 56, me);
            assertThat(Longs.of(memory)).startsWith(42, 2, 3, 4, 5, 6, 7, 7);
        }
    }

    @EverySize
    @DisplayName("SH-R14 put and get at odd addresses, 1 to 65 bytes: exact, and not a byte beyond")
    void bytesAreExactAndGuardsUntouched(World world) {
        Context context = world.context();
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(128)) {
            for (int length = 1; length <= 65; length++) {
                int offset = 1 + 2 * (length % 16);
                memory.segment().fill((byte) 0x5A);
                world.team().barrier();
                byte[] source = new byte[length + 3];
                for (int i = 0; i < source.length; i++) {
                    source[i] = (byte) (length + i);
                }
                context.put(memory, offset, MemorySegment.ofArray(source), 3, length, right);
                world.team().barrier();
                for (int i = 0; i < 128; i++) {
                    byte expected = i < offset || i >= offset + length ? 0x5A : (byte) (length + 3 + i - offset);
                    assertThat(memory.segment().get(JAVA_BYTE, i))
                            .as("put %d: byte %d", length, i)
                            .isEqualTo(expected);
                }
                byte[] got = new byte[length + 7];
                Arrays.fill(got, (byte) 0x77);
                context.get(memory, offset, MemorySegment.ofArray(got), 5, length, right);
                for (int i = 0; i < got.length; i++) {
                    byte expected = i < 5 || i >= 5 + length ? 0x77 : (byte) (length + 3 + i - 5);
                    assertThat(got[i]).as("get %d: byte %d", length, i).isEqualTo(expected);
                }
                world.team().barrier();
            }
        }
    }

    /// Every operation that names a PE, on the first long of a block.
    private static Map<String, OnPe> operations(Context context, SymmetricMemory memory) {
        MemorySegment mine = MemorySegment.ofArray(new long[1]);
        return Map.of(
                "put", (offset, pe) -> context.put(memory, offset, mine, 0, 8, pe),
                "get", (offset, pe) -> context.get(memory, offset, mine, 0, 8, pe),
                "putInt", (offset, pe) -> context.putInt(memory, offset, 1, pe),
                "putLong", (offset, pe) -> context.putLong(memory, offset, 1, pe),
                "putFloat", (offset, pe) -> context.putFloat(memory, offset, 1, pe),
                "putDouble", (offset, pe) -> context.putDouble(memory, offset, 1, pe),
                "getInt", (offset, pe) -> context.getInt(memory, offset, pe),
                "getLong", (offset, pe) -> context.getLong(memory, offset, pe),
                "fetchAdd", (offset, pe) -> context.fetchAdd(memory, offset, 1, pe));
    }

    @FunctionalInterface
    private interface OnPe {
        void run(long offset, int pe);
    }

    @EverySize
    @DisplayName("SH-R15 PE -1 or N: every operation refuses with its name, the PE and the range")
    void refusesPesOutsideTheWorld(World world) {
        try (SymmetricMemory memory = world.allocate(64)) {
            operations(world.context(), memory).forEach((name, operation) -> {
                for (int pe : new int[] {-1, world.size(), Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                    assertThatThrownBy(() -> operation.run(0, pe))
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining(name + " on PE " + world.pe())
                            .hasMessageContaining("PE " + pe + " is outside [0, " + world.size() + ")");
                }
            });
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }

    @EverySize
    @DisplayName("SH-R16 a range that leaves the block: every operation refuses with offset, length and block")
    void refusesRangesOutsideTheBlock(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(64)) {
            operations(world.context(), memory).forEach((name, operation) -> {
                for (long offset : new long[] {-8, 64, 1L << 40, Long.MAX_VALUE - 7, Long.MIN_VALUE}) {
                    assertThatThrownBy(() -> operation.run(offset, right))
                            .as("%s at %d", name, offset)
                            .isInstanceOf(IndexOutOfBoundsException.class)
                            .hasMessageContaining(name + " on PE " + world.pe())
                            .hasMessageContaining("offset " + offset)
                            .hasMessageContaining("64");
                }
            });
            MemorySegment mine = MemorySegment.ofArray(new long[2]);
            List<Consumer<Context>> tooLong = List.of(
                    context -> context.put(memory, 0, mine, 0, 72, right),
                    context -> context.put(memory, 0, mine, 8, 16, right),
                    context -> context.put(memory, 0, mine, 0, -1, right),
                    context -> context.put(memory, 0, mine, -8, 8, right),
                    context -> context.put(memory, 8, mine, 0, Long.MAX_VALUE, right),
                    context -> context.get(memory, 56, mine, 0, 16, right),
                    context -> context.get(memory, 0, mine, 16, 8, right));
            for (Consumer<Context> operation : tooLong) {
                assertThatThrownBy(() -> operation.accept(world.context()))
                        .isInstanceOf(IndexOutOfBoundsException.class)
                        .hasMessageContaining("on PE " + world.pe());
            }
            world.team().barrier();
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }

    @EverySize
    @DisplayName("SH-R7 length 0 is a no-op that still checks its arguments")
    void lengthZeroIsANoOp(World world) {
        MemorySegment nothing = MemorySegment.ofArray(new long[0]);
        try (SymmetricMemory memory = world.allocate(8)) {
            world.context().put(memory, 8, nothing, 0, 0, 0);
            world.context().get(memory, 8, nothing, 0, 0, 0);
            assertThatThrownBy(() -> world.context().put(memory, 0, nothing, 0, 0, world.size()))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            world.team().barrier();
            assertThat(Longs.of(memory)).containsExactly(0);
        }
    }

    @EverySize
    @DisplayName("SH-R18 single elements are bit-exact: NaN payloads, -0.0, least and greatest")
    void elementsAreBitExact(World world) {
        Context context = world.context();
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8)) {
            for (long bits : new long[] {0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 0x7FF0_0000_0000_0001L}) {
                world.team().barrier();
                context.putLong(memory, 0, bits, right);
                context.quiet();
                assertThat(context.getLong(memory, 0, right)).isEqualTo(bits);
            }
            for (int bits : new int[] {0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                context.putInt(memory, 4, bits, right);
                context.quiet();
                assertThat(context.getInt(memory, 4, right)).isEqualTo(bits);
            }
            // Quiet NaNs only: loading a signalling one into a register may quieten it on some processors.
            for (int bits : new int[] {0x7FC0_1234, 0xFFC0_0001, 0x8000_0000, 1, 0x7F7F_FFFF}) {
                context.putFloat(memory, 0, Float.intBitsToFloat(bits), right);
                context.quiet();
                assertThat(Float.floatToRawIntBits(context.getFloat(memory, 0, right)))
                        .isEqualTo(bits);
                assertThat(context.getInt(memory, 0, right)).isEqualTo(bits);
            }
            for (long bits : new long[] {0x7FF8_0000_DEAD_BEEFL, 0xFFF8_0000_0000_0001L, Long.MIN_VALUE, 1}) {
                context.putDouble(memory, 0, Double.longBitsToDouble(bits), right);
                context.quiet();
                assertThat(Double.doubleToRawLongBits(context.getDouble(memory, 0, right)))
                        .isEqualTo(bits);
                assertThat(context.getLong(memory, 0, right)).isEqualTo(bits);
            }
            world.team().barrier();
        }
    }

    @SpmdTest(timeoutSeconds = 600)
    @DisplayName("SH-R21 store buffering: put x, quiet, load y against put y, quiet, load x never gives zero twice")
    void quietIsAFullFence(World world) {
        Context context = world.context();
        int other = 1 - world.pe();
        int batch = 1_000;
        // A word per round and PE, a line apart: mine is the one that the other writes.
        try (SymmetricMemory words = world.allocate(batch * 128L);
                SymmetricMemory results = world.allocate(batch * 8L);
                SymmetricMemory start = world.allocate(Long.BYTES)) {
            for (int round = 0; round < ROUNDS; round += batch) {
                words.segment().fill((byte) 0);
                world.team().barrier();
                long[] seen = new long[batch];
                for (int i = 0; i < batch; i++) {
                    // Both set off within the time that a store takes, or there is nothing to see.
                    context.putLong(start, 0, round + i + 1, other);
                    context.waitUntil(start, 0, Comparison.GT, round + i);
                    // Who comes last sets off first: try all small differences.
                    for (int delay = i % (world.pe() == 0 ? 5 : 7); delay > 0; delay--) {
                        Thread.onSpinWait();
                    }
                    context.putLong(words, i * 128L, 1, other);
                    context.quiet();
                    seen[i] = context.getLong(words, i * 128L, world.pe());
                }
                context.put(results, 0, MemorySegment.ofArray(seen), 0, batch * 8L, other);
                world.team().barrier();
                for (int i = 0; i < batch; i++) {
                    assertThat(seen[i] + Longs.get(results, i))
                            .as("round %d", round + i)
                            .isPositive();
                }
                world.team().barrier();
            }
        }
    }
}
