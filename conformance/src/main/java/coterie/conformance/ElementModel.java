// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.spi.ReductionKind;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/// Elements of a type in bytes, and what reductions do with two of them, as the definitions say it. 16-bit numbers
/// are `float`s from the load to the store, which rounds.
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
            } else if (isShort() && Float.isNaN(Float.intBitsToFloat((int) load(bytes, at / Short.BYTES)))) {
                buffer.putShort(at, (short) 0x7FFF);
            }
        }
        return result;
    }

    /// Two elements reduced.
    long combined(ReductionKind reduction, long a, long b) {
        if (type == ElementType.FLOAT || isShort()) {
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
    long identity(ReductionKind reduction) {
        boolean isFloat = type == ElementType.FLOAT || isShort();
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
        int width = isShort() ? Float.BYTES : type.byteSize();
        return (a ^ b) << (64 - 8 * width) == 0;
    }

    /// Whether it is a floating-point number of 16 bits.
    boolean isShort() {
        return type == ElementType.HALF || type == ElementType.BFLOAT16;
    }

    private boolean isUnsigned() {
        return type.name().startsWith("UNSIGNED");
    }

    /// The element's value, or the bits of a floating-point number.
    long load(byte[] part, int index) {
        ByteBuffer buffer = buffer(part);
        int at = index * type.byteSize();
        return switch (type) {
            case BYTE, FLOAT8_E4M3, FLOAT8_E5M2 -> buffer.get(at); // which are moved alone
            case UNSIGNED_BYTE -> buffer.get(at) & 0xFFL;
            case SHORT -> buffer.getShort(at);
            case UNSIGNED_SHORT -> buffer.getShort(at) & 0xFFFFL;
            case INT -> buffer.getInt(at);
            case UNSIGNED_INT, FLOAT -> buffer.getInt(at) & 0xFFFF_FFFFL;
            case LONG, UNSIGNED_LONG, DOUBLE -> buffer.getLong(at);
            case HALF -> Float.floatToRawIntBits(Float.float16ToFloat(buffer.getShort(at))) & 0xFFFF_FFFFL;
            case BFLOAT16 -> (buffer.getShort(at) & 0xFFFFL) << 16;
        };
    }

    /// Sets an element to the low bits, or to the number that is nearest to theirs.
    void store(byte[] part, int index, long bits) {
        ByteBuffer buffer = buffer(part);
        int at = index * type.byteSize();
        if (isShort()) {
            float number = Float.intBitsToFloat((int) bits);
            buffer.putShort(at, type == ElementType.HALF ? Float.floatToFloat16(number) : Bfloat16.of(number));
            return;
        }
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
