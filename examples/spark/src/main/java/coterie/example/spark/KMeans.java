// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.example.spark.CommonArguments.Setting;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/// Clusters of dense rows: Lloyd's iterations (S. P. Lloyd, "Least Squares Quantization in PCM", 1982) from seeds
/// of greedy k-means++.
///
/// ```java
/// KMeansModel model = new KMeans(16, 42).fit(world, rows, 8);
/// ```
///
/// In each iteration a PE adds its rows to the sums of their nearest centers, one reduction adds the sums of all
/// PEs, and each PE moves its copy of the centers. The reduction has `k * (dimensions + 1) + 1` numbers; beside the
/// reduction an iteration allocates nothing.
///
/// **What depends on the division of the rows.** With the same rows in the same order the seeds are the same rows,
/// and the sums differ by rounding alone. With the same division all bits are the same from run to run.
///
/// Immutable, and serializable, so that a task of Spark may use settings of its driver.
///
/// @param k number of clusters, at least 1
/// @param maxIterations at least 0
/// @param tolerance ends the iterations when no center has moved by more, as a distance; at least 0
/// @param seed of the random numbers that choose the seeds
public record KMeans(int k, int maxIterations, double tolerance, long seed) implements Serializable {
    private static final String FIT = "KMeans.fit";

    /// Checks the settings.
    public KMeans {
        require(k >= 1, "k is " + k + "; at least 1 cluster is needed");
        require(maxIterations >= 0, "maxIterations is " + maxIterations + "; it is at least 0");
        require(tolerance >= 0, "the tolerance is " + tolerance + "; it is at least 0");
    }

    /// Takes 20 iterations and a tolerance of 0.0001, which are the defaults of Spark.
    public KMeans(int k, long seed) {
        this(k, 20, 1e-4, seed);
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException("KMeans: " + otherwise);
        }
    }

    /// Finds the clusters. A center without rows keeps its place. Collective: all PEs return the same model, or
    /// throw the same exception.
    ///
    /// @param rows of this PE, one after the other; may be empty. Unchanged
    /// @param dimensions numbers of a row, at least 1, on all PEs the same
    /// @throws IllegalArgumentException on all PEs, if rows of one are no whole rows of finite numbers, if there
    ///     are fewer than `k` in all, or if the PEs pass different settings
    /// @throws ArithmeticException on all PEs, if the sum of squared distances is too large for a double
    public KMeansModel fit(World world, double[] rows, int dimensions) {
        CommonArguments.check(
                world,
                FIT,
                CommonArguments.problemOfRows(FIT, world.pe(), rows, dimensions, false),
                List.of(
                        Setting.of("k", k),
                        Setting.of("maxIterations", maxIterations),
                        Setting.of("tolerance", tolerance),
                        Setting.of("seed", seed),
                        Setting.of("dimensions", dimensions)));
        RowNumbers numbers = RowNumbers.of(world, rows.length / dimensions);
        if (numbers.total() < k) {
            throw CommonArguments.together(
                    world.team(),
                    new IllegalArgumentException(FIT + ": all PEs together have " + numbers.total() + " rows; " + k
                            + " clusters need at least as many"));
        }
        RowBlocks blocks = new RowBlocks(rows, dimensions);
        double[] centers = new CenterSeeding(world.team(), blocks, numbers, dimensions, seed).seeds(k);
        return iterate(world.team(), blocks, centers, dimensions);
    }

    private KMeansModel iterate(Team team, RowBlocks blocks, double[] centers, int dimensions) {
        long start = System.nanoTime();
        double[] sums = new double[k * (dimensions + 1) + 1];
        boolean hasConverged = false;
        for (int iterations = 0; ; iterations++) {
            Arrays.fill(sums, 0);
            blocks.addTo(sums, centers);
            team.allReduce(Reduction.SUM, sums);
            double cost = finite(team, sums[sums.length - 1]);
            if (hasConverged || iterations == maxIterations) {
                Duration time = Duration.ofNanos(team.allReduce(Reduction.MAX, System.nanoTime() - start));
                return new KMeansModel(byCenter(centers, dimensions), cost, iterations, time);
            }
            hasConverged = move(centers, sums, dimensions) <= tolerance * tolerance;
        }
    }

    /// Returns a sum of squared distances over all rows. Collective if it is not finite.
    static double finite(Team team, double sum) {
        if (!Double.isFinite(sum)) {
            throw CommonArguments.together(
                    team,
                    new ArithmeticException(FIT + ": the squared distances of the rows come to " + sum
                            + "; scale the rows to smaller numbers"));
        }
        return sum;
    }

    /// Moves each center to the mean of its rows, and returns the square of the longest way.
    private static double move(double[] centers, double[] sums, int dimensions) {
        double longest = 0;
        for (int center = 0; center < centers.length / dimensions; center++) {
            int from = center * (dimensions + 1);
            double count = sums[from + dimensions];
            double square = 0;
            for (int d = 0; d < dimensions && count > 0; d++) {
                double mean = sums[from + d] / count;
                double step = mean - centers[center * dimensions + d];
                square += step * step;
                centers[center * dimensions + d] = mean;
            }
            longest = Math.max(longest, square);
        }
        return longest;
    }

    private static double[][] byCenter(double[] centers, int dimensions) {
        double[][] rows = new double[centers.length / dimensions][];
        Arrays.setAll(rows, i -> Arrays.copyOfRange(centers, i * dimensions, (i + 1) * dimensions));
        return rows;
    }
}
