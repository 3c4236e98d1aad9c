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
    static final int[] MATRIX = {0, 0, 0, FASTER, SLOWER}; // by variable
    final double[][][] next, afterNext; // by matrix, and by set and position
    final int positions; // of a set
    final double[][][] speeds = new double[3][][]; // by matrix and position
    final double[] factor, scale; // of an equation
    final double convection, diffusion, damping; // in a step
    final int reach = 2;

    ScalarSolver(GasSlab slab) {
        int length = slab.rows.length();
        positions = Math.max(slab.points, slab.planes) + 4;
        next = new double[3][(slab.points + 1) * positions][length];
        afterNext = new double[3][(slab.points + 1) * positions][length];
        for (int matrix = 0; matrix < 3; matrix++) speeds[matrix] = new double[slab.points + 4][length];
        factor = new double[length];
        scale = new double[length];
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
    public void carry(GasLines lines, int set, int position, double[][] rows, int at) {
        int kept = kept(set, position);
        for (int matrix = 0; matrix < 3; matrix++) {
            rows[at + matrix] = next[matrix][kept];
            rows[at + 3 + matrix] = afterNext[matrix][kept];
        }
        for (int number = 0; number < 5; number++) {
            rows[at + 6 + number] = lines.rows().right[number][lines.row(position)];
        }
    }

    int kept(int set, int position) {
        return set * positions + position + 2;
    }

    @Override
    public void eliminate(GasLines lines, int set, int from, int end) {
        GasRows rows = lines.rows();
        for (int p = from - 1; p <= end; p++) {
            double[] speed = rows.velocity[lines.axis()][lines.row(p)], sound = rows.sound[lines.row(p)];
            speeds[0][p + 2] = speed;
            addSound(speed, sound, speeds[FASTER][p + 2], speeds[SLOWER][p + 2]);
        }
        int stride = lines.stride();
        for (int p = from; p < end; p++) {
            int row = lines.row(p), kept = kept(set, p);
            for (int matrix = 0; matrix < 3; matrix++) {
                reduce(lines, p, speeds[matrix], next[matrix], afterNext[matrix], kept);
                for (int number = 0; number < 5; number++) {
                    if (MATRIX[number] != matrix) continue;
                    double[][] right = rows.right[number];
                    eliminate(right[row - 2 * stride], right[row - stride], right[row]);
                }
            }
        }
    }

    static void addSound(double[] speed, double[] sound, double[] faster, double[] slower) {
        for (int i = 0; i < speed.length; i++) {
            faster[i] = speed[i] + sound[i];
            slower[i] = speed[i] - sound[i];
        }
    }

    void reduce(GasLines lines, int position, double[][] speeds, double[][] next, double[][] afterNext, int kept) {
        int row = lines.row(position), stride = lines.stride();
        double[][] volumes = lines.rows().volume;
        double[] volumeBefore = volumes[row - stride], volume = volumes[row], volumeAfter = volumes[row + stride];
        double[] speedBefore = speeds[position + 1], speedAfter = speeds[position + 3];
        double[] next2 = next[kept - 2], next1 = next[kept - 1], next0 = next[kept];
        double[] after2 = afterNext[kept - 2], after1 = afterNext[kept - 1], after0 = afterNext[kept];
        double[] factor = this.factor, scale = this.scale;
        double flow = convection, outer = damping, spread = diffusion * GasFluxes.VISCOSITY * GasFluxes.RATIO;
        double base = diffusion * GasFluxes.DIFFUSIVITY[lines.axis()], inner = base + 4 * damping;
        double center = 1 + 2 * base + (lines.depth(position) == 0 ? 5 : 6) * damping;
        for (int i = 0; i < factor.length; i++) {
            double before = -flow * speedBefore[i] - spread * volumeBefore[i] - inner - outer * next2[i];
            double diagonal = center + 2 * spread * volume[i] - outer * after2[i] - before * next1[i];
            double after = flow * speedAfter[i] - spread * volumeAfter[i] - inner - before * after1[i];
            double inverse = 1 / diagonal;
            next0[i] = after * inverse;
            after0[i] = outer * inverse;
            factor[i] = before;
            scale[i] = inverse;
        }
    }

    void eliminate(double[] right2, double[] right1, double[] right) {
        double[] factor = this.factor, scale = this.scale;
        double outer = damping;
        for (int i = 0; i < right.length; i++) {
            right[i] = (right[i] - outer * right2[i] - factor[i] * right1[i]) * scale[i];
        }
    }

    @Override
    public void substitute(GasLines lines, int set, int from, int end) {
        int stride = lines.stride();
        for (int p = end - 1; p >= from; p--) {
            int row = lines.row(p), kept = kept(set, p);
            for (int number = 0; number < 5; number++) {
                double[][] right = lines.rows().right[number];
                int matrix = MATRIX[number];
                substitute(right[row], right[row + stride], right[row + 2 * stride],
                        next[matrix][kept], afterNext[matrix][kept]);
            }
        }
    }

    static void substitute(double[] x, double[] x1, double[] x2, double[] next, double[] afterNext) {
        for (int i = 0; i < x.length; i++) x[i] -= next[i] * x1[i] + afterNext[i] * x2[i];
    }

    @Override
    public void enter(GasRows rows, int row) {
        double[] xs = rows.velocity[0][row], ys = rows.velocity[1][row], zs = rows.velocity[2][row];
        double[] volume = rows.volume[row], kinetic = rows.kinetic[row], sound = rows.sound[row];
        double[] a = rows.right[0][row], b = rows.right[1][row], c = rows.right[2][row];
        double[] d = rows.right[3][row], e = rows.right[4][row];
        for (int i = 0; i < a.length; i++) {
            double first = a[i], second = b[i], third = c[i], fourth = d[i];
            double waves = GasRows.EXCESS / (sound[i] * sound[i])
                    * (kinetic[i] * first - xs[i] * second - ys[i] * third - zs[i] * fourth + e[i]);
            double half = HALF_ROOT * volume[i];
            double difference = half * (xs[i] * first - second), sum = half * sound[i] * waves;
            a[i] = first - waves;
            b[i] = -volume[i] * (zs[i] * first - fourth);
            c[i] = volume[i] * (ys[i] * first - third);
            d[i] = sum - difference;
            e[i] = sum + difference;
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
        double[] density = rows.state[0][row], kinetic = rows.kinetic[row], sound = rows.sound[row];
        for (int i = 0; i < a.length; i++) {
            double first = density[i] * a[i], second = density[i] * b[i], half = HALF_ROOT * density[i];
            double waves = half * (d[i] + e[i]) / sound[i], difference = half * (d[i] - e[i]);
            double sum = c[i] + waves;
            a[i] = sum;
            b[i] = xs[i] * sum - second;
            c[i] = ys[i] * sum + first;
            d[i] = zs[i] * sum + difference;
            e[i] = ys[i] * first - xs[i] * second + kinetic[i] * sum
                    + sound[i] * sound[i] * waves / GasRows.EXCESS + zs[i] * difference;
        }
    }
}
