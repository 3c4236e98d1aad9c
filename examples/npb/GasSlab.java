// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// The flow of a gas in a cube, of which this PE has some planes across z, its *slab*, and two more on each side. The
/// state at the faces of the cube stays as it is.
///
/// A plane has rows along x, so that lines along y and z have one point in each of many rows. For lines along x it is
/// transposed, to rows along y.
final class GasSlab {
    /// The exact solution is a polynomial of each coordinate: a constant, and the coefficients of x, y, z, of x², y²,
    /// z², and so on.
    private static final double[][] EXACT = {
        {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
        {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
        {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
        {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
        {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2}
    };

    final World world;
    final int points; // along an axis
    final double step; // of time
    final int active; // the number of PEs that have planes: the first ones
    final int first, planes; // of this PE
    final int from, end; // its planes inside the cube, counted from its first
    final GasRows rows, turned; // turned is one plane, as rows along y
    private final double[][][] force; // that keeps the exact solution as it is, by number and row
    private final GasFluxes fluxes;
    private final GasHalos halos;
    private final double[][] edge; // rows of two planes
    final GasLines alongX; // of the plane that is turned
    final GasLines[] alongY, alongZ; // by z, by y
    final int kept; // numbers of what solvers keep
    private int parity; // of the exchanges

    GasSlab(World world, int points, double step) {
        this.world = world;
        this.points = points;
        this.step = step;
        active = Math.min(world.size(), points / 2);
        int pe = Math.min(world.pe(), active);
        first = points * pe / active;
        planes = world.pe() < active ? points * (pe + 1) / active - first : 0;
        from = Math.max(0, 1 - first);
        end = Math.min(planes, points - 1 - first);
        rows = new GasRows((planes + 4) * points, points);
        turned = new GasRows(points + 4, points);
        force = new double[5][rows.volume.length][rows.length()];
        fluxes = new GasFluxes(points);
        halos = new GasHalos(world, active, 2, 10 * points, points);
        edge = new double[10 * points][];
        alongX = new GasLines(turned, 0, 2, 1, 0, points, 2);
        alongY = new GasLines[planes];
        for (int k = 0; k < planes; k++) alongY[k] = new GasLines(rows, 1, row(0, k), 1, 0, points, 2);
        alongZ = new GasLines[points];
        int kept = points + 4, more = isLast() ? 0 : planes + 4;
        for (int j = 0; j < points; j++) {
            alongZ[j] = new GasLines(rows, 2, row(j, 0), points, first, points, kept + j * more + 2);
        }
        this.kept = kept + (points - 1) * more + planes + 4;
    }

    /// Whether no PE has planes above: then lines along z are solved one after the other.
    private boolean isLast() {
        return first + planes == points;
    }

    int row(int j, int k) {
        return (k + 2) * points + j;
    }

    /// Returns a number of the state at a point; the coordinates are fractions of the cube.
    private static double exact(int number, double x, double y, double z) {
        double[] of = EXACT[number];
        return of[0]
                + x * (of[1] + x * (of[4] + x * (of[7] + x * of[10])))
                + y * (of[2] + y * (of[5] + y * (of[8] + y * of[11])))
                + z * (of[3] + z * (of[6] + z * (of[9] + z * of[12])));
    }

    /// Computes the force, with the exact solution as the state.
    void prepare() {
        double unit = 1.0 / (points - 1);
        for (int number = 0; number < 5; number++) {
            for (int k = -2; k < planes + 2; k++) {
                if (first + k < 0 || first + k >= points) continue;
                for (int j = 0; j < points; j++) {
                    double[] row = rows.state[number][row(j, k)];
                    for (int i = 0; i < points; i++) row[i] = exact(number, i * unit, j * unit, (first + k) * unit);
                }
            }
        }
        rows.derive(0, rows.volume.length);
        for (int k = from; k < end; k++) {
            rightSide(k);
            turnBack(k);
            for (int number = 0; number < 5; number++) {
                for (int j = 1; j < points - 1; j++) negate(rows.right[number][row(j, k)], force[number][row(j, k)]);
            }
        }
    }

    private void negate(double[] right, double[] force) {
        for (int i = 1; i < points - 1; i++) force[i] = -right[i] / step;
    }

    /// Begins with the exact solution at the faces of the cube, and between them with what these suggest.
    void begin() {
        double unit = 1.0 / (points - 1);
        for (int number = 0; number < 5; number++) {
            for (int k = 0; k < planes; k++) {
                for (int j = 0; j < points; j++) {
                    double[] row = rows.state[number][row(j, k)];
                    for (int i = 0; i < points; i++) row[i] = blend(number, i * unit, j * unit, (first + k) * unit);
                }
            }
        }
    }

    private static double blend(int number, double x, double y, double z) {
        if (x == 0 || x == 1 || y == 0 || y == 1 || z == 0 || z == 1) return exact(number, x, y, z);
        double alongX = x * exact(number, 1, y, z) + (1 - x) * exact(number, 0, y, z);
        double alongY = y * exact(number, x, 1, z) + (1 - y) * exact(number, x, 0, z);
        double alongZ = z * exact(number, x, y, 1) + (1 - z) * exact(number, x, y, 0);
        return alongX + alongY + alongZ - alongX * alongY - alongX * alongZ - alongY * alongZ
                + alongX * alongY * alongZ;
    }

    /// Adds what has been solved to the state of a row.
    void add(int row) {
        for (int number = 0; number < 5; number++) add(rows.right[number][row], rows.state[number][row], points - 1);
    }

    private static void add(double[] change, double[] state, int end) {
        for (int i = 1; i < end; i++) state[i] += change[i];
    }

    /// Makes the right-hand side of a plane, in rows along y.
    void rightSide(int k) {
        for (int j = 1; j < points - 1; j++) {
            int row = row(j, k);
            for (int number = 0; number < 5; number++) {
                System.arraycopy(force[number][row], 0, rows.right[number][row], 0, rows.length());
            }
            fluxes.add(alongY[k], j);
            fluxes.add(alongZ[j], k);
        }
        for (int number = 0; number < 5; number++) {
            transpose(rows.state[number], row(0, k), turned.state[number], alongX.row(0), 0, points);
            transpose(rows.right[number], row(0, k), turned.right[number], alongX.row(0), 1, points - 1);
        }
        turned.derive(alongX.row(0), alongX.row(points));
        for (int i = 1; i < points - 1; i++) {
            fluxes.add(alongX, i);
            for (int number = 0; number < 5; number++) scale(turned.right[number][alongX.row(i)], step);
        }
    }

    private static void scale(double[] row, double factor) {
        for (int i = 0; i < row.length; i++) row[i] *= factor;
    }

    /// Copies the right-hand side of a plane from rows along y.
    void turnBack(int k) {
        for (int number = 0; number < 5; number++) {
            transpose(turned.right[number], alongX.row(0), rows.right[number], row(0, k), 1, points - 1);
        }
    }

    /// Transposes a square of rows; those from row `from` to `end`, exclusive, of the target.
    private static void transpose(double[][] source, int base, double[][] target, int to, int from, int end) {
        for (int i = from; i < end; i++) {
            double[] row = target[to + i];
            for (int j = from; j < end; j++) row[j] = source[base + j][i];
        }
    }

    /// Gets the two planes on each side, with the PEs that have them.
    void exchange() {
        if (halos.hasBelow()) halos.sendDown(parity, planes(0), edge.length);
        if (halos.hasAbove()) halos.sendUp(parity, planes(planes - 2), edge.length);
        if (halos.hasBelow()) halos.receiveFromBelow(parity, planes(-2), edge.length);
        if (halos.hasAbove()) halos.receiveFromAbove(parity, planes(planes), edge.length);
        parity = 1 - parity;
    }

    /// Returns the rows of the state in two planes.
    private double[][] planes(int k) {
        for (int number = 0; number < 5; number++) {
            System.arraycopy(rows.state[number], row(0, k), edge, 2 * points * number, 2 * points);
        }
        return edge;
    }

    /// Returns the norms of what is left of the equations, by number; of all PEs.
    double[] residuals() {
        exchange();
        rows.derive(row(0, -1), row(0, planes + 1));
        double[] sums = new double[5];
        for (int k = from; k < end; k++) {
            rightSide(k);
            for (int number = 0; number < 5; number++) {
                for (int i = 1; i < points - 1; i++) {
                    double[] row = turned.right[number][alongX.row(i)];
                    for (int j = 1; j < points - 1; j++) sums[number] += row[j] / step * (row[j] / step);
                }
            }
        }
        return norms(sums);
    }

    /// Returns the norms of the differences from the exact solution, by number; of all PEs.
    double[] errors() {
        double[] sums = new double[5];
        double unit = 1.0 / (points - 1);
        for (int number = 0; number < 5; number++) {
            for (int k = 0; k < planes; k++) {
                for (int j = 0; j < points; j++) {
                    double[] row = rows.state[number][row(j, k)];
                    for (int i = 0; i < points; i++) {
                        double error = row[i] - exact(number, i * unit, j * unit, (first + k) * unit);
                        sums[number] += error * error;
                    }
                }
            }
        }
        return norms(sums);
    }

    private double[] norms(double[] sums) {
        world.team().allReduce(Reduction.SUM, sums);
        double inside = Math.pow(points - 2, 3);
        for (int number = 0; number < 5; number++) sums[number] = Math.sqrt(sums[number] / inside);
        return sums;
    }
}
