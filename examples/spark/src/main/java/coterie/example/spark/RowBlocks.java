// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import java.util.Arrays;

/// The rows of a PE in blocks of 128, whose distances stay in the first cache:
///
/// ```
/// rows      x0 y0 z0 x1 y1 z1 x2 y2 z2 …
/// columns   x0 x1 x2 …  y0 y1 y2 …  z0 z1 z2 …       each an array of 128; those of one block follow each other
/// ```
///
/// The loops over the rows of a block have one index for all arrays, and as many turns as an array has elements:
/// the compiler makes vector instructions of them. Arrays that are read at different offsets would prevent that.
final class RowBlocks {
    /// Four columns, the distances, and the least of them are 6 KiB, a fraction of a first-level cache.
    static final int BLOCK = 128;

    private final int rows;
    private final int dimensions;
    private final double[][] columns; // dimension d of block b at b * dimensions + d
    private final double[] distances = new double[BLOCK];
    private final double[] least = new double[BLOCK];
    private final double[] nearest = new double[BLOCK];
    private final int[] sumsAt = new int[BLOCK]; // where those of a row's nearest center begin

    /// Copies the rows; the caller may drop its array.
    RowBlocks(double[] rows, int dimensions) {
        this.rows = rows.length / dimensions;
        this.dimensions = dimensions;
        columns = new double[blocks() * dimensions][BLOCK];
        for (int row = 0; row < this.rows; row++) {
            int column = row / BLOCK * dimensions;
            for (int d = 0; d < dimensions; d++) {
                columns[column + d][row % BLOCK] = rows[row * dimensions + d];
            }
        }
    }

    int blocks() {
        return (rows + BLOCK - 1) / BLOCK;
    }

    /// Returns the number of rows in a block: fewer than [#BLOCK] in the last one.
    int count(int block) {
        return Math.min(BLOCK, rows - block * BLOCK);
    }

    /// Copies a row to the elements `[at, at + dimensions)` of a target.
    void copyRow(int row, double[] target, int at) {
        int column = row / BLOCK * dimensions;
        for (int d = 0; d < dimensions; d++) {
            target[at + d] = columns[column + d][row % BLOCK];
        }
    }

    /// Measures the squared distances of a block's rows from the center at `centers[at]`. Those after the last row
    /// of a block are the distances of zeros.
    void measure(int block, double[] centers, int at, double[] squares) {
        int column = block * dimensions;
        int d = dimensions % 4;
        if (d == 0) {
            setFour(columns, column, centers, at, squares);
            d = 4;
        } else {
            setOne(columns[column], centers[at], squares);
            for (int i = 1; i < d; i++) {
                addOne(columns[column + i], centers[at + i], squares);
            }
        }
        for (; d < dimensions; d += 4) {
            addFour(columns, column + d, centers, at + d, squares);
        }
    }

    /// Four dimensions for one store of each sum. Eight would make the loop so long that the compiler does not
    /// unroll it as far as vectors need.
    private static void setFour(double[][] columns, int column, double[] centers, int at, double[] squares) {
        double[] a = columns[column];
        double[] b = columns[column + 1];
        double[] c = columns[column + 2];
        double[] d = columns[column + 3];
        double ca = centers[at];
        double cb = centers[at + 1];
        double cc = centers[at + 2];
        double cd = centers[at + 3];
        for (int i = 0; i < BLOCK; i++) {
            double p = a[i] - ca;
            double q = b[i] - cb;
            double r = c[i] - cc;
            double s = d[i] - cd;
            squares[i] = p * p + q * q + (r * r + s * s);
        }
    }

    private static void addFour(double[][] columns, int column, double[] centers, int at, double[] squares) {
        double[] a = columns[column];
        double[] b = columns[column + 1];
        double[] c = columns[column + 2];
        double[] d = columns[column + 3];
        double ca = centers[at];
        double cb = centers[at + 1];
        double cc = centers[at + 2];
        double cd = centers[at + 3];
        for (int i = 0; i < BLOCK; i++) {
            double p = a[i] - ca;
            double q = b[i] - cb;
            double r = c[i] - cc;
            double s = d[i] - cd;
            squares[i] += p * p + q * q + (r * r + s * s);
        }
    }

    private static void setOne(double[] a, double ca, double[] squares) {
        for (int i = 0; i < BLOCK; i++) {
            double p = a[i] - ca;
            squares[i] = p * p;
        }
    }

    private static void addOne(double[] a, double ca, double[] squares) {
        for (int i = 0; i < BLOCK; i++) {
            double p = a[i] - ca;
            squares[i] += p * p;
        }
    }

    /// Adds each row to the sum of its nearest center, of the first one if several are; and its squared distance to
    /// the cost.
    ///
    /// @param centers `k` rows
    /// @param sums sums and number of rows of each center in turn, and at last the cost
    void addTo(double[] sums, double[] centers) {
        for (int block = 0; block < blocks(); block++) {
            Arrays.fill(least, Double.POSITIVE_INFINITY);
            Arrays.fill(nearest, 0);
            for (int center = 0; center < centers.length / dimensions; center++) {
                measure(block, centers, center * dimensions, distances);
                take(center, distances, least, nearest);
            }
            add(block * dimensions, count(block), sums);
        }
    }

    /// Takes a center where it is nearer. The numbers of centers are doubles, and a comparison is a sign, because
    /// the compiler makes vector instructions of these, and of choices between integers branches that are predicted
    /// wrongly.
    private static void take(double center, double[] distances, double[] least, double[] nearest) {
        for (int i = 0; i < BLOCK; i++) {
            double before = least[i];
            double after = Math.min(distances[i], before);
            double isNearer = Math.signum(before - after); // 1 or 0
            nearest[i] += isNearer * (center - nearest[i]);
            least[i] = after;
        }
    }

    private void add(int column, int count, double[] sums) {
        for (int i = 0; i < count; i++) {
            sumsAt[i] = ((int) nearest[i]) * (dimensions + 1);
        }
        for (int d = 0; d < dimensions; d++) {
            double[] coordinates = columns[column + d];
            for (int i = 0; i < count; i++) {
                sums[sumsAt[i] + d] += coordinates[i];
            }
        }
        double cost = 0;
        for (int i = 0; i < count; i++) {
            sums[sumsAt[i] + dimensions]++;
            cost += least[i];
        }
        sums[sums.length - 1] += cost;
    }
}
