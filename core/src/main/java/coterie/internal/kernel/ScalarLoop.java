// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.ElementType;
import coterie.Reduction;
import coterie.spi.ReductionLoop;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/// The template of all scalar loops; see [coterie.spi.ReductionLoops]. All branches on the pair are of constants, so
/// that the compiled loop has none.
///
/// It reads elements as unaligned: to check the alignment of each costs more than the processor takes for an
/// unaligned access. The compiler makes no vector instructions of it, since the buffers may overlap
/// ([JDK-8324751](https://bugs.openjdk.org/browse/JDK-8324751)).
final class ScalarLoop implements ReductionLoop {
    private static final Pair PAIR = pair();
    private static final Reduction REDUCTION = PAIR.reduction();
    private static final ElementType TYPE = PAIR.type();
    private static final int STEP = TYPE.byteSize();
    private static final boolean IS_UNSIGNED = switch (TYPE) {
        case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> true;
        case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE -> false;
    };

    /// The constant of each class that is defined from this template.
    record Pair(Reduction reduction, ElementType type) {}

    ScalarLoop() {}

    private static Pair pair() {
        try {
            return MethodHandles.classData(MethodHandles.lookup(), "_", Pair.class);
        } catch (IllegalAccessException e) {
            throw new AssertionError("a class may read its own data", e);
        }
    }

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
            element(target, to + at, left, leftFrom + at, right, rightFrom + at);
        }
        return at;
    }

    private static void element(
            MemorySegment target, long to, MemorySegment left, long l, MemorySegment right, long r) {
        switch (TYPE) {
            case BYTE, UNSIGNED_BYTE ->
                target.set(JAVA_BYTE, to, (byte) of(left.get(JAVA_BYTE, l), right.get(JAVA_BYTE, r)));
            case SHORT, UNSIGNED_SHORT ->
                target.set(JAVA_SHORT_UNALIGNED, to, (short)
                        of(left.get(JAVA_SHORT_UNALIGNED, l), right.get(JAVA_SHORT_UNALIGNED, r)));
            case INT, UNSIGNED_INT ->
                target.set(
                        JAVA_INT_UNALIGNED, to, of(left.get(JAVA_INT_UNALIGNED, l), right.get(JAVA_INT_UNALIGNED, r)));
            case LONG, UNSIGNED_LONG ->
                target.set(
                        JAVA_LONG_UNALIGNED,
                        to,
                        of(left.get(JAVA_LONG_UNALIGNED, l), right.get(JAVA_LONG_UNALIGNED, r)));
            case FLOAT ->
                target.set(
                        JAVA_FLOAT_UNALIGNED,
                        to,
                        of(left.get(JAVA_FLOAT_UNALIGNED, l), right.get(JAVA_FLOAT_UNALIGNED, r)));
            case DOUBLE ->
                target.set(
                        JAVA_DOUBLE_UNALIGNED,
                        to,
                        of(left.get(JAVA_DOUBLE_UNALIGNED, l), right.get(JAVA_DOUBLE_UNALIGNED, r)));
        }
    }

    /// Two integers of 32 bits or fewer, sign-extended. Sign extension keeps the order of unsigned numbers, too.
    private static int of(int a, int b) {
        return switch (REDUCTION) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> IS_UNSIGNED ? (Integer.compareUnsigned(a, b) < 0 ? a : b) : Math.min(a, b);
            case MAX -> IS_UNSIGNED ? (Integer.compareUnsigned(a, b) > 0 ? a : b) : Math.max(a, b);
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
        };
    }

    private static long of(long a, long b) {
        return switch (REDUCTION) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> IS_UNSIGNED ? (Long.compareUnsigned(a, b) < 0 ? a : b) : Math.min(a, b);
            case MAX -> IS_UNSIGNED ? (Long.compareUnsigned(a, b) > 0 ? a : b) : Math.max(a, b);
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
        };
    }

    private static float of(float a, float b) {
        return switch (REDUCTION) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case AND, OR, XOR -> throw new AssertionError(PAIR);
        };
    }

    private static double of(double a, double b) {
        return switch (REDUCTION) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case AND, OR, XOR -> throw new AssertionError(PAIR);
        };
    }
}
