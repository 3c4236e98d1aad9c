// SPDX-License-Identifier: Apache-2.0

/// A weighted sum of a point and the 26 points around it. Points at the same distance have the same weight.
///
/// The rows around a row are added first, those at a face and those at an edge. What a point needs of its neighbours
/// in the row is a sum of these again, shifted by one.
final class Stencil {
    private final double center, face, edge, corner; // the weights
    private final double[] own, beside; // what a point gives to its own sum, and to those of its neighbours in the row
    private final double[] before, after; // `beside` of the neighbours in the row

    /// @param longest points of a row, with the halo
    Stencil(int longest, double center, double face, double edge, double corner) {
        this.center = center;
        this.face = face;
        this.edge = edge;
        this.corner = corner;
        own = new double[longest];
        beside = new double[longest];
        before = new double[longest];
        after = new double[longest];
    }

    /// target = base + the sums of the source; target and base may be the same.
    void add(Cube source, Cube base, Cube target) {
        int length = source.x() + 2;
        for (int k = 1; k <= source.z(); k++) {
            for (int j = 1; j <= source.y(); j++) {
                int row = source.at(j, k);
                combine(source.rows(), row, source.y() + 2);
                System.arraycopy(beside, 0, before, 1, length - 1);
                System.arraycopy(beside, 1, after, 0, length - 1);
                add(own, before, after, base.rows()[row], target.rows()[row]);
            }
        }
    }

    private static void add(double[] own, double[] before, double[] after, double[] base, double[] target) {
        for (int i = 1; i < target.length - 1; i++) target[i] = base[i] + own[i] + (before[i] + after[i]);
    }

    /// Point i of a target that is half as fine becomes the sum of point 2i of the source.
    void coarsen(Cube source, Cube target) {
        for (int k = 1; k <= target.z(); k++) {
            for (int j = 1; j <= target.y(); j++) {
                combine(source.rows(), source.at(2 * j, 2 * k), source.y() + 2);
                everySecond(own, beside, target.row(j, k));
            }
        }
    }

    private static void everySecond(double[] own, double[] beside, double[] target) {
        for (int i = 1; i < target.length - 1; i++) target[i] = own[2 * i] + (beside[2 * i - 1] + beside[2 * i + 1]);
    }

    /// @param plane rows from one to that at the next k
    private void combine(double[][] rows, int row, int plane) {
        double[] middle = rows[row], left = rows[row - 1], right = rows[row + 1];
        double[] down = rows[row - plane], up = rows[row + plane];
        double[] downLeft = rows[row - plane - 1], downRight = rows[row - plane + 1];
        double[] upLeft = rows[row + plane - 1], upRight = rows[row + plane + 1];
        double[] sums = own, shares = beside;
        double first = center, second = face, third = edge, fourth = corner;
        for (int i = 0; i < middle.length; i++) {
            double one = middle[i];
            double two = left[i] + right[i] + down[i] + up[i];
            double three = downLeft[i] + downRight[i] + upLeft[i] + upRight[i];
            sums[i] = first * one + second * two + third * three;
            shares[i] = second * one + third * two + fourth * three;
        }
    }
}
