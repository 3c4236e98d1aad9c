// SPDX-License-Identifier: Apache-2.0
package coterie.internal.kernel;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.spi.FoldStep;
import coterie.spi.ReductionKind;
import coterie.spi.ReductionLoop;
import coterie.spi.ReductionLoops;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/// The template of all scalar loops; see [ReductionLoops]. All branches on the key are of constants, so that the
/// compiled loop has none.
///
/// It reads elements as unaligned: to check the alignment of each costs more than the processor takes for an
/// unaligned access. The compiler makes no vector instructions of it, since the buffers may overlap
/// ([JDK-8324751](https://bugs.openjdk.org/browse/JDK-8324751)).
final class ScalarLoop implements ReductionLoop {
    private static final ReductionLoops.Key KEY = ReductionLoops.data(MethodHandles.lookup(), ReductionLoops.Key.class);
    private static final FoldStep STEP = KEY.step();
    private static final ReductionKind REDUCTION = KEY.reduction();
    private static final ElementType TYPE = KEY.type();
    private static final int WIDTH = TYPE.byteSize();

    /// How many times as wide as an element is what is on the left.
    private static final int LEFT = STEP.leftSize(REDUCTION, TYPE) / WIDTH;

    private static final int TARGET = STEP.targetSize(REDUCTION, TYPE) / WIDTH;
    private static final short HALF_NAN = 0x7E00;
    private static final boolean IS_UNSIGNED = switch (TYPE) {
        case UNSIGNED_BYTE, UNSIGNED_SHORT, UNSIGNED_INT, UNSIGNED_LONG -> true;
        case BYTE, SHORT, INT, LONG, FLOAT, DOUBLE, HALF, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> false;
    };

    ScalarLoop() {}

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
        for (; at <= length - WIDTH; at += WIDTH) {
            element(target, to + (long) TARGET * at, left, leftFrom + (long) LEFT * at, right, rightFrom + at);
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
            default -> shortFloat(target, to, left, l, right, r); // 8-bit numbers have no reductions
        }
    }

    /// A method of its own, since the compiler inlines none that is longer than 325 bytes.
    private static void shortFloat(
            MemorySegment target, long to, MemorySegment left, long l, MemorySegment right, long r) {
        float before = LEFT == 1 ? widened(left.get(JAVA_SHORT_UNALIGNED, l)) : left.get(JAVA_FLOAT_UNALIGNED, l);
        float result = of(before, widened(right.get(JAVA_SHORT_UNALIGNED, r)));
        if (TARGET == 1) {
            target.set(JAVA_SHORT_UNALIGNED, to, rounded(result));
        } else {
            target.set(JAVA_FLOAT_UNALIGNED, to, result);
        }
    }

    private static float widened(short bits) {
        return TYPE == ElementType.HALF ? Float.float16ToFloat(bits) : Bfloat16.toFloat(bits);
    }

    private static short rounded(float value) {
        if (TYPE == ElementType.BFLOAT16) {
            return Bfloat16.of(value);
        }
        return Float.isNaN(value) ? HALF_NAN : Float.floatToFloat16(value);
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
            case AND, OR, XOR -> throw new AssertionError(KEY);
        };
    }

    private static double of(double a, double b) {
        return switch (REDUCTION) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> Math.min(a, b);
            case MAX -> Math.max(a, b);
            case AND, OR, XOR -> throw new AssertionError(KEY);
        };
    }
}
