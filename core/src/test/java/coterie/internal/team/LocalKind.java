// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.Reduction;
import coterie.Team;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A kind of memory that collectives take which is nowhere symmetric: arrays of a type, or segments of elements of one.
///
/// @param isArray whether it is an array, not a segment
record LocalKind(ElementType type, boolean isArray) {

    static List<LocalKind> all() {
        return Stream.concat(
                        Stream.of(ElementType.DOUBLE, ElementType.FLOAT, ElementType.LONG, ElementType.INT)
                                .map(type -> new LocalKind(type, true)),
                        Stream.of(ElementType.values())
                                .filter(ElementType::isReducible)
                                .map(type -> new LocalKind(type, false)))
                .toList();
    }

    Object make(int length) {
        if (!isArray) {
            return MemorySegment.ofArray(new byte[length * type.byteSize()]);
        }
        return switch (type) {
            case DOUBLE -> new double[length];
            case FLOAT -> new float[length];
            case LONG -> new long[length];
            default -> new int[length];
        };
    }

    void set(Object memory, int i, int value) {
        switch (memory) {
            case double[] doubles -> doubles[i] = value;
            case float[] floats -> floats[i] = value;
            case long[] longs -> longs[i] = value;
            case int[] ints -> ints[i] = value;
            default -> set((MemorySegment) memory, (long) i * type.byteSize(), value);
        }
    }

    private void set(MemorySegment segment, long at, int value) {
        switch (type) {
            case BYTE, UNSIGNED_BYTE -> segment.set(JAVA_BYTE, at, (byte) value);
            case SHORT, UNSIGNED_SHORT -> segment.set(JAVA_SHORT_UNALIGNED, at, (short) value);
            case INT, UNSIGNED_INT -> segment.set(JAVA_INT_UNALIGNED, at, value);
            case LONG, UNSIGNED_LONG -> segment.set(JAVA_LONG_UNALIGNED, at, value);
            case FLOAT -> segment.set(JAVA_FLOAT_UNALIGNED, at, value);
            case DOUBLE -> segment.set(JAVA_DOUBLE_UNALIGNED, at, value);
            case HALF -> segment.set(JAVA_SHORT_UNALIGNED, at, Float.floatToFloat16(value));
            case BFLOAT16 -> segment.set(JAVA_SHORT_UNALIGNED, at, Bfloat16.of(value));
            case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new AssertionError(type);
        }
    }

    int get(Object memory, int i) {
        return switch (memory) {
            case double[] doubles -> (int) doubles[i];
            case float[] floats -> (int) floats[i];
            case long[] longs -> (int) longs[i];
            case int[] ints -> ints[i];
            default -> get((MemorySegment) memory, (long) i * type.byteSize());
        };
    }

    private int get(MemorySegment segment, long at) {
        return switch (type) {
            case BYTE, UNSIGNED_BYTE -> segment.get(JAVA_BYTE, at);
            case SHORT, UNSIGNED_SHORT -> segment.get(JAVA_SHORT_UNALIGNED, at);
            case INT, UNSIGNED_INT -> segment.get(JAVA_INT_UNALIGNED, at);
            case LONG, UNSIGNED_LONG -> (int) segment.get(JAVA_LONG_UNALIGNED, at);
            case FLOAT -> (int) segment.get(JAVA_FLOAT_UNALIGNED, at);
            case DOUBLE -> (int) segment.get(JAVA_DOUBLE_UNALIGNED, at);
            case HALF -> (int) Float.float16ToFloat(segment.get(JAVA_SHORT_UNALIGNED, at));
            case BFLOAT16 -> (int) Bfloat16.toFloat(segment.get(JAVA_SHORT_UNALIGNED, at));
            case FLOAT8_E4M3, FLOAT8_E5M2 -> throw new AssertionError(type);
        };
    }

    void allReduce(Team team, Object values) {
        switch (values) {
            case double[] doubles -> team.allReduce(Reduction.SUM, doubles);
            case float[] floats -> team.allReduce(Reduction.SUM, floats);
            case long[] longs -> team.allReduce(Reduction.SUM, longs);
            case int[] ints -> team.allReduce(Reduction.SUM, ints);
            default -> team.allReduce(Reduction.SUM, type, (MemorySegment) values);
        }
    }

    void reduce(Team team, Object values, int root) {
        switch (values) {
            case double[] doubles -> team.reduce(Reduction.SUM, doubles, root);
            case float[] floats -> team.reduce(Reduction.SUM, floats, root);
            case long[] longs -> team.reduce(Reduction.SUM, longs, root);
            case int[] ints -> team.reduce(Reduction.SUM, ints, root);
            default -> team.reduce(Reduction.SUM, type, (MemorySegment) values, root);
        }
    }

    void broadcast(Team team, Object values, int root) {
        switch (values) {
            case double[] doubles -> team.broadcast(doubles, root);
            case float[] floats -> team.broadcast(floats, root);
            case long[] longs -> team.broadcast(longs, root);
            case int[] ints -> team.broadcast(ints, root);
            default -> team.broadcast(type, (MemorySegment) values, root);
        }
    }

    void reduceScatter(Team team, Object target, Object source) {
        switch (target) {
            case double[] doubles -> team.reduceScatter(Reduction.SUM, doubles, (double[]) source);
            case float[] floats -> team.reduceScatter(Reduction.SUM, floats, (float[]) source);
            case long[] longs -> team.reduceScatter(Reduction.SUM, longs, (long[]) source);
            case int[] ints -> team.reduceScatter(Reduction.SUM, ints, (int[]) source);
            default -> team.reduceScatter(Reduction.SUM, type, (MemorySegment) target, (MemorySegment) source);
        }
    }

    void allGather(Team team, Object target, Object source) {
        switch (target) {
            case double[] doubles -> team.allGather(doubles, (double[]) source);
            case float[] floats -> team.allGather(floats, (float[]) source);
            case long[] longs -> team.allGather(longs, (long[]) source);
            case int[] ints -> team.allGather(ints, (int[]) source);
            default -> team.allGather(type, (MemorySegment) target, (MemorySegment) source);
        }
    }

    void gather(Team team, @Nullable Object target, Object source, int root) {
        switch (source) {
            case double[] doubles -> team.gather((double[]) target, doubles, root);
            case float[] floats -> team.gather((float[]) target, floats, root);
            case long[] longs -> team.gather((long[]) target, longs, root);
            case int[] ints -> team.gather((int[]) target, ints, root);
            default -> team.gather(type, (MemorySegment) target, (MemorySegment) source, root);
        }
    }

    void scatter(Team team, Object target, @Nullable Object source, int root) {
        switch (target) {
            case double[] doubles -> team.scatter(doubles, (double[]) source, root);
            case float[] floats -> team.scatter(floats, (float[]) source, root);
            case long[] longs -> team.scatter(longs, (long[]) source, root);
            case int[] ints -> team.scatter(ints, (int[]) source, root);
            default -> team.scatter(type, (MemorySegment) target, (MemorySegment) source, root);
        }
    }

    void allToAll(Team team, Object target, Object source) {
        switch (target) {
            case double[] doubles -> team.allToAll(doubles, (double[]) source);
            case float[] floats -> team.allToAll(floats, (float[]) source);
            case long[] longs -> team.allToAll(longs, (long[]) source);
            case int[] ints -> team.allToAll(ints, (int[]) source);
            default -> team.allToAll(type, (MemorySegment) target, (MemorySegment) source);
        }
    }
}
