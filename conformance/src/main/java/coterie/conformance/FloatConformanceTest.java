// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.AtomicOperation;
import coterie.DoubleView;
import coterie.FloatView;
import coterie.IntView;
import coterie.LongView;
import coterie.SymmetricMemory;
import coterie.World;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.DisplayName;

/// Floating-point elements: bit for bit, and sums.
class FloatConformanceTest {

    /// Quiet NaNs with payloads, zeros, subnormal, greatest, infinite: what a variable carries everywhere.
    private static final List<Integer> FLOATS =
            List.of(0x7FC0_1234, 0xFFC0_0001, 0x8000_0000, 0, 1, 0x7F7F_FFFF, 0xFF80_0000, 0x3FC0_0000);

    private static final List<Long> DOUBLES = List.of(
            0x7FF8_0000_DEAD_BEEFL,
            0xFFF8_0000_0000_0001L,
            Long.MIN_VALUE,
            0L,
            1L,
            0x7FEF_FFFF_FFFF_FFFFL,
            0xFFF0_0000_0000_0000L,
            0x3FF8_0000_0000_0000L);

    @EverySize
    @DisplayName("SH-R18 SH-A7 floats: put, get, set, swap, fetch and nbi forms keep every bit, NaN payloads included")
    void floatsAreExact(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(64)) {
            FloatView floats = memory.floats();
            IntView bits = memory.ints();
            float[] old = new float[2];
            for (int pattern : FLOATS) {
                float value = Float.intBitsToFloat(pattern);
                floats.put(3, value, right);
                world.context().quiet();
                assertThat(bits.get(3, right)).isEqualTo(pattern);
                assertBits(floats.get(3, right), pattern);
                assertBits(floats.getAndSet(3, 2.5f, right), pattern);
                floats.setRelease(3, value, right);
                world.context().quiet();
                assertBits(floats.getAcquire(3, right), pattern);
                floats.fetchNbi(AtomicOperation.FETCH, 3, 0, MemorySegment.ofArray(old), 1, right);
                world.context().quiet();
                assertBits(old[1], pattern);
                floats.fetchNbi(AtomicOperation.SWAP, 3, -7, MemorySegment.ofArray(old), 0, right);
                world.context().quiet();
                assertBits(old[0], pattern);
                assertThat(floats.get(3, right)).isEqualTo(-7);
                floats.set(0, value);
                assertBits(floats.get(0), pattern);
                assertThat(bits.get(0)).isEqualTo(pattern);
            }
            assertThat(bits.get(2, right)).as("the element below").isZero();
            assertThat(bits.get(4, right)).as("the element above").isZero();
            world.team().barrier();
        }
    }

    private static void assertBits(float found, int expected) {
        assertThat(Float.floatToRawIntBits(found)).isEqualTo(expected);
    }

    @EverySize
    @DisplayName("SH-R18 SH-A7 doubles: put, get, set, swap, fetch and nbi forms keep every bit, NaN payloads included")
    void doublesAreExact(World world) {
        int right = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(64)) {
            DoubleView doubles = memory.doubles();
            LongView bits = memory.longs();
            double[] old = new double[2];
            for (long pattern : DOUBLES) {
                double value = Double.longBitsToDouble(pattern);
                doubles.put(3, value, right);
                world.context().quiet();
                assertThat(bits.get(3, right)).isEqualTo(pattern);
                assertBits(doubles.get(3, right), pattern);
                assertBits(doubles.getAndSet(3, 2.5, right), pattern);
                doubles.setRelease(3, value, right);
                world.context().quiet();
                assertBits(doubles.getAcquire(3, right), pattern);
                doubles.fetchNbi(AtomicOperation.FETCH, 3, 0, MemorySegment.ofArray(old), 1, right);
                world.context().quiet();
                assertBits(old[1], pattern);
                doubles.fetchNbi(AtomicOperation.SWAP, 3, -7, MemorySegment.ofArray(old), 0, right);
                world.context().quiet();
                assertBits(old[0], pattern);
                assertThat(doubles.get(3, right)).isEqualTo(-7);
                doubles.set(0, value);
                assertBits(doubles.get(0), pattern);
                assertThat(bits.get(0)).isEqualTo(pattern);
            }
            assertThat(bits.get(2, right)).as("the element below").isZero();
            assertThat(bits.get(4, right)).as("the element above").isZero();
            world.team().barrier();
        }
    }

    private static void assertBits(double found, long expected) {
        assertThat(Double.doubleToRawLongBits(found)).isEqualTo(expected);
    }

    @EverySize
    @DisplayName("SH-A7 signalling NaNs keep their bits by integer views, and by every form that needs no variable")
    void signallingNansAreExact(World world) {
        int right = (world.pe() + 1) % world.size();
        int single = 0x7FA0_5A5A;
        long twice = 0xFFF4_0000_1234_5678L;
        try (SymmetricMemory memory = world.allocate(64)) {
            int[] old = new int[1];
            assertThat(memory.ints().getAndSet(0, single, right)).isZero();
            assertThat(memory.ints().getAcquire(0, right)).isEqualTo(single);
            memory.floats().fetchNbi(AtomicOperation.FETCH, 0, 0, MemorySegment.ofArray(old), 0, right);
            world.context().quiet();
            assertThat(old).containsExactly(single);
            memory.floats().put(1, MemorySegment.ofArray(new int[] {single}), 0, 1, right);
            memory.floats().putStrided(4, 2, MemorySegment.ofArray(old), 0, 1, 1, 1, right);
            world.context().quiet();
            memory.floats().get(1, MemorySegment.ofArray(old), 0, 1, right);
            assertThat(old).containsExactly(single);
            assertThat(memory.ints().compareAndExchange(4, single, 1, right)).isEqualTo(single);

            long[] before = new long[1];
            memory.longs().setRelease(1, twice, right);
            world.context().quiet();
            assertThat(memory.longs().getAcquire(1, right)).isEqualTo(twice);
            memory.doubles().fetchNbi(AtomicOperation.SWAP, 1, 1.5, MemorySegment.ofArray(before), 0, right);
            world.context().quiet();
            assertThat(before).containsExactly(twice);
            assertThat(memory.doubles().get(1, right)).isEqualTo(1.5);
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("floats and doubles that all PEs add to, by every form: whole numbers sum up exactly")
    void sumsAreExact(World world) {
        int adds = Rounds.of(1_000);
        try (SymmetricMemory memory = world.allocate(64)) {
            FloatView floats = memory.floats();
            DoubleView doubles = memory.doubles();
            float[] someFloat = new float[1];
            double[] someDouble = new double[1];
            for (int i = 0; i < adds; i++) {
                floats.add(1, 1, 0);
                float floatBefore = floats.getAndAdd(1, 2, 0);
                assertThat(floatBefore).isBetween(7f * i + 1, 8f * adds * world.size());
                floats.fetchNbi(AtomicOperation.ADD, 1, 4, MemorySegment.ofArray(someFloat), 0, 0);
                doubles.add(2, 1, 0);
                double doubleBefore = doubles.getAndAdd(2, 2, 0);
                assertThat(doubleBefore).isBetween(7.0 * i + 1, 8.0 * adds * world.size());
                doubles.fetchNbi(AtomicOperation.ADD, 2, 4, MemorySegment.ofArray(someDouble), 0, 0);
                world.context().quiet();
                assertThat(someFloat[0]).isGreaterThan(floatBefore);
                assertThat(someDouble[0]).isGreaterThan(doubleBefore);
            }
            world.team().barrier();
            if (world.pe() == 0) {
                assertThat(floats.get(1)).isEqualTo(7f * adds * world.size());
                assertThat(doubles.get(2)).isEqualTo(7.0 * adds * world.size());
                assertThat(memory.ints().get(0)).as("the float below").isZero();
                assertThat(memory.ints().get(2)).as("the float above").isZero();
            }
        }
    }

    @EverySize
    @DisplayName("atomics of a floating-point view and of an integer view of the same memory agree")
    void viewsAgree(World world) {
        int adds = Rounds.of(1_000);
        try (SymmetricMemory memory = world.allocate(16)) {
            DoubleView doubles = memory.doubles();
            for (int i = 0; i < adds; i++) {
                doubles.add(0, 1, 0);
                while (true) {
                    long before = memory.longs().getAcquire(0, 0);
                    long after = Double.doubleToRawLongBits(Double.longBitsToDouble(before) + 2);
                    if (memory.longs().compareAndExchange(0, before, after, 0) == before) {
                        break;
                    }
                }
            }
            world.team().barrier();
            assertThat(doubles.getAcquire(0, 0)).isEqualTo(3.0 * adds * world.size());
            world.team().barrier();
        }
    }

    @EverySize
    @DisplayName("bitwise operations on floats and doubles are refused by name, and change nothing")
    void refusesBitwiseOperations(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            MemorySegment result = MemorySegment.ofArray(new long[1]);
            for (AtomicOperation operation : List.of(AtomicOperation.AND, AtomicOperation.OR, AtomicOperation.XOR)) {
                assertThatThrownBy(() -> memory.floats().fetchNbi(operation, 0, 1, result, 0, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("fetchNbi on PE " + world.pe() + ": " + operation
                                + " is not allowed on elements of type FLOAT");
                assertThatThrownBy(() -> memory.doubles().fetchNbi(operation, 0, 1, result, 0, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("fetchNbi on PE " + world.pe() + ": " + operation
                                + " is not allowed on elements of type DOUBLE");
            }
            world.team().barrier();
            assertThat(Longs.of(memory)).containsOnly(0);
        }
    }
}
