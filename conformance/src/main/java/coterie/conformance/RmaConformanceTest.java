// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ByteView;
import coterie.Comparison;
import coterie.IntegerView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;

/// Puts and gets of whole ranges and of single elements: what arrives, and what stays as it is.
class RmaConformanceTest {
    private static final int MEBIBYTE = 1 << 20;
    private static final long PLACE = 128;

    @SpmdTest
    @DisplayName("SH-R1 put: ten longs arrive at the barrier")
    void putArrivesAtTheBarrier(World world) {
        try (SymmetricMemory memory = world.allocate(80)) {
            if (world.pe() == 0) {
                memory.longs().put(0, Longs.counting(1, 10), 0, 10, 1);
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
        try (SymmetricMemory memory = world.allocate(80_000);
                SymmetricMemory strided = world.allocate(80_000)) {
            long[] source = new long[10_000];
            Arrays.setAll(source, i -> world.pe() * 100_000L + i);
            MemorySegment segment = MemorySegment.ofArray(source);
            memory.longs().put(0, segment, 0, 10_000, right);
            strided.longs().putStrided(0, 2, segment, 0, 2, 1, 5_000, right);
            strided.longs().putStrided(1, 2, segment, 1, 2, 1, 5_000, right);
            Arrays.fill(source, -1);
            world.team().barrier();
            long[] expected = Longs.counting(left * 100_000L, 10_000).toArray(JAVA_LONG);
            assertThat(Longs.of(memory)).isEqualTo(expected);
            assertThat(Longs.of(strided)).isEqualTo(expected);
        }
    }

    @EverySize
    @DisplayName("a thousand putNbi and getNbi may be under way at once: a quiet completes them all")
    void aThousandAtOnce(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(8_000);
                SymmetricMemory flag = world.allocate(8)) {
            LongView longs = memory.longs();
            MemorySegment source = Longs.counting(1_000L * world.pe(), 1_000);
            for (int i = 0; i < 1_000; i++) {
                longs.putNbi(i, source, i, 1, right);
            }
            world.context().quiet();
            flag.longs().put(0, 1, right);
            flag.longs().waitUntil(0, Comparison.EQ, 1);
            assertThat(Longs.of(memory))
                    .isEqualTo(Longs.counting(1_000L * left, 1_000).toArray(JAVA_LONG));
            long[] got = new long[1_000];
            for (int i = 0; i < 1_000; i++) {
                longs.getNbi(999 - i, MemorySegment.ofArray(got), i, 1, right);
            }
            world.context().quiet();
            for (int i = 0; i < 1_000; i++) {
                assertThat(got[i]).isEqualTo(1_000 * world.pe() + 999 - i);
            }
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName(
            "SH-R14 bytes at odd addresses, 1 to 65 of them, by put, putNbi, get and getNbi: exact, not one beyond")
    void bytesAreExactAndGuardsUntouched(World world) {
        int right = (world.pe() + 1) % world.size();
        // Each length has a place of its own: all are under way at once.
        try (SymmetricMemory memory = world.allocate(66 * PLACE)) {
            ByteView bytes = memory.bytes();
            for (boolean nbi : new boolean[] {false, true}) {
                memory.segment().fill((byte) 0x5A);
                world.team().barrier();
                for (int length = 1; length <= 65; length++) {
                    byte[] source = new byte[length + 3];
                    for (int i = 0; i < source.length; i++) {
                        source[i] = (byte) (length + i);
                    }
                    if (nbi) {
                        bytes.putNbi(oddOffset(length), MemorySegment.ofArray(source), 3, length, right);
                    } else {
                        bytes.put(oddOffset(length), MemorySegment.ofArray(source), 3, length, right);
                    }
                }
                world.team().barrier();
                for (int length = 1; length <= 65; length++) {
                    byte[] found =
                            memory.segment().asSlice(length * PLACE, PLACE).toArray(JAVA_BYTE);
                    assertBytes("put", found, (int) (oddOffset(length) - length * PLACE), length, (byte) 0x5A);
                    byte[] got = new byte[length + 7];
                    Arrays.fill(got, (byte) 0x77);
                    if (nbi) {
                        bytes.getNbi(oddOffset(length), MemorySegment.ofArray(got), 5, length, right);
                        world.context().quiet();
                    } else {
                        bytes.get(oddOffset(length), MemorySegment.ofArray(got), 5, length, right);
                    }
                    assertBytes("get", got, 5, length, (byte) 0x77);
                }
                world.team().barrier();
            }
        }
    }

    private static long oddOffset(int length) {
        return length * PLACE + 1 + 2L * (length % 16);
    }

    private static void assertBytes(String operation, byte[] found, int offset, int length, byte guard) {
        for (int i = 0; i < found.length; i++) {
            byte expected = i < offset || i >= offset + length ? guard : (byte) (length + 3 + i - offset);
            assertThat(found[i]).as("%s of %d, byte %d", operation, length, i).isEqualTo(expected);
        }
    }

    @EverySize
    @DisplayName("SH-R17 put and get of 1 MiB between neighbours")
    void aMebibyte(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory memory = world.allocate(MEBIBYTE)) {
            int longs = MEBIBYTE / Long.BYTES;
            memory.longs().put(0, Longs.counting((long) world.pe() * MEBIBYTE, longs), 0, longs, right);
            world.team().barrier();
            assertThat(memory.segment().mismatch(Longs.counting((long) left * MEBIBYTE, longs)))
                    .isEqualTo(-1);
            MemorySegment got = MemorySegment.ofArray(new long[longs]);
            memory.longs().get(0, got, 0, longs, right);
            assertThat(got.mismatch(Longs.counting((long) world.pe() * MEBIBYTE, longs)))
                    .isEqualTo(-1);
            world.team().barrier();
        }
    }

    @SpmdTest(heapBytes = 3L << 30, timeoutSeconds = 600)
    @Tag("soak")
    @DisplayName("SH-R17 put and get of 2 GiB + 8 bytes: first, last, and those around 2^31")
    void moreThanAnIntCounts(World world) {
        long length = (1L << 31) + 8;
        long[] places = {0, 1, (1L << 31) - 1, 1L << 31, (1L << 31) + 1, length - 1};
        try (SymmetricMemory memory = world.allocate(length + 8)) {
            ByteView bytes = memory.bytes();
            for (int round = 0; round < 2; round++) {
                int source = round;
                if (world.pe() == source) {
                    memory.segment().fill((byte) (3 + round));
                    for (int i = 0; i < places.length; i++) {
                        bytes.set(places[i], 10 * round + i + 100);
                    }
                    bytes.set(length, 0x55);
                }
                world.team().barrier();
                if (world.pe() == 0) {
                    if (round == 0) {
                        bytes.put(0, memory.segment(), 0, length, 1);
                    } else {
                        bytes.get(0, memory.segment(), 0, length, 1);
                    }
                }
                world.team().barrier();
                if (world.pe() != source) {
                    for (int i = 0; i < places.length; i++) {
                        assertThat(bytes.get(places[i]))
                                .as("byte %d", places[i])
                                .isEqualTo(10 * source + i + 100);
                    }
                    assertThat(bytes.get(length / 2 + 77)).isEqualTo(3 + round);
                    assertThat(bytes.get(length)).as("one beyond").isEqualTo(round == 0 ? 0 : 0x55);
                }
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("SH-R18 single integers of every type: each bit pattern comes back as the view's type has it")
    void integersAreExact(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(64)) {
            for (IntegerView signed : List.of(memory.bytes(), memory.shorts(), memory.ints(), memory.longs())) {
                IntegerView unsigned = signed.unsigned();
                int unused = Long.SIZE - 8 * signed.type().byteSize();
                for (long bits : new long[] {0, 1, -1, Long.MAX_VALUE, Long.MIN_VALUE, 0x8182_8384_8586_8788L}) {
                    for (long value : new long[] {bits, bits >> unused, bits >>> unused}) {
                        long asSigned = value << unused >> unused;
                        long asUnsigned = value << unused >>> unused;
                        signed.put(2, value, right);
                        world.context().quiet();
                        assertThat(signed.get(2, right)).isEqualTo(asSigned);
                        assertThat(unsigned.get(2, right)).isEqualTo(asUnsigned);
                        unsigned.put(2, ~value, right);
                        world.context().fence();
                        unsigned.put(2, value, right);
                        world.context().quiet();
                        assertThat(signed.getAcquire(2, right)).isEqualTo(asSigned);
                        assertThat(unsigned.getAcquire(2, right)).isEqualTo(asUnsigned);
                        assertThat(unsigned.unsigned().get(2, right)).isEqualTo(asUnsigned);
                        signed.set(0, value);
                        assertThat(signed.get(0)).isEqualTo(asSigned);
                        assertThat(unsigned.get(0)).isEqualTo(asUnsigned);
                        unsigned.set(0, value);
                        assertThat(signed.get(0)).isEqualTo(asSigned);
                    }
                }
                assertThat(signed.get(1, right)).as("the element below").isZero();
                assertThat(signed.get(3, right)).as("the element above").isZero();
                world.team().barrier();
                memory.segment().fill((byte) 0);
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("a view has the whole elements of its block: what is left behind the last can't be reached")
    void aViewHasWholeElements(World world) {
        try (SymmetricMemory memory = world.allocate(15)) {
            assertThat(memory.bytes().length()).isEqualTo(15);
            assertThat(memory.shorts().unsigned().length()).isEqualTo(7);
            assertThat(memory.ints().length()).isEqualTo(3);
            assertThat(memory.floats().length()).isEqualTo(3);
            assertThat(memory.longs().length()).isEqualTo(1);
            assertThat(memory.doubles().length()).isEqualTo(1);
            assertThat(memory.longs().memory()).isSameAs(memory);
            assertThat(memory.doubles().segment().byteSize()).isEqualTo(15);
            assertThat(memory.floats().context()).isSameAs(world.context());
        }
    }
}
