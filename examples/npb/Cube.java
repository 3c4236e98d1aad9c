// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/// One PE's part of a grid in three dimensions, and the points around it, its *halo*.
///
/// A row has the points along x, each row in an array of its own: the JIT compiler makes vector instructions of loops
/// over several arrays at the same index, and can't if an index has an offset that it does not know. Points of the PE
/// have the indices 1 to `x`, `y`, `z`; the halo has 0 and the indices after these.
///
/// @param rows row (j, k) is number k · (y + 2) + j
record Cube(int x, int y, int z, double[][] rows) {
    static Cube of(int x, int y, int z) {
        return new Cube(x, y, z, new double[(y + 2) * (z + 2)][x + 2]);
    }

    int at(int j, int k) {
        return k * (y + 2) + j;
    }

    double[] row(int j, int k) {
        return rows[at(j, k)];
    }

    void clear() {
        for (double[] row : rows) Arrays.fill(row, 0);
    }

    /// Returns the sum of the squares of this PE's points.
    double squares() {
        double sum = 0;
        for (int k = 1; k <= z; k++) {
            for (int j = 1; j <= y; j++) sum += squares(row(j, k));
        }
        return sum;
    }

    private static double squares(double[] row) {
        double sum = 0;
        for (int i = 1; i < row.length - 1; i++) sum += row[i] * row[i];
        return sum;
    }

    /// Adds to each point of a grid that is twice as fine the mean of the points of this one around it. Point 2i
    /// of the fine grid is point i of this one. The halo gets its values, too.
    void interpolate(Cube fine, double[] means) {
        for (int k = 0; k < fine.z + 2; k++) {
            for (int j = 0; j < fine.y + 2; j++) {
                int low = k >> 1, high = k + 1 >> 1, near = j >> 1, far = j + 1 >> 1;
                mean(row(near, low), row(far, low), row(near, high), row(far, high), means);
                refine(means, fine.row(j, k));
            }
        }
    }

    private static void mean(double[] a, double[] b, double[] c, double[] d, double[] means) {
        for (int i = 0; i < a.length; i++) means[i] = 0.25 * (a[i] + b[i] + c[i] + d[i]);
    }

    private static void refine(double[] means, double[] fine) {
        for (int i = 0; i < fine.length / 2; i++) {
            fine[2 * i] += means[i];
            fine[2 * i + 1] += 0.5 * (means[i] + means[i + 1]);
        }
    }
}
