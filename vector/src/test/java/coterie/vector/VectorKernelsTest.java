// SPDX-License-Identifier: Apache-2.0

package coterie.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import coterie.ElementType;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.kernel.ScalarKernels;
import coterie.spi.FoldStep;
import coterie.spi.Kernels;
import coterie.spi.ReductionKind;
import coterie.spi.ReductionLoop;
import coterie.spi.ReductionLoops;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class VectorKernelsTest {
    /// Where the elements begin, and as many bytes after them that no kernel may touch.
    private static final int MARGIN = 24;

    private static final long[] SPECIAL_DOUBLES = {
        Double.doubleToRawLongBits(0.0),
        Double.doubleToRawLongBits(-0.0),
        Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
        Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
        Double.doubleToRawLongBits(Double.NaN),
        0xFFF8_0000_0000_1234L,
        0x7FF0_0000_0000_0001L,
        Double.doubleToRawLongBits(Double.MIN_VALUE),
        Double.doubleToRawLongBits(Double.MAX_VALUE),
        Double.doubleToRawLongBits(1.5),
    };
    private static final int[] SPECIAL_FLOATS = {
        Float.floatToRawIntBits(0.0f),
        Float.floatToRawIntBits(-0.0f),
        Float.floatToRawIntBits(Float.POSITIVE_INFINITY),
        Float.floatToRawIntBits(Float.NEGATIVE_INFINITY),
        Float.floatToRawIntBits(Float.NaN),
        0xFFC0_1234,
        0x7F80_0001,
        Float.floatToRawIntBits(Float.MIN_VALUE),
        Float.floatToRawIntBits(Float.MAX_VALUE),
        Float.floatToRawIntBits(1.5f),
    };

    private final Kernels twin = ScalarKernels.INSTANCE;
    private final Kernels vectors = new VectorKernels(twin);

    @Test
    @DisplayName("a JVM with the Vector API chooses these kernels by itself")
    void isChosen() {
        assertThat(KernelChoice.made().kernels()).isInstanceOf(VectorKernels.class);
        assertThat(KernelChoice.made().because()).isEqualTo("vector instructions");
    }

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

    @ParameterizedTest
    @MethodSource("pairs")
    @DisplayName("the bits are the twin's, at any length, whichever buffer the target is, and none beside them change")
    void agreesWithTwin(ReductionKind reduction, ElementType type) {
        int[] lengths = IntStream.concat(IntStream.rangeClosed(0, 67), IntStream.of(4095, 4096, 4097))
                .toArray();
        for (int length : lengths) {
            for (Layout layout : Layout.values()) {
                SplittableRandom random = new SplittableRandom(length * 31L + type.byteSize());
                int bytes = length * type.byteSize();
                try (Arena arena = Arena.ofConfined()) {
                    MemorySegment left = buffer(arena, bytes, type, random);
                    MemorySegment right = buffer(arena, bytes, type, random);
                    MemorySegment apart = buffer(arena, bytes, type, random);
                    assertThat(results(vectors, reduction, type, layout, left, right, apart, bytes))
                            .as("%s of %d %s, target %s", reduction, length, type, layout)
                            .isDeepEqualTo(results(twin, reduction, type, layout, left, right, apart, bytes));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    @DisplayName("segments of the heap give the same as native ones")
    void takesHeapSegments(ReductionKind reduction, ElementType type) {
        SplittableRandom random = new SplittableRandom(type.byteSize());
        int bytes = 333 * type.byteSize();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment left = buffer(arena, bytes, type, random);
            MemorySegment right = buffer(arena, bytes, type, random);
            MemorySegment result = arena.allocate(bytes);
            vectors.fold(FoldStep.ONLY, reduction, type, result, 0, left, MARGIN, right, MARGIN, bytes);
            MemorySegment onHeap = MemorySegment.ofArray(new long[bytes / Long.BYTES + 1]);
            MemorySegment leftOnHeap = MemorySegment.ofArray(left.toArray(ValueLayout.JAVA_BYTE));
            MemorySegment rightOnHeap = MemorySegment.ofArray(right.toArray(ValueLayout.JAVA_BYTE));
            vectors.fold(FoldStep.ONLY, reduction, type, onHeap, 0, leftOnHeap, MARGIN, rightOnHeap, MARGIN, bytes);
            assertThat(canonical(onHeap.asSlice(0, bytes), 0, bytes, type))
                    .isEqualTo(canonical(result, 0, bytes, type));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 20, (1 << 20) + 8, (2 << 20) - 8, (2 << 20) + 72})
    @DisplayName("what is taken in several pieces has the twin's bits, too")
    void takesPieces(int bytes) {
        SplittableRandom random = new SplittableRandom(bytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment left = arena.allocate(bytes, Long.BYTES);
            for (long at = 0; at < bytes; at += Long.BYTES) {
                left.set(ValueLayout.JAVA_LONG, at, random.nextLong());
            }
            MemorySegment ours = arena.allocate(bytes, Long.BYTES);
            MemorySegment theirs = arena.allocate(bytes, Long.BYTES);
            vectors.fold(FoldStep.ONLY, ReductionKind.SUM, ElementType.LONG, ours, 0, left, 0, left, 0, bytes);
            twin.fold(FoldStep.ONLY, ReductionKind.SUM, ElementType.LONG, theirs, 0, left, 0, left, 0, bytes);
            assertThat(ours.mismatch(theirs)).isEqualTo(-1);
        }
    }

    @Test
    @DisplayName("every pair has a loop of vectors where they are wide enough for any gain")
    void usesVectors() {
        assumeTrue(jdk.incubator.vector.ByteVector.SPECIES_PREFERRED.vectorByteSize() >= 32, "narrow vectors");
        for (Arguments pair : pairs()) {
            if (pair.get()[1] == ElementType.HALF) {
                continue; // the twin's
            }
            ReductionLoop reductionLoop = VectorLoops.of(
                    new ReductionLoops.Key(FoldStep.ONLY, (ReductionKind) pair.get()[0], (ElementType) pair.get()[1]));
            MemorySegment zeros = MemorySegment.ofArray(new byte[100]);
            MemorySegment target = MemorySegment.ofArray(new byte[100]);
            assertThat(reductionLoop.fold(target, 0, zeros, 0, zeros, 0, 100))
                    .as("%s of %s", pair.get())
                    .isGreaterThanOrEqualTo(64);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HALF", "BFLOAT16"})
    @DisplayName("sums and products of many members' 16-bit numbers have the twin's bits, in every piece")
    void sequences(ElementType type) {
        SplittableRandom random = new SplittableRandom(type == ElementType.HALF ? 1 : 2);
        try (Arena arena = Arena.ofConfined()) {
            for (ReductionKind reduction : List.of(ReductionKind.SUM, ReductionKind.PRODUCT)) {
                for (int length : new int[] {1, 2, 3, 31, 32, 33, 100, 1000, 1 << 20}) {
                    int bytes = length * Short.BYTES;
                    List<MemorySegment> members = IntStream.range(0, 2 + random.nextInt(4))
                            .mapToObj(_ -> buffer(arena, bytes, type, random))
                            .toList();
                    byte[] theirs = reduced(twin, reduction, type, members, bytes, false);
                    String what = "%s of %d %s of %d".formatted(reduction, length, type, members.size());
                    assertThat(Arrays.mismatch(reduced(vectors, reduction, type, members, bytes, false), theirs))
                            .as(what)
                            .isEqualTo(-1);
                    for (Kernels kernels : List.of(twin, vectors)) {
                        assertThat(Arrays.mismatch(reduced(kernels, reduction, type, members, bytes, true), theirs))
                                .as("%s, where the accumulators are", what)
                                .isEqualTo(-1);
                    }
                }
            }
        }
    }

    private static byte[] reduced(
            Kernels kernels,
            ReductionKind reduction,
            ElementType type,
            List<MemorySegment> members,
            int bytes,
            boolean isInPlace) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment accumulators = arena.allocate(2L * bytes, Long.BYTES);
            MemorySegment result = isInPlace ? accumulators.asSlice(0, bytes) : arena.allocate(bytes, Long.BYTES);
            MemorySegment left = members.getFirst();
            for (int member = 1; member < members.size(); member++) {
                FoldStep step = FoldStep.of(member, members.size());
                MemorySegment target = step.makesAccumulators() ? accumulators : result;
                long leftFrom = step.takesAccumulators() ? 0 : MARGIN;
                kernels.fold(step, reduction, type, target, 0, left, leftFrom, members.get(member), MARGIN, bytes);
                left = target;
            }
            return result.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private enum Layout {
        APART,
        LEFT,
        RIGHT
    }

    /// The content of all three buffers after the kernel, margins included. Leaves the given buffers as they are.
    private static byte[][] results(
            Kernels kernels,
            ReductionKind reduction,
            ElementType type,
            Layout layout,
            MemorySegment left,
            MemorySegment right,
            MemorySegment apart,
            int bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment a = arena.allocate(left.byteSize(), Long.BYTES).copyFrom(left);
            MemorySegment b = arena.allocate(left.byteSize(), Long.BYTES).copyFrom(right);
            MemorySegment c = arena.allocate(left.byteSize(), Long.BYTES).copyFrom(apart);
            MemorySegment target = switch (layout) {
                case APART -> c;
                case LEFT -> a;
                case RIGHT -> b;
            };
            kernels.fold(FoldStep.ONLY, reduction, type, target, MARGIN, a, MARGIN, b, MARGIN, bytes);
            List<byte[]> all = new ArrayList<>();
            for (MemorySegment each : List.of(a, b, c)) {
                all.add(
                        each.equals(target)
                                ? canonical(each, MARGIN, bytes, type)
                                : each.toArray(ValueLayout.JAVA_BYTE));
            }
            return all.toArray(byte[][]::new);
        }
    }

    /// The language leaves open which bits a result has that is no number: any will do.
    private static byte[] canonical(MemorySegment elements, int from, int bytes, ElementType type) {
        for (long at = from; at < from + bytes; at += type.byteSize()) {
            if (type == ElementType.DOUBLE && Double.isNaN(elements.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, at))) {
                elements.set(ValueLayout.JAVA_DOUBLE_UNALIGNED, at, Double.NaN);
            }
            if (type == ElementType.FLOAT && Float.isNaN(elements.get(ValueLayout.JAVA_FLOAT_UNALIGNED, at))) {
                elements.set(ValueLayout.JAVA_FLOAT_UNALIGNED, at, Float.NaN);
            }
        }
        return elements.toArray(ValueLayout.JAVA_BYTE);
    }

    /// Random bits, and every third element a special one.
    private static MemorySegment buffer(Arena arena, int bytes, ElementType type, SplittableRandom random) {
        MemorySegment buffer = arena.allocate(bytes + 2 * MARGIN, Long.BYTES);
        for (long at = 0; at < buffer.byteSize(); at++) {
            buffer.set(ValueLayout.JAVA_BYTE, at, (byte) random.nextInt());
        }
        int width = type.byteSize();
        for (long at = MARGIN; at < MARGIN + bytes; at += width) {
            if (random.nextInt(3) == 0) {
                long special = special(type, random);
                for (int each = 0; each < width; each++) {
                    buffer.set(ValueLayout.JAVA_BYTE, at + each, (byte) (special >>> (8 * each)));
                }
            }
        }
        return buffer;
    }

    private static long special(ElementType type, SplittableRandom random) {
        return switch (type) {
            case DOUBLE -> SPECIAL_DOUBLES[random.nextInt(SPECIAL_DOUBLES.length)];
            case FLOAT -> SPECIAL_FLOATS[random.nextInt(SPECIAL_FLOATS.length)];
            default -> {
                long highest = 1L << (8 * type.byteSize() - 1);
                long[] extremes = {0, 1, -1, highest, highest - 1, highest + 1};
                yield extremes[random.nextInt(extremes.length)];
            }
        };
    }
}
