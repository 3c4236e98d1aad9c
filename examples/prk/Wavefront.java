// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Wavefront: each point of a grid is the one above plus the one on the left minus the one above on the left.
///
/// Each PE owns some columns. Of each line it needs the last point of the PE on its left, so the PEs work on different
/// lines at a time, and wait for each other by one signal for each line. The last point of the grid, negated, becomes
/// the first one in the next iteration, so iterations can't overlap. Any number of PEs that have a column each will
/// do.
///
/// Shows: a pipeline with one signal for each number, which lies in the same cache line as the number.
/// Run: `coterie run -n 4 Wavefront.java [ITERATIONS COLUMNS LINES]`
/// Prints: MFlops/s. The program fails if the last point is wrong.
void main(String[] args) {
    World world = World.join();
    Prk prk = new Prk(world, "Wavefront", "ITERATIONS", "COLUMNS", "LINES");
    if (prk.helps(args)) return;
    int[] numbers = prk.numbers(args, 20, 500, 500);
    int iterations = numbers[0], columns = numbers[1], lines = numbers[2];
    prk.require(columns > world.size(), "COLUMNS on %d PEs are more than that, not %d", world.size(), columns);
    prk.begin("pipeline execution on 2D grid", numbers);

    Slice slice = new Slice(world, columns, lines);
    slice.sweep(1);
    long start = prk.start();
    for (int i = 1; i <= iterations; i++) slice.sweep(i + 1);
    double seconds = prk.seconds(start);

    double expected = (iterations + 1.0) * (columns + lines - 2);
    double corner = world.team().sum(slice.isLast ? slice.corner() : 0);
    boolean right = Math.abs(corner - expected) < 1e-8 * expected;
    String wrong = right ? "" : "the last point is " + corner + ", not " + expected;
    double operations = 2.0 * (columns - 1) * (lines - 1) * iterations;
    prk.report(wrong, "MFlops/s", operations / seconds / 1e6, iterations, seconds);
}

/// This PE's columns of the grid.
class Slice {
    final int pe;
    final boolean isFirst, isLast;
    final double[][] lines; // with a column on the left, which the PE on the left has, or which is given
    final DoubleView received; // of each line its number, and its signal
    final SignalWord[] signals; // the sweep whose number has come
    final double[] sent = new double[1];
    final MemorySegment sentSegment = MemorySegment.ofArray(sent);

    Slice(World world, int columns, int count) {
        pe = world.pe();
        isFirst = pe == 0;
        isLast = pe == world.size() - 1;
        // The first column is given: PE 0 computes one less than it owns
        int begin = (int) ((long) columns * pe / world.size()), end = (int) ((long) columns * (pe + 1) / world.size());
        int left = isFirst ? 0 : begin - 1;
        lines = new double[count][end - left];
        for (int i = 0; i < end - left; i++) lines[0][i] = left + i;
        if (isFirst) for (int j = 0; j < count; j++) lines[j][0] = j;
        SymmetricMemory memory = world.allocate(2L * count * Long.BYTES);
        received = memory.doubles();
        signals = new SignalWord[count];
        for (int j = 0; j < count; j++) signals[j] = memory.signal(2L * j + 1);
    }

    void sweep(int sweep) {
        if (isFirst && sweep > 1) lines[0][0] = take(0, sweep - 1);
        for (int j = 1; j < lines.length; j++) {
            if (!isFirst) lines[j][0] = take(j, sweep);
            double last = compute(lines[j - 1], lines[j]);
            if (!isLast) give(j, sweep, last, pe + 1);
        }
        if (isLast) give(0, sweep, -corner(), 0);
    }

    double take(int line, int sweep) {
        signals[line].waitUntil(Comparison.GE, sweep);
        return received.get(2L * line);
    }

    void give(int line, int sweep, double value, int target) {
        sent[0] = value;
        received.putSignal(2L * line, sentSegment, 0, 1, signals[line].setting(sweep), target);
    }

    double corner() {
        double[] last = lines[lines.length - 1];
        return last[last.length - 1];
    }

    /// Computes a line, and returns its last point. Sums of two, three and four differences are made apart, so that
    /// four points wait for one addition to the point before them.
    static double compute(double[] above, double[] line) {
        double point = line[0];
        int i = 1;
        for (; i + 3 < line.length; i += 4) {
            double one = above[i] - above[i - 1], next = above[i + 2] - above[i + 1];
            double two = one + (above[i + 1] - above[i]), three = two + next;
            double four = two + (next + (above[i + 3] - above[i + 2]));
            line[i] = point + one;
            line[i + 1] = point + two;
            line[i + 2] = point + three;
            line[i + 3] = point += four;
        }
        for (; i < line.length; i++) line[i] = point += above[i] - above[i - 1];
        return point;
    }
}
