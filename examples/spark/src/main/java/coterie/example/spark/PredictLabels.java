// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import coterie.World;
import coterie.spark.CoterieBarrier;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/// A program for `spark-submit`: learns a label of 0 or 1 from numbers, by boosted trees.
///
/// ```
/// spark-submit --class coterie.example.spark.PredictLabels … coterie-spark-examples.jar FILE
/// ```
///
/// FILE has a row in each line: numbers with commas between them, and last the label. An empty field is a missing
/// number. Every fifth row tests the model, which the others have made. Prints how many labels are wrong.
public final class PredictLabels {
    private static final GradientBoosting ALGORITHM = new GradientBoosting(40, 4, 0.2);
    private static final int FIFTH = 5;

    private PredictLabels() {}

    /// Runs the program.
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 1) {
            throw new IllegalArgumentException(
                    "PredictLabels: the argument is FILE, and not " + String.join(" ", arguments));
        }
        try (SparkSession session = SparkSession.builder().getOrCreate()) {
            JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
            int pes = spark.defaultParallelism();
            JavaPairRDD<String, Long> lines = spark.textFile(arguments[0], pes)
                    .filter(line -> !line.isBlank())
                    .zipWithIndex();
            JavaRDD<String> learnt =
                    lines.filter(line -> line._2() % FIFTH != 0).keys();
            JavaRDD<String> others =
                    lines.filter(line -> line._2() % FIFTH == 0).keys();
            int features = lines.first()._1().split(",", -1).length - 1;
            BoostingModel model = CoterieBarrier.run(
                            learnt.repartition(pes),
                            (world, rows) -> List.of(fit(world, rows, features)).iterator())
                    .first();
            System.out.printf(
                    "wrong labels: %d of %d that it has learnt, %d of %d others, on %d PEs%n",
                    wrong(learnt, model, features),
                    learnt.count(),
                    wrong(others, model, features),
                    others.count(),
                    pes);
        }
    }

    private static BoostingModel fit(World world, Iterator<String> lines, int features) {
        double[] numbers = NumberRows.of(lines, features + 1);
        int size = numbers.length / (features + 1);
        double[] rows = new double[size * features];
        double[] labels = new double[size];
        for (int row = 0; row < size; row++) {
            System.arraycopy(numbers, row * (features + 1), rows, row * features, features);
            labels[row] = numbers[row * (features + 1) + features];
        }
        return ALGORITHM.fit(world, rows, labels, features);
    }

    private static long wrong(JavaRDD<String> lines, BoostingModel model, int features) {
        return lines.filter(line -> {
                    double[] row = NumberRows.of(List.of(line).iterator(), features + 1);
                    boolean isOne = model.probability(Arrays.copyOf(row, features)) >= 0.5;
                    return isOne != (row[features] == 1);
                })
                .count();
    }
}
