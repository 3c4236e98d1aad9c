// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import coterie.collective.Collective;

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

    DoubleView vector = world.allocate((long) length * Double.BYTES).doubles();
    for (int i = 0; i < length; i++) vector.set(i, 1);
    Collective sum = Collective.reduce(Reduction.SUM, 0).source(vector, 0, length).target(vector, 0, length);
    long start = 0;
    for (int i = 0; i <= iterations; i++) {
        if (i == 1) start = prk.start();
        addOne(vector.segment(), length);
        world.team().run(sum);
    }
    double seconds = prk.seconds(start);

    double n = iterations, expected = n + 2 + (n * n + 5 * n + 4) * (pes - 1) / 2;
    long wrong = 0;
    for (int i = 0; i < length && world.pe() == 0; i++) {
        if (Math.abs(vector.get(i) - expected) >= 1e-8) wrong++;
    }
    wrong = world.team().sum(wrong);
    String error = wrong == 0 ? "" : wrong + " elements of the sum are not " + expected;
    prk.report(error, "MFlops/s", (2.0 * pes - 1) * length * iterations / seconds / 1e6, iterations, seconds);
}

void addOne(MemorySegment vector, int length) {
    for (int i = 0; i < length; i++) {
        vector.setAtIndex(ValueLayout.JAVA_DOUBLE, i, vector.getAtIndex(ValueLayout.JAVA_DOUBLE, i) + 1);
    }
}
