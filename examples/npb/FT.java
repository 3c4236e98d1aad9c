// SPDX-License-Identifier: Apache-2.0
import coterie.*;

static final int[][] SIZES = {{64, 64, 64}, {128, 128, 32}, {256, 256, 128}, {512, 256, 256}}; // of S, W, A, B
static final int[] ITERATIONS = {6, 6, 6, 20};

/// The sums after each iteration: a real part, an imaginary part, and so on.
static final double[][] SUMS = {
    {
        554.6087004964, 484.5363331978, 554.6385409189, 486.5304269511, 554.6148406171, 488.3910722336,
        554.5423607415, 490.1273169046, 554.4255039624, 491.7475857993, 554.2683411902, 493.2597244941
    },
    {
        567.3612178944, 529.3246849175, 563.1436885271, 528.2149986629, 559.4024089970, 527.0996558037,
        556.0698047020, 526.0027904925, 553.0898991250, 524.9400845633, 550.4159734538, 523.9212247086
    },
    {
        504.6735008193, 511.4047905510, 505.9412319734, 509.8809666433, 506.9376896287, 509.8144042213,
        507.7892868474, 510.1336130759, 508.5233095391, 510.4914655194, 509.1487099959, 510.7917842803
    },
    {
        517.7643571579, 507.7803458597, 515.4521291263, 508.8249431599, 514.6409228649, 509.6208912659,
        514.2378756213, 510.1023387619, 513.9626667737, 510.3976610617, 513.7423460082, 510.5948019802,
        513.5547056878, 510.7404165783, 513.3910925466, 510.8576573661, 513.2470705390, 510.9577278523,
        513.1197729984, 511.0460304483, 513.0070319283, 511.1252433800, 512.9070537032, 511.1968077718,
        512.8182883502, 511.2616233064, 512.7393733383, 511.3203605551, 512.6691062020, 511.3735928093,
        512.6064276004, 511.4218460548, 512.5504076570, 511.4656139760, 512.5002331720, 511.5053595966,
        512.4551951846, 511.5415130407, 512.4146770029, 511.5744692211
    }
};
static final int SUMMANDS = 1024; // of a sum
static final int WIDTH = 64; // sequences that are transformed at once
static final double ALPHA = 1e-6;
static final long SEED = 314_159_265;

/// FT: a partial differential equation, the diffusion of a complex field, by Fourier transforms in three dimensions.
///
/// The field is transformed once. Then each iteration diffuses the transform, which is a product with a factor for each
/// wave number, and transforms it back. A transform in three dimensions is one along each axis in turn. In space each
/// PE has all x and y for some z; in the transform it has all x and z for some y. Between the two all PEs exchange
/// blocks with each other. Loops write their results into the blocks, and read the next from them. Any number of PEs
/// will do; if it does not divide the axes, the last PEs have less, or nothing.
///
/// Shows: an all-to-all that transposes, between loops that work on symmetric memory.
/// Run: `coterie run -n 4 FT.java [S | W | A | B]`
/// Prints: a sum over some points after each iteration. The program fails if one is wrong.
void main(String[] args) {
    World world = World.join();
    if (Npb.helps(world, "FT", args)) return;
    Npb npb = Npb.of(world, "FT", args);
    int[] size = SIZES[npb.index()];
    int iterations = ITERATIONS[npb.index()];
    Diffusion diffusion = new Diffusion(world, size[0], size[1], size[2]);
    diffusion.begin();
    diffusion.iterate(); // the compiler's turn

    double[] sums = new double[2 * iterations];
    long start = npb.start();
    diffusion.begin();
    for (int i = 0; i < iterations; i++) {
        diffusion.iterate();
        sums[2 * i] = diffusion.sumRe;
        sums[2 * i + 1] = diffusion.sumIm;
    }
    world.team().allReduce(Reduction.SUM, sums);
    double seconds = npb.seconds(start);
    boolean right = true;
    for (int i = 0; i < iterations; i++) {
        double re = sums[2 * i], im = sums[2 * i + 1];
        double expectedRe = SUMS[npb.index()][2 * i], expectedIm = SUMS[npb.index()][2 * i + 1];
        npb.print("iteration %2d: the sum is %.10f + %.10f i", i + 1, re, im);
        double error = Math.hypot(re - expectedRe, im - expectedIm);
        right &= error <= 1e-12 * Math.hypot(expectedRe, expectedIm);
    }
    double points = (double) size[0] * size[1] * size[2], log = Math.log(points);
    double operations = points * (14.8157 + 7.19641 * log + (5.23518 + 7.21113 * log) * iterations);
    String sizes = "%4dx%4dx%4d".formatted(size[0], size[1], size[2]);
    npb.report(sizes, iterations, seconds, operations, "floating point", right);
}

/// This PE's part of the field.
class Diffusion {
    final World world;
    final int x, y, z; // points along the axes
    final int mostY, mostZ; // of a PE
    final int firstY, firstZ, countY, countZ; // of this PE
    final double[][] re, im; // the transform: row (j, k) is number (j - firstY) * z + k
    final double[][] planeRe, planeIm; // row j of a plane
    final DoubleView outgoing, incoming; // a block for each PE: rows, the real parts before the imaginary parts
    final Fourier alongX, alongY, alongZ;
    final int widthX, widthY; // sequences at once, along y or z and along x
    final double[] decayX, decayY, decayZ; // in an iteration, by wave number
    final int[][] summands; // for each z of this PE
    double sumRe, sumIm; // this PE's part of the sum of the last iteration

    Diffusion(World world, int x, int y, int z) {
        this.world = world;
        this.x = x;
        this.y = y;
        this.z = z;
        mostY = Math.ceilDiv(y, world.size());
        mostZ = Math.ceilDiv(z, world.size());
        firstY = Math.min(y, world.pe() * mostY);
        firstZ = Math.min(z, world.pe() * mostZ);
        countY = Math.min(y - firstY, mostY);
        countZ = Math.min(z - firstZ, mostZ);
        re = new double[countY * z][x];
        im = new double[countY * z][x];
        planeRe = new double[y][x];
        planeIm = new double[y][x];
        long block = (long) mostY * mostZ * 2 * x;
        outgoing = world.allocate(block * world.size() * Double.BYTES).doubles();
        incoming = world.allocate(block * world.size() * Double.BYTES).doubles();

        widthX = Math.min(WIDTH, x);
        widthY = Math.min(WIDTH, y);
        alongX = new Fourier(x, widthY);
        alongY = new Fourier(y, widthX);
        alongZ = new Fourier(z, widthX);
        decayX = decay(x);
        decayY = decay(y);
        decayZ = decay(z);
        summands = new int[countZ][];
        Arrays.setAll(summands, k -> IntStream.rangeClosed(1, SUMMANDS)
                .filter(i -> 5 * i % z == firstZ + k)
                .toArray());
    }

    /// Wave numbers in the upper half stand for negative ones.
    static double[] decay(int size) {
        double[] decay = new double[size];
        Arrays.setAll(decay, k -> {
            int wave = k < size / 2 ? k : k - size;
            return Math.exp(-4 * ALPHA * Math.PI * Math.PI * wave * wave);
        });
        return decay;
    }

    /// Where row (j, k) of the block of a PE begins.
    long at(int pe, int j, int k) {
        return (((long) pe * mostZ + k) * mostY + j) * 2 * x;
    }

    /// Makes the field of random numbers, and transforms it.
    void begin() {
        for (int k = 0; k < countZ; k++) {
            for (int j = 0; j < y; j += widthY) makeAlongX(j, k);
            for (int i = 0; i < x; i += widthX) alongYToBlocks(i, k);
        }
        exchange();
        MemorySegment source = incoming.segment();
        for (int j = 0; j < countY; j++) {
            for (int i = 0; i < x; i += widthX) {
                for (int k = 0; k < z; k++) {
                    long at = at(k / mostZ, j, k % mostZ) + i;
                    alongZ.load(k, source, at, at + x);
                }
                alongZ.transform(1);
                for (int k = 0; k < z; k++) {
                    System.arraycopy(alongZ.re(k), 0, re[j * z + k], i, widthX);
                    System.arraycopy(alongZ.im(k), 0, im[j * z + k], i, widthX);
                }
            }
        }
    }

    void makeAlongX(int firstRow, int k) {
        for (int j = 0; j < widthY; j++) makeRow(j, Npb.skip(SEED, 2L * x * ((long) (firstZ + k) * y + firstRow + j)));
        alongX.transform(1);
        for (int i = 0; i < x; i++) {
            double[] rowRe = alongX.re(i), rowIm = alongX.im(i);
            for (int j = 0; j < widthY; j++) {
                planeRe[firstRow + j][i] = rowRe[j];
                planeIm[firstRow + j][i] = rowIm[j];
            }
        }
    }

    void makeRow(int j, long before) {
        long number = before;
        for (int i = 0; i < x; i++) {
            number = Npb.next(number);
            alongX.re(i)[j] = Npb.fraction(number);
            number = Npb.next(number);
            alongX.im(i)[j] = Npb.fraction(number);
        }
    }

    void alongYToBlocks(int i, int k) {
        for (int j = 0; j < y; j++) {
            System.arraycopy(planeRe[j], i, alongY.re(j), 0, widthX);
            System.arraycopy(planeIm[j], i, alongY.im(j), 0, widthX);
        }
        alongY.transform(1);
        MemorySegment target = outgoing.segment();
        for (int j = 0; j < y; j++) {
            long at = at(j / mostY, j % mostY, k) + i;
            alongY.store(j, target, at, at + x);
        }
    }

    void exchange() {
        world.team().allToAll(incoming, 0, outgoing, 0, (long) mostY * mostZ * 2 * x);
    }

    /// Diffuses the transform, transforms it back, and adds points of the field up.
    void iterate() {
        for (int j = 0; j < countY; j++) {
            for (int k = 0; k < z; k++) {
                double factor = decayY[firstY + j] * decayZ[k];
                multiply(re[j * z + k], decayX, factor);
                multiply(im[j * z + k], decayX, factor);
            }
            for (int i = 0; i < x; i += widthX) alongZToBlocks(i, j);
        }
        exchange();
        sumRe = sumIm = 0;
        for (int k = 0; k < countZ; k++) {
            for (int i = 0; i < x; i += widthX) alongYToPlane(i, k);
            for (int j = 0; j < y; j += widthY) {
                transpose(planeRe, planeIm, j);
                alongX.transform(-1);
                add(j, summands[k]);
            }
        }
    }

    static void multiply(double[] row, double[] decay, double factor) {
        for (int i = 0; i < row.length; i++) row[i] *= decay[i] * factor;
    }

    void alongZToBlocks(int i, int j) {
        for (int k = 0; k < z; k++) {
            System.arraycopy(re[j * z + k], i, alongZ.re(k), 0, widthX);
            System.arraycopy(im[j * z + k], i, alongZ.im(k), 0, widthX);
        }
        alongZ.transform(-1);
        MemorySegment target = outgoing.segment();
        for (int k = 0; k < z; k++) {
            long at = at(k / mostZ, j, k % mostZ) + i;
            alongZ.store(k, target, at, at + x);
        }
    }

    void alongYToPlane(int i, int k) {
        MemorySegment source = incoming.segment();
        for (int j = 0; j < y; j++) {
            long at = at(j / mostY, j % mostY, k) + i;
            alongY.load(j, source, at, at + x);
        }
        alongY.transform(-1);
        for (int j = 0; j < y; j++) {
            System.arraycopy(alongY.re(j), 0, planeRe[j], i, widthX);
            System.arraycopy(alongY.im(j), 0, planeIm[j], i, widthX);
        }
    }

    void transpose(double[][] planeRe, double[][] planeIm, int firstRow) {
        for (int i = 0; i < x; i++) {
            double[] rowRe = alongX.re(i), rowIm = alongX.im(i);
            for (int j = 0; j < rowRe.length; j++) {
                rowRe[j] = planeRe[firstRow + j][i];
                rowIm[j] = planeIm[firstRow + j][i];
            }
        }
    }

    /// Adds the points that belong to the sum, of those that have just been transformed.
    void add(int firstRow, int[] summands) {
        double scale = 1.0 / ((double) x * y * z);
        for (int i : summands) {
            int j = 3 * i % y - firstRow;
            if (j < 0 || j >= widthY) continue;
            sumRe += scale * alongX.re(i % x)[j];
            sumIm += scale * alongX.im(i % x)[j];
        }
    }
}
