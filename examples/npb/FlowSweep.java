// SPDX-License-Identifier: Apache-2.0

/// One of the two triangular systems of an iteration.
///
/// Each point has an equation with a block of 5 x 5 coefficients for itself, and one for each of the points before it
/// along x, y and z; in the upper system, those after it. A block of a neighbour is the derivative of what flows
/// from there. Only its product with the neighbour's correction is needed, which takes fewer operations than its
/// coefficients: it is the change of the flow if the state there changes by the correction. The block of a point has
/// coefficients in its first column, its last row and its diagonal alone, so it is solved from the first row to the
/// last.
final class FlowSweep {
    private static final double RELAXATION = 1.2;
    private static final double GAIN = 1 / (RELAXATION * (2 - RELAXATION)); // of the state by the correction

    private final FlowBlock block;
    private final double step;
    private final int direction; // 1 in the lower system, -1 in the upper one
    private final double[] diffusion = new double[3]; // of all quantities, by axis
    private final double convection, viscosity; // of a neighbour
    private final double own; // the diagonal, without viscosity
    private final double ownViscosity, ownConduction;
    private final double[][] right; // the right-hand side, by number
    private long round;

    FlowSweep(FlowBlock block, double step, int direction) {
        this.block = block;
        this.step = step;
        this.direction = direction;
        double inverse = block.size - 1; // of the distance of points
        double second = step * inverse * inverse;
        convection = RELAXATION * step * direction * inverse / 2;
        viscosity = RELAXATION * second * FlowFluxes.VISCOSITY;
        double sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            diffusion[axis] = RELAXATION * second * FlowFluxes.DIFFUSIVITY[axis];
            sum += FlowFluxes.DIFFUSIVITY[axis];
        }
        own = 1 + 2 * second * sum;
        ownViscosity = 2 * second * FlowFluxes.VISCOSITY * (4.0 / 3 + 1 + 1);
        ownConduction = 2 * second * FlowFluxes.VISCOSITY * FlowRows.CONDUCTION * 3;
        right = new double[5][block.length];
    }

    /// Solves the system, plane after plane, as lines come from the PEs before this one.
    void run() {
        round++;
        boolean isLower = direction > 0;
        int plane = block.row(0, 1) - block.row(0, 0);
        for (int step = 1; step < block.size - 1; step++) {
            int k = isLower ? step : block.size - 1 - step;
            receive(k);
            for (int line = block.fromY; line < block.endY; line++) {
                int j = isLower ? line : block.fromY + block.endY - 1 - line;
                int row = block.row(j, k);
                begin(row);
                couple(2, row - direction * plane);
                couple(1, row - direction);
                alongX(row);
            }
            send(k);
        }
    }

    private void receive(int k) {
        FlowBoxes lines = block.lines;
        int x = direction > 0 ? FlowBoxes.BEFORE_X : FlowBoxes.AFTER_X;
        int y = direction > 0 ? FlowBoxes.BEFORE_Y : FlowBoxes.AFTER_Y;
        int column = direction > 0 ? block.fromX - 1 : block.endX;
        int row = block.row(direction > 0 ? block.fromY - 1 : block.endY, k);
        if (lines.has(x)) {
            int count = block.endY - block.fromY;
            lines.receive(x, k, 5 * count, round);
            for (int number = 0, at = 0; number < 5; number++) {
                double[][] rows = block.correction[number];
                for (int j = block.fromY; j < block.endY; j++) rows[block.row(j, k)][column] = lines.incoming[at++];
            }
        }
        if (lines.has(y)) {
            int count = block.endX - block.fromX;
            lines.receive(y, k, 5 * count, round);
            for (int number = 0; number < 5; number++) {
                System.arraycopy(
                        lines.incoming, number * count, block.correction[number][row], block.fromX, count);
            }
        }
    }

    private void send(int k) {
        FlowBoxes lines = block.lines;
        int x = direction > 0 ? FlowBoxes.AFTER_X : FlowBoxes.BEFORE_X;
        int y = direction > 0 ? FlowBoxes.AFTER_Y : FlowBoxes.BEFORE_Y;
        int column = direction > 0 ? block.endX - 1 : block.fromX;
        int row = block.row(direction > 0 ? block.endY - 1 : block.fromY, k);
        if (lines.has(x)) {
            int at = 0;
            for (int number = 0; number < 5; number++) {
                double[][] rows = block.correction[number];
                for (int j = block.fromY; j < block.endY; j++) lines.outgoing[at++] = rows[block.row(j, k)][column];
            }
            lines.send(x, k, at, round);
        }
        if (lines.has(y)) {
            int count = block.endX - block.fromX;
            for (int number = 0; number < 5; number++) {
                System.arraycopy(
                        block.correction[number][row], block.fromX, lines.outgoing, number * count, count);
            }
            lines.send(y, k, 5 * count, round);
        }
    }

    /// The lower system begins with the residual, the upper one with 0: its solution is subtracted from the other's.
    private void begin(int row) {
        for (int number = 0; number < 5; number++) {
            scale(block.correction[number][row], direction > 0 ? step : 0, right[number]);
        }
    }

    private static void scale(double[] residual, double factor, double[] right) {
        for (int i = 0; i < right.length; i++) right[i] = factor * residual[i];
    }

    /// Adds what the points of another row, before this one along y or z, contribute.
    private void couple(int axis, int row) {
        int a = (axis + 1) % 3, b = (axis + 2) % 3; // the other axes
        double[][][] velocity = block.rows.velocity(), correction = block.correction;
        couple(
                block.rows.volume()[row],
                velocity[axis][row],
                velocity[a][row],
                velocity[b][row],
                block.rows.energy()[row],
                correction[0][row],
                correction[axis + 1][row],
                correction[a + 1][row],
                correction[b + 1][row],
                correction[4][row],
                diffusion[axis],
                right[axis + 1],
                right[a + 1],
                right[b + 1]);
    }

    private void couple(
            double[] volume,
            double[] along,
            double[] across,
            double[] beyond,
            double[] energy,
            double[] density,
            double[] push,
            double[] pushAcross,
            double[] pushBeyond,
            double[] heat,
            double diffusion,
            double[] rightAlong,
            double[] rightAcross,
            double[] rightBeyond) {
        double convection = this.convection, viscosity = this.viscosity;
        double[] rightDensity = right[0], rightEnergy = right[4];
        for (int i = block.fromX, end = block.endX; i < end; i++) {
            double u = along[i], v = across[i], w = beyond[i], d = density[i], m = push[i], h = heat[i];
            double du = m - u * d, dv = pushAcross[i] - v * d, dw = pushBeyond[i] - w * d;
            double kinetic = 0.5 * (u * u + v * v + w * w), work = u * du + v * dv + w * dw;
            double pressure = (FlowRows.GAMMA - 1) * (h - work - kinetic * d);
            double enthalpy = FlowRows.GAMMA * energy[i] - (FlowRows.GAMMA - 1) * kinetic;
            double drag = viscosity * volume[i];
            double warmth = FlowRows.CONDUCTION * (h - energy[i] * d - work) + work + u * du / 3;
            rightDensity[i] += convection * m + diffusion * d;
            rightAlong[i] += convection * (u * (du + m) + pressure) + drag * 4 / 3 * du + diffusion * m;
            rightAcross[i] += convection * (v * du + u * pushAcross[i]) + drag * dv + diffusion * pushAcross[i];
            rightBeyond[i] += convection * (w * du + u * pushBeyond[i]) + drag * dw + diffusion * pushBeyond[i];
            rightEnergy[i] += convection * (u * (pressure + h) + enthalpy * du) + drag * warmth + diffusion * h;
        }
    }

    /// Adds what the point before contributes, and solves, point after point.
    private void alongX(int row) {
        FlowRows rows = block.rows;
        double[] volume = rows.volume()[row], energy = rows.energy()[row];
        double[] alongX = rows.velocity()[0][row], alongY = rows.velocity()[1][row], alongZ = rows.velocity()[2][row];
        double[] one = block.correction[0][row], two = block.correction[1][row], three = block.correction[2][row];
        double[] four = block.correction[3][row], five = block.correction[4][row];
        double[] right0 = right[0], right1 = right[1], right2 = right[2], right3 = right[3], right4 = right[4];
        double convection = this.convection, viscosity = this.viscosity, diffusion = this.diffusion[0];
        double own = this.own, ownInverse = 1 / own, ownDrag = ownViscosity, ownConduction = this.ownConduction;
        int direction = this.direction, count = block.endX - block.fromX;
        int i = direction > 0 ? block.fromX : block.endX - 1, before = i - direction;
        double keep = direction > 0 ? 0 : 1;
        double d = one[before], m = two[before], my = three[before], mz = four[before], h = five[before];
        double s = volume[before], u = alongX[before], v = alongY[before], w = alongZ[before], e = energy[before];
        for (; count > 0; count--, i += direction) {
            double du = m - u * d, dv = my - v * d, dw = mz - w * d;
            double kinetic = 0.5 * (u * u + v * v + w * w), work = u * du + v * dv + w * dw;
            double pressure = (FlowRows.GAMMA - 1) * (h - work - kinetic * d);
            double enthalpy = FlowRows.GAMMA * e - (FlowRows.GAMMA - 1) * kinetic;
            double drag = viscosity * s;
            double warmth = FlowRows.CONDUCTION * (h - e * d - work) + work + u * du / 3;
            double r0 = right0[i] + convection * m + diffusion * d;
            double r1 = right1[i] + convection * (u * (du + m) + pressure) + drag * 4 / 3 * du + diffusion * m;
            double r2 = right2[i] + convection * (v * du + u * my) + drag * dv + diffusion * my;
            double r3 = right3[i] + convection * (w * du + u * mz) + drag * dw + diffusion * mz;
            double r4 = right4[i] + convection * (u * (pressure + h) + enthalpy * du) + drag * warmth + diffusion * h;

            s = volume[i];
            u = alongX[i];
            v = alongY[i];
            w = alongZ[i];
            e = energy[i];
            double stick = ownDrag * s, inverse = 1 / (own + stick), conduct = ownConduction * s;
            d = r0 * ownInverse;
            m = (r1 + stick * u * d) * inverse;
            my = (r2 + stick * v * d) * inverse;
            mz = (r3 + stick * w * d) * inverse;
            double shear = u * (m - u * d) + v * (my - v * d) + w * (mz - w * d);
            h = (r4 - (stick - conduct) * shear + conduct * e * d) / (own + conduct);
            d += keep * one[i];
            m += keep * two[i];
            my += keep * three[i];
            mz += keep * four[i];
            h += keep * five[i];
            one[i] = d;
            two[i] = m;
            three[i] = my;
            four[i] = mz;
            five[i] = h;
        }
        if (direction < 0) {
            for (int number = 0; number < 5; number++) {
                gain(block.correction[number][row], rows.state()[number][row]);
            }
        }
    }

    private void gain(double[] correction, double[] state) {
        for (int i = block.fromX, end = block.endX; i < end; i++) state[i] += GAIN * correction[i];
    }
}
