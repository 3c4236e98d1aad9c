// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The type of the elements of a view. Integers wrap.
/// @counterpart the types of elements, as arguments
public enum ElementType {
    /// 8-bit signed integer
    BYTE(Byte.BYTES),
    /// 8-bit unsigned integer
    UNSIGNED_BYTE(Byte.BYTES),
    /// 16-bit signed integer
    SHORT(Short.BYTES),
    /// 16-bit unsigned integer
    UNSIGNED_SHORT(Short.BYTES),
    /// 32-bit signed integer
    INT(Integer.BYTES),
    /// 32-bit unsigned integer
    UNSIGNED_INT(Integer.BYTES),
    /// 64-bit signed integer
    LONG(Long.BYTES),
    /// 64-bit unsigned integer
    UNSIGNED_LONG(Long.BYTES),
    /// IEEE 754 binary32
    FLOAT(Float.BYTES),
    /// IEEE 754 binary64
    DOUBLE(Double.BYTES),
    /// IEEE 754 binary16: 1 bit of sign, 5 of exponent, 10 of fraction
    HALF(Short.BYTES),
    /// bfloat16, the upper half of a binary32: 1 bit of sign, 8 of exponent, 7 of fraction
    BFLOAT16(Short.BYTES),
    /// 8 bits as the Open Compute Project's FP8 has them, and E4M3FN elsewhere: 1 bit of sign, 4 of exponent, 3 of
    /// fraction; no infinity, two NaNs, at most 448. For storage and transfers, not for reductions
    FLOAT8_E4M3(Byte.BYTES),
    /// the upper half of a binary16: 1 bit of sign, 5 of exponent, 2 of fraction; at most 57,344. For storage and
    /// transfers, not for reductions
    FLOAT8_E5M2(Byte.BYTES);

    private final int byteSize;

    ElementType(int byteSize) {
        this.byteSize = byteSize;
    }

    /// Returns the bytes of one element.
    public int byteSize() {
        return byteSize;
    }

    /// Returns whether elements are floating-point numbers.
    public boolean isFloatingPoint() {
        return switch (this) {
            case FLOAT, DOUBLE, HALF, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> true;
            case BYTE, UNSIGNED_BYTE, SHORT, UNSIGNED_SHORT, INT, UNSIGNED_INT, LONG, UNSIGNED_LONG -> false;
        };
    }

    /// Returns whether reductions take elements: all but 8-bit floating-point numbers, of which a sum of a few has
    /// lost most bits.
    public boolean isReducible() {
        return this != FLOAT8_E4M3 && this != FLOAT8_E5M2;
    }
}
