// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/// Some rows of the random sparse matrix of the benchmark CG.
///
/// The matrix is a sum of n outer products ω^i · v · vᵀ, where v is a sparse random vector whose element i is 1/2,
/// and a multiple of the identity. ω is such that the matrix has a condition number of about 10. The elements of
/// row k are `[begins[k], begins[k + 1])` of `columns` and `values`.
record SparseRows(int[] begins, int[] columns, double[] values) {
    private static final long SEED = 314_159_265;
    private static final double SMALLEST = 0.1;

    int rows() {
        return begins.length - 1;
    }

    /// Makes the rows from `first` to the one before `end`. Each PE makes all vectors, and needs no other PE.
    static SparseRows make(int order, int nonzeros, double shift, int first, int end) {
        Vectors vectors = new Vectors(order, nonzeros);
        int[] begins = new int[end - first + 1];
        int[] uses = new int[vectors.ends[order - 1]]; // by row: where vectors have an element in it
        int[] usesBegin = vectors.uses(first, end, uses);
        long most = 0;
        for (int use = 0; use < usesBegin[end - first]; use++) most += vectors.length(uses[use]);
        int[] columns = new int[Math.toIntExact(most)];
        double[] values = new double[columns.length], sums = new double[order];
        boolean[] marked = new boolean[order];
        int next = 0;
        for (int row = first; row < end; row++) {
            int begin = next;
            for (int i = usesBegin[row - first]; i < usesBegin[row - first + 1]; i++) {
                next = vectors.addRow(uses[i], sums, marked, columns, next);
            }
            sums[row] += SMALLEST - shift; // each row has its diagonal: vector i has element i
            for (int k = begin; k < next; k++) {
                values[k] = sums[columns[k]];
                sums[columns[k]] = 0;
                marked[columns[k]] = false;
            }
            begins[row - first + 1] = next;
        }
        return new SparseRows(begins, columns, values);
    }

    /// Computes the elements of the product with a vector that belong to these rows.
    void multiply(double[] vector, double[] product) {
        for (int row = 0; row < product.length; row++) {
            product[row] = times(vector, columns, values, begins[row], begins[row + 1]);
        }
    }

    /// Four sums at a time: an addition need not wait for the one before it.
    private static double times(double[] vector, int[] columns, double[] values, int begin, int end) {
        double a = 0, b = 0, c = 0, d = 0;
        int k = begin;
        for (; k < end - 3; k += 4) {
            a += values[k] * vector[columns[k]];
            b += values[k + 1] * vector[columns[k + 1]];
            c += values[k + 2] * vector[columns[k + 2]];
            d += values[k + 3] * vector[columns[k + 3]];
        }
        for (; k < end; k++) a += values[k] * vector[columns[k]];
        return a + b + (c + d);
    }

    /// The sparse vectors. Vector i has the elements from the end of the vector before to `ends[i]`.
    private static final class Vectors {
        final int[] ends, places, owners; // of elements: the places in the vectors, and the vectors
        final double[] elements;
        final double[] weights; // of the vectors
        private long random = Npb.next(SEED);

        Vectors(int order, int nonzeros) {
            ends = new int[order];
            places = new int[order * (nonzeros + 1)];
            owners = new int[places.length];
            elements = new double[places.length];
            weights = new double[order];
            int scale = Math.max(2, Integer.highestOneBit(order - 1) << 1); // a power of 2, at least the order
            double ratio = Math.pow(SMALLEST, 1.0 / order), weight = 1;
            int next = 0;
            for (int vector = 0; vector < order; vector++, weight *= ratio) {
                int begin = next;
                while (next - begin < nonzeros) next = addRandom(begin, next, scale);
                next = setHalf(begin, next, vector);
                Arrays.fill(owners, begin, next, vector);
                weights[vector] = weight;
                ends[vector] = next;
            }
        }

        /// Adds a random element, if its random place is free. Returns the end of the elements.
        private int addRandom(int begin, int end, int scale) {
            long value = Npb.next(random);
            random = Npb.next(value);
            int place = (int) (scale * Npb.fraction(random));
            if (place >= ends.length || find(begin, end, place) < end) return end;
            places[end] = place;
            elements[end] = Npb.fraction(value);
            return end + 1;
        }

        private int setHalf(int begin, int end, int place) {
            int at = find(begin, end, place);
            places[at] = place;
            elements[at] = 0.5;
            return Math.max(end, at + 1);
        }

        private int find(int begin, int end, int place) {
            int at = begin;
            while (at < end && places[at] != place) at++;
            return at;
        }

        private int begin(int vector) {
            return vector == 0 ? 0 : ends[vector - 1];
        }

        /// Returns the length of the vector that has this element.
        int length(int element) {
            int vector = owners[element];
            return ends[vector] - begin(vector);
        }

        /// Sorts the elements in some rows by row. Returns where each row begins.
        int[] uses(int first, int end, int[] uses) {
            int[] begins = new int[end - first + 1];
            int all = ends[ends.length - 1];
            for (int i = 0; i < all; i++) {
                if (places[i] >= first && places[i] < end) begins[places[i] - first + 1]++;
            }
            Arrays.parallelPrefix(begins, Integer::sum);
            int[] next = begins.clone();
            for (int i = 0; i < all; i++) {
                if (places[i] >= first && places[i] < end) uses[next[places[i] - first]++] = i;
            }
            return begins;
        }

        /// Adds to a row what the outer product of a vector has there, and appends new columns to `columns`.
        ///
        /// @param element the vector's in that row
        /// @return the end of the columns
        int addRow(int element, double[] sums, boolean[] marked, int[] columns, int end) {
            int vector = owners[element], next = end;
            double factor = elements[element];
            for (int i = begin(vector); i < ends[vector]; i++) {
                int column = places[i];
                sums[column] += factor * (weights[vector] * elements[i]);
                if (marked[column]) continue;
                marked[column] = true;
                columns[next++] = column;
            }
            return next;
        }
    }
}
