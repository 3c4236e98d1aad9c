// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int[] SIZES = {12, 36, 64, 102}; // of the grids of classes S, W, A, B
static final int[] ITERATIONS = {100, 400, 400, 400};
static final double[] STEPS = {0.015, 0.0015, 0.0015, 0.001}; // of time

/// The norms of the residuals, and then of the errors.
static final double[][] NORMS = {
    {
        2.7470315451339479e-2, 1.0360746705285417e-2, 1.6235745065095532e-2, 1.5840557224455615e-2,
        3.4849040609362460e-2, 2.7289258557377227e-5, 1.0364446640837285e-5, 1.6154798287166471e-5,
        1.5750704994480102e-5, 3.4177666183390531e-5
    },
    {
        0.1893253733584e-2, 0.1717075447775e-3, 0.2778153350936e-3, 0.2887475409984e-3, 0.3143611161242e-2,
        0.7542088599534e-4, 0.6512852253086e-5, 0.1049092285688e-4, 0.1128838671535e-4, 0.1212845639773e-3
    },
    {
        2.4799822399300195, 1.1276337964368832, 1.5028977888770491, 1.4217816211695179, 2.1292113035138280,
        1.0900140297820550e-4, 3.7343951769282091e-5, 5.0092785406541633e-5, 4.7671093939528255e-5,
        1.3621613399213001e-4
    },
    {
        0.6903293579998e2, 0.3095134488084e2, 0.4103336647017e2, 0.3864769009604e2, 0.5643482272596e2,
        0.9810006190188e-2, 0.1022827905670e-2, 0.1720597911692e-2, 0.1694479428231e-2, 0.1847456263981e-1
    }
};

/// SP: the flow of a gas in a cube, by systems of equations with five diagonals.
///
/// Each step of time solves the same system approximately: a product of three, whose equations connect points along one
/// axis. A change of variables, before and after each, lets the five numbers of a point have separate equations, with
/// four others: two points before, and two after. Each PE has a slab of the cube; lines across slabs are solved by a
/// pipeline. Any number of PEs will do; each that has a part has at least two planes.
///
/// Shows: a pipeline by puts with signals, in both directions.
/// Run: `coterie run -n 4 SP.java [S | W | A | B]`
/// Prints: the norms of the residuals and the errors. The program fails if one is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "SP", args)) return;
    Npb npb = Npb.of(world, "SP", args);
    double size = SIZES[npb.index()];
    GasSlab slab = new GasSlab(world, SIZES[npb.index()], STEPS[npb.index()]);
    double operations = 881.174 * size * size * size - 4683.91 * size * size + 11484.5 * size - 19272.4;
    new GasSteps(slab, new ScalarSolver(slab)).run(npb, ITERATIONS[npb.index()], operations, NORMS[npb.index()]);
}

/// Solves for the characteristic variables of the gas. Three have the speed of the gas, one the speed of sound more, and
/// one less; so there are three matrices. Elimination leaves rows of the form x + next · x' + afterNext · x" = right.
class ScalarSolver implements LineSolver {
    static final double HALF_ROOT = Math.sqrt(0.5);
    static final int FASTER = 1, SLOWER = 2; // matrices; 0 has the speed of the gas
    static final int[] NUMBER = {0, 3, 4}; // of the variable of a matrix; variables 1 and 2 have matrix 0, too
    final double[][][] next, scales; // by matrix and number that is kept
    final double[][][] before = new double[3][][], after = new double[3][][]; // of the diagonal, by matrix and row
    final double[] factor; // of an equation
    final double convection, diffusion, damping; // in a step

    ScalarSolver(GasSlab slab) {
        int length = slab.rows.length();
        next = new double[3][slab.kept][length];
        scales = new double[3][slab.kept][length];
        Arrays.setAll(before, matrix -> new double[slab.points + 4][length]);
        Arrays.setAll(after, matrix -> new double[slab.points + 4][length]);
        factor = new double[length];
        double inverse = slab.points - 1;
        convection = slab.step * inverse / 2;
        diffusion = slab.step * inverse * inverse;
        damping = slab.step * GasFluxes.DISSIPATION;
    }

    @Override
    public int reach() {
        return 2;
    }

    @Override
    public int carried() {
        return 11;
    }

    @Override
    public void carry(GasLines lines, int position, double[][] rows, int at) {
        int kept = lines.keep(position);
        for (int matrix = 0; matrix < 3; matrix++) {
            rows[at + matrix] = next[matrix][kept];
            rows[at + 3 + matrix] = scales[matrix][kept];
        }
        for (int number = 0; number < 5; number++) {
            rows[at + 6 + number] = lines.rows().right[number][lines.row(position)];
        }
    }

    @Override
    public void eliminate(GasLines lines, int from, int end) {
        GasRows rows = lines.rows();
        double base = diffusion * GasFluxes.DIFFUSIVITY[lines.axis()];
        for (int p = from - 1; p <= end; p++) {
            int row = lines.row(p);
            beside(rows.velocity[lines.axis()][row], rows.sound[row], rows.volume[row], base + 4 * damping, p + 2);
        }
        int stride = lines.stride();
        for (int p = from; p < end; p++) {
            int row = lines.row(p);
            double center = 1 + 2 * base + (lines.depth(p) == 0 ? 5 : 6) * damping;
            for (int matrix = 0; matrix < 3; matrix++) {
                double[] ofBefore = before[matrix][p + 1], ofAfter = after[matrix][p + 3];
                double[] scale = scales[matrix][lines.keep(p)];
                reduce(ofBefore, ofAfter, rows.volume[row], center, next[matrix], scales[matrix], lines.keep(p));
                if (matrix == 0) eliminate(rows.right[1], rows.right[2], row, stride, scale);
                double[][] right = rows.right[NUMBER[matrix]];
                eliminate(right[row - 2 * stride], right[row - stride], right[row], scale);
            }
        }
    }

    /// Computes what a row has in the equations before and after it.
    void beside(double[] speed, double[] sound, double[] volume, double base, int at) {
        double[] before0 = before[0][at], before1 = before[FASTER][at], before2 = before[SLOWER][at];
        double[] after0 = after[0][at], after1 = after[FASTER][at], after2 = after[SLOWER][at];
        double flow = convection, spread = diffusion * GasFluxes.VISCOSITY * GasRows.CONDUCTION;
        for (int i = 0; i < speed.length; i++) {
            double middle = -spread * volume[i] - base, own = flow * speed[i], wave = flow * sound[i];
            double slow = middle - own, fast = middle + own;
            before0[i] = slow;
            before1[i] = slow - wave;
            before2[i] = slow + wave;
            after0[i] = fast;
            after1[i] = fast + wave;
            after2[i] = fast - wave;
        }
    }

    void reduce(
            double[] ofBefore, double[] ofAfter, double[] volume, double center,
            double[][] next, double[][] scales, int kept) {
        double[] next2 = next[kept - 2], next1 = next[kept - 1], next0 = next[kept];
        double[] scale2 = scales[kept - 2], scale1 = scales[kept - 1], scale0 = scales[kept];
        double[] factor = this.factor;
        double outer = damping, twice = 2 * diffusion * GasFluxes.VISCOSITY * GasRows.CONDUCTION;
        for (int i = 0; i < factor.length; i++) {
            double before = ofBefore[i] - outer * next2[i];
            double scale = 1 / (center + twice * volume[i] - outer * outer * scale2[i] - before * next1[i]);
            factor[i] = before;
            next0[i] = (ofAfter[i] - before * outer * scale1[i]) * scale;
            scale0[i] = scale;
        }
    }

    void eliminate(double[] right2, double[] right1, double[] right, double[] scale) {
        double[] factor = this.factor;
        double outer = damping;
        for (int i = 0; i < right.length; i++) {
            right[i] = (right[i] - outer * right2[i] - factor[i] * right1[i]) * scale[i];
        }
    }

    /// Does two variables at once.
    void eliminate(double[][] one, double[][] other, int row, int stride, double[] scale) {
        double[] one2 = one[row - 2 * stride], one1 = one[row - stride], one0 = one[row];
        double[] other2 = other[row - 2 * stride], other1 = other[row - stride], other0 = other[row];
        double[] factor = this.factor;
        double outer = damping;
        for (int i = 0; i < factor.length; i++) {
            one0[i] = (one0[i] - outer * one2[i] - factor[i] * one1[i]) * scale[i];
            other0[i] = (other0[i] - outer * other2[i] - factor[i] * other1[i]) * scale[i];
        }
    }

    @Override
    public void substitute(GasLines lines, int from, int end) {
        int stride = lines.stride();
        for (int p = end - 1; p >= from; p--) {
            int row = lines.row(p), kept = lines.keep(p);
            double[][][] right = lines.rows().right;
            substitute(right[1], right[2], row, stride, next[0][kept], scales[0][kept]);
            for (int matrix = 0; matrix < 3; matrix++) {
                substitute(right[NUMBER[matrix]], row, stride, next[matrix][kept], scales[matrix][kept]);
            }
        }
    }

    void substitute(double[][] right, int row, int stride, double[] next, double[] scale) {
        double[] x0 = right[row], x1 = right[row + stride], x2 = right[row + 2 * stride];
        double outer = damping;
        for (int i = 0; i < x0.length; i++) x0[i] -= next[i] * x1[i] + outer * scale[i] * x2[i];
    }

    /// Does two variables at once.
    void substitute(double[][] one, double[][] other, int row, int stride, double[] next, double[] scale) {
        double[] x0 = one[row], x1 = one[row + stride], x2 = one[row + 2 * stride];
        double[] y0 = other[row], y1 = other[row + stride], y2 = other[row + 2 * stride];
        double outer = damping;
        for (int i = 0; i < x0.length; i++) {
            x0[i] -= next[i] * x1[i] + outer * scale[i] * x2[i];
            y0[i] -= next[i] * y1[i] + outer * scale[i] * y2[i];
        }
    }

    @Override
    public void enter(GasRows rows, int row) {
        double[] xs = rows.velocity[0][row], ys = rows.velocity[1][row], zs = rows.velocity[2][row];
        double[] volume = rows.volume[row], sound = rows.sound[row];
        double[] a = rows.right[0][row], b = rows.right[1][row], c = rows.right[2][row];
        double[] d = rows.right[3][row], e = rows.right[4][row];
        toWaves(xs, ys, zs, rows.kinetic[row], sound, a, b, c, d, e);
        for (int i = 0; i < a.length; i++) {
            double across = volume[i] * (d[i] - zs[i] * a[i]);
            d[i] = HALF_ROOT * volume[i] * (xs[i] * a[i] - b[i]);
            b[i] = across;
        }
        for (int i = 0; i < a.length; i++) {
            double difference = d[i], sum = HALF_ROOT * volume[i] * sound[i] * e[i];
            c[i] = volume[i] * (ys[i] * a[i] - c[i]);
            a[i] -= e[i];
            d[i] = sum - difference;
            e[i] = sum + difference;
        }
    }

    static void toWaves(
            double[] xs, double[] ys, double[] zs, double[] kinetic, double[] sound,
            double[] a, double[] b, double[] c, double[] d, double[] e) {
        for (int i = 0; i < a.length; i++) {
            double energy = kinetic[i] * a[i] - xs[i] * b[i] - ys[i] * c[i] - zs[i] * d[i] + e[i];
            e[i] = GasRows.EXCESS / (sound[i] * sound[i]) * energy;
        }
    }

    @Override
    public void leave(GasRows rows, int row, int axis) {
        double[] a = rows.right[0][row], b = rows.right[1][row], c = rows.right[2][row];
        double[] d = rows.right[3][row], e = rows.right[4][row];
        switch (axis) {
            case 0 -> fromXToY(a, b, c, d, e);
            case 1 -> fromYToZ(a, b, c, d, e);
            default -> leave(rows, row, a, b, c, d, e);
        }
    }

    static void fromXToY(double[] a, double[] b, double[] c, double[] d, double[] e) {
        for (int i = 0; i < a.length; i++) {
            double first = a[i], turned = HALF_ROOT * c[i], mean = 0.5 * (d[i] + e[i]);
            a[i] = -b[i];
            b[i] = first;
            c[i] = HALF_ROOT * (d[i] - e[i]);
            d[i] = mean - turned;
            e[i] = mean + turned;
        }
    }

    static void fromYToZ(double[] a, double[] b, double[] c, double[] d, double[] e) {
        for (int i = 0; i < a.length; i++) {
            double second = b[i], turned = HALF_ROOT * a[i], mean = 0.5 * (d[i] + e[i]);
            a[i] = HALF_ROOT * (d[i] - e[i]);
            b[i] = -c[i];
            c[i] = second;
            d[i] = mean - turned;
            e[i] = mean + turned;
        }
    }

    /// Returns to the numbers of the state.
    static void leave(GasRows rows, int row, double[] a, double[] b, double[] c, double[] d, double[] e) {
        double[] xs = rows.velocity[0][row], ys = rows.velocity[1][row], zs = rows.velocity[2][row];
        double[] kinetic = rows.kinetic[row];
        fromWaves(rows.state[0][row], rows.sound[row], a, b, c, d, e);
        for (int i = 0; i < a.length; i++) e[i] += kinetic[i] * c[i] + ys[i] * a[i] - xs[i] * b[i] + zs[i] * d[i];
        for (int i = 0; i < a.length; i++) {
            double mass = c[i];
            b[i] = xs[i] * mass - b[i];
            c[i] = ys[i] * mass + a[i];
            d[i] += zs[i] * mass;
            a[i] = mass;
        }
    }

    static void fromWaves(
            double[] density, double[] sound, double[] a, double[] b, double[] c, double[] d, double[] e) {
        for (int i = 0; i < a.length; i++) {
            double half = HALF_ROOT * density[i], sum = half * (d[i] + e[i]), difference = half * (d[i] - e[i]);
            a[i] *= density[i];
            b[i] *= density[i];
            c[i] += sum / sound[i];
            d[i] = difference;
            e[i] = sum * sound[i] / GasRows.EXCESS;
        }
    }
}
