// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.ElementType;
import coterie.Elements;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/// A collective call over a block, and what it does to the members' parts: element by element, as the definition
/// says it.
///
/// @param counts of each member; all the same but for a collect
record CollectiveModel(
        Collectives collective,
        Reduction reduction,
        ElementType type,
        int target,
        int source,
        List<Integer> counts,
        int root,
        int targetStride,
        int sourceStride) {

    void call(Team team, SymmetricMemory memory) {
        Elements view = Views.of(memory, type);
        collective.call(
                team,
                reduction,
                view,
                target,
                targetStride,
                view,
                source,
                sourceStride,
                counts.get(team.member()),
                root);
    }

    /// My part of the block afterwards.
    ///
    /// @param before the parts of all members
    byte[] after(byte[][] before, int me) {
        byte[] after = before[me].clone();
        int count = counts.get(me);
        int members = before.length;
        switch (collective) {
            case REDUCE -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, reduced(before, members, source + i));
                }
            }
            case INCLUSIVE_SCAN -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, reduced(before, me + 1, source + i));
                }
            }
            case EXCLUSIVE_SCAN -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, me == 0 ? identity() : reduced(before, me, source + i));
                }
            }
            case REDUCE_SCATTER -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, reduced(before, members, source + me * count + i));
                }
            }
            case BROADCAST -> {
                for (int i = 0; i < count; i++) {
                    store(after, target + i, load(before[root], source + i));
                }
            }
            case COLLECT, FCOLLECT -> {
                int at = target;
                for (int member = 0; member < members; member++) {
                    for (int i = 0; i < counts.get(member); i++) {
                        store(after, at++, load(before[member], source + i));
                    }
                }
            }
            case ALLTOALL -> exchange(before, after, me, 1, 1);
            case ALLTOALL_STRIDED -> exchange(before, after, me, targetStride, sourceStride);
        }
        return after;
    }

    private void exchange(byte[][] before, byte[] after, int me, int to, int from) {
        int count = counts.get(me);
        for (int member = 0; member < before.length; member++) {
            for (int k = 0; k < count; k++) {
                long element = load(before[member], source + from * (me * count + k));
                store(after, target + to * (member * count + k), element);
            }
        }
    }

    /// The same bytes with one kind of NaN: which one an operation gives is the processor's choice.
    byte[] withOneNan(byte[] bytes) {
        byte[] result = bytes.clone();
        ByteBuffer buffer = buffer(result);
        for (int at = 0; at + type.byteSize() <= bytes.length; at += type.byteSize()) {
            if (type == ElementType.FLOAT && Float.isNaN(buffer.getFloat(at))) {
                buffer.putFloat(at, Float.NaN);
            } else if (type == ElementType.DOUBLE && Double.isNaN(buffer.getDouble(at))) {
                buffer.putDouble(at, Double.NaN);
            }
        }
        return result;
    }

    private long reduced(byte[][] parts, int members, int index) {
        long result = load(parts[0], index);
        for (int member = 1; member < members; member++) {
            result = combined(result, load(parts[member], index));
        }
        return result;
    }

    private long combined(long a, long b) {
        if (type == ElementType.FLOAT) {
            float left = Float.intBitsToFloat((int) a);
            float right = Float.intBitsToFloat((int) b);
            return Float.floatToRawIntBits(
                    switch (reduction) {
                        case SUM -> left + right;
                        case PRODUCT -> left * right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                        case AND, OR, XOR -> throw new AssertionError(this);
                    });
        }
        if (type == ElementType.DOUBLE) {
            double left = Double.longBitsToDouble(a);
            double right = Double.longBitsToDouble(b);
            return Double.doubleToRawLongBits(
                    switch (reduction) {
                        case SUM -> left + right;
                        case PRODUCT -> left * right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                        case AND, OR, XOR -> throw new AssertionError(this);
                    });
        }
        boolean isLess = isUnsigned() ? Long.compareUnsigned(a, b) < 0 : a < b;
        return switch (reduction) {
            case SUM -> a + b;
            case PRODUCT -> a * b;
            case MIN -> isLess ? a : b;
            case MAX -> isLess ? b : a;
            case AND -> a & b;
            case OR -> a | b;
            case XOR -> a ^ b;
        };
    }

    private long identity() {
        boolean isFloat = type == ElementType.FLOAT;
        boolean isDouble = type == ElementType.DOUBLE;
        int sign = type.byteSize() * 8 - 1;
        return switch (reduction) {
            case SUM, OR, XOR -> 0;
            case AND -> -1;
            case PRODUCT -> isFloat ? 0x3F80_0000L : isDouble ? 0x3FF0L << 48 : 1;
            case MIN -> isFloat ? 0x7F80_0000L : isDouble ? 0x7FF0L << 48 : isUnsigned() ? -1 : (1L << sign) - 1;
            case MAX -> isFloat ? 0xFF80_0000L : isDouble ? 0xFFF0L << 48 : isUnsigned() ? 0 : 1L << sign;
        };
    }

    private boolean isUnsigned() {
        return type.name().startsWith("UNSIGNED");
    }

    /// The element's value, or the bits of a floating-point number.
    private long load(byte[] part, int index) {
        ByteBuffer buffer = buffer(part);
        int at = index * type.byteSize();
        return switch (type) {
            case BYTE -> buffer.get(at);
            case UNSIGNED_BYTE -> buffer.get(at) & 0xFFL;
            case SHORT -> buffer.getShort(at);
            case UNSIGNED_SHORT -> buffer.getShort(at) & 0xFFFFL;
            case INT -> buffer.getInt(at);
            case UNSIGNED_INT, FLOAT -> buffer.getInt(at) & 0xFFFF_FFFFL;
            case LONG, UNSIGNED_LONG, DOUBLE -> buffer.getLong(at);
        };
    }

    private void store(byte[] part, int index, long bits) {
        ByteBuffer buffer = buffer(part);
        int at = index * type.byteSize();
        switch (type.byteSize()) {
            case Byte.BYTES -> buffer.put(at, (byte) bits);
            case Short.BYTES -> buffer.putShort(at, (short) bits);
            case Integer.BYTES -> buffer.putInt(at, (int) bits);
            default -> buffer.putLong(at, bits);
        }
    }

    private static ByteBuffer buffer(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
    }
}
