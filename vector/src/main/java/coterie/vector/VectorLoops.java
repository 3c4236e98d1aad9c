// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.ElementType;
import coterie.spi.ReductionKind;
import coterie.spi.ReductionLoop;
import coterie.spi.ReductionLoops;
import java.lang.invoke.MethodHandles;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Makes the loop of a key: a class of its own, of the bytes of [VectorLoop] or [Bfloat16Loop] and with the key as
/// its constant. Such a class has a profile of its own, too, which one loop for all would not.
final class VectorLoops {
    /// With two lanes of 64 bits, what the processor has no instruction for takes longer than in plain loops.
    private static final int FEW_LANES = 2;

    private VectorLoops() {}

    /// The loop of a key; one that does nothing if vectors are no gain.
    static ReductionLoop of(ReductionLoops.Key key) {
        ReductionKind reduction = key.reduction();
        ElementType type = key.type();
        boolean isOfBits = reduction.isBitwise();
        VectorSpecies<?> species = isOfBits ? ByteVector.SPECIES_PREFERRED : species(type);
        boolean isCheap = reduction == ReductionKind.SUM || species.elementType() != long.class;
        boolean isGain = species.vectorByteSize() >= 2 * Long.BYTES
                && (isCheap || species.length() > FEW_LANES)
                && (isOfBits || type != ElementType.HALF);
        if (!isGain) {
            return (target, to, left, leftFrom, right, rightFrom, length) -> 0;
        }
        VectorOperators.Binary operation = operation(reduction, type);
        return isOfBits || type != ElementType.BFLOAT16
                ? ReductionLoops.define(
                        MethodHandles.lookup(), VectorLoop.class, new VectorLoop.Kind(operation, species))
                : ReductionLoops.define(
                        MethodHandles.lookup(), Bfloat16Loop.class, new Bfloat16Loop.Kind(key.step(), operation));
    }

    private static VectorSpecies<?> species(ElementType type) {
        return switch (type) {
            case BYTE, UNSIGNED_BYTE, FLOAT8_E4M3, FLOAT8_E5M2 -> ByteVector.SPECIES_PREFERRED;
            case SHORT, UNSIGNED_SHORT, HALF, BFLOAT16 -> ShortVector.SPECIES_PREFERRED;
            case INT, UNSIGNED_INT -> IntVector.SPECIES_PREFERRED;
            case LONG, UNSIGNED_LONG -> LongVector.SPECIES_PREFERRED;
            case FLOAT -> FloatVector.SPECIES_PREFERRED;
            case DOUBLE -> DoubleVector.SPECIES_PREFERRED;
        };
    }

    private static VectorOperators.Binary operation(ReductionKind reduction, ElementType type) {
        boolean isUnsigned = switch (type) {
            case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> true;
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, HALF, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> false;
        };
        return switch (reduction) {
            case SUM -> VectorOperators.ADD;
            case PRODUCT -> VectorOperators.MUL;
            case MIN -> isUnsigned ? VectorOperators.UMIN : VectorOperators.MIN;
            case MAX -> isUnsigned ? VectorOperators.UMAX : VectorOperators.MAX;
            case AND -> VectorOperators.AND;
            case OR -> VectorOperators.OR;
            case XOR -> VectorOperators.XOR;
        };
    }
}
