// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int[] SIZES = {12, 33, 64, 102}; // points along an axis, of classes S, W, A, B
static final int[] ITERATIONS = {50, 300, 250, 250};
static final double[] STEPS = {0.5, 1.5e-3, 2, 2}; // of time

/// The norms of the five residuals.
static final double[][] RESIDUALS = {
    {
        1.6196343210976702e-2,
        2.1976745164821318e-3,
        1.5179927653399185e-3,
        1.5029584435994323e-3,
        3.4264073155896461e-2
    },
    {0.1236511638192e2, 0.1317228477799e1, 0.2550120713095e1, 0.2326187750252e1, 0.2826799444189e2},
    {
        7.7902107606689367e2,
        6.3402765259692870e1,
        1.9499249727292479e2,
        1.7845301160418537e2,
        1.8384760349464247e3
    },
    {
        3.5532672969982736e3,
        2.6214750795310692e2,
        8.8333721850952190e2,
        7.7812774739425265e2,
        7.3087969592545314e3
    }
};

/// The norms of the differences from the exact solution.
static final double[][] ERRORS = {
    {
        6.4223319957960924e-4,
        8.4144342047347926e-5,
        5.8588269616485186e-5,
        5.8474222595157350e-5,
        1.3103347914111294e-3
    },
    {0.4867877144216, 0.5064652880982e-1, 0.9281818101960e-1, 0.8570126542733e-1, 0.1084277417792e1},
    {
        2.9964085685471943e1,
        2.8194576365003349,
        7.3473412698774742,
        6.7139225687777051,
        7.0715315688392578e1
    },
    {
        1.1401176380212709e2,
        8.1098963655421574,
        2.8480597317698308e1,
        2.5905394567832939e1,
        2.6054907504857413e2
    }
};
static final double[] INTEGRALS = {7.8418928865937083, 0.1161399311023e2, 2.6030925604886277e1, 4.7887162703308227e1};

/// LU: the flow of a gas in a cube, by symmetric successive over-relaxation.
///
/// Each iteration solves a linear system approximately, as a product of a lower and an upper triangular one: each point
/// depends on the points before it along x, y and z, and then on those after it. Each PE has the points of a rectangle
/// of x and y, with all z. A sweep goes through z, and what it finds at the edges of the rectangle goes to the next
/// PEs, which follow one plane behind. The residual needs two points from each neighbour.
///
/// Shows: a pipeline in two dimensions, by puts with signals.
/// Run: `coterie run -n 4 LU.java [S | W | A | B]`
/// Prints: norms of the residual and of the error, and a surface integral. The program fails if one is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "LU", args)) return;
    Npb npb = Npb.of(world, "LU", args);
    int size = SIZES[npb.index()], iterations = ITERATIONS[npb.index()];
    FlowBlock block = FlowBlock.of(world, size);
    Relaxation relaxation = new Relaxation(block, STEPS[npb.index()]);
    relaxation.prepare();
    relaxation.begin();
    relaxation.iterate(); // the compiler's turn

    relaxation.begin();
    long start = npb.start();
    for (int i = 0; i < iterations; i++) relaxation.iterate();
    double[] residuals = block.norms(block.correction);
    double seconds = npb.seconds(start);

    double[] errors = block.norms(block.errors());
    double integral = block.surfaceIntegral();
    npb.print("the norms of the residual are       %s", Arrays.toString(residuals));
    npb.print("the norms of the error are          %s", Arrays.toString(errors));
    npb.print("the integral over the surface is    %.13e", integral);
    boolean right = Npb.near(integral, INTEGRALS[npb.index()], 1e-8);
    for (int number = 0; number < 5; number++) {
        right &= Npb.near(residuals[number], RESIDUALS[npb.index()][number], 1e-8);
        right &= Npb.near(errors[number], ERRORS[npb.index()][number], 1e-8);
    }
    double n = size;
    double operations = iterations * (1984.77 * n * n * n - 10923.3 * n * n + 27770.9 * n - 144010);
    npb.report("%1$4dx%1$4dx%1$4d".formatted(size), iterations, seconds, operations, "floating point", right);
}

/// The iterations on this PE's part of the flow.
class Relaxation {
    final FlowBlock block;
    final FlowFluxes fluxes;
    final FlowSweep lower, upper;
    final double[][][] force; // that keeps the exact solution as it is

    Relaxation(FlowBlock block, double step) {
        this.block = block;
        fluxes = new FlowFluxes(block);
        lower = new FlowSweep(block, step, 1);
        upper = new FlowSweep(block, step, -1);
        force = block.field();
    }

    void prepare() {
        block.setExact();
        residual();
        for (int number = 0; number < 5; number++) {
            for (int row = 0; row < force[number].length; row++) {
                double[] to = force[number][row], from = block.correction[number][row];
                for (int i = 0; i < to.length; i++) to[i] = -from[i];
            }
        }
    }

    void begin() {
        block.setInitial();
        residual();
    }

    void iterate() {
        lower.run();
        upper.run();
        residual();
    }

    /// Puts the residual where the sweeps turn it into a correction.
    void residual() {
        block.exchange();
        fluxes.residual(force);
    }
}
