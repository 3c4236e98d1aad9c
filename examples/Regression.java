// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.collective.*;

static final int WEIGHTS = 8;
static final double RATE = 1.2;

/// Regression: the weights of a sum, found from points that are spread over all PEs, by gradient descent.
///
/// Each step needs the mean of all PEs' gradients. A PE computes its own in two halves, and has the first averaged
/// while it computes the second: the two averages are *requests*, which are prepared once and posted in each step.
///
/// Shows: persistent requests, a collective that goes on while the program computes, the mean as a reduction.
///
/// Run: `coterie run -n 4 Regression.java [POINTS_PER_PE]`
///
/// Prints: `8 weights from 40000 points on 4 PEs in 60 steps, 0.0e+00 off, by p2p/knomial`, and fails if they are
/// wrong.
void main(String[] args) {
    World world = World.join();
    if (args.length > 0 && args[0].equals("--help")) {
        if (world.pe() == 0) {
            IO.println("usage: coterie run -n PES Regression.java [POINTS_PER_PE]\nFinds 8 weights from 10000 points of each PE.");
        }
        return;
    }
    int points = args.length == 0 ? 10_000 : Integer.parseInt(args[0]);
    if (points < 10 * WEIGHTS) throw new IllegalArgumentException("at least " + 10 * WEIGHTS + " points for each PE");
    int steps = 60;
    double[][] inputs = inputs(points, world.pe());
    double[] weights = new double[WEIGHTS];

    try (SymmetricMemory memory = world.allocate(4L * WEIGHTS * Double.BYTES)) {
        DoubleView gradients = memory.doubles(); // mine of the first half, all PEs'; the same of the second half
        try (Request first = mean(world.team(), gradients, 0); Request second = mean(world.team(), gradients, 1)) {
            for (int step = 0; step < steps; step++) {
                store(gradients, 0, gradient(inputs, 0, points / 2, weights));
                first.post();
                store(gradients, 1, gradient(inputs, points / 2, points, weights));
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
}

/// The mean over all PEs of the gradients of a half.
Request mean(Team team, DoubleView gradients, int half) {
    return team.prepare(Collective.allReduce(ExtendedReduction.AVERAGE)
            .source(gradients, 2L * half * WEIGHTS, WEIGHTS)
            .target(gradients, (2L * half + 1) * WEIGHTS, WEIGHTS)
            .persistent());
}

void store(DoubleView gradients, int half, double[] gradient) {
    for (int w = 0; w < WEIGHTS; w++) {
        gradients.set(2L * half * WEIGHTS + w, gradient[w]);
    }
}

/// Points with coordinates in [−1, 1).
double[][] inputs(int points, int pe) {
    SplittableRandom random = new SplittableRandom(pe);
    double[][] inputs = new double[points][];
    Arrays.setAll(inputs, _ -> random.doubles(WEIGHTS, -1, 1).toArray());
    return inputs;
}

/// What is to be found.
double truth(int weight) {
    return 1.0 / (weight + 1);
}

/// The gradient of the mean square error over the points `[from, to)`.
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
