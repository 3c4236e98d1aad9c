// SPDX-License-Identifier: Apache-2.0

/// The state of a gas in rows of points along x, each row in arrays of its own: the JIT compiler makes vector
/// instructions of loops over several arrays at the same index.
///
/// @param state    what is conserved: density, momentum along x, y and z, energy; by number and row
/// @param volume   1 / density, by row, as all that follows
/// @param velocity by axis and row
/// @param energy   per mass
/// @param heat     what conduction and viscosity spread, but for the velocity along the axis
record FlowRows(
        double[][][] state,
        double[][] volume,
        double[][][] velocity,
        double[][] energy,
        double[][] pressure,
        double[][] heat) {
    static final double GAMMA = 1.4; // the ratio of specific heats
    static final double CONDUCTION = 1.4 * GAMMA; // by the viscosity

    static FlowRows of(int rows, int length) {
        return new FlowRows(
                new double[5][rows][length],
                new double[rows][length],
                new double[3][rows][length],
                new double[rows][length],
                new double[rows][length],
                new double[rows][length]);
    }

    /// Computes the other quantities from the state of a row.
    void derive(int row) {
        double[] density = state[0][row], inverse = volume[row], total = state[4][row];
        for (int i = 0; i < density.length; i++) inverse[i] = 1 / density[i];
        for (int axis = 0; axis < 3; axis++) multiply(state[axis + 1][row], inverse, velocity[axis][row]);
        multiply(total, inverse, energy[row]);
        squares(velocity[0][row], velocity[1][row], velocity[2][row], heat[row]);
        double[] squares = heat[row], force = pressure[row], specific = energy[row];
        for (int i = 0; i < density.length; i++) {
            force[i] = (GAMMA - 1) * (total[i] - 0.5 * density[i] * squares[i]);
        }
        for (int i = 0; i < density.length; i++) {
            squares[i] = 0.5 * (1 - CONDUCTION) * squares[i] + CONDUCTION * specific[i];
        }
    }

    private static void multiply(double[] a, double[] b, double[] product) {
        for (int i = 0; i < product.length; i++) product[i] = a[i] * b[i];
    }

    private static void squares(double[] a, double[] b, double[] c, double[] sum) {
        for (int i = 0; i < sum.length; i++) sum[i] = a[i] * a[i] + b[i] * b[i] + c[i] * c[i];
    }

    /// Copies a row so that point i of the copy is point i + shift of the row.
    void shift(FlowRows from, int fromRow, int row, int shift) {
        for (int number = 0; number < 5; number++) shift(from.state[number][fromRow], state[number][row], shift);
        for (int axis = 0; axis < 3; axis++) shift(from.velocity[axis][fromRow], velocity[axis][row], shift);
        shift(from.pressure[fromRow], pressure[row], shift);
        shift(from.heat[fromRow], heat[row], shift);
    }

    private static void shift(double[] from, double[] to, int shift) {
        int begin = Math.max(0, -shift), end = Math.min(from.length, from.length - shift);
        System.arraycopy(from, begin + shift, to, begin, end - begin);
    }
}
