// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;

/// The bounds of a coarray's dimensions, of any rank, and its cobounds.
///
/// ```java
/// Shape.of(8, 4)                                            // (8, 4)[*]
/// Shape.of(8, 4).withLower(0, -1)                           // (0:7, -1:2)[*]
/// Shape.of(8, 4).withCobounds(Cobounds.range(1, 2).from(1)) // (8, 4)[2, *]
/// ```
///
/// Subscripts begin at the lower bounds, which are 1 as in Fortran. The elements are in Fortran's order: the first
/// subscript varies fastest, so `(2, 1)` is beside `(1, 1)`. [#index] is the place of an element in this order, from
/// 0, which all accesses take.
/// @counterpart the array-spec and coarray-spec of a declaration or an `allocate`, 8.5.6 and 8.5.8
public final class Shape {
    private final long[] lower;
    private final long[] extents;
    private final long[] strides;
    private final long size;
    private final Cobounds cobounds;

    private Shape(long[] lower, long[] extents, Cobounds cobounds) {
        this.lower = lower;
        this.extents = extents;
        this.cobounds = cobounds;
        this.strides = new long[extents.length];
        long all = 1;
        for (int i = 0; i < extents.length; i++) {
            strides[i] = all;
            if (extents[i] < 0) {
                throw new IllegalArgumentException(
                        "Shape: extent " + (i + 1) + " is " + extents[i] + "; allowed are 0 and more");
            }
            all = Math.multiplyExact(all, extents[i]);
        }
        this.size = all;
    }

    /// Returns the shape with these extents and the lower bounds 1.
    ///
    /// @param extents elements of each dimension, each 0 or more; none for a scalar
    /// @throws IllegalArgumentException if one is negative
    /// @throws ArithmeticException if all elements are 2^63 and more
    public static Shape of(long... extents) {
        long[] lower = new long[StatementChecks.notNull(extents, "Shape.of", "extents").length];
        Arrays.fill(lower, 1);
        return new Shape(lower, extents.clone(), Cobounds.DEFAULT);
    }

    /// Returns the shape of a vector whose subscripts are its indices.
    static Shape vector(long count) {
        return new Shape(new long[1], new long[] {count}, Cobounds.DEFAULT);
    }

    /// Returns this shape with other lower bounds.
    ///
    /// @param bounds one for each dimension, of any sign
    public Shape withLower(long... bounds) {
        if (StatementChecks.notNull(bounds, "Shape.withLower", "bounds").length != rank()) {
            throw new IllegalArgumentException(StatementChecks.prefix("Shape.withLower") + bounds.length
                    + " lower bounds; the rank of " + this + " is " + rank());
        }
        return new Shape(bounds.clone(), extents, cobounds);
    }

    /// Returns this shape with other cobounds, in place of `[*]`.
    public Shape withCobounds(Cobounds bounds) {
        return new Shape(lower, extents, StatementChecks.notNull(bounds, "Shape.withCobounds", "bounds"));
    }

    /// Returns the number of dimensions.
    public int rank() {
        return extents.length;
    }

    /// Returns the number of elements.
    public long size() {
        return size;
    }

    /// Returns the cobounds.
    public Cobounds cobounds() {
        return cobounds;
    }

    /// Returns a lower bound.
    /// @counterpart `lbound(a, dim)`
    /// @param dim in `[1, rank()]`
    public long lower(int dim) {
        return lower[checked(dim)];
    }

    /// Returns an upper bound.
    /// @counterpart `ubound(a, dim)`
    /// @param dim in `[1, rank()]`
    public long upper(int dim) {
        return lower(dim) + extents[dim - 1] - 1;
    }

    /// Returns the number of elements of a dimension.
    /// @counterpart `size(a, dim)`
    /// @param dim in `[1, rank()]`
    public long extent(int dim) {
        return extents[checked(dim)];
    }

    private int checked(int dim) {
        if (dim < 1 || dim > rank()) {
            throw new IndexOutOfBoundsException(
                    StatementChecks.prefix("Shape") + "dimension " + dim + " is outside [1, " + rank() + "]");
        }
        return dim - 1;
    }

    /// Returns the distance in elements from one subscript of a dimension to the next.
    long stride(int i) {
        return strides[i];
    }

    /// Returns the index of an element of rank 1.
    /// @throws IndexOutOfBoundsException if the subscript is outside its bounds
    /// @throws IllegalArgumentException if the shape has another rank
    public long index(long i) {
        checkRank(1);
        return place(0, i);
    }

    /// Returns the index of an element of rank 2, see [#index(long)].
    public long index(long i, long j) {
        checkRank(2);
        return place(0, i) + place(1, j);
    }

    /// Returns the index of an element of rank 3, see [#index(long)].
    public long index(long i, long j, long k) {
        checkRank(3);
        return place(0, i) + place(1, j) + place(2, k);
    }

    /// Returns the index of an element of any rank, see [#index(long)].
    ///
    /// @param subscripts one for each dimension
    public long index(long... subscripts) {
        checkRank(StatementChecks.notNull(subscripts, "Shape.index", "subscripts").length);
        long index = 0;
        for (int i = 0; i < subscripts.length; i++) {
            index += place(i, subscripts[i]);
        }
        return index;
    }

    /// Returns what a subscript of a dimension adds to the index.
    long place(int i, long subscript) {
        long place = subscript - lower[i];
        if (place < 0 || place >= extents[i]) {
            throw outside(i, subscript);
        }
        return place * strides[i];
    }

    private IndexOutOfBoundsException outside(int i, long subscript) {
        return new IndexOutOfBoundsException(StatementChecks.prefix("subscripts") + "subscript " + (i + 1) + " is "
                + subscript + ", outside [" + lower[i] + ", " + upper(i + 1) + "] of " + this);
    }

    private void checkRank(int subscripts) {
        if (subscripts != extents.length) {
            throw wrongRank(subscripts);
        }
    }

    IllegalArgumentException wrongRank(int subscripts) {
        return new IllegalArgumentException(StatementChecks.prefix("subscripts") + subscripts + " subscripts; the rank"
                + " of " + this + " is " + rank());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shape shape
                && Arrays.equals(lower, shape.lower)
                && Arrays.equals(extents, shape.extents)
                && cobounds.equals(shape.cobounds);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * Arrays.hashCode(lower) + Arrays.hashCode(extents)) + cobounds.hashCode();
    }

    /// Returns a text such as "(8, 0:3)[1:*]".
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("(");
        for (int i = 0; i < extents.length; i++) {
            text.append(i == 0 ? "" : ", ");
            if (lower[i] != 1) {
                text.append(lower[i]).append(':');
            }
            text.append(lower[i] + extents[i] - 1);
        }
        return text.append(')').append(cobounds).toString();
    }
}
