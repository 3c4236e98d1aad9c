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
    DOUBLE(Double.BYTES);

    private final int byteSize;

    ElementType(int byteSize) {
        this.byteSize = byteSize;
    }

    /// Returns the bytes of one element.
    public int byteSize() {
        return byteSize;
    }
}
