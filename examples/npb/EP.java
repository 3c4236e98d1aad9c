// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int[] LOG_PAIRS = {24, 25, 28, 30}; // of classes S, W, A, B
static final double[] SUM_X = {-3.247834652034740e3, -2.863319731645753e3, -4.295875165629892e3, 4.033815542441498e4};
static final double[] SUM_Y = {-6.958407078382297e3, -6.320053679109499e3, -1.580732573678431e4, -2.660669192809235e4};
static final long[] GAUSSIAN = {13_176_389, 26_354_769, 210_832_767, 843_345_606}; // pairs
static final int LOG_BATCH = 16, AT_ONCE = 1024; // pairs of a batch, and of a pass of a loop
static final long SEED = 271_828_183;

/// EP: pairs of random numbers become pairs of Gaussian deviates; how many are in each square ring around 0?
///
/// The benchmark is *embarrassingly parallel*: the PEs meet only at the end, to add their counts. The pairs are
/// divided into batches, and PE `p` of n takes the batches p, p + n, p + 2n, … Any number of PEs will do. A pair
/// (x, y) in the unit circle gives two deviates by Marsaglia's polar method, and other pairs give none.
///
/// Shows: work divided by PE number, and sums of arrays.
/// Run: `coterie run -n 4 EP.java [S | W | A | B]`
/// Prints: the sums, the counts, and random numbers per second. The program fails if a sum or the count is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "EP", args)) return;
    Npb npb = Npb.of(world, "EP", args);
    int logPairs = LOG_PAIRS[npb.index()];

    long start = npb.start();
    Deviates deviates = new Deviates();
    for (long batch = world.pe(); batch < 1L << logPairs - LOG_BATCH; batch += world.size()) {
        deviates.add(Npb.skip(SEED, (batch << LOG_BATCH + 1) + 1));
    }
    world.team().allReduce(Reduction.SUM, deviates.counts);
    world.team().allReduce(Reduction.SUM, deviates.sums);
    double seconds = npb.seconds(start);

    double x = deviates.sums[0], y = deviates.sums[1];
    long pairs = LongStream.of(deviates.counts).sum();
    npb.print("%d Gaussian pairs with sums %.15e and %.15e", pairs, x, y);
    npb.print("by ring: %s", Arrays.toString(deviates.counts));
    boolean right = Npb.near(x, SUM_X[npb.index()], 1e-8)
            && Npb.near(y, SUM_Y[npb.index()], 1e-8)
            && pairs == GAUSSIAN[npb.index()];
    long numbers = 2L << logPairs;
    npb.report(Long.toString(numbers), 0, seconds, numbers, "Random numbers generated", right);
}

/// The deviates that this PE has made.
///
/// Three short loops go over a thousand pairs at a time. One makes pairs, and keeps those in the circle without a
/// branch, which the processor would mispredict for every fifth pair. The next two have no branches either.
class Deviates {
    final long[] counts = new long[10]; // by ring: the integer part of the greater of |x| and |y|
    final double[] sums = new double[2];
    private final double[] x = new double[AT_ONCE], y = new double[AT_ONCE], squares = new double[AT_ONCE];
    private long number; // the first of the next pair

    /// Adds the pairs of a batch.
    ///
    /// @param first the first number of the batch
    void add(long first) {
        number = first;
        for (int done = 0; done < 1 << LOG_BATCH; done += AT_ONCE) {
            int kept = makePairs(x, y, squares);
            scale(squares, kept);
            count(x, y, squares, kept);
        }
    }

    /// Returns how many pairs are in the circle. Others are overwritten by the next. The two numbers of a pair are
    /// two sequences, of every second number: a product of one need not wait for that of the other.
    private int makePairs(double[] x, double[] y, double[] squares) {
        long first = number, second = Npb.next(first), factor = Npb.power(Npb.FACTOR, 2);
        int kept = 0;
        for (int i = 0; i < AT_ONCE; i++) {
            double left = 2 * Npb.fraction(first) - 1, right = 2 * Npb.fraction(second) - 1;
            double square = left * left + right * right;
            x[kept] = left;
            y[kept] = right;
            squares[kept] = square;
            kept += 1 - (int) (Double.doubleToRawLongBits(1 - square) >>> 63); // 1, or 0 if the square is above 1
            first *= factor;
            second *= factor;
        }
        number = first;
        return kept;
    }

    private static void scale(double[] squares, int kept) {
        for (int i = 0; i < kept; i++) squares[i] = Math.sqrt(-2 * Math.log(squares[i]) / squares[i]);
    }

    private void count(double[] x, double[] y, double[] scales, int kept) {
        double sumOfX = 0, sumOfY = 0;
        for (int i = 0; i < kept; i++) {
            double first = x[i] * scales[i], second = y[i] * scales[i];
            counts[(int) Math.max(Math.abs(first), Math.abs(second))]++;
            sumOfX += first;
            sumOfY += second;
        }
        sums[0] += sumOfX;
        sums[1] += sumOfY;
    }
}
