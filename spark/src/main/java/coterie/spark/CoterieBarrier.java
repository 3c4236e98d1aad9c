// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.World;
import java.util.Objects;
import java.util.function.Function;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoder;
import scala.Function2;
import scala.Tuple2;
import scala.collection.Iterator;
import scala.reflect.ClassTag;

/// Runs a world inside a barrier stage of Spark: Spark starts all tasks of the stage together, and each becomes the
/// PE with the number of its partition.
///
/// ```java
/// JavaRDD<Double> sums = CoterieBarrier.run(rdd, (world, rows) -> {
///     double[] sum = {0};
///     rows.forEachRemaining(row -> sum[0] += row);
///     world.team().allReduce(Reduction.SUM, sum);    // among executors, without the driver
///     return List.of(sum[0]).iterator();
/// });
/// ```
///
/// Nothing runs before an action asks for the results. Spark keeps them as it keeps the outputs of a shuffle: later
/// actions, `first()` and `take()` too, do not open a world again while the executors live that have them. A stage
/// needs as many free task slots as it has partitions, and no dynamic allocation; both are Spark's rules for barrier
/// stages.
///
/// A task that throws has failed as a PE, and so has one whose executor dies or that Spark kills: the other PEs get a
/// [coterie.PeFailedException] that names it, their tasks fail, and Spark runs the whole stage again, in a new world,
/// up to `spark.stage.maxConsecutiveAttempts` times.
///
/// Properties of the Spark application that begin with `spark.coterie.` are settings of its worlds:
/// `spark.coterie.link.timeout.s=5` is what `COTERIE_LINK_TIMEOUT_S=5` is for other jobs. `spark.coterie.heap=256m`
/// is the symmetric memory of each PE, which is no part of the executor's heap.
public final class CoterieBarrier {
    private CoterieBarrier() {}

    /// Returns the results of a task in each partition.
    ///
    /// @param rdd with a partition for each PE
    /// @param task in each partition
    /// @throws IllegalArgumentException if the RDD has no partition
    /// @throws IllegalStateException if the Spark context is stopped
    public static <T, R> JavaRDD<R> run(JavaRDD<T> rdd, BarrierTask<T, R> task) {
        Objects.requireNonNull(rdd, "CoterieBarrier.run: rdd is null");
        Objects.requireNonNull(task, "CoterieBarrier.run: task is null");
        return run(rdd.rdd(), endpoint -> new TaskFunction.OfJava<>(endpoint, task), anyClass())
                .toJavaRDD();
    }

    /// Returns the results of a task in each partition of a data set, as a data set. What Spark must have run to
    /// know the partitions, such as the stages before a join, it runs in this call.
    ///
    /// @param data with a partition for each PE
    /// @param task in each partition
    /// @param encoder of the results
    /// @throws IllegalArgumentException if the data set has no partition
    /// @throws IllegalStateException if the Spark context is stopped
    public static <T, R> Dataset<R> run(Dataset<T> data, BarrierTask<T, R> task, Encoder<R> encoder) {
        Objects.requireNonNull(data, "CoterieBarrier.run: data is null");
        Objects.requireNonNull(task, "CoterieBarrier.run: task is null");
        Objects.requireNonNull(encoder, "CoterieBarrier.run: encoder is null");
        RDD<R> results = run(data.rdd(), endpoint -> new TaskFunction.OfJava<>(endpoint, task), encoder.clsTag());
        return data.sparkSession().createDataset(results, encoder);
    }

    /// Returns the results of a task in each partition, for programs in Scala:
    ///
    /// ```
    /// CoterieBarrier.run(
    ///     rdd,
    ///     (world: World, rows: Iterator[Double]) => Iterator(world.team.sum(rows.sum)),
    ///     classTag[Double])
    /// ```
    ///
    /// @param rdd with a partition for each PE
    /// @param task in each partition, under the rules of [BarrierTask#call]; a function literal of Scala is
    ///     serialisable
    /// @param resultClass of the results
    /// @throws IllegalArgumentException if the RDD has no partition
    /// @throws IllegalStateException if the Spark context is stopped
    public static <T, R> RDD<R> run(
            RDD<T> rdd, Function2<World, Iterator<T>, Iterator<R>> task, ClassTag<R> resultClass) {
        Objects.requireNonNull(rdd, "CoterieBarrier.run: rdd is null");
        Objects.requireNonNull(task, "CoterieBarrier.run: task is null");
        Objects.requireNonNull(resultClass, "CoterieBarrier.run: resultClass is null");
        return run(rdd, endpoint -> new TaskFunction.OfScala<>(endpoint, task), resultClass);
    }

    private static <T, R> RDD<R> run(
            RDD<T> rdd, Function<String, TaskFunction<T, R>> function, ClassTag<R> resultClass) {
        SparkContext context = rdd.sparkContext();
        if (context.isStopped()) {
            throw new IllegalStateException("CoterieBarrier.run: the Spark context is stopped");
        }
        int partitions = rdd.getNumPartitions();
        if (partitions < 1) {
            throw new IllegalArgumentException("CoterieBarrier.run: the RDD has no partition, and a world has a PE for"
                    + " each; allowed are 1 to as many as the application has task slots");
        }
        TaskFunction<T, R> ofTasks = function.apply(DriverWorlds.serve(context));
        // Spark runs a barrier stage again only if a shuffle follows it; the results stay where they are.
        RDD<Tuple2<Long, R>> numbered = rdd.barrier().mapPartitions(ofTasks, false, anyClass());
        return JavaPairRDD.fromRDD(numbered, ClassTag.<Long>apply(Long.class), resultClass)
                .repartitionAndSortWithinPartitions(new ResultKey(partitions))
                .rdd()
                .map(new ResultKey.Value<>(), resultClass);
    }

    /// Returns the class tag that Spark's own Java interface has for all elements.
    @SuppressWarnings("unchecked")
    private static <R> ClassTag<R> anyClass() {
        return (ClassTag<R>) ClassTag.AnyRef();
    }
}
