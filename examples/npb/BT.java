// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int[] SIZES = {12, 24, 64, 102}; // of the grids of classes S, W, A, B
static final int[] ITERATIONS = {60, 200, 200, 200};
static final double[] STEPS = {0.01, 0.0008, 0.0008, 0.0003}; // of time

/// The norms of the residuals, and then of the errors.
static final double[][] NORMS = {
    {
        1.7034283709541311e-1, 1.2975252070034097e-2, 3.2527926989486055e-2, 2.6436421275166801e-2,
        1.9211784131744430e-1, 4.9976913345811579e-4, 4.5195666782961927e-5, 7.3973765172921357e-5,
        7.3821238632439731e-5, 8.9269630987491446e-4
    },
    {
        0.1125590409344e3, 0.1180007595731e2, 0.2710329767846e2, 0.2469174937669e2, 0.2638427874317e3,
        0.4419655736008e1, 0.4638531260002, 0.1011551749967e1, 0.9235878729944, 0.1018045837718e2
    },
    {
        1.0806346714637264e2, 1.1319730901220813e1, 2.5974354511582465e1, 2.3665622544678910e1,
        2.5278963211748344e2, 4.2348416040525025, 4.4390282496995698e-1, 9.6692480136345650e-1,
        8.8302063039765474e-1, 9.7379901770829278
    },
    {
        1.4233597229287254e3, 9.9330522590150238e1, 3.5646025644535285e2, 3.2485447959084092e2,
        3.2707541254659363e3, 5.2969847140936856e1, 4.4632896115670668, 1.3122573342210174e1,
        1.2006925323559144e1, 1.2459576151035986e2
    }
};

/// BT: the flow of a gas in a cube, by systems of equations with three diagonals of matrices.
///
/// Each step of time solves the same system approximately: a product of three, whose equations connect points along one
/// axis. The five numbers of a point have five equations, with those of the point before and the point after. Each PE
/// has a slab of the cube; lines across slabs are solved by a pipeline. Any number of PEs will do; each that has a part
/// has at least two planes.
///
/// Shows: a pipeline by puts with signals, in both directions.
/// Run: `coterie run -n 4 BT.java [S | W | A | B]`
/// Prints: the norms of the residuals and the errors. The program fails if one is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "BT", args)) return;
    Npb npb = Npb.of(world, "BT", args);
    double size = SIZES[npb.index()];
    GasSlab slab = new GasSlab(world, SIZES[npb.index()], STEPS[npb.index()]);
    double operations = 3478.8 * size * size * size - 17655.7 * size * size + 28023.7 * size;
    new GasSteps(slab, new BlockSolver(slab)).run(npb, ITERATIONS[npb.index()], operations, NORMS[npb.index()]);
}

/// Solves for the numbers of the state. Elimination leaves equations of the form x + next · x' = right, where next is a
/// matrix and x' is of the point after.
class BlockSolver implements LineSolver {
    static final int WINDOW = 3; // positions whose matrices are needed at the same time
    final GasJacobian jacobian;
    final double[][][][] before = new double[3][WINDOW][][], after = new double[3][WINDOW][][]; // by axis and position
    final double[][] own; // in the equation of a position itself
    final double[][][] next; // by number that is kept
    final double[][] right = new double[Blocks.SIZE][], beside = new double[Blocks.SIZE][]; // of two positions

    BlockSolver(GasSlab slab) {
        int length = slab.rows.length();
        jacobian = new GasJacobian(slab.points, slab.step);
        for (int axis = 0; axis < 3; axis++) {
            for (int i = 0; i < WINDOW; i++) {
                before[axis][i] = new double[Blocks.ELEMENTS][length];
                after[axis][i] = new double[Blocks.ELEMENTS][length];
                jacobian.constants(axis, before[axis][i], after[axis][i]);
            }
        }
        own = new double[Blocks.ELEMENTS][length];
        next = new double[slab.kept][Blocks.ELEMENTS][length];
    }

    @Override
    public int reach() {
        return 1;
    }

    @Override
    public int carried() {
        return Blocks.ELEMENTS + Blocks.SIZE;
    }

    @Override
    public void carry(GasLines lines, int position, double[][] rows, int at) {
        System.arraycopy(next[lines.keep(position)], 0, rows, at, Blocks.ELEMENTS);
        collect(lines, position, right);
        System.arraycopy(right, 0, rows, at + Blocks.ELEMENTS, Blocks.SIZE);
    }

    static void collect(GasLines lines, int position, double[][] right) {
        int row = lines.row(position);
        for (int number = 0; number < Blocks.SIZE; number++) right[number] = lines.rows().right[number][row];
    }

    @Override
    public void eliminate(GasLines lines, int from, int end) {
        make(lines, from - 1);
        make(lines, from);
        double[][][] before = this.before[lines.axis()], after = this.after[lines.axis()];
        for (int p = from; p < end; p++) {
            make(lines, p + 1);
            double[][] ofBefore = after[(p + 2) % WINDOW], here = next[lines.keep(p)];
            for (int i = 0; i < Blocks.ELEMENTS; i++) {
                unit(own[i], i % (Blocks.SIZE + 1) == 0 ? 1 : 0, before[p % WINDOW][i], after[p % WINDOW][i]);
                System.arraycopy(before[(p + 1) % WINDOW][i], 0, here[i], 0, own[i].length);
            }
            collect(lines, p, right);
            collect(lines, p - 1, beside);
            Blocks.subtractProduct(own, ofBefore, next[lines.keep(p - 1)], Blocks.SIZE);
            Blocks.subtractProduct(right, ofBefore, beside, 1);
            Blocks.factor(own);
            Blocks.solve(own, here, Blocks.SIZE);
            Blocks.solve(own, right, 1);
        }
    }

    void make(GasLines lines, int position) {
        int axis = lines.axis(), at = (position + WINDOW) % WINDOW;
        jacobian.make(lines.rows(), lines.row(position), axis, before[axis][at], after[axis][at]);
    }

    static void unit(double[] own, double element, double[] before, double[] after) {
        for (int i = 0; i < own.length; i++) own[i] = element - before[i] - after[i];
    }

    @Override
    public void substitute(GasLines lines, int from, int end) {
        for (int p = end - 1; p >= from; p--) {
            collect(lines, p, right);
            collect(lines, p + 1, beside);
            Blocks.subtractProduct(right, next[lines.keep(p)], beside, 1);
        }
    }
}
