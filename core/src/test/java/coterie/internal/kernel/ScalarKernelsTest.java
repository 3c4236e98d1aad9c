// SPDX-License-Identifier: Apache-2.0

package coterie.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.spi.FoldStep;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ScalarKernelsTest {
    /// Where the elements begin, and as many bytes after them that no kernel may touch.
    private static final int MARGIN = 24;

    private static final List<Double> SPECIAL = List.of(
            0.0,
            -0.0,
            1.5,
            Double.NaN,
            Double.POSITIVE_INFINITY,
            Double.NEGATIVE_INFINITY,
            Double.MAX_VALUE,
            Double.MIN_VALUE,
            (double) Float.MAX_VALUE,
            (double) Float.MIN_VALUE);

    static List<Arguments> pairs() {
        List<Arguments> pairs = new ArrayList<>();
        for (ReductionKind reduction : ReductionKind.values()) {
            for (ElementType type : ElementType.values()) {
                if (reduction.suits(type)) {
                    pairs.add(Arguments.of(reduction, type));
                }
            }
        }
        return pairs;
    }

    private enum Layout {
        APART,
        LEFT,
        RIGHT
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @DisplayName("each element is what the language or BigInteger computes, whichever buffer the target is")
    void agreesWithReference(ReductionKind reduction, ElementType type) {
        SplittableRandom random = new SplittableRandom(type.byteSize());
        int[] lengths = IntStream.concat(IntStream.rangeClosed(0, 67), IntStream.of(4095, 4096, 4097))
                .toArray();
        for (int length : lengths) {
            for (Layout layout : Layout.values()) {
                byte[] left = buffer(type, length, random);
                byte[] right = buffer(type, length, random);
                byte[] apart = buffer(type, length, random);
                byte[] target = switch (layout) {
                    case APART -> apart;
                    case LEFT -> left;
                    case RIGHT -> right;
                };
                byte[] expected = target.clone();
                for (int at = MARGIN; at < MARGIN + length * type.byteSize(); at += type.byteSize()) {
                    put(expected, at, type, one(reduction, type, bits(left, at, type), bits(right, at, type)));
                }
                byte[][] others = switch (layout) {
                    case APART -> new byte[][] {left, right};
                    case LEFT -> new byte[][] {right};
                    case RIGHT -> new byte[][] {left};
                };
                byte[][] before = Arrays.stream(others).map(byte[]::clone).toArray(byte[][]::new);
                ScalarKernels.INSTANCE.fold(
                        FoldStep.ONLY,
                        reduction,
                        type,
                        MemorySegment.ofArray(target),
                        MARGIN,
                        MemorySegment.ofArray(left),
                        MARGIN,
                        MemorySegment.ofArray(right),
                        MARGIN,
                        (long) length * type.byteSize());
                canonical(target, length, type);
                canonical(expected, length, type);
                assertThat(target)
                        .as("%s of %d %s, target %s", reduction, length, type, layout)
                        .isEqualTo(expected);
                assertThat(others).isDeepEqualTo(before);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HALF", "BFLOAT16"})
    @DisplayName("16-bit numbers of several members are added and multiplied as floats, and rounded once")
    void roundsOnce(ElementType type) {
        SplittableRandom random = new SplittableRandom(type.byteSize());
        int many = 10_000;
        for (int members = 2; members < 7; members++) {
            for (ReductionKind reduction : List.of(ReductionKind.SUM, ReductionKind.PRODUCT)) {
                byte[][] operands = new byte[members][];
                for (int member = 0; member < members; member++) {
                    operands[member] = buffer(type, many, random);
                }
                byte[] accumulators = new byte[many * Float.BYTES];
                byte[] result = new byte[many * Short.BYTES];
                byte[] left = operands[0];
                for (int member = 1; member < members; member++) {
                    FoldStep step = FoldStep.of(member, members);
                    byte[] target = step.makesAccumulators() ? accumulators : result;
                    ScalarKernels.INSTANCE.fold(
                            step,
                            reduction,
                            type,
                            MemorySegment.ofArray(target),
                            0,
                            MemorySegment.ofArray(left),
                            step.takesAccumulators() ? 0 : MARGIN,
                            MemorySegment.ofArray(operands[member]),
                            MARGIN,
                            (long) many * Short.BYTES);
                    left = target;
                }
                for (int element = 0; element < many; element++) {
                    int at = MARGIN + element * Short.BYTES;
                    float expected = ShortFloats.value(type, bits(operands[0], at, type));
                    for (int member = 1; member < members; member++) {
                        float next = ShortFloats.value(type, bits(operands[member], at, type));
                        expected = reduction == ReductionKind.SUM ? expected + next : expected * next;
                    }
                    assertThat((short) bits(result, element * Short.BYTES, type))
                            .as("%s of %s of %s members, element %s: %s", reduction, type, members, element, expected)
                            .isEqualTo((short) ShortFloats.bits(type, expected));
                }
            }
        }
    }

    private static long one(ReductionKind reduction, ElementType type, long left, long right) {
        if (type == ElementType.DOUBLE) {
            double a = Double.longBitsToDouble(left);
            double b = Double.longBitsToDouble(right);
            return Double.doubleToRawLongBits(
                    switch (reduction) {
                        case SUM -> a + b;
                        case PRODUCT -> a * b;
                        case MIN -> Math.min(a, b);
                        case MAX -> Math.max(a, b);
                        default -> throw new AssertionError(reduction);
                    });
        }
        if (type.isFloatingPoint()) {
            float a = ShortFloats.value(type, left);
            float b = ShortFloats.value(type, right);
            return ShortFloats.bits(
                    type,
                    switch (reduction) {
                        case SUM -> a + b;
                        case PRODUCT -> a * b;
                        case MIN -> Math.min(a, b);
                        case MAX -> Math.max(a, b);
                        default -> throw new AssertionError(reduction);
                    });
        }
        BigInteger a = number(type, left);
        BigInteger b = number(type, right);
        BigInteger result = switch (reduction) {
            case SUM -> a.add(b);
            case PRODUCT -> a.multiply(b);
            case MIN -> a.min(b);
            case MAX -> a.max(b);
            case AND -> a.and(b);
            case OR -> a.or(b);
            case XOR -> a.xor(b);
        };
        return result.longValue();
    }

    private static BigInteger number(ElementType type, long bits) {
        BigInteger value = BigInteger.valueOf(bits << (64 - 8 * type.byteSize()) >> (64 - 8 * type.byteSize()));
        return type.name().startsWith("UNSIGNED") && value.signum() < 0
                ? value.add(BigInteger.ONE.shiftLeft(8 * type.byteSize()))
                : value;
    }

    /// The language leaves open which bits a result has that is no number: any will do.
    private static void canonical(byte[] elements, int length, ElementType type) {
        boolean isAny = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        for (int at = MARGIN; isAny && at < MARGIN + length * type.byteSize(); at += type.byteSize()) {
            long bits = bits(elements, at, type);
            put(
                    elements,
                    at,
                    type,
                    type == ElementType.DOUBLE
                            ? Double.doubleToLongBits(Double.longBitsToDouble(bits))
                            : Float.floatToIntBits(Float.intBitsToFloat((int) bits)));
        }
    }

    /// Random bits, and every third element a special one.
    private static byte[] buffer(ElementType type, int length, SplittableRandom random) {
        byte[] buffer = new byte[length * type.byteSize() + 2 * MARGIN];
        random.nextBytes(buffer);
        long highest = 1L << (8 * type.byteSize() - 1);
        long[] extremes = {0, 1, -1, highest, highest - 1, highest + 1};
        for (int at = MARGIN; at < MARGIN + length * type.byteSize(); at += type.byteSize()) {
            if (random.nextInt(3) == 0) {
                double special = SPECIAL.get(random.nextInt(SPECIAL.size()));
                put(
                        buffer,
                        at,
                        type,
                        switch (type) {
                            case DOUBLE -> Double.doubleToRawLongBits(special);
                            case FLOAT, HALF, BFLOAT16 -> ShortFloats.bits(type, (float) special);
                            default -> extremes[random.nextInt(extremes.length)];
                        });
            }
        }
        return buffer;
    }

    private static long bits(byte[] buffer, int at, ElementType type) {
        MemorySegment segment = MemorySegment.ofArray(buffer);
        return switch (type.byteSize()) {
            case Byte.BYTES -> buffer[at];
            case Short.BYTES -> segment.get(ValueLayout.JAVA_SHORT_UNALIGNED, at);
            case Integer.BYTES -> segment.get(ValueLayout.JAVA_INT_UNALIGNED, at);
            default -> segment.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        };
    }

    private static void put(byte[] buffer, int at, ElementType type, long bits) {
        MemorySegment segment = MemorySegment.ofArray(buffer);
        switch (type.byteSize()) {
            case Byte.BYTES -> buffer[at] = (byte) bits;
            case Short.BYTES -> segment.set(ValueLayout.JAVA_SHORT_UNALIGNED, at, (short) bits);
            case Integer.BYTES -> segment.set(ValueLayout.JAVA_INT_UNALIGNED, at, (int) bits);
            default -> segment.set(ValueLayout.JAVA_LONG_UNALIGNED, at, bits);
        }
    }
}
