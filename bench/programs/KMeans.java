// SPDX-License-Identifier: Apache-2.0
import coterie.*;
import java.util.concurrent.*;
import java.util.stream.*;

static final int DIMENSIONS = 8, CENTRES = 16, ROUNDS = 20;
static final long SEED = 5;

/// Lloyd's k-means: points are spread over the PEs, which sum those of each centre and add their sums; beside the same
/// on PE 0 by a parallel stream of points with a collector, as a program for one JVM is written.
///
/// Run: `coterie run -n 2 KMeans.java [POINTS]`
/// Prints: ms of an iteration of both, medians, and the inertia of both, which must be equal to 9 digits.
void main(String[] args) {
    World world = World.join();
    Team team = world.team();
    int all = args.length > 0 ? Integer.parseInt(args[0]) : 400_000;
    int first = (int) ((long) all * world.pe() / world.size());
    int end = (int) ((long) all * (world.pe() + 1) / world.size());
    Clusters clusters = new Clusters(first, end);

    double[] centres = start(), sums = new double[CENTRES * (DIMENSIONS + 1) + 1], ours = new double[ROUNDS];
    double inertia = 0;
    for (int round = 0; round < ROUNDS; round++) {
        team.barrier();
        long start = System.nanoTime();
        Arrays.fill(sums, 0);
        clusters.sum(centres, sums);
        team.allReduce(Reduction.SUM, sums);
        move(centres, sums);
        inertia = sums[sums.length - 1];
        ours[round] = (System.nanoTime() - start) / 1e6;
    }

    double[] theirs = new double[ROUNDS];
    double theirInertia = 0;
    if (world.pe() == 0) {
        List<double[]> list = IntStream.range(0, all).mapToObj(i -> point(i)).toList();
        double[] theirCentres = start();
        for (int round = 0; round < ROUNDS; round++) {
            long start = System.nanoTime();
            Map<Integer, Mean> means = list.parallelStream()
                    .map(point -> nearest(point, theirCentres))
                    .collect(Collectors.groupingBy(
                            Assigned::centre, Collector.of(Mean::new, Mean::add, Mean::plus)));
            theirInertia = 0;
            for (int c = 0; c < CENTRES; c++) {
                Mean mean = means.get(c);
                if (mean == null) continue;
                theirInertia += mean.inertia;
                for (int d = 0; d < DIMENSIONS; d++) theirCentres[c * DIMENSIONS + d] = mean.sum[d] / mean.count;
            }
            theirs[round] = (System.nanoTime() - start) / 1e6;
        }
        Arrays.sort(ours);
        Arrays.sort(theirs);
        double mine = ours[ROUNDS / 2], other = theirs[ROUNDS / 2];
        IO.println("%d points on %d PEs  k-means %.1f ms  parallel stream %.1f ms  rate %.2f of the stream's  inertia %.6e"
                .formatted(all, world.size(), mine, other, other / mine, inertia));
        if (Math.abs(inertia / theirInertia - 1) > 1e-9) {
            throw new IllegalStateException("inertia " + inertia + " beside " + theirInertia + " by the stream");
        }
    }
    team.barrier();
}

/// A point near one of the corners of a cube.
double[] point(int i) {
    SplittableRandom random = new SplittableRandom(SEED + i);
    int corner = random.nextInt(CENTRES);
    double[] point = new double[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; d++) point[d] = (corner >> d & 1) + random.nextDouble() - 0.5;
    return point;
}

double[] start() {
    double[] centres = new double[CENTRES * DIMENSIONS];
    for (int c = 0; c < CENTRES; c++) System.arraycopy(point(c), 0, centres, c * DIMENSIONS, DIMENSIONS);
    return centres;
}

/// The points of a PE in blocks of some hundred, whose distances stay in the cache. A block has an array for each
/// dimension, and all loops over points use one index: the compiler makes vector instructions of them.
class Clusters {
    static final int BLOCK = 128;

    final double[][][] blocks; // by block, dimension and point
    final int[] counts; // of points in a block
    final double[] distances = new double[BLOCK], least = new double[BLOCK];
    final int[] nearest = new int[BLOCK];

    Clusters(int first, int end) {
        int all = (end - first + BLOCK - 1) / BLOCK;
        blocks = new double[all][DIMENSIONS][BLOCK];
        counts = new int[all];
        for (int i = first; i < end; i++) {
            int block = (i - first) / BLOCK;
            double[] point = point(i);
            for (int d = 0; d < DIMENSIONS; d++) blocks[block][d][counts[block]] = point[d];
            counts[block]++;
        }
    }

    /// Adds each point to the sum of its centre, its number of points, and the inertia.
    void sum(double[] centres, double[] sums) {
        for (int block = 0; block < blocks.length; block++) {
            assign(blocks[block], centres);
            add(blocks[block], counts[block], sums);
        }
    }

    private void assign(double[][] block, double[] centres) {
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int c = 0; c < CENTRES; c++) {
            measure(block, centres, c * DIMENSIONS, distances);
            take(c, distances, least, nearest);
        }
    }

    /// Squares of distances from a centre: all dimensions at once, so that each is stored once.
    private static void measure(double[][] block, double[] centres, int at, double[] distances) {
        double[] a = block[0], b = block[1], c = block[2], d = block[3];
        double[] e = block[4], f = block[5], g = block[6], h = block[7];
        double ca = centres[at], cb = centres[at + 1], cc = centres[at + 2], cd = centres[at + 3];
        double ce = centres[at + 4], cf = centres[at + 5], cg = centres[at + 6], ch = centres[at + 7];
        for (int i = 0; i < BLOCK; i++) {
            double p = a[i] - ca, q = b[i] - cb, r = c[i] - cc, s = d[i] - cd;
            double t = e[i] - ce, u = f[i] - cf, v = g[i] - cg, w = h[i] - ch;
            distances[i] = p * p + q * q + (r * r + s * s) + (t * t + u * u + (v * v + w * w));
        }
    }

    private static void take(int centre, double[] distances, double[] least, int[] nearest) {
        for (int i = 0; i < BLOCK; i++) {
            boolean isNearer = distances[i] < least[i];
            nearest[i] = isNearer ? centre : nearest[i];
            least[i] = isNearer ? distances[i] : least[i];
        }
    }

    private void add(double[][] block, int count, double[] sums) {
        for (int d = 0; d < DIMENSIONS; d++) {
            double[] coordinates = block[d];
            for (int i = 0; i < count; i++) sums[nearest[i] * (DIMENSIONS + 1) + d] += coordinates[i];
        }
        double inertia = 0;
        for (int i = 0; i < count; i++) {
            sums[nearest[i] * (DIMENSIONS + 1) + DIMENSIONS]++;
            inertia += least[i];
        }
        sums[sums.length - 1] += inertia;
    }
}

static void move(double[] centres, double[] sums) {
    for (int c = 0; c < CENTRES; c++) {
        double count = sums[c * (DIMENSIONS + 1) + DIMENSIONS];
        for (int d = 0; d < DIMENSIONS && count > 0; d++) {
            centres[c * DIMENSIONS + d] = sums[c * (DIMENSIONS + 1) + d] / count;
        }
    }
}

record Assigned(double[] point, int centre, double distance) {}

static Assigned nearest(double[] point, double[] centres) {
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int c = 0; c < CENTRES; c++) {
        double sum = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            double difference = point[d] - centres[c * DIMENSIONS + d];
            sum += difference * difference;
        }
        if (sum < least) {
            least = sum;
            best = c;
        }
    }
    return new Assigned(point, best, least);
}

/// The mean of points, for a collector.
static class Mean {
    final double[] sum = new double[DIMENSIONS];
    double inertia;
    long count;

    void add(Assigned assigned) {
        inertia += assigned.distance;
        for (int d = 0; d < DIMENSIONS; d++) sum[d] += assigned.point[d];
        count++;
    }

    Mean plus(Mean other) {
        for (int d = 0; d < DIMENSIONS; d++) sum[d] += other.sum[d];
        inertia += other.inertia;
        count += other.count;
        return this;
    }
}
