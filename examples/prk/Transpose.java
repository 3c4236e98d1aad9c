// SPDX-License-Identifier: Apache-2.0
import coterie.*;

/// Rows and columns that are transposed at once. Their cache lines stay in the first cache, and a strip of as many rows
/// of B stays in the second one.
static final int TILE = 16;

/// Transpose: B += transpose of A, and A += 1, for two square matrices.
///
/// Each PE owns as many rows of both, in a square block for each PE. It transposes a strip of a block at a time, and
/// puts it to the PE that owns these rows of B, which adds what has come. The PEs begin with different blocks. Memory
/// for what comes alternates between iterations: a PE that has sent a block of an iteration no longer reads those of
/// the one before. Any number of PEs that divides the order will do.
///
/// Shows: an all-to-all by puts with signals, and strips that arrive while others are made.
/// Run: `coterie run -n 4 Transpose.java [ITERATIONS ORDER]`
/// Prints: MB/s. The program fails if an element of B is wrong.
void main(String[] args) {
    World world = World.join();
    Prk prk = new Prk(world, "Transpose", "ITERATIONS", "ORDER");
    if (prk.helps(args)) return;
    int[] numbers = prk.numbers(args, 20, 480);
    int iterations = numbers[0], order = numbers[1];
    prk.require(order % world.size() == 0, "ORDER is a multiple of %d PEs, not %d", world.size(), order);
    prk.require(order / world.size() < 46_340, "ORDER on %d PEs is too large: %d", world.size(), order);
    prk.begin("matrix transpose: B = A^T", numbers);

    Matrices matrices = new Matrices(world, order / world.size());
    matrices.transpose(0);
    long start = prk.start();
    for (int i = 1; i <= iterations; i++) matrices.transpose(i);
    double seconds = prk.seconds(start);

    double error = world.team().sum(matrices.error(iterations + 1));
    String wrong = error < 1e-8 ? "" : "the errors of all elements are " + error;
    prk.report(wrong, "MB/s", 16.0 * order * order * iterations / seconds / 1e6, iterations, seconds);
}

/// This PE's rows of both matrices.
class Matrices {
    final int me, pes, order, rows;
    final double[][] a; // by PE: a block, whose rows follow each other
    final double[][][] b; // by PE: a block, by rows
    final double[] strip, line;
    final MemorySegment stripSegment;
    final DoubleView received; // of two iterations; of each, the blocks by PE
    final SignalWord[] strips; // that have come, of two iterations, by PE

    Matrices(World world, int rows) {
        me = world.pe();
        pes = world.size();
        order = rows * pes;
        this.rows = rows;
        a = new double[pes][rows * rows];
        b = new double[pes][rows][rows];
        strip = new double[TILE * rows];
        line = new double[rows];
        stripSegment = MemorySegment.ofArray(strip);
        received = world.allocate(2L * order * rows * Double.BYTES).doubles();
        SymmetricMemory signals = world.allocate(2L * pes * Long.BYTES);
        strips = new SignalWord[2 * pes];
        for (int i = 0; i < 2 * pes; i++) strips[i] = signals.signal(i);
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < rows; j++) a[pe][i * rows + j] = number(me * rows + i, pe * rows + j);
            }
        }
    }

    /// Returns an element of A at the beginning.
    double number(int row, int column) {
        return (double) order * row + column;
    }

    void transpose(int iteration) {
        int turn = iteration % 2;
        for (int i = 1; i <= pes; i++) { // this PE's own block is the last
            int pe = (me + i) % pes;
            for (int column = 0; column < rows; column += TILE) {
                int width = Math.min(TILE, rows - column);
                transpose(a[pe], column, width);
                if (pe == me) {
                    for (int k = 0; k < width; k++) add(b[me][column + k], k * rows);
                } else {
                    long target = block(turn, me) + (long) column * rows;
                    received.putSignal(target, stripSegment, 0, width * rows, strips[turn * pes + me].adding(1), pe);
                }
            }
        }
        for (int i = 1; i < pes; i++) addReceived(turn, (me + pes - i) % pes, iteration / 2 + 1);
    }

    long block(int turn, int pe) {
        return (long) (turn * pes + pe) * rows * rows;
    }

    /// Writes some columns of a block to the strip as rows, and adds 1 to them.
    void transpose(double[] block, int column, int width) {
        for (int row = 0; row < rows; row += TILE) {
            int height = Math.min(TILE, rows - row);
            for (int k = 0; k < width; k++) copy(block, row * rows + column + k, strip, k * rows + row, height, rows);
        }
    }

    /// Copies a column of a tile, from top to bottom: the loads of all its cache lines are under way at once.
    static void copy(double[] block, int from, double[] strip, int to, int height, int rows) {
        for (int i = 0; i < height; i++) {
            double value = block[from + i * rows];
            strip[to + i] = value;
            block[from + i * rows] = value + 1;
        }
    }

    /// Adds to a row of B what is in the strip.
    void add(double[] row, int begin) {
        for (int i = 0; i < row.length; i++) row[i] += strip[begin + i];
    }

    /// Adds the strips of a PE, as they come.
    void addReceived(int turn, int pe, long times) {
        SignalWord came = strips[turn * pes + pe];
        int perBlock = Math.ceilDiv(rows, TILE);
        for (int row = 0; row < rows; row++) {
            if (row % TILE == 0) came.waitUntil(Comparison.GE, (times - 1) * perBlock + row / TILE + 1);
            received.get(block(turn, pe) + (long) row * rows, line, 0, rows);
            add(b[pe][row], line);
        }
    }

    static void add(double[] row, double[] summands) {
        for (int i = 0; i < row.length; i++) row[i] += summands[i];
    }

    /// Returns the sum of the errors of B.
    double error(int times) {
        double added = times * (times - 1.0) / 2, sum = 0;
        for (int pe = 0; pe < pes; pe++) {
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < rows; j++) {
                    sum += Math.abs(b[pe][i][j] - (times * number(pe * rows + j, me * rows + i) + added));
                }
            }
        }
        return sum;
    }
}
