// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// Reduces the elements of two buffers, one by one, into the first.
///
/// Each pair of reduction and type has a loop of its own that the compiler turns into vector instructions. Sum and
/// product of unsigned numbers have the bits of the signed ones; bits have no type at all.
final class Arithmetic {
    private Arithmetic() {}

    /// @param left begin of the elements of the members before, and of the result
    /// @param right begin of the elements of the member that follows
    /// @param length bytes, whole elements
    static void reduce(Reduction reduction, ElementType type, MemorySegment left, MemorySegment right, long length) {
        switch (reduction) {
            case AND, OR, XOR -> BitArithmetic.reduce(reduction, left, right, length);
            case SUM, PRODUCT, MIN, MAX -> {
                switch (type) {
                    case BYTE -> ByteArithmetic.reduce(reduction, left, right, length);
                    case SHORT -> ShortArithmetic.reduce(reduction, left, right, length);
                    case INT -> IntArithmetic.reduce(reduction, left, right, length);
                    case LONG -> LongArithmetic.reduce(reduction, left, right, length);
                    case UNSIGNED_BYTE -> ByteArithmetic.reduceUnsigned(reduction, left, right, length);
                    case UNSIGNED_SHORT -> ShortArithmetic.reduceUnsigned(reduction, left, right, length);
                    case UNSIGNED_INT -> IntArithmetic.reduceUnsigned(reduction, left, right, length);
                    case UNSIGNED_LONG -> LongArithmetic.reduceUnsigned(reduction, left, right, length);
                    case FLOAT -> FloatArithmetic.reduce(reduction, left, right, length);
                    case DOUBLE -> DoubleArithmetic.reduce(reduction, left, right, length);
                }
            }
        }
    }
}
