// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import coterie.ElementType;
import coterie.Reduction;
import java.lang.foreign.MemorySegment;

/// The runtime's own kernels, which every JVM can run.
///
/// Each pair of reduction and type has a loop of its own, in a method of its own: the compiler puts none that is
/// long into its caller, and where it does not, each element costs more. Sum and product of
/// unsigned numbers have the bits of the signed ones; bits have no type at all. The compiler makes no vector
/// instructions of them, since the buffers may overlap for all it knows
/// ([JDK-8324751](https://bugs.openjdk.org/browse/JDK-8324751)).
///
/// Elements are read as if they lay anywhere: to check their alignment one by one costs more than the processor
/// takes for it.
public final class ScalarKernels implements Kernels {
    /// They have no state.
    public ScalarKernels() {}

    @Override
    public void fold(
            Reduction reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        switch (reduction) {
            case AND, OR, XOR -> BitArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case SUM, PRODUCT, MIN, MAX ->
                foldNumbers(reduction, type, target, to, left, leftFrom, right, rightFrom, length);
        }
    }

    private static void foldNumbers(
            Reduction reduction,
            ElementType type,
            MemorySegment target,
            long to,
            MemorySegment left,
            long leftFrom,
            MemorySegment right,
            long rightFrom,
            long length) {
        switch (type) {
            case BYTE -> ByteArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case SHORT -> ShortArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case INT -> IntArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case LONG -> LongArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case UNSIGNED_BYTE ->
                ByteArithmetic.foldUnsigned(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case UNSIGNED_SHORT ->
                ShortArithmetic.foldUnsigned(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case UNSIGNED_INT ->
                IntArithmetic.foldUnsigned(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case UNSIGNED_LONG ->
                LongArithmetic.foldUnsigned(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case FLOAT -> FloatArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
            case DOUBLE -> DoubleArithmetic.fold(reduction, target, to, left, leftFrom, right, rightFrom, length);
        }
    }
}
