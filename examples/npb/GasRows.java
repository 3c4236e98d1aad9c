// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/// The state of a gas at points that lie in rows, and what follows from it.
///
/// Each row is an array of its own: the JIT compiler makes vector instructions of loops over several arrays at the same
/// index, and can't if an index has an offset. So a difference is always one between rows, and all that is done to a
/// row is done to many lines of points at once. Rows are as long as vector loops like it: those begin with one element,
/// and continue with vectors of eight. What the additional points have does no harm.
final class GasRows {
    static final double EXCESS = 0.4; // of the ratio of specific heats over 1
    static final double CONDUCTION = (1 + EXCESS) * (1 + EXCESS); // of heat, in relation to viscosity

    final double[][][] state = new double[5][][]; // density, momentum along x, y and z, energy; by row
    final double[][][] velocity = new double[3][][];
    final double[][] volume; // 1 / density
    final double[][] kinetic; // energy of a unit of mass
    final double[][] pressure;
    final double[][] sound; // its speed
    final double[][] heat; // what viscosity spreads
    final double[][][] right = new double[5][][]; // the right-hand side, and then the solution, of the equations

    /// The gas rests everywhere, with density 1 and energy 1.
    GasRows(int rows, int points) {
        int length = (points + 6) / 8 * 8 + 1;
        Arrays.setAll(state, m -> new double[rows][length]);
        Arrays.setAll(velocity, m -> new double[rows][length]);
        Arrays.setAll(right, m -> new double[rows][length]);
        volume = new double[rows][length];
        kinetic = new double[rows][length];
        pressure = new double[rows][length];
        sound = new double[rows][length];
        heat = new double[rows][length];
        for (double[] row : state[0]) Arrays.fill(row, 1);
        for (double[] row : state[4]) Arrays.fill(row, 1);
    }

    int length() {
        return volume[0].length;
    }

    /// Computes what follows from the state, from row `from` to row `end`, exclusive.
    void derive(int from, int end) {
        for (int row = from; row < end; row++) {
            move(row);
            press(row);
        }
    }

    private void move(int row) {
        double[] density = state[0][row], x = state[1][row], y = state[2][row], z = state[3][row];
        double[] inverse = volume[row], energy = kinetic[row];
        double[] xs = velocity[0][row], ys = velocity[1][row], zs = velocity[2][row];
        for (int i = 0; i < inverse.length; i++) {
            double factor = 1 / density[i];
            double first = x[i] * factor, second = y[i] * factor, third = z[i] * factor;
            inverse[i] = factor;
            xs[i] = first;
            ys[i] = second;
            zs[i] = third;
            energy[i] = 0.5 * (first * first + second * second + third * third);
        }
    }

    private void press(int row) {
        double[] density = state[0][row], energy = state[4][row], moving = kinetic[row], inverse = volume[row];
        double[] forces = pressure[row], speeds = sound[row], spread = heat[row];
        for (int i = 0; i < forces.length; i++) {
            double force = EXCESS * (energy[i] - density[i] * moving[i]);
            forces[i] = force;
            speeds[i] = Math.sqrt((1 + EXCESS) * force * inverse[i]);
            spread[i] = CONDUCTION * energy[i] * inverse[i] - (CONDUCTION - 1) * moving[i];
        }
    }
}
