// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.function.LongConsumer;

/// A section of an array: elements at equal distances, in one or two dimensions.
///
/// @param offset index of the first element
/// @param rows in `[0, …)`, 1 for a section of one dimension
/// @param rowStride elements from one row to the next, of either sign
/// @param count elements of a row
/// @param stride elements from one element of a row to the next, of either sign
public record Section(long offset, long rows, long rowStride, long count, long stride) {
    public Section {
        if (rows < 0 || count < 0) {
            throw new IllegalArgumentException(
                    "Section: " + rows + " rows of " + count + " elements; allowed are 0 and more");
        }
        long span = count <= 1 ? 0 : Math.multiplyExact(count - 1, Math.abs(stride));
        boolean isWithinRow = count > 1 && stride == 0;
        boolean isAcross =
                rows > 1 && (count > 0) && Math.abs(rowStride) <= span && overlaps(rows, rowStride, count, stride);
        if (isWithinRow || isAcross) {
            throw new IllegalArgumentException("Section: elements overlap: " + rows + " rows of " + count
                    + " elements with the strides " + rowStride + " and " + stride);
        }
    }

    /// Returns a section of one dimension.
    public static Section of(long offset, long count, long stride) {
        return new Section(offset, 1, 0, count, stride);
    }

    /// Two rows `d` apart meet if `d * rowStride` is a multiple of `stride` that is less than `count` strides.
    private static boolean overlaps(long rows, long rowStride, long count, long stride) {
        if (rowStride == 0) {
            return true;
        }
        if (count == 1) {
            return false;
        }
        for (long d = 1; d < rows && Math.abs(d * rowStride) <= (count - 1) * Math.abs(stride); d++) {
            if (d * rowStride % stride == 0) {
                return true;
            }
        }
        return false;
    }

    /// A row of two sections.
    @FunctionalInterface
    interface Row {
        void copy(long index, long stride, long offset, long offsetStride, long count);
    }

    /// Calls for each row of this section and of another one of the same shape.
    void forEachRow(Section other, Row row) {
        for (long i = 0; i < rows && count > 0; i++) {
            row.copy(offset + i * rowStride, stride(), other.offset + i * other.rowStride, other.stride(), count);
        }
    }

    /// Calls for the index of each element.
    void forEachElement(LongConsumer element) {
        for (long row = 0; row < rows; row++) {
            for (long i = 0; i < count; i++) {
                element.accept(offset + row * rowStride + i * stride());
            }
        }
    }

    /// Returns the stride, 1 for rows of one element.
    @Override
    public long stride() {
        return count <= 1 ? 1 : stride;
    }

    /// Throws if another section has another shape, or either leaves its array.
    void check(Section other, boolean isPut, long length, long otherLength) {
        if (rows != other.rows || count != other.count) {
            throw new IllegalArgumentException(
                    (isPut ? "put: " : "get: ") + this + " and " + other + " differ in their shape");
        }
        checkWithin(isPut ? "put" : "get", "the coarray", length);
        other.checkWithin(isPut ? "put" : "get", "the segment", otherLength);
    }

    private void checkWithin(String operation, String array, long length) {
        if (rows == 0 || count == 0) {
            return;
        }
        long across = Math.multiplyExact(rows - 1, rowStride);
        long along = Math.multiplyExact(count - 1, stride());
        long first = offset + Math.min(0, across) + Math.min(0, along);
        long last = offset + Math.max(0, across) + Math.max(0, along);
        if (first < 0 || last >= length) {
            throw new IndexOutOfBoundsException(operation + ": " + this + " reaches elements " + first + " to " + last
                    + "; " + array + " has [0, " + length + ")");
        }
    }
}
