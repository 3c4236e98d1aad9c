// SPDX-License-Identifier: Apache-2.0
import coterie.example.spark.KMeans;
import coterie.example.spark.KMeansModel;
import coterie.spark.CoterieBarrier;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/// K-means in a world beside MLlib's, by turns on the same rows, in two executors.
///
/// Arguments: rows, rounds. Prints a line of comma-separated values for each round: milliseconds of an iteration, of
/// a whole fit with its start, and the cost of both models.
public final class SparkClusters {
    private static final int EXECUTORS = 2;
    private static final int DIMENSIONS = 16;
    private static final int CLUSTERS = 16;
    private static final int ITERATIONS = 20;

    private SparkClusters() {}

    public static void main(String[] arguments) throws Exception {
        int rows = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        try (SparkSession session = SparkSession.builder()
                .master("local-cluster[" + EXECUTORS + ",1,2048]")
                .appName("clusters")
                .config("spark.ui.enabled", "false")
                .config("spark.executor.memory", "1500m")
                .config("spark.cores.max", EXECUTORS)
                .config("spark.scheduler.minRegisteredResourcesRatio", "1")
                .getOrCreate()) {
            JavaSparkContext spark = JavaSparkContext.fromSparkContext(session.sparkContext());
            JavaRDD<double[]> points = spark.parallelize(List.of(1L, 2L), EXECUTORS)
                    .flatMap(seed -> points(seed, rows / EXECUTORS).iterator())
                    .persist(StorageLevel.MEMORY_ONLY());
            points.count();
            StructType type = DataTypes.createStructType(
                    List.of(DataTypes.createStructField("features", SQLDataTypes.VectorType(), false)));
            // Not kept: MLlib then keeps the vectors, and reads no columns in its iterations.
            Dataset<Row> data = session.createDataFrame(
                    points.map(point -> RowFactory.create(Vectors.dense(point))), type);
            System.out.println("round,iteration ms,MLlib iteration ms,fit ms,MLlib fit ms,cost,MLlib cost");
            for (int round = -1; round < rounds; round++) {
                Fit ours = ours(points, rows / EXECUTORS, ITERATIONS, round);
                Fit theirs = theirs(data, ITERATIONS, round);
                // A fit of few iterations, for the share of start and seeds in MLlib's time.
                double start = theirs(data, 2, round).millis;
                if (round >= 0) {
                    System.out.printf(
                            "%d,%.1f,%.1f,%.0f,%.0f,%.6g,%.6g%n",
                            round,
                            ours.iterationMillis,
                            (theirs.millis - start) / (ITERATIONS - 2),
                            ours.millis,
                            theirs.millis,
                            ours.cost,
                            theirs.cost);
                }
            }
        }
    }

    private record Fit(double millis, double iterationMillis, double cost) {}

    /// Points around as many places as there are clusters.
    private static List<double[]> points(long seed, int size) {
        Random places = new Random(42);
        double[][] centers = new double[CLUSTERS][DIMENSIONS];
        for (double[] center : centers) {
            for (int d = 0; d < DIMENSIONS; d++) {
                center[d] = 4 * places.nextGaussian();
            }
        }
        Random random = new Random(seed);
        List<double[]> points = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            double[] point = centers[random.nextInt(CLUSTERS)].clone();
            for (int d = 0; d < DIMENSIONS; d++) {
                point[d] += 3 * random.nextGaussian();
            }
            points.add(point);
        }
        return points;
    }

    private static Fit ours(JavaRDD<double[]> points, int mostRows, int iterations, long seed) {
        KMeans algorithm = new KMeans(CLUSTERS, iterations, 0, seed);
        long start = System.nanoTime();
        KMeansModel model = CoterieBarrier.run(points, (world, rows) -> {
                    double[] flat = new double[DIMENSIONS * mostRows];
                    int length = 0;
                    while (rows.hasNext()) {
                        System.arraycopy(rows.next(), 0, flat, length, DIMENSIONS);
                        length += DIMENSIONS;
                    }
                    return List.of(algorithm.fit(world, java.util.Arrays.copyOf(flat, length), DIMENSIONS))
                            .iterator();
                })
                .first();
        double millis = (System.nanoTime() - start) / 1e6;
        return new Fit(millis, model.time().toNanos() / 1e6 / (model.iterations() + 1), model.cost());
    }

    private static Fit theirs(Dataset<Row> data, int iterations, long seed) {
        long start = System.nanoTime();
        var model = new org.apache.spark.ml.clustering.KMeans()
                .setK(CLUSTERS)
                .setMaxIter(iterations)
                .setTol(0)
                .setSeed(seed)
                .fit(data);
        return new Fit((System.nanoTime() - start) / 1e6, 0, model.summary().trainingCost());
    }
}
