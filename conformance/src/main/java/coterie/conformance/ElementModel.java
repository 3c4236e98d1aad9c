// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.ElementType;
import coterie.Reduction;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Elements of a type in bytes, and what reductions do with two of them, as the definitions say it.
record ElementModel(ElementType type) {

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

    /// Two elements reduced.
    long combined(Reduction reduction, long a, long b) {
        if (type == ElementType.FLOAT) {
            float left = Float.intBitsToFloat((int) a);
            float right = Float.intBitsToFloat((int) b);
            return Float.floatToRawIntBits(
                    switch (reduction) {
                        case SUM -> left + right;
                        case PRODUCT -> left * right;
                        case MIN -> Math.min(left, right);
                        case MAX -> Math.max(left, right);
                        case AND, OR, XOR -> throw new AssertionError(reduction);
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
                        case AND, OR, XOR -> throw new AssertionError(reduction);
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

    /// What a reduction of nothing is.
    long identity(Reduction reduction) {
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

    /// Whether two elements have the same bits.
    boolean isSame(long a, long b) {
        return (a ^ b) << (64 - 8 * type.byteSize()) == 0;
    }

    private boolean isUnsigned() {
        return type.name().startsWith("UNSIGNED");
    }

    /// The element's value, or the bits of a floating-point number.
    long load(byte[] part, int index) {
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

    /// Sets an element to the low bits.
    void store(byte[] part, int index, long bits) {
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
