// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int RADIUS = 2;
static final double NEAR = 1.0 / (2 * 1 * RADIUS), FAR = 1.0 / (2 * 2 * RADIUS); // weights by distance

/// Stencil: a point of a square grid gets the weighted sum of its neighbours to a distance of 2 in each of four
/// directions, which is the divergence of the grid's values.
///
/// Each PE owns a band of rows. In each iteration it puts its outer rows to the PEs above and below, adds the sums to
/// its output, and adds 1 to its input, so that the next iteration needs the neighbours' rows again. A PE begins an
/// iteration when it has the rows of the PE above, and needs those of the PE below for its last rows alone. Halos of
/// two iterations alternate: a PE that has sent those of an iteration no longer reads those of the one before. Any
/// number of PEs that have four rows each will do.
///
/// Shows: put with signal to two neighbours, and a wait as late as possible.
/// Run: `coterie run -n 4 StarStencil.java [ITERATIONS SIZE]`
/// Prints: MFlops/s. The input is a slope in both directions, so each iteration adds 2 to each point of the output;
/// the program fails if the mean is anything else.
void main(String[] args) {
    World world = World.join();
    Prk prk = new Prk(world, "StarStencil", "ITERATIONS", "SIZE");
    if (prk.helps(args)) return;
    int[] numbers = prk.numbers(args, 20, 400);
    int iterations = numbers[0], size = numbers[1];
    int least = Math.max(2 * RADIUS + 1, 2 * RADIUS * world.size());
    prk.require(size >= least, "SIZE on %d PEs is at least %d, not %d", world.size(), least, size);
    prk.begin("stencil execution on 2D grid", numbers);

    Grid grid = new Grid(world, size);
    grid.step(0);
    long start = prk.start();
    for (int step = 1; step <= iterations; step++) grid.step(step);
    double seconds = prk.seconds(start);

    double active = (double) (size - 2 * RADIUS) * (size - 2 * RADIUS), expected = 2.0 * (iterations + 1);
    double mean = world.team().sum(grid.norm()) / active;
    double operations = (2 * (4 * RADIUS + 1) + 1) * active * iterations;
    String wrong = Math.abs(mean - expected) < 1e-8 ? "" : "the L1 norm is " + mean + ", not " + expected;
    prk.report(wrong, "MFlops/s", operations / seconds / 1e6, iterations, seconds);
}

/// This PE's rows of the grid.
class Grid {
    final int me, size, rows;
    final boolean isTop, isBottom;
    final double[][] in; // with a halo of RADIUS rows on both sides
    final double[][] out; // without the columns at the edges
    final DoubleView halos; // of two iterations; of each, the rows from above and from below
    final SignalWord[] fromAbove = new SignalWord[2], fromBelow = new SignalWord[2]; // rows that have come
    final int first, end; // rows that have an output, counted like `out`

    Grid(World world, int size) {
        this.size = size;
        me = world.pe();
        isTop = me == 0;
        isBottom = me == world.size() - 1;
        int begin = (int) ((long) size * me / world.size());
        rows = (int) ((long) size * (me + 1) / world.size()) - begin;
        first = isTop ? RADIUS : 0;
        end = isBottom ? rows - RADIUS : rows;
        in = new double[rows + 2 * RADIUS][size];
        out = new double[rows][size - 2 * RADIUS];
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < size; column++) in[row + RADIUS][column] = begin + row + column;
        }
        halos = world.allocate(4L * RADIUS * size * Double.BYTES).doubles();
        SymmetricMemory signals = world.allocate(4 * Long.BYTES);
        for (int i = 0; i < 2; i++) {
            fromAbove[i] = signals.signal(2 * i);
            fromBelow[i] = signals.signal(2 * i + 1);
        }
    }

    void step(int step) {
        int turn = step % 2;
        if (!isTop) send(RADIUS, fromBelow[turn], halo(turn, 1), me - 1);
        if (!isBottom) send(rows, fromAbove[turn], halo(turn, 0), me + 1);
        if (!isTop) receive(0, fromAbove[turn], halo(turn, 0), step);
        for (int row = first; row < end; row++) {
            if (row == rows - RADIUS) receive(rows + RADIUS, fromBelow[turn], halo(turn, 1), step);
            apply(in[row], in[row + 1], in[row + 2], in[row + 3], in[row + 4], out[row]);
            addOne(in[row]); // which no later row needs
        }
        for (int row = end; row < rows + RADIUS; row++) addOne(in[row]);
    }

    int halo(int turn, int side) {
        return (2 * turn + side) * RADIUS * size;
    }

    /// Puts RADIUS rows to a PE.
    void send(int row, SignalWord signal, int halo, int pe) {
        for (int i = 0; i < RADIUS; i++) {
            halos.putSignal(halo + i * size, MemorySegment.ofArray(in[row + i]), 0, size, signal.adding(1), pe);
        }
    }

    /// Waits for the rows of a step, and copies them.
    void receive(int row, SignalWord signal, int halo, int step) {
        signal.waitUntil(Comparison.GE, RADIUS * (step / 2 + 1L));
        for (int i = 0; i < RADIUS; i++) halos.get(halo + i * size, in[row + i], 0, size);
    }

    static void apply(double[] up2, double[] up1, double[] row, double[] down1, double[] down2, double[] out) {
        for (int i = 0; i < out.length; i++) {
            out[i] += FAR * (down2[i + 2] - up2[i + 2] + row[i + 4] - row[i])
                    + NEAR * (down1[i + 2] - up1[i + 2] + row[i + 3] - row[i + 1]);
        }
    }

    static void addOne(double[] row) {
        for (int i = 0; i < row.length; i++) row[i] += 1;
    }

    double norm() {
        double sum = 0;
        for (int row = first; row < end; row++) {
            for (double value : out[row]) sum += Math.abs(value);
        }
        return sum;
    }
}
