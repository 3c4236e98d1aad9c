// SPDX-License-Identifier: Apache-2.0
import coterie.Reduction;
import coterie.spark.CoterieBarrier;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.StorageLevel;
import scala.reflect.ClassTag;

/// The sum of a vector of each of two executors, by turns: allReduce in a world, treeAggregate to the driver, and
/// allGather of barrier tasks, of which each task then adds the vectors.
///
/// Arguments: elements, rounds. Prints a line of comma-separated microseconds for each round, of a steady call; and
/// of a whole job with one allReduce, from its start to its end.
public final class SparkCosts {
    private static final int EXECUTORS = 2;
    private static final int CALLS = 20;

    private SparkCosts() {}

    public static void main(String[] arguments) {
        int elements = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        SparkConf conf = new SparkConf()
                .setMaster("local-cluster[" + EXECUTORS + ",1,2048]")
                .setAppName("costs")
                .set("spark.ui.enabled", "false")
                .set("spark.executor.memory", "1500m")
                .set("spark.driver.maxResultSize", "0")
                .set("spark.cores.max", Integer.toString(EXECUTORS))
                .set("spark.scheduler.minRegisteredResourcesRatio", "1");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            JavaRDD<double[]> vectors = spark.parallelize(List.of(1.0, 2.0), EXECUTORS)
                    .map(value -> filled(elements, value))
                    .persist(StorageLevel.MEMORY_ONLY());
            vectors.count();
            System.out.println("round,allReduce us,treeAggregate us,allGather us,whole job us");
            for (int round = -2; round < rounds; round++) {
                double all = allReduce(vectors);
                double tree = treeAggregate(vectors, elements);
                double gather = allGather(vectors);
                double job = wholeJob(vectors);
                if (round >= 0) {
                    System.out.printf("%d,%.0f,%.0f,%.0f,%.0f%n", round, all, tree, gather, job);
                }
            }
        }
    }

    private static double[] filled(int elements, double value) {
        double[] vector = new double[elements];
        Arrays.fill(vector, value);
        return vector;
    }

    private static void check(double[] sum) {
        if (sum[0] != 3 || sum[sum.length - 1] != 3) {
            throw new AssertionError("1 and 2 are 3, not " + sum[0] + " and " + sum[sum.length - 1]);
        }
    }

    private static double allReduce(JavaRDD<double[]> vectors) {
        return slowest(CoterieBarrier.run(vectors, (world, rows) -> {
                    double[] mine = rows.next();
                    double[] sum = new double[mine.length];
                    long start = 0;
                    for (int i = -CALLS; i < CALLS; i++) {
                        if (i == 0) {
                            start = System.nanoTime();
                        }
                        System.arraycopy(mine, 0, sum, 0, mine.length);
                        world.team().allReduce(Reduction.SUM, sum);
                    }
                    long nanos = System.nanoTime() - start;
                    check(sum);
                    return List.of(nanos / 1e3 / CALLS).iterator();
                })
                .collect());
    }

    private static double wholeJob(JavaRDD<double[]> vectors) {
        long start = System.nanoTime();
        CoterieBarrier.run(vectors, (world, rows) -> {
                    double[] sum = rows.next().clone();
                    world.team().allReduce(Reduction.SUM, sum);
                    check(sum);
                    return List.of(sum[0]).iterator();
                })
                .collect();
        return (System.nanoTime() - start) / 1e3;
    }

    private static double treeAggregate(JavaRDD<double[]> vectors, int elements) {
        long start = System.nanoTime();
        double[] sum = vectors.treeAggregate(new double[elements], SparkCosts::add, SparkCosts::add, 2);
        double micros = (System.nanoTime() - start) / 1e3;
        check(sum);
        return micros;
    }

    private static double[] add(double[] left, double[] right) {
        for (int i = 0; i < left.length; i++) {
            left[i] += right[i];
        }
        return left;
    }

    private static double allGather(JavaRDD<double[]> vectors) {
        return slowest(vectors.rdd()
                .barrier()
                .mapPartitions(new Gather(), false, ClassTag.<Double>apply(Double.class))
                .toJavaRDD()
                .collect());
    }

    private static double slowest(List<Double> micros) {
        return micros.stream().mapToDouble(each -> each).max().orElseThrow();
    }

    /// A barrier task without Coterie: vectors travel as strings of their bytes.
    private static final class Gather
            extends scala.runtime.AbstractFunction1<scala.collection.Iterator<double[]>, scala.collection.Iterator<Double>>
            implements java.io.Serializable {
        private static final long serialVersionUID = 1;
        private static final int TIMES = 3;

        @Override
        public scala.collection.Iterator<Double> apply(scala.collection.Iterator<double[]> rows) {
            double[] mine = rows.next();
            BarrierTaskContext context = BarrierTaskContext.get();
            long start = System.nanoTime();
            for (int i = 0; i < TIMES; i++) {
                double[] sum = new double[mine.length];
                for (String each : context.allGather(text(mine))) {
                    ByteBuffer bytes = ByteBuffer.wrap(each.getBytes(StandardCharsets.ISO_8859_1));
                    for (int k = 0; k < sum.length; k++) {
                        sum[k] += bytes.getDouble(k * Double.BYTES);
                    }
                }
                check(sum);
            }
            return scala.collection.Iterator.single((System.nanoTime() - start) / 1e3 / TIMES);
        }

        private static String text(double[] vector) {
            ByteBuffer bytes = ByteBuffer.allocate(vector.length * Double.BYTES);
            bytes.asDoubleBuffer().put(vector);
            return new String(bytes.array(), StandardCharsets.ISO_8859_1);
        }
    }
}
