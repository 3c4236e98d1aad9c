// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;

/// How the fluxes along an axis change with the state of a row: matrices for each of its points, see [Blocks]. A row
/// has one matrix in the equations of the row before it, and one in those of the row after it. What it has in its own
/// equations is the unit matrix less both.
///
/// Elements are constant, or get what convection gives, in both directions with opposite signs, less what viscosity
/// gives.
final class GasJacobian {
    private final double convection, viscosity, diffusion; // in a step

    /// @param points of the grid along each axis
    GasJacobian(int points, double step) {
        double inverse = points - 1; // of the distance of points
        convection = step * inverse / 2;
        diffusion = step * inverse * inverse;
        viscosity = diffusion * GasFluxes.VISCOSITY;
    }

    /// Makes the matrices of a row. Those elements that [#constants] has set stay as they are.
    ///
    /// @param before in the equations before the row
    /// @param after in the equations after it
    void make(GasRows rows, int row, int axis, double[][] before, double[][] after) {
        double[][][] speeds = rows.velocity;
        double[] speed = speeds[axis][row], volume = rows.volume[row], kinetic = rows.kinetic[row];
        double base = diffusion * GasFluxes.DIFFUSIVITY[axis];
        int own = axis + 1, end = 5 * own, last = 20;
        along(speed, kinetic, volume, base, before[end], after[end], before[end + own], after[end + own]);
        for (int other = 0; other < 3; other++) {
            if (other == axis) continue;
            int at = other + 1, start = 5 * at;
            double[] across = speeds[other][row];
            across(across, speed, volume, before[start], after[start], before[start + own], after[start + own]);
            diagonal(speed, volume, 1, base, 1, before[start + at], after[start + at]);
            push(across, before[end + at], after[end + at]);
            shear(across, speed, volume, before[last + at], after[last + at]);
        }
        double[] energy = rows.state[4][row];
        energyOfMass(kinetic, energy, volume, speed, before[last], after[last]);
        energyOfSpeed(kinetic, energy, volume, speed, before[last + own], after[last + own]);
        diagonal(speed, volume, 1 + GasRows.EXCESS, base, GasRows.CONDUCTION, before[last + 4], after[last + 4]);
    }

    /// Sets the elements that are the same in all rows.
    void constants(int axis, double[][] before, double[][] after) {
        for (int i = 0; i < 25; i++) {
            Arrays.fill(before[i], 0);
            Arrays.fill(after[i], 0);
        }
        Arrays.fill(before[0], -diffusion * GasFluxes.DIFFUSIVITY[axis]);
        Arrays.fill(after[0], -diffusion * GasFluxes.DIFFUSIVITY[axis]);
        Arrays.fill(before[axis + 1], convection);
        Arrays.fill(after[axis + 1], -convection);
        Arrays.fill(before[5 * (axis + 1) + 4], convection * GasRows.EXCESS);
        Arrays.fill(after[5 * (axis + 1) + 4], -convection * GasRows.EXCESS);
    }

    /// Momentum along the axis, by mass and by itself.
    private void along(
            double[] speed, double[] kinetic, double[] volume, double base,
            double[] massBefore, double[] massAfter, double[] ownBefore, double[] ownAfter) {
        double flow = convection, friction = viscosity * 4 / 3;
        for (int i = 0; i < speed.length; i++) {
            double own = speed[i], drag = friction * volume[i];
            double mass = flow * (GasRows.EXCESS * kinetic[i] - own * own), slow = drag * own;
            massBefore[i] = mass + slow;
            massAfter[i] = slow - mass;
            double carried = flow * (2 - GasRows.EXCESS) * own, loss = drag + base;
            ownBefore[i] = carried - loss;
            ownAfter[i] = -carried - loss;
        }
    }

    /// Momentum across the axis, by mass and by momentum along the axis.
    private void across(
            double[] across, double[] speed, double[] volume,
            double[] massBefore, double[] massAfter, double[] ownBefore, double[] ownAfter) {
        double flow = convection, friction = viscosity;
        for (int i = 0; i < speed.length; i++) {
            double carried = flow * across[i], slow = friction * volume[i] * across[i], mass = carried * speed[i];
            massBefore[i] = slow - mass;
            massAfter[i] = slow + mass;
            ownBefore[i] = carried;
            ownAfter[i] = -carried;
        }
    }

    private void diagonal(
            double[] speed, double[] volume, double factor, double base, double loss, double[] before, double[] after) {
        double flow = factor * convection, friction = loss * viscosity;
        for (int i = 0; i < speed.length; i++) {
            double carried = flow * speed[i], slow = friction * volume[i] + base;
            before[i] = carried - slow;
            after[i] = -carried - slow;
        }
    }

    /// Momentum along the axis, by momentum across it.
    private void push(double[] across, double[] before, double[] after) {
        double flow = convection * GasRows.EXCESS;
        for (int i = 0; i < across.length; i++) {
            double pushed = flow * across[i];
            before[i] = -pushed;
            after[i] = pushed;
        }
    }

    /// Energy, by momentum across the axis.
    private void shear(double[] across, double[] speed, double[] volume, double[] before, double[] after) {
        double flow = convection * GasRows.EXCESS, friction = viscosity * (1 - GasRows.CONDUCTION);
        for (int i = 0; i < across.length; i++) {
            double pushed = flow * across[i] * speed[i], slow = friction * volume[i] * across[i];
            before[i] = -pushed - slow;
            after[i] = pushed - slow;
        }
    }

    private void energyOfMass(
            double[] kinetic, double[] energy, double[] volume, double[] speed, double[] before, double[] after) {
        double flow = convection, friction = viscosity;
        for (int i = 0; i < speed.length; i++) {
            double own = speed[i], specific = energy[i] * volume[i], moving = 2 * kinetic[i];
            double carried = flow * own * (GasRows.EXCESS * moving - (1 + GasRows.EXCESS) * specific);
            double slow = friction * volume[i]
                    * ((1 - GasRows.CONDUCTION) * moving + own * own / 3 + GasRows.CONDUCTION * specific);
            before[i] = carried + slow;
            after[i] = slow - carried;
        }
    }

    private void energyOfSpeed(
            double[] kinetic, double[] energy, double[] volume, double[] speed, double[] before, double[] after) {
        double flow = convection, friction = viscosity * (4.0 / 3 - GasRows.CONDUCTION);
        for (int i = 0; i < speed.length; i++) {
            double own = speed[i], moving = own * own + kinetic[i];
            double carried = flow * ((1 + GasRows.EXCESS) * energy[i] * volume[i] - GasRows.EXCESS * moving);
            double slow = friction * volume[i] * own;
            before[i] = carried - slow;
            after[i] = -carried - slow;
        }
    }
}
