// SPDX-License-Identifier: Apache-2.0
import java.util.stream.IntStream;

/// The right-hand side of the Navier-Stokes equations: what flows along each axis, and a force.
///
/// Convection and viscosity need one row on each side. An artificial dissipation, a fourth difference, needs two, and
/// fewer next to the faces of the cube. With the diffusion of each quantity it is one stencil. Along x the
/// neighbours are in the same row; copies of it, shifted, make rows of them.
///
/// The loops are short, because the JIT compiler makes vector instructions of those alone.
final class FlowFluxes {
    static final double[] DIFFUSIVITY = {0.75, 0.75, 1}; // by axis
    static final double VISCOSITY = 0.1;
    private static final double DISSIPATION = 0.25;
    private static final int INSIDE = 2; // the place of a point with two more on each side inside the cube
    private static final double[][] DIFFERENCES = { // the fourth ones, by place
        {0, 0, 5, -4, 1}, {0, -4, 6, -4, 1}, {1, -4, 6, -4, 1}, {1, -4, 6, -4, 0}, {1, -4, 5, 0, 0}
    };

    private final FlowBlock block;
    private final FlowRows shifted; // this row and the four that are shifted along x
    private final double[][][] stencils = new double[3][5][5]; // by axis and place
    private final double convection, viscosity;
    private final int from, end; // of the points inside the cube
    private final int[] edges; // those of them next to a face across x

    FlowFluxes(FlowBlock block) {
        this.block = block;
        shifted = FlowRows.of(5, block.length);
        double inverse = block.size - 1; // of the distance of points
        convection = inverse / 2;
        viscosity = VISCOSITY * inverse * inverse;
        from = block.fromX;
        end = block.endX;
        edges = IntStream.range(from, end)
                .filter(i -> place(block.globalX(i)) != INSIDE)
                .toArray();
        for (int axis = 0; axis < 3; axis++) {
            for (int place = 0; place < 5; place++) {
                for (int i = 0; i < 5; i++) {
                    double second = i == 2 ? -2 : i == 1 || i == 3 ? 1 : 0;
                    stencils[axis][place][i] = DIFFUSIVITY[axis] * inverse * inverse * second
                            - DISSIPATION * DIFFERENCES[place][i];
                }
            }
        }
    }

    /// Returns the place of a point by how near it is to the faces across an axis.
    private int place(int position) {
        int last = block.size - 1;
        return position <= 2 ? position - 1 : position >= last - 2 ? 5 - (last - position) : INSIDE;
    }

    /// Sets the correction to the force and all that flows.
    void residual(double[][][] force) {
        for (int k = 0; k < block.size; k++) {
            for (int j = block.haloFromY; j < block.haloEndY; j++) block.rows.derive(block.row(j, k));
        }
        int plane = block.row(0, 1) - block.row(0, 0);
        for (int k = 1; k < block.size - 1; k++) {
            for (int j = block.fromY; j < block.endY; j++) {
                int row = block.row(j, k);
                for (int number = 0; number < 5; number++) {
                    System.arraycopy(force[number][row], 0, block.correction[number][row], 0, block.length);
                }
                alongX(row);
                add(block.rows, 1, row, 1, stencils[1][place(block.globalY(j))], row);
                add(block.rows, 2, row, plane, stencils[2][place(k)], row);
            }
        }
    }

    private void alongX(int row) {
        for (int shift = -2; shift <= 2; shift++) shifted.shift(block.rows, row, 2 + shift, shift);
        add(shifted, 0, 2, 1, stencils[0][INSIDE], row);
        for (int i : edges) {
            double[] stencil = stencils[0][place(block.globalX(i))], used = stencils[0][INSIDE];
            for (int number = 0; number < 5; number++) {
                double[] state = block.rows.state()[number][row];
                double sum = 0;
                for (int d = 0; d < 5; d++) {
                    sum += (stencil[d] - used[d]) * state[i + d - 2];
                }
                block.correction[number][row][i] += sum;
            }
        }
    }

    /// Adds what flows along an axis.
    ///
    /// @param row    of the rows
    /// @param stride to the next row along the axis
    /// @param target row of the correction
    private void add(FlowRows rows, int axis, int row, int stride, double[] stencil, int target) {
        int before = row - stride, after = row + stride, first = Math.max(0, before - stride);
        int last = Math.min(rows.volume().length - 1, after + stride); // beyond are no rows, and weights of 0
        double[][][] correction = block.correction;
        for (int number = 0; number < 5; number++) {
            double[][] state = rows.state()[number];
            double[] sum = correction[number][target];
            spread(state[first], state[before], state[row], state[after], state[last], stencil, sum);
        }
        double[][] speed = rows.velocity()[axis], pressure = rows.pressure(), heat = rows.heat();
        double[] slow = speed[before], here = speed[row], fast = speed[after];
        double[][] momentum = rows.state()[axis + 1];
        push(momentum[before], momentum[after], correction[0][target]);
        push(pressure[before], pressure[after], correction[axis + 1][target]);
        for (int other = 0; other < 3; other++) {
            momentum = rows.state()[other + 1];
            double[][] velocity = rows.velocity()[other];
            double[] sum = correction[other + 1][target];
            carry(momentum[before], momentum[after], slow, fast, sum);
            double factor = other == axis ? viscosity * 4 / 3 : viscosity;
            drag(velocity[before], velocity[row], velocity[after], factor, sum);
        }
        double[][] energy = rows.state()[4];
        double[] sum = correction[4][target];
        carry(energy[before], energy[after], slow, fast, sum);
        carry(pressure[before], pressure[after], slow, fast, sum);
        drag(heat[before], heat[row], heat[after], viscosity, sum);
        warm(slow, here, fast, sum);
    }

    private void spread(double[] a, double[] b, double[] c, double[] d, double[] e, double[] stencil, double[] sum) {
        double one = stencil[0], two = stencil[1], three = stencil[2], four = stencil[3], five = stencil[4];
        for (int i = from; i < end; i++) {
            sum[i] += one * a[i] + two * b[i] + three * c[i] + four * d[i] + five * e[i];
        }
    }

    private void push(double[] before, double[] after, double[] sum) {
        double factor = convection;
        for (int i = from; i < end; i++) sum[i] -= factor * (after[i] - before[i]);
    }

    private void carry(double[] before, double[] after, double[] slow, double[] fast, double[] sum) {
        double factor = convection;
        for (int i = from; i < end; i++) sum[i] -= factor * (after[i] * fast[i] - before[i] * slow[i]);
    }

    private void drag(double[] before, double[] here, double[] after, double factor, double[] sum) {
        for (int i = from; i < end; i++) sum[i] += factor * (before[i] - 2 * here[i] + after[i]);
    }

    private void warm(double[] before, double[] here, double[] after, double[] sum) {
        double factor = viscosity / 6;
        for (int i = from; i < end; i++) {
            sum[i] += factor * (before[i] * before[i] - 2 * here[i] * here[i] + after[i] * after[i]);
        }
    }
}
