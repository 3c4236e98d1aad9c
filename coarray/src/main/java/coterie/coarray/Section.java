// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// A section of an array: in each of any number of dimensions, elements at equal distances or at the places of a
/// vector. [Coarray#section] makes it of subscripts as Fortran does, [#of] and the constructor of indices.
///
/// ```java
/// a.section(range(2, 8, 2), all())      // a(2:8:2, :)
/// a.section(at(3), vector(5, 1, 1))     // a(3, [5, 1, 1])
/// ```
///
/// Its elements have an order: that of the first dimension varies fastest. A dimension of one element does not
/// count for its shape. A section that is written has no element twice; one that is read may have, in a vector.
/// @counterpart array sections with subscript triplets and vector subscripts, 9.5.3.3
public final class Section {
    private final long offset;
    private final long[] counts;
    private final long[] strides;
    private final long[] @Nullable [] vectors;
    private final boolean hasRepeats;

    /// What selects elements of one dimension.
    public static final class Subscript {
        private final long lower;
        private final long upper;
        private final long stride;
        private final long @Nullable [] vector;

        private Subscript(long lower, long upper, long stride, long @Nullable [] vector) {
            this.lower = lower;
            this.upper = upper;
            this.stride = stride;
            this.vector = vector;
        }

        /// Returns the text that Fortran has, such as "2:8:2".
        @Override
        public String toString() {
            return vector != null
                    ? Arrays.toString(vector)
                    : stride == 0 ? ":" : lower + ":" + upper + (stride == 1 ? "" : ":" + stride);
        }
    }

    private static final Subscript ALL = new Subscript(0, 0, 0, null);

    /// Selects all elements of a dimension, `:`.
    public static Subscript all() {
        return ALL;
    }

    /// Selects one element of a dimension.
    public static Subscript at(long subscript) {
        return range(subscript, subscript, 1);
    }

    /// Selects `lower:upper`; none if the upper is less.
    public static Subscript range(long lower, long upper) {
        return range(lower, upper, 1);
    }

    /// Selects `lower:upper:stride`.
    ///
    /// @param stride of either sign, not 0
    public static Subscript range(long lower, long upper, long stride) {
        if (stride == 0) {
            throw new IllegalArgumentException("Section.range: the stride is 0; allowed are all others");
        }
        return new Subscript(lower, upper, stride, null);
    }

    /// Selects the elements that a vector names, in its order; a section that is read may name one twice.
    public static Subscript vector(long... subscripts) {
        return new Subscript(
                0,
                0,
                1,
                StatementChecks.notNull(subscripts, "Section.vector", "subscripts")
                        .clone());
    }

    private Section(long offset, long[] counts, long[] strides, long[] @Nullable [] vectors) {
        this.counts = counts;
        this.strides = strides;
        this.vectors = vectors;
        this.offset = offset;
        for (long count : counts) {
            if (count < 0) {
                throw new IllegalArgumentException(
                        "Section: " + Arrays.toString(counts) + " elements; allowed are 0 and more in each dimension");
            }
        }
        boolean isRegular = Arrays.stream(vectors).allMatch(Objects::isNull);
        this.hasRepeats = !(isRegular && isNested()) && repeats();
        if (hasRepeats && isRegular) {
            throw new IllegalArgumentException("Section: elements overlap: " + this);
        }
    }

    /// Makes a section of rows: of two dimensions, that of a row being the first.
    ///
    /// @param index of the first element
    /// @param rows in `[0, …)`, 1 for a section of one dimension
    /// @param rowStride elements from one row to the next, of either sign
    /// @param count elements of a row
    /// @param stride elements from one element of a row to the next, of either sign
    public Section(long index, long rows, long rowStride, long count, long stride) {
        this(index, new long[] {count, rows}, new long[] {stride, rowStride}, new long[2][]);
    }

    /// Returns a section of one dimension.
    ///
    /// @param index of the first element
    public static Section of(long index, long count, long stride) {
        return new Section(index, new long[] {count}, new long[] {stride}, new long[1][]);
    }

    /// Returns the section that subscripts select in an array.
    static Section of(Shape shape, Subscript... subscripts) {
        int rank = shape.rank();
        if (subscripts.length != rank) {
            throw shape.wrongRank(subscripts.length);
        }
        long offset = 0;
        long[] counts = new long[rank];
        long[] strides = new long[rank];
        long[][] vectors = new long[rank][];
        for (int i = 0; i < rank; i++) {
            int dim = i;
            Subscript each = StatementChecks.notNull(subscripts[i], "section", "subscripts[" + i + "]");
            if (each.vector != null) {
                vectors[i] = LongStream.of(each.vector)
                        .map(subscript -> shape.place(dim, subscript))
                        .toArray();
                counts[i] = each.vector.length;
                continue;
            }
            long stride = each.stride == 0 ? 1 : each.stride;
            long lower = each.stride == 0 ? shape.lower(i + 1) : each.lower;
            long upper = each.stride == 0 ? shape.upper(i + 1) : each.upper;
            counts[i] = Math.max(0, (upper - lower + stride) / stride);
            strides[i] = stride * shape.stride(i);
            if (counts[i] > 0) {
                offset += shape.place(i, lower);
                shape.place(i, lower + (counts[i] - 1) * stride);
            }
        }
        return new Section(offset, counts, strides, vectors);
    }

    /// Returns the section of as many elements in each dimension that lie side by side from index 0 on.
    Section dense() {
        long[] dense = new long[counts.length];
        long stride = 1;
        for (int i = 0; i < counts.length; i++) {
            dense[i] = stride;
            stride *= Math.max(1, counts[i]);
        }
        return new Section(0, counts, dense, new long[counts.length][]);
    }

    /// Returns the number of elements.
    public long size() {
        long size = 1;
        for (long count : counts) {
            size = Math.multiplyExact(size, count);
        }
        return size;
    }

    /// Returns the number of elements of each dimension.
    public long[] counts() {
        return counts.clone();
    }

    /// Returns whether each dimension is longer than all that lie closer together, so that no element occurs
    /// twice.
    private boolean isNested() {
        int[] order = new int[counts.length];
        int used = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] == 0) {
                return true;
            }
            if (counts[i] > 1) {
                int at = used++;
                for (; at > 0 && Math.abs(strides[order[at - 1]]) > Math.abs(strides[i]); at--) {
                    order[at] = order[at - 1];
                }
                order[at] = i;
            }
        }
        long span = 0;
        for (int k = 0; k < used; k++) {
            long stride = Math.abs(strides[order[k]]);
            if (stride <= span) {
                return false;
            }
            span = Math.addExact(span, Math.multiplyExact(counts[order[k]] - 1, stride));
        }
        return true;
    }

    private boolean repeats() {
        long[] places = new long[Math.toIntExact(size())];
        int[] next = new int[1];
        forEachElement(place -> places[next[0]++] = place);
        Arrays.sort(places);
        for (int i = 1; i < places.length; i++) {
            if (places[i] == places[i - 1]) {
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

    /// Calls for each row of this section and of another one of the same shape. Dimensions that lie end to end
    /// in both are one row.
    void forEachRow(Section other, Row row) {
        new SectionRows(this, other).forEach(row);
    }

    /// Calls for the index of each element.
    void forEachElement(LongConsumer element) {
        SectionRows rows = new SectionRows(this, this);
        rows.forEach((index, stride, _, _, count) -> {
            for (long i = 0; i < count; i++) {
                element.accept(index + i * stride);
            }
        });
    }

    long offset() {
        return offset;
    }

    int rank() {
        return counts.length;
    }

    long count(int i) {
        return counts[i];
    }

    long stride(int i) {
        return strides[i];
    }

    boolean isVector(int i) {
        return vectors[i] != null;
    }

    /// Returns how far an element of a dimension is from the first one's place.
    long place(int i, long at) {
        long[] vector = vectors[i];
        return vector == null ? at * strides[i] : vector[(int) at];
    }

    /// Throws if another section has another shape, either leaves its array, or the written one has elements
    /// twice.
    void check(Section other, boolean isPut, long length, long otherLength) {
        String operation = isPut ? "put" : "get";
        if (!Arrays.equals(shape(), other.shape())) {
            throw new IllegalArgumentException(
                    StatementChecks.prefix(operation) + this + " and " + other + " differ in their shape");
        }
        checkWithin(operation, "the coarray", length);
        other.checkWithin(operation, "the segment", otherLength);
        (isPut ? this : other).checkWritten(operation);
    }

    /// Throws if an element occurs twice, so that no program could say what it becomes.
    void checkWritten(String operation) {
        if (hasRepeats) {
            throw new IllegalArgumentException(StatementChecks.prefix(operation) + this
                    + " has elements twice, and is written; allowed are vectors of different subscripts");
        }
    }

    private long[] shape() {
        return Arrays.stream(counts).anyMatch(count -> count == 0)
                ? new long[1]
                : Arrays.stream(counts).filter(count -> count != 1).toArray();
    }

    /// Throws if an element is outside an array.
    void checkWithin(String operation, String array, long length) {
        if (size() == 0) {
            return;
        }
        long first = offset;
        long last = offset;
        for (int i = 0; i < counts.length; i++) {
            LongStream ends = isVector(i)
                    ? LongStream.of(Objects.requireNonNull(vectors[i]))
                    : LongStream.of(0, Math.multiplyExact(counts[i] - 1, strides[i]));
            var span = ends.summaryStatistics();
            first = Math.addExact(first, span.getMin());
            last = Math.addExact(last, span.getMax());
        }
        if (first < 0 || last >= length) {
            throw new IndexOutOfBoundsException(StatementChecks.prefix(operation) + this + " reaches elements " + first
                    + " to " + last + "; " + array + " has [0, " + length + ")");
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Section section
                && offset == section.offset
                && Arrays.equals(counts, section.counts)
                && Arrays.equals(strides, section.strides)
                && Arrays.deepEquals(vectors, section.vectors);
    }

    @Override
    public int hashCode() {
        return Objects.hash(offset, Arrays.hashCode(counts), Arrays.hashCode(strides), Arrays.deepHashCode(vectors));
    }

    /// Returns a text such as "section of 4 x 2 elements from 5, strides 1 and 4".
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("section of ");
        for (int i = 0; i < counts.length; i++) {
            text.append(i == 0 ? "" : " x ").append(counts[i]);
        }
        text.append(counts.length == 0 ? "1 element from " : " elements from ").append(offset);
        for (int i = 0; i < counts.length; i++) {
            text.append(i == 0 ? ", at " : " and ")
                    .append(isVector(i) ? Arrays.toString(vectors[i]) : "stride " + strides[i]);
        }
        return text.toString();
    }
}
