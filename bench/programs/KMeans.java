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
    double[][] points = new double[DIMENSIONS][end - first]; // by dimension, so that loops over points are vector loops
    for (int i = first; i < end; i++) {
        double[] point = point(i);
        for (int d = 0; d < DIMENSIONS; d++) points[d][i - first] = point[d];
    }

    double[] centres = start(), sums = new double[CENTRES * (DIMENSIONS + 1) + 1], ours = new double[ROUNDS];
    Clusters clusters = new Clusters(points, end - first);
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

/// The points of a PE, of which it takes some hundred at a time, whose distances stay in the cache.
static class Clusters {
    static final int AT_ONCE = 512;

    final double[][] points;
    final int count;
    final double[] distances = new double[AT_ONCE], least = new double[AT_ONCE];
    final int[] nearest = new int[AT_ONCE];

    Clusters(double[][] points, int count) {
        this.points = points;
        this.count = count;
    }

    /// Adds each point to the sum of its centre, its number of points, and the inertia.
    void sum(double[] centres, double[] sums) {
        for (int from = 0; from < count; from += AT_ONCE) {
            int few = Math.min(AT_ONCE, count - from);
            assign(from, few, centres);
            for (int i = 0; i < few; i++) {
                int to = nearest[i] * (DIMENSIONS + 1);
                for (int d = 0; d < DIMENSIONS; d++) sums[to + d] += points[d][from + i];
                sums[to + DIMENSIONS]++;
                sums[sums.length - 1] += least[i];
            }
        }
    }

    private void assign(int from, int few, double[] centres) {
        Arrays.fill(least, Double.POSITIVE_INFINITY);
        for (int c = 0; c < CENTRES; c++) {
            Arrays.fill(distances, 0);
            for (int d = 0; d < DIMENSIONS; d++) add(points[d], from, few, centres[c * DIMENSIONS + d], distances);
            take(c, few, distances, least, nearest);
        }
    }

    private static void add(double[] coordinates, int from, int few, double centre, double[] distances) {
        for (int i = 0; i < few; i++) {
            double difference = coordinates[from + i] - centre;
            distances[i] += difference * difference;
        }
    }

    private static void take(int centre, int few, double[] distances, double[] least, int[] nearest) {
        for (int i = 0; i < few; i++) {
            boolean isNearer = distances[i] < least[i];
            nearest[i] = isNearer ? centre : nearest[i];
            least[i] = isNearer ? distances[i] : least[i];
        }
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
