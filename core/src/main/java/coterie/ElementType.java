// SPDX-License-Identifier: Apache-2.0
package coterie;

/// The element types that a reduction knows.
public enum ElementType {
    /// 32-bit signed integer; sums wrap
    INT(Integer.BYTES),
    /// 64-bit signed integer; sums wrap
    LONG(Long.BYTES),
    /// IEEE 754 binary32
    FLOAT(Float.BYTES),
    /// IEEE 754 binary64
    DOUBLE(Double.BYTES);

    private final int byteSize;

    ElementType(int byteSize) {
        this.byteSize = byteSize;
    }

    /// Bytes of one element.
    public int byteSize() {
        return byteSize;
    }
}
