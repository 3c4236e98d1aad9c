// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.collective.*;

static final int WEIGHTS = 8;
static final double RATE = 1.2;

/// Regression: finds the weights of a linear function by gradient descent, from points that are distributed over
/// all PEs.
///
/// Each step needs the mean of all PEs' gradients. A PE computes its gradient in two halves; while it computes the
/// second, the runtime averages the first. The two averages are persistent *requests*: the program prepares them
/// once, and posts them in each step.
///
/// Shows: persistent requests, a collective that overlaps with computation, the mean as a reduction.
///
/// Run: `coterie run -n 4 Regression.java [POINTS_PER_PE]`
///
/// Prints: `8 weights from 40000 points on 4 PEs in 60 steps, 0.0e+00 off, by mapped/partitioned`. The program fails
/// if a weight is wrong.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES Regression.java [POINTS_PER_PE]\n"
                    + "Finds 8 weights from 10000 points of each PE, or POINTS_PER_PE.");
        }
        return;
    }
    int points = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
    if (points < 10 * WEIGHTS) throw new IllegalArgumentException("POINTS_PER_PE is at least " + 10 * WEIGHTS);
    int steps = 60;
    double[][] inputs = inputs(points, world.pe());
    double[] weights = new double[WEIGHTS];

    DoubleView gradients = world.allocate(4L * WEIGHTS * Double.BYTES).doubles(); // of each half: mine, the mean of all
    try (Request first = mean(world.team(), gradients, 0); Request second = mean(world.team(), gradients, 2 * WEIGHTS)) {
        for (int step = 0; step < steps; step++) {
            gradients.set(0, gradient(inputs, 0, points / 2, weights), 0, WEIGHTS);
            first.post();
            gradients.set(2 * WEIGHTS, gradient(inputs, points / 2, points, weights), 0, WEIGHTS);
            second.post();
            first.await();
            second.await();
            for (int w = 0; w < WEIGHTS; w++) {
                weights[w] -= RATE * (gradients.get(WEIGHTS + w) + gradients.get(3 * WEIGHTS + w)) / 2;
            }
        }
        report(world, points, steps, weights, first.algorithm());
    }
}

/// Prepares the mean over all PEs of a gradient.
Request mean(Team team, DoubleView gradients, int first) {
    return team.prepare(Collective.allReduce(ExtendedReduction.AVERAGE)
            .source(gradients, first, WEIGHTS)
            .target(gradients, first + WEIGHTS, WEIGHTS)
            .persistent());
}

/// Returns points with random coordinates in [−1, 1).
double[][] inputs(int points, int pe) {
    SplittableRandom random = new SplittableRandom(pe);
    double[][] inputs = new double[points][];
    Arrays.setAll(inputs, _ -> random.doubles(WEIGHTS, -1, 1).toArray());
    return inputs;
}

/// Returns a weight of the function that the program looks for.
double truth(int weight) {
    return 1.0 / (weight + 1);
}

/// Returns the gradient of the mean square error over the points `[from, to)`.
double[] gradient(double[][] inputs, int from, int to, double[] weights) {
    double[] gradient = new double[WEIGHTS];
    for (double[] input : Arrays.asList(inputs).subList(from, to)) {
        double error = 0;
        for (int w = 0; w < WEIGHTS; w++) error += (weights[w] - truth(w)) * input[w];
        for (int w = 0; w < WEIGHTS; w++) gradient[w] += 2 * error * input[w] / (to - from);
    }
    return gradient;
}

void report(World world, int points, int steps, double[] weights, String algorithm) {
    double off = 0;
    for (int w = 0; w < WEIGHTS; w++) off = Math.max(off, Math.abs(weights[w] - truth(w)));
    if (!(off < 1e-6)) throw new IllegalStateException("the weights are off by " + off + ": " + Arrays.toString(weights));
    if (world.pe() == 0) {
        IO.println("%d weights from %d points on %d PEs in %d steps, %.1e off, by %s"
                .formatted(WEIGHTS, points * world.size(), world.size(), steps, off, algorithm));
    }
}
