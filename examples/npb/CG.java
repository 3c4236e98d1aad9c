// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int[] ORDERS = {1400, 7000, 14_000, 75_000}; // of the matrices of classes S, W, A, B
static final int[] NONZEROS = {7, 8, 11, 13}; // of the vectors that a matrix is made of
static final int[] ITERATIONS = {15, 15, 15, 75};
static final double[] SHIFTS = {10, 12, 20, 60};
static final double[] ZETA = {8.5971775078648, 10.362595087124, 17.130235054029, 22.712745482631};
static final int STEPS = 25; // of the conjugate gradients in an iteration

/// CG: an eigenvalue of a large sparse matrix A, by the inverse power method with a shift λ.
///
/// Each iteration solves (A - λ) · z = x roughly, by 25 steps of the method of conjugate gradients, and continues with
/// z of length 1 as x. A is symmetric, with nonzeros at random places. Each PE has some rows of A - λ, and these
/// elements of the vectors. A product with it needs all elements, so the PEs gather the one vector that is multiplied.
/// Any number of PEs will do.
///
/// Shows: gathered vectors, and sums of single numbers.
/// Run: `coterie run -n 4 CG.java [S | W | A | B]`
/// Prints: the residual and the estimate ζ of some iterations. The program fails if the last ζ is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "CG", args)) return;
    Npb npb = Npb.of(world, "CG", args);
    int order = ORDERS[npb.index()], nonzeros = NONZEROS[npb.index()], iterations = ITERATIONS[npb.index()];
    int most = Math.ceilDiv(order, world.size()); // rows of a PE
    int first = Math.min(order, world.pe() * most), end = Math.min(order, first + most);
    SparseRows matrix = SparseRows.make(order, nonzeros, SHIFTS[npb.index()], first, end);
    Solver solver = new Solver(world, matrix, most);

    solver.begin();
    solver.iterate(); // the compiler's turn
    solver.begin();
    double[] estimates = new double[iterations], residuals = new double[iterations];
    long start = npb.start();
    for (int i = 0; i < iterations; i++) {
        estimates[i] = SHIFTS[npb.index()] + 1 / solver.iterate();
        residuals[i] = solver.residual;
    }
    double seconds = npb.seconds(start);
    for (int i = 4; i < iterations; i += 5) {
        npb.print("iteration %2d: ||r|| = %.6e, zeta = %.13f", i + 1, residuals[i], estimates[i]);
    }
    double ofProduct = nonzeros * (nonzeros + 1);
    double operations = 2.0 * iterations * order * (3 + ofProduct + STEPS * (5 + ofProduct) + 3);
    boolean right = Npb.near(estimates[iterations - 1], ZETA[npb.index()], 1e-10);
    npb.report(Integer.toString(order), iterations, seconds, operations, "floating point", right);
}

/// This PE's elements of the vectors, by the names that they have in descriptions of the method.
class Solver {
    final Team team;
    final SparseRows matrix;
    final int rows, most;
    final double[] x, z, r, q, p;
    final double[] factor; // the whole vector that is multiplied
    final DoubleView mine, all; // this PE's part of it, and the parts of all
    double residual;

    Solver(World world, SparseRows matrix, int most) {
        team = world.team();
        this.matrix = matrix;
        this.most = most;
        rows = matrix.rows();
        x = new double[rows];
        z = new double[rows];
        r = new double[rows];
        q = new double[rows];
        p = new double[rows];
        factor = new double[most * world.size()];
        mine = world.allocate((long) most * Double.BYTES).doubles();
        all = world.allocate((long) most * world.size() * Double.BYTES).doubles();
    }

    void begin() {
        Arrays.fill(x, 1);
    }

    /// Does one iteration, and returns the product of the old x and z.
    double iterate() {
        double rho = team.sum(solveBegin());
        for (int step = 0; step < STEPS; step++) {
            multiply(p);
            double alpha = rho / team.sum(product(p, q));
            double before = rho;
            rho = team.sum(advance(alpha));
            turn(rho / before);
        }
        multiply(z);
        residual = Math.sqrt(team.sum(squareOfDifference()));

        double xz = team.sum(product(x, z)), norm = Math.sqrt(team.sum(product(z, z)));
        for (int i = 0; i < rows; i++) x[i] = z[i] / norm;
        return xz;
    }

    /// z = 0, r = p = x. Returns this PE's part of the square of r.
    double solveBegin() {
        Arrays.fill(z, 0);
        System.arraycopy(x, 0, r, 0, rows);
        System.arraycopy(x, 0, p, 0, rows);
        return product(r, r);
    }

    /// q = (A - λ) · vector, whose other elements the other PEs have.
    void multiply(double[] vector) {
        mine.set(0, vector, 0, rows);
        team.allGather(all, 0, mine, 0, most);
        all.get(0, factor, 0, factor.length);
        matrix.multiply(factor, q);
    }

    static double product(double[] left, double[] right) {
        double sum = 0;
        for (int i = 0; i < left.length; i++) sum += left[i] * right[i];
        return sum;
    }

    /// Goes along p: z += alpha · p, r -= alpha · q. Returns this PE's part of the square of r.
    double advance(double alpha) {
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            z[i] += alpha * p[i];
            double value = r[i] - alpha * q[i];
            r[i] = value;
            sum += value * value;
        }
        return sum;
    }

    /// p = r + beta · p.
    void turn(double beta) {
        for (int i = 0; i < rows; i++) p[i] = r[i] + beta * p[i];
    }

    double squareOfDifference() {
        double sum = 0;
        for (int i = 0; i < rows; i++) {
            double difference = x[i] - q[i];
            sum += difference * difference;
        }
        return sum;
    }
}
