// SPDX-License-Identifier: Apache-2.0

/// What flows along an axis: the differences of the Navier-Stokes equations between a row and those before and after.
///
/// Convection and viscosity need one row on each side. An artificial dissipation, a fourth difference, needs two; it
/// has fewer next to the ends of the grid. It is one stencil with the diffusion of each quantity.
///
/// There are many short loops, because the JIT compiler makes vector instructions of those alone.
final class GasFluxes {
    static final double[] DIFFUSIVITY = {0.75, 0.75, 1}; // by axis
    static final double DISSIPATION = 0.25;
    static final double VISCOSITY = 0.1;
    private static final double[][] FOURTH_DIFFERENCES = {
        {0, 0, 5, -4, 1}, {0, -4, 6, -4, 1}, {1, -4, 6, -4, 1}, {1, -4, 6, -4, 0}, {1, -4, 5, 0, 0}
    };

    private final double[][][] stencils = new double[3][5][5]; // by axis and place in the grid
    private final double convection, viscosity;

    /// @param points of the grid along each axis
    GasFluxes(int points) {
        double inverse = points - 1; // of the distance of points
        convection = inverse / 2;
        viscosity = VISCOSITY * inverse * inverse;
        for (int axis = 0; axis < 3; axis++) {
            for (int place = 0; place < 5; place++) {
                for (int i = 0; i < 5; i++) {
                    double second = i == 2 ? -2 : i == 1 || i == 3 ? 1 : 0;
                    stencils[axis][place][i] = DIFFUSIVITY[axis] * inverse * inverse * second
                            - DISSIPATION * FOURTH_DIFFERENCES[place][i];
                }
            }
        }
    }

    /// Adds the fluxes along the lines to the right-hand side at a position that is inside the grid.
    void add(GasLines lines, int position) {
        int depth = Math.min(2, lines.depth(position));
        double[] stencil = stencils[lines.axis()][lines.isLow(position) ? depth : 4 - depth];
        GasRows rows = lines.rows();
        int row = lines.row(position), stride = lines.stride(), along = lines.axis();
        for (int number = 0; number < 5; number++) {
            spread(rows.state[number], rows.right[number][row], row, stride, stencil);
        }
        double[][] speeds = rows.velocity[along];
        mass(rows.state[along + 1], rows.right[0][row], row, stride);
        for (int axis = 0; axis < 3; axis++) {
            double[] right = rows.right[axis + 1][row];
            if (axis == along) {
                momentum(rows.state[axis + 1], speeds, rows.pressure, right, row, stride);
            } else {
                momentumAcross(rows.state[axis + 1], rows.velocity[axis], speeds, right, row, stride);
            }
        }
        energy(rows.state[4], speeds, rows.pressure, rows.right[4][row], row, stride);
        heat(rows.heat, speeds, rows.right[4][row], row, stride);
    }

    private static void spread(double[][] state, double[] right, int row, int stride, double[] stencil) {
        double[] a = state[row - 2 * stride], b = state[row - stride], c = state[row];
        double[] d = state[row + stride], e = state[row + 2 * stride];
        double ofA = stencil[0], ofB = stencil[1], ofC = stencil[2], ofD = stencil[3], ofE = stencil[4];
        for (int i = 0; i < right.length; i++) {
            right[i] += ofA * a[i] + ofB * b[i] + ofC * c[i] + ofD * d[i] + ofE * e[i];
        }
    }

    private void mass(double[][] momenta, double[] right, int row, int stride) {
        double[] before = momenta[row - stride], after = momenta[row + stride];
        double flow = convection;
        for (int i = 0; i < right.length; i++) right[i] -= flow * (after[i] - before[i]);
    }

    private void momentum(
            double[][] momenta, double[][] speeds, double[][] pressure, double[] right, int row, int stride) {
        double[] b = momenta[row - stride], d = momenta[row + stride];
        double[] before = speeds[row - stride], here = speeds[row], after = speeds[row + stride];
        double[] pushBefore = pressure[row - stride], pushAfter = pressure[row + stride];
        double flow = convection, friction = viscosity * 4 / 3;
        for (int i = 0; i < right.length; i++) {
            double ofBefore = b[i] * before[i] + pushBefore[i], ofAfter = d[i] * after[i] + pushAfter[i];
            right[i] += friction * (before[i] - 2 * here[i] + after[i]) - flow * (ofAfter - ofBefore);
        }
    }

    private void momentumAcross(
            double[][] momenta, double[][] across, double[][] speeds, double[] right, int row, int stride) {
        double[] b = momenta[row - stride], d = momenta[row + stride];
        double[] left = across[row - stride], middle = across[row], far = across[row + stride];
        double[] before = speeds[row - stride], after = speeds[row + stride];
        double flow = convection, friction = viscosity;
        for (int i = 0; i < right.length; i++) {
            double change = d[i] * after[i] - b[i] * before[i];
            right[i] += friction * (left[i] - 2 * middle[i] + far[i]) - flow * change;
        }
    }

    private void energy(
            double[][] energies, double[][] speeds, double[][] pressure, double[] right, int row, int stride) {
        double[] b = energies[row - stride], d = energies[row + stride];
        double[] before = speeds[row - stride], after = speeds[row + stride];
        double[] pushBefore = pressure[row - stride], pushAfter = pressure[row + stride];
        double flow = convection;
        for (int i = 0; i < right.length; i++) {
            double ofBefore = (b[i] + pushBefore[i]) * before[i], ofAfter = (d[i] + pushAfter[i]) * after[i];
            right[i] -= flow * (ofAfter - ofBefore);
        }
    }

    private void heat(double[][] heat, double[][] speeds, double[] right, int row, int stride) {
        double[] b = heat[row - stride], c = heat[row], d = heat[row + stride];
        double[] speedB = speeds[row - stride], speedC = speeds[row], speedD = speeds[row + stride];
        double ofSpeed = viscosity / 6, ofHeat = viscosity;
        for (int i = 0; i < right.length; i++) {
            double before = speedB[i], here = speedC[i], after = speedD[i];
            right[i] += ofHeat * (b[i] - 2 * c[i] + d[i])
                    + ofSpeed * (before * before - 2 * here * here + after * after);
        }
    }
}
