// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.Context;
import coterie.ElementView;
import coterie.LongView;
import coterie.SignalWord;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// What a copy may have at the caller's side besides a segment: an array, another view, the bits of an element.
class LocalSideConformanceTest {
    private static final int COUNT = 100;

    @EverySize
    @DisplayName("put and get of arrays of every type move the elements of the range, and no others")
    void arrays(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate((COUNT + 2) * 8L)) {
            long[] longs = LongStream.range(-50, 50).toArray();
            int[] ints = new int[COUNT];
            short[] shorts = new short[COUNT];
            byte[] bytes = new byte[COUNT];
            float[] floats = new float[COUNT];
            double[] doubles = new double[COUNT];
            for (int i = 0; i < COUNT; i++) {
                ints[i] = (int) longs[i] << 20;
                shorts[i] = (short) (longs[i] << 9);
                bytes[i] = (byte) longs[i];
                floats[i] = longs[i] / 4f;
                doubles[i] = longs[i] / 8.0;
            }
            long[] ofLongs = new long[COUNT];
            memory.longs().put(1, longs, 2, COUNT - 3, right);
            world.context().quiet();
            memory.longs().get(1, ofLongs, 2, COUNT - 3, right);
            assertThat(ofLongs).startsWith(0, 0, -48, -47).endsWith(47, 48, 0);
            world.team().barrier();
            int[] ofInts = new int[COUNT];
            memory.ints().put(1, ints, 0, COUNT, right);
            world.context().quiet();
            memory.ints().unsigned().get(1, ofInts, 0, COUNT, right);
            assertThat(ofInts).isEqualTo(ints);
            world.team().barrier();
            short[] ofShorts = new short[COUNT];
            memory.shorts().put(3, shorts, 0, COUNT, right);
            world.context().quiet();
            memory.shorts().get(3, ofShorts, 0, COUNT, right);
            assertThat(ofShorts).isEqualTo(shorts);
            world.team().barrier();
            byte[] ofBytes = new byte[COUNT];
            memory.bytes().put(5, bytes, 0, COUNT, right);
            world.context().quiet();
            memory.bytes().get(5, ofBytes, 0, COUNT, right);
            assertThat(ofBytes).isEqualTo(bytes);
            world.team().barrier();
            float[] ofFloats = new float[COUNT];
            memory.floats().put(1, floats, 0, COUNT, right);
            world.context().quiet();
            memory.floats().get(1, ofFloats, 0, COUNT, right);
            assertThat(ofFloats).isEqualTo(floats);
            world.team().barrier();
            double[] ofDoubles = new double[COUNT];
            memory.doubles().put(2, doubles, 0, COUNT, right);
            world.context().quiet();
            memory.doubles().get(2, ofDoubles, 0, COUNT, right);
            assertThat(ofDoubles).isEqualTo(doubles);
        }
    }

    @EverySize
    @DisplayName("putFrom copies the caller's elements to a PE, and getInto a PE's elements to the caller")
    void betweenViews(World world) {
        int right = (world.pe() + 1) % world.size();
        int left = (world.pe() + world.size() - 1) % world.size();
        try (SymmetricMemory block = world.allocate(8 * 64);
                SymmetricMemory other = world.allocate(8 * 64);
                Context context = world.team().createContext()) {
            LongView mine = block.longs();
            LongView theirs = other.longs().through(context);
            for (int i = 0; i < 64; i++) {
                mine.set(i, 1000L * world.pe() + i);
            }
            theirs.putFrom(3, mine, 10, 5, right);
            context.quiet();
            world.team().barrier();
            assertThat(Longs.of(other)).startsWith(0, 0, 0, 1000L * left + 10).contains(1000L * left + 14);
            assertThat(theirs.get(8)).isZero();
            mine.getInto(20, theirs, 30, 2, right);
            assertThat(theirs.get(30)).isEqualTo(1000L * right + 20);
            assertThat(theirs.get(31)).isEqualTo(1000L * right + 21);
            world.team().barrier();
            mine.putFrom(1, mine, 0, 63, world.pe());
            world.context().quiet();
            assertThat(mine.get(63)).as("overlapping").isEqualTo(1000L * world.pe() + 62);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("a copy between views checks both sides: type, world, range and life, and names the side")
    void refusesWrongViews(World world) {
        String me = " on PE " + world.pe() + ": ";
        SymmetricMemory freed = world.allocate(64);
        LongView dead = freed.longs();
        freed.close();
        try (SymmetricMemory block = world.allocate(64)) {
            LongView longs = block.longs();
            assertThatThrownBy(() -> longs.putFrom(0, block.doubles(), 0, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("putFrom" + me + "the source, 8 elements of type DOUBLE in symmetric memory");
            assertThatThrownBy(() -> longs.getInto(0, block.ints(), 0, 1, 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("getInto" + me + "the target, 16 elements of type INT in symmetric memory");
            assertThatThrownBy(() -> longs.putFrom(0, dead, 0, 1, 0))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("putFrom" + me + "the source, symmetric memory")
                    .hasMessageEndingWith("was freed");
            assertThatThrownBy(() -> longs.getInto(0, longs, 7, 2, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("getInto" + me + "2 elements from index 7 are outside the 8 of type LONG of"
                            + " the target");
            assertThatThrownBy(() -> longs.putFrom(7, longs, 0, 2, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class)
                    .hasMessageContaining("allowed are indices in [0, 6]");
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("getBits and setBits are the bits of an element of any type, without a sign")
    void bits(World world) {
        try (SymmetricMemory block = world.allocate(64)) {
            for (ElementView view : Views.of(block)) {
                long all = -1L >>> (64 - 8 * view.type().byteSize());
                view.setBits(1, -1);
                assertThat(view.getBits(1)).as("%s", view.type()).isEqualTo(all);
                assertThat(view.getBits(0)).isZero();
                assertThat(view.getBits(2)).isZero();
                view.setBits(1, 0);
            }
            block.floats().set(3, -2.5f);
            assertThat(block.floats().getBits(3)).isEqualTo(Integer.toUnsignedLong(Float.floatToRawIntBits(-2.5f)));
            block.doubles().setBits(2, Double.doubleToRawLongBits(-0.0));
            assertThat(Double.doubleToRawLongBits(block.doubles().get(2))).isEqualTo(Long.MIN_VALUE);
        }
    }

    @EverySize
    @DisplayName("a PE sets its own signal word back, and uses it for the next round")
    void signalsAreSetBack(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory block = world.allocate(64)) {
            SignalWord arrived = block.signal(1);
            for (int round = 0; round < 5; round++) {
                arrived.add(3, right);
                assertThat(arrived.waitUntil(Comparison.NE, 0)).isEqualTo(3);
                arrived.set(0);
                assertThat(arrived.fetch()).isZero();
                world.team().barrier();
            }
        }
    }

    @EverySize
    @DisplayName("copies of count 0 do nothing before the first allocation too, in every form")
    void countZeroBeforeAnyHeap(World world) {
        SymmetricMemory empty = world.allocate(0);
        MemorySegment side = MemorySegment.ofArray(new long[1]);
        for (ElementView view : List.of(empty.longs(), empty.bytes(), empty.doubles())) {
            for (int pe = 0; pe < world.size(); pe++) {
                view.put(0, side, 0, 0, pe);
                view.putNbi(0, side, 0, 0, pe);
                view.get(0, side, 0, 0, pe);
                view.getNbi(0, side, 0, 0, pe);
                view.putFrom(0, view, 0, 0, pe);
                view.getInto(0, view, 0, 0, pe);
                view.putStrided(0, 1, side, 0, 1, 1, 0, pe);
                view.getStrided(0, 1, side, 0, 1, 1, 0, pe);
            }
        }
        empty.longs().put(0, new long[0], 0, 0, 0);
        empty.longs().get(0, new long[0], 0, 0, 0);
        world.context().quiet();
        world.team().barrier();
    }
}
