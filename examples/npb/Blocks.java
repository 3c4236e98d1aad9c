// SPDX-License-Identifier: Apache-2.0

/// Matrices of five rows and columns, many at once: element (i, j) of all of them is array 5 · i + j, and an operation
/// on elements is one on arrays, of which the JIT compiler makes vector instructions. A sum of products is one loop.
final class Blocks {
    static final int SIZE = 5, ELEMENTS = 25;

    private Blocks() {}

    /// target -= the product of left and right, for each of `columns` columns. A vector is one column.
    static void subtractProduct(double[][] target, double[][] left, double[][] right, int columns) {
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < columns; j++) {
                subtract(target[columns * i + j], left, SIZE * i, right, j, columns, SIZE);
            }
        }
    }

    /// Factors matrices into lower triangles with ones on the diagonal, and upper ones whose diagonals are inverted.
    static void factor(double[][] matrix) {
        for (int pivot = 0; pivot < SIZE; pivot++) {
            for (int j = pivot; j < SIZE; j++) {
                subtract(matrix[SIZE * pivot + j], matrix, SIZE * pivot, matrix, j, SIZE, pivot);
            }
            invert(matrix[SIZE * pivot + pivot]);
            for (int i = pivot + 1; i < SIZE; i++) {
                subtract(matrix[SIZE * i + pivot], matrix, SIZE * i, matrix, pivot, SIZE, pivot);
                multiply(matrix[SIZE * i + pivot], matrix[SIZE * pivot + pivot]);
            }
        }
    }

    /// Replaces `columns` right-hand sides by the solutions.
    static void solve(double[][] factors, double[][] right, int columns) {
        for (int j = 0; j < columns; j++) {
            for (int i = 1; i < SIZE; i++) subtract(right[columns * i + j], factors, SIZE * i, right, j, columns, i);
            for (int i = SIZE - 1; i >= 0; i--) {
                int after = i + 1;
                double[] solution = right[columns * i + j];
                subtract(solution, factors, SIZE * i + after, right, columns * after + j, columns, SIZE - after);
                multiply(solution, factors[SIZE * i + i]);
            }
        }
    }

    /// Subtracts `count` products, the second factors of which are `stride` arrays apart.
    private static void subtract(
            double[] target, double[][] left, int at, double[][] right, int from, int stride, int count) {
        switch (count) {
            case 0 -> {}
            case 1 -> subtract(target, left[at], right[from]);
            case 2 -> subtract(target, left[at], right[from], left[at + 1], right[from + stride]);
            case 3 -> subtract(target, left[at], right[from], left[at + 1], right[from + stride],
                    left[at + 2], right[from + 2 * stride]);
            case 4 -> subtract(target, left[at], right[from], left[at + 1], right[from + stride],
                    left[at + 2], right[from + 2 * stride], left[at + 3], right[from + 3 * stride]);
            default -> subtract(target, left[at], right[from], left[at + 1], right[from + stride],
                    left[at + 2], right[from + 2 * stride], left[at + 3], right[from + 3 * stride],
                    left[at + 4], right[from + 4 * stride]);
        }
    }

    private static void subtract(double[] target, double[] a, double[] b) {
        for (int i = 0; i < target.length; i++) target[i] -= a[i] * b[i];
    }

    private static void subtract(double[] target, double[] a, double[] b, double[] c, double[] d) {
        for (int i = 0; i < target.length; i++) target[i] -= a[i] * b[i] + c[i] * d[i];
    }

    private static void subtract(
            double[] target, double[] a, double[] b, double[] c, double[] d, double[] e, double[] f) {
        for (int i = 0; i < target.length; i++) target[i] -= a[i] * b[i] + c[i] * d[i] + e[i] * f[i];
    }

    private static void subtract(
            double[] target, double[] a, double[] b, double[] c, double[] d,
            double[] e, double[] f, double[] g, double[] h) {
        for (int i = 0; i < target.length; i++) {
            target[i] -= a[i] * b[i] + c[i] * d[i] + (e[i] * f[i] + g[i] * h[i]);
        }
    }

    private static void subtract(
            double[] target, double[] a, double[] b, double[] c, double[] d,
            double[] e, double[] f, double[] g, double[] h, double[] k, double[] l) {
        for (int i = 0; i < target.length; i++) {
            target[i] -= a[i] * b[i] + c[i] * d[i] + (e[i] * f[i] + g[i] * h[i]) + k[i] * l[i];
        }
    }

    private static void multiply(double[] target, double[] factor) {
        for (int i = 0; i < target.length; i++) target[i] *= factor[i];
    }

    private static void invert(double[] target) {
        for (int i = 0; i < target.length; i++) target[i] = 1 / target[i];
    }
}
