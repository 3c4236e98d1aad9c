// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import coterie.ElementType;
import coterie.Reduction;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Objects;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// Makes the loop of a reduction and a type: a class with the bytes of [VectorLoop] and the pair as its constant.
/// Each such class has a profile of its own, which one loop for all pairs would not have.
final class VectorLoops {
    /// With so many lanes of 64 bits, a vector operation without an instruction of the processor takes longer than
    /// a scalar loop.
    private static final int FEW_LANES = 2;

    private VectorLoops() {}

    /// Returns the loop of a pair; one that reduces nothing where vectors do not pay.
    static ReductionLoop of(Reduction reduction, ElementType type) {
        VectorSpecies<?> species = isBitwise(reduction) ? ByteVector.SPECIES_PREFERRED : species(type);
        boolean hasInstruction = reduction == Reduction.SUM || species.elementType() != long.class;
        boolean pays = species.vectorByteSize() >= 2 * Long.BYTES && (hasInstruction || species.length() > FEW_LANES);
        return pays
                ? define(new VectorLoop.Kind(operation(reduction, type), species))
                : (target, to, left, leftFrom, right, rightFrom, length) -> 0;
    }

    private static boolean isBitwise(Reduction reduction) {
        return reduction == Reduction.AND || reduction == Reduction.OR || reduction == Reduction.XOR;
    }

    private static VectorSpecies<?> species(ElementType type) {
        return switch (type) {
            case BYTE, UNSIGNED_BYTE -> ByteVector.SPECIES_PREFERRED;
            case SHORT, UNSIGNED_SHORT -> ShortVector.SPECIES_PREFERRED;
            case INT, UNSIGNED_INT -> IntVector.SPECIES_PREFERRED;
            case LONG, UNSIGNED_LONG -> LongVector.SPECIES_PREFERRED;
            case FLOAT -> FloatVector.SPECIES_PREFERRED;
            case DOUBLE -> DoubleVector.SPECIES_PREFERRED;
        };
    }

    private static VectorOperators.Binary operation(Reduction reduction, ElementType type) {
        boolean isUnsigned = switch (type) {
            case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> true;
            case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> false;
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

    private static ReductionLoop define(VectorLoop.Kind kind) {
        try {
            MethodHandles.Lookup defined =
                    MethodHandles.lookup().defineHiddenClassWithClassData(template(), kind, true);
            return (ReductionLoop) defined.findConstructor(defined.lookupClass(), MethodType.methodType(void.class))
                    .asType(MethodType.methodType(ReductionLoop.class))
                    .invokeExact();
        } catch (Throwable e) {
            throw new AssertionError("can't make the loop of " + kind, e);
        }
    }

    private static byte[] template() {
        String name = VectorLoop.class.getSimpleName() + ".class";
        try (InputStream file = Objects.requireNonNull(VectorLoop.class.getResourceAsStream(name), name)) {
            return file.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + name, e);
        }
    }
}
