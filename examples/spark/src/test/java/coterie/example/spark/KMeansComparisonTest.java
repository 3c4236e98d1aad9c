// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The same rows for the k-means of Spark's MLlib.
class KMeansComparisonTest {
    private static final int RUNS = 2;

    @ParameterizedTest
    @ValueSource(doubles = {1.5, 8})
    @DisplayName("the least inertia of two runs is at most 1 percent above that of Spark, also if clusters overlap")
    void inertia(double deviation) throws Exception {
        SampleRows samples = SampleRows.blobs(4_000, 12, 6, deviation, 21);
        assertThat(ours(samples)).isLessThan(1.01 * theirs(samples));
    }

    private static double ours(SampleRows samples) throws Exception {
        return HostedPes.run(2, world -> {
                    double least = Double.POSITIVE_INFINITY;
                    for (int seed = 0; seed < RUNS; seed++) {
                        KMeans settings = new KMeans(12, 30, 1e-4, seed);
                        double[] rows = samples.part(world.pe(), 2).rows();
                        least = Math.min(
                                least,
                                settings.fit(world, rows, samples.width()).cost());
                    }
                    return least;
                })
                .getFirst();
    }

    private static double theirs(SampleRows samples) {
        List<Vector> vectors = IntStream.range(0, samples.count())
                .mapToObj(row -> Vectors.dense(samples.row(row)))
                .toList();
        JavaRDD<Vector> rows = LocalSpark.context().parallelize(vectors, 2).cache();
        return IntStream.range(0, RUNS)
                .mapToDouble(seed -> new org.apache.spark.mllib.clustering.KMeans()
                        .setK(12)
                        .setSeed(seed)
                        .setMaxIterations(30)
                        .run(rows.rdd())
                        .computeCost(rows.rdd()))
                .min()
                .orElseThrow();
    }
}
