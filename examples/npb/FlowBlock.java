// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import java.util.Arrays;

/// The flow of a gas in a cube, of which this PE has the points of a rectangle of x and y, with all z, and a *halo* of
/// two more on each side. The state at the faces of the cube stays as it is.
///
/// In arrays, point i of a row of this PE has the index i + 2; row(j, k) does the same for j. There is no halo along z.
final class FlowBlock {
    private static final int HALO = 2;

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
    final int size; // points along an axis of the cube
    private final int firstX, firstY, x, y; // of this PE
    final int[] neighbours; // as FlowBoxes counts them
    final int length; // of a row, with its halo
    final int fromX, endX, fromY, endY; // points inside the cube, as indices of a row and as j
    final int haloFromY, haloEndY; // rows of this PE and its halo inside the cube or at its faces
    final FlowRows rows;
    final double[][][] correction; // of the state, or the residual, by number and row
    final FlowBoxes lines; // for lines of a sweep, by z
    private final FlowBoxes halos; // for halos, of two rounds
    private long round;

    private FlowBlock(World world, int size, int[] parts) {
        this.world = world;
        this.size = size;
        int pe = world.pe(), placeX = pe % parts[0], placeY = pe / parts[0];
        boolean isActive = placeY < parts[1];
        firstX = isActive ? first(placeX, parts[0]) : size;
        firstY = isActive ? first(placeY, parts[1]) : size;
        x = isActive ? first(placeX + 1, parts[0]) - firstX : 0;
        y = isActive ? first(placeY + 1, parts[1]) - firstY : 0;
        neighbours = new int[] {
            isActive && placeX > 0 ? pe - 1 : -1,
            isActive && placeX < parts[0] - 1 ? pe + 1 : -1,
            isActive && placeY > 0 ? pe - parts[0] : -1,
            isActive && placeY < parts[1] - 1 ? pe + parts[0] : -1
        };
        length = x + 2 * HALO;
        fromX = HALO + (firstX == 0 ? 1 : 0);
        endX = HALO + Math.min(x, size - 1 - firstX);
        fromY = firstY == 0 ? 1 : 0;
        endY = Math.min(y, size - 1 - firstY);
        haloFromY = Math.max(-HALO, -firstY);
        haloEndY = Math.min(y + HALO, size - firstY);
        rows = FlowRows.of((y + 2 * HALO) * size, length);
        for (double[] row : rows.state()[0]) Arrays.fill(row, 1); // also beyond the faces
        correction = field();
        int most = Math.max(Math.ceilDiv(size, parts[0]), Math.ceilDiv(size, parts[1]));
        lines = new FlowBoxes(world, neighbours, size, 5 * most);
        halos = new FlowBoxes(world, neighbours, 2, 5 * HALO * most * size);
    }

    /// Divides y first: rows along x make long loops. If parts would be smaller than a halo, the last PEs have no
    /// points.
    static FlowBlock of(World world, int size) {
        int most = size / HALO;
        for (int active = Math.min(world.size(), most * most); ; active--) {
            int x = (int) Math.sqrt(active);
            while (active % x != 0) x--;
            if (active / x <= most) return new FlowBlock(world, size, new int[] {x, active / x});
        }
    }

    private int first(int place, int places) {
        return size * place / places;
    }

    double[][][] field() {
        return new double[5][rows.volume().length][length];
    }

    int row(int j, int k) {
        return k * (y + 2 * HALO) + j + HALO;
    }

    int globalX(int index) {
        return firstX + index - HALO;
    }

    int globalY(int j) {
        return firstY + j;
    }

    /// Fills the halo of the state. The sweeps between two exchanges let no PE be more than one ahead.
    void exchange() {
        round++;
        int slot = (int) (round % 2);
        for (int side = 0; side < 4; side++) {
            if (!halos.has(side)) continue;
            boolean alongX = side <= FlowBoxes.AFTER_X, isBefore = side % 2 == 0;
            int last = alongX ? x : y;
            int count = copy(halos.outgoing, true, alongX, isBefore ? 0 : last - HALO);
            halos.send(side, slot, count, round);
        }
        for (int side = 0; side < 4; side++) {
            if (!halos.has(side)) continue;
            boolean alongX = side <= FlowBoxes.AFTER_X, isBefore = side % 2 == 0;
            halos.receive(side, slot, 5 * HALO * size * (alongX ? y : x), round);
            copy(halos.incoming, false, alongX, isBefore ? -HALO : alongX ? x : y);
        }
    }

    /// Copies two columns or rows from the one at `first` on, to or from an array, and returns how many numbers.
    private int copy(double[] array, boolean isSent, boolean alongX, int first) {
        int at = 0;
        for (double[][] state : rows.state()) {
            for (int k = 0; k < size; k++) {
                for (int j = alongX ? 0 : first; j < (alongX ? y : first + HALO); j++) {
                    double[] row = state[row(j, k)];
                    int begin = alongX ? first + HALO : HALO, count = alongX ? HALO : x;
                    if (isSent) {
                        System.arraycopy(row, begin, array, at, count);
                    } else {
                        System.arraycopy(array, at, row, begin, count);
                    }
                    at += count;
                }
            }
        }
        return at;
    }

    /// Returns a number of the exact solution; the coordinates count points.
    private double exact(int number, int i, int j, int k) {
        double[] of = EXACT[number];
        double unit = 1.0 / (size - 1), x = i * unit, y = j * unit, z = k * unit;
        return of[0]
                + x * (of[1] + x * (of[4] + x * (of[7] + x * of[10])))
                + y * (of[2] + y * (of[5] + y * (of[8] + y * of[11])))
                + z * (of[3] + z * (of[6] + z * (of[9] + z * of[12])));
    }

    /// Returns what the state begins with: the exact solution at the faces of the cube, and a blend of these inside.
    private double initial(int number, int i, int j, int k) {
        int last = size - 1;
        if (i == 0 || i == last || j == 0 || j == last || k == 0 || k == last) return exact(number, i, j, k);
        double x = between(exact(number, 0, j, k), exact(number, last, j, k), i);
        double y = between(exact(number, i, 0, k), exact(number, i, last, k), j);
        double z = between(exact(number, i, j, 0), exact(number, i, j, last), k);
        return x + y + z - x * y - y * z - z * x + x * y * z;
    }

    private double between(double first, double last, int position) {
        double part = (double) position / (size - 1);
        return (1 - part) * first + part * last;
    }

    /// A number of the state by place in the cube.
    private interface Values {
        double at(int number, int i, int j, int k);
    }

    void setExact() {
        set(this::exact);
    }

    void setInitial() {
        set(this::initial);
    }

    private void set(Values values) {
        for (int number = 0; number < 5; number++) {
            for (int k = 0; k < size; k++) {
                for (int j = 0; j < y; j++) {
                    double[] row = rows.state()[number][row(j, k)];
                    for (int i = 0; i < x; i++) row[i + HALO] = values.at(number, firstX + i, firstY + j, k);
                }
            }
        }
    }

    /// Returns the differences from the exact solution.
    double[][][] errors() {
        double[][][] errors = field();
        for (int number = 0; number < 5; number++) {
            for (int k = 1; k < size - 1; k++) {
                for (int j = fromY; j < endY; j++) {
                    double[] row = rows.state()[number][row(j, k)], error = errors[number][row(j, k)];
                    for (int i = fromX; i < endX; i++) error[i] = exact(number, globalX(i), globalY(j), k) - row[i];
                }
            }
        }
        return errors;
    }

    /// Returns the root of the mean square of each number over the points inside the cube.
    double[] norms(double[][][] field) {
        double[] norms = new double[5];
        for (int number = 0; number < 5; number++) {
            for (int k = 1; k < size - 1; k++) {
                for (int j = fromY; j < endY; j++) norms[number] += squares(field[number][row(j, k)]);
            }
        }
        world.team().allReduce(Reduction.SUM, norms);
        double inside = size - 2;
        for (int number = 0; number < 5; number++) norms[number] = Math.sqrt(norms[number] / inside / inside / inside);
        return norms;
    }

    private double squares(double[] row) {
        double sum = 0;
        for (int i = fromX; i < endX; i++) sum += row[i] * row[i];
        return sum;
    }

    /// Returns the integral of the pressure over the faces of a box in the cube, by the trapezoidal rule.
    double surfaceIntegral() {
        int endX = size - 1, endY = size - 2, endZ = size - 1;
        double sum = 0;
        for (int k = 0; k < size; k++) {
            double z = weight(k, 2, endZ - 1);
            for (int j = 0; j < y; j++) {
                double y = weight(globalY(j), 1, endY - 1);
                for (int i = HALO; i < x + HALO; i++) {
                    double x = weight(globalX(i), 1, endX - 1);
                    double faces = 0;
                    if (z == 0.5) faces += x * y;
                    if (y == 0.5) faces += x * z;
                    if (x == 0.5) faces += y * z;
                    sum += faces * rows.pressure()[row(j, k)][i];
                }
            }
        }
        double unit = 1.0 / (size - 1);
        return world.team().sum(sum) * unit * unit;
    }

    /// The ends of the box count half, points outside not at all.
    private static double weight(int position, int first, int last) {
        return position < first || position > last ? 0 : position == first || position == last ? 0.5 : 1;
    }
}
