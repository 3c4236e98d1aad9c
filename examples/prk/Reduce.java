// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.collective.Collective;

static final int PART = 1024; // elements that fit the first cache with much beside them

/// Reduce: the sum of a vector over all PEs, on PE 0. In each iteration all PEs add 1 to their vectors, and the vector
/// of PE 0 becomes the sum.
///
/// Shows: a reduction to a root, in place. Any number of PEs will do.
/// Run: `coterie run -n 4 Reduce.java [ITERATIONS LENGTH]`
/// Prints: MFlops/s. The program fails if an element of the sum is wrong.
void main(String[] args) {
    World world = World.join();
    Prk prk = new Prk(world, "Reduce", "ITERATIONS", "LENGTH");
    if (prk.helps(args)) return;
    int[] numbers = prk.numbers(args, 20, 10_000);
    int iterations = numbers[0], length = numbers[1], pes = world.size();
    prk.begin("vector reduction", numbers);

    double[] values = new double[length];
    Arrays.fill(values, 1);
    DoubleView vector = world.allocate((long) length * Double.BYTES).doubles();
    vector.set(0, values, 0, length);
    Collective sum = Collective.reduce(Reduction.SUM, 0).source(vector, 0, length).target(vector, 0, length);
    double[] part = new double[PART];
    long start = 0;
    for (int i = 0; i <= iterations; i++) {
        if (i == 1) start = prk.start();
        addOne(vector, length, part);
        world.team().run(sum);
    }
    double seconds = prk.seconds(start);

    double n = iterations, expected = n + 2 + (n * n + 5 * n + 4) * (pes - 1) / 2;
    vector.get(0, values, 0, length);
    long wrong = world.team().sum(world.pe() == 0 ? others(values, expected) : 0);
    String error = wrong == 0 ? "" : wrong + " elements of the sum are not " + expected;
    prk.report(error, "MFlops/s", (2.0 * pes - 1) * length * iterations / seconds / 1e6, iterations, seconds);
}

/// Adds 1 to each element, by parts in an array: of a loop over an array of `double` the compiler makes vector
/// instructions, of one over symmetric memory it makes none.
void addOne(DoubleView vector, int length, double[] part) {
    for (int i = 0; i < length; i += PART) {
        int count = Math.min(PART, length - i);
        vector.get(i, part, 0, count);
        addOne(part);
        vector.set(i, part, 0, count);
    }
}

void addOne(double[] part) {
    for (int i = 0; i < part.length; i++) part[i] += 1;
}

/// Returns how many elements are not the one expected.
long others(double[] values, double expected) {
    long others = 0;
    for (double value : values) {
        if (!(Math.abs(value - expected) < 1e-8)) others++;
    }
    return others;
}
