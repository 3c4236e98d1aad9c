// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.spi.FoldStep;
import coterie.spi.ReductionLoop;
import coterie.spi.ReductionLoops;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The source of all loops of BFLOAT16, as [VectorLoop] is of the others. The 32 bits of an `int` lane are two
/// elements, which become `float`s in the same lane of two vectors: no element changes its lane. So accumulators are
/// in another order than elements: those of the elements at even places first, then those at odd places.
///
/// ```
///  elements        │ e0 e1 │ e2 e3 │ e4 e5 │ e6 e7 │   int lanes
///  accumulators    │  e0   │  e2   │  e4   │  e6   │   low
///                  │  e1   │  e3   │  e5   │  e7   │   high
/// ```
///
/// HALF has no such loop: its conversions are of so many vector operations that the compiler of JDK 25 stops to inline
/// them midway, and the loop takes three times as long as the twin's, which uses the processor's conversions.
final class Bfloat16Loop implements ReductionLoop {
    private static final ByteOrder ORDER = ByteOrder.nativeOrder();
    private static final VectorSpecies<Short> SHORTS = ShortVector.SPECIES_PREFERRED;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_PREFERRED;

    private static final Kind KIND = ReductionLoops.data(MethodHandles.lookup(), Kind.class);
    private static final VectorOperators.Binary OPERATION = KIND.operation();
    private static final boolean TAKES_FLOATS = KIND.step().takesAccumulators();
    private static final boolean MAKES_FLOATS = KIND.step().makesAccumulators();

    private static final int STEP = SHORTS.vectorByteSize();
    private static final int UPPER = 0xFFFF_0000;

    /// The constant of each class that is made of this one.
    record Kind(FoldStep step, VectorOperators.Binary operation) {}

    Bfloat16Loop() {}

    @Override
    public int fold(
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            int length) {
        int at = 0;
        for (; at <= length - STEP; at += STEP) {
            FloatVector low;
            FloatVector high;
            if (TAKES_FLOATS) {
                low = FloatVector.fromMemorySegment(FLOATS, left, leftFrom + 2L * at, ORDER);
                high = FloatVector.fromMemorySegment(FLOATS, left, leftFrom + 2L * at + STEP, ORDER);
            } else {
                IntVector pairs = pairs(left, leftFrom + at);
                low = low(pairs);
                high = high(pairs);
            }
            IntVector pairs = pairs(right, rightFrom + at);
            low = low.lanewise(OPERATION, low(pairs));
            high = high.lanewise(OPERATION, high(pairs));
            if (MAKES_FLOATS) {
                low.intoMemorySegment(target, to + 2L * at, ORDER);
                high.intoMemorySegment(target, to + 2L * at + STEP, ORDER);
            } else {
                rounded(low)
                        .lanewise(VectorOperators.LSHR, 16)
                        .or(rounded(high))
                        .reinterpretAsShorts()
                        .intoMemorySegment(target, to + at, ORDER);
            }
        }
        return at;
    }

    private static IntVector pairs(MemorySegment elements, long at) {
        return ShortVector.fromMemorySegment(SHORTS, elements, at, ORDER).reinterpretAsInts();
    }

    private static FloatVector low(IntVector pairs) {
        return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector high(IntVector pairs) {
        return pairs.and(UPPER).reinterpretAsFloats();
    }

    /// The bits of the nearest bfloat16, in the upper half of each lane.
    private static IntVector rounded(FloatVector numbers) {
        IntVector bits = numbers.reinterpretAsInts();
        IntVector last = bits.lanewise(VectorOperators.LSHR, 16).and(1);
        VectorMask<Integer> isNan = numbers.test(VectorOperators.IS_NAN).cast(IntVector.SPECIES_PREFERRED);
        return bits.add(last).add(0x7FFF).and(UPPER).blend(0x7FC0_0000, isNan);
    }
}
