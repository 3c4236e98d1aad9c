// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.spark.CoterieBarrier;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/// A program for `spark-submit`: finds clusters in a file of numbers.
///
/// ```
/// spark-submit --class coterie.example.spark.ClusterRows … coterie-spark-examples.jar FILE CLUSTERS
/// ```
///
/// FILE has a row of numbers in each line, with commas between them. Prints the centers and the sum of squared
/// distances.
public final class ClusterRows {
    private static final long SEED = 1;

    private ClusterRows() {}

    /// Runs the program.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            throw new IllegalArgumentException(
                    "ClusterRows: arguments are FILE CLUSTERS, and not " + String.join(" ", arguments));
        }
        try (SparkSession spark = SparkSession.builder().getOrCreate()) {
            int pes = spark.sparkContext().defaultParallelism();
            JavaRDD<String> lines =
                    spark.sparkContext().textFile(arguments[0], pes).toJavaRDD().filter(line -> !line.isBlank());
            int columns = lines.first().split(",", -1).length;
            KMeans algorithm = new KMeans(Integer.parseInt(arguments[1]), SEED);
            KMeansModel model = CoterieBarrier.run(lines.repartition(pes), (world, rows) -> {
                        KMeansModel fitted = algorithm.fit(world, NumberRows.of(rows, columns), columns);
                        return List.of(fitted).iterator(); // the same on all PEs
                    })
                    .first();
            for (double[] center : model.centers()) {
                System.out.println(Arrays.stream(center)
                        .mapToObj(number -> String.format("%.4f", number))
                        .collect(Collectors.joining(",")));
            }
            System.out.printf("cost %.6g after %d iterations on %d PEs%n", model.cost(), model.iterations(), pes);
        }
    }
}
