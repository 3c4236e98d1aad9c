// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Comparison;
import coterie.CoterieException;
import coterie.LongView;
import coterie.Reduction;
import coterie.World;
import java.io.IOException;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import scala.Function2;
import scala.reflect.ClassTag;

/// Worlds in barrier stages of an application whose tasks are threads of the driver.
class CoterieBarrierTest {
    private static final int PES = 4;

    /// What ends the others: the failed PE, or Spark's kill, if it comes first.
    private static final String[] CAUSES = {"planted", "from barrier stage"};

    /// What tasks have seen, by PE and attempt: they are threads of this JVM.
    private static final Map<String, Throwable> SEEN = new ConcurrentHashMap<>();

    private static SparkSession session;
    private static JavaSparkContext spark;

    @BeforeAll
    static void begin() {
        session = SparkSession.builder().config(LocalMode.conf(PES)).getOrCreate();
        spark = JavaSparkContext.fromSparkContext(session.sparkContext());
    }

    @AfterAll
    static void end() {
        session.stop();
    }

    @BeforeEach
    void forget() {
        SEEN.clear();
    }

    private static JavaRDD<Integer> numbers(int size) {
        return spark.parallelize(IntStream.range(0, size).boxed().toList(), PES);
    }

    private static Iterator<Double> sumOfAll(World world, Iterator<Integer> rows) {
        double[] sum = {0};
        rows.forEachRemaining(row -> sum[0] += row);
        world.team().allReduce(Reduction.SUM, sum);
        return List.of(sum[0] + world.pe()).iterator();
    }

    @Test
    void sums() {
        assertThat(CoterieBarrier.run(numbers(1000), CoterieBarrierTest::sumOfAll)
                        .collect())
                .containsExactly(499_500.0, 499_501.0, 499_502.0, 499_503.0);
    }

    @Test
    void dataSet() {
        Dataset<Integer> data = session.createDataset(numbers(1000).rdd(), Encoders.INT());
        Dataset<Double> sums = CoterieBarrier.run(data, (world, rows) -> sumOfAll(world, rows), Encoders.DOUBLE());
        assertThat(sums.collectAsList()).containsExactly(499_500.0, 499_501.0, 499_502.0, 499_503.0);
        assertThat(sums.schema().fields()).hasSize(1);
    }

    @Test
    void rddOfScala() {
        Function2<World, scala.collection.Iterator<Integer>, scala.collection.Iterator<Long>> task =
                (Function2<World, scala.collection.Iterator<Integer>, scala.collection.Iterator<Long>> & Serializable)
                        (world, rows) ->
                                scala.collection.Iterator.single(world.team().sum((long) rows.size()));
        RDD<Long> sizes = CoterieBarrier.run(numbers(1001).rdd(), task, ClassTag.<Long>apply(Long.class));
        assertThat((Object[]) sizes.collect())
                .isInstanceOf(Long[].class)
                .containsOnly(1001L)
                .hasSize(PES);
    }

    @Test
    void resultsKeepTheirPartitionsAndOrder() {
        JavaRDD<String> results = CoterieBarrier.run(numbers(40_000), (world, rows) -> {
            int pe = world.pe();
            return Stream.generate(rows::next)
                    .limit(10_000 - pe)
                    .map(row -> pe + " " + row)
                    .iterator();
        });
        assertThat(results.getNumPartitions()).isEqualTo(PES);
        List<List<String>> byPartition = results.glom().collect();
        for (int pe = 0; pe < PES; pe++) {
            int of = pe;
            assertThat(byPartition.get(pe))
                    .isEqualTo(IntStream.range(pe * 10_000, pe * 10_000 + 10_000 - pe)
                            .mapToObj(row -> of + " " + row)
                            .toList());
        }
    }

    @Test
    void laterActionsOpenNoWorld() {
        LongAccumulator worlds = spark.sc().longAccumulator();
        JavaRDD<Integer> pes = CoterieBarrier.run(numbers(8), (world, rows) -> {
            worlds.add(1);
            return List.of(world.pe()).iterator();
        });
        assertThat(pes.first()).isZero();
        assertThat(pes.take(2)).containsExactly(0, 1);
        assertThat(pes.collect()).containsExactly(0, 1, 2, 3);
        assertThat(worlds.value()).isEqualTo(PES);
    }

    @Test
    void broadcastsAndTheOwnJoin() {
        Broadcast<int[]> factor = spark.broadcast(new int[] {7});
        List<Long> products = CoterieBarrier.run(numbers(4), (world, rows) -> {
                    try (World again = World.join()) {
                        return List.of(factor.value()[0] * again.team().sum(rows.next()))
                                .iterator();
                    }
                })
                .collect();
        assertThat(products).containsExactly(42L, 42L, 42L, 42L);
    }

    @Test
    void oneAfterTheOther() {
        JavaRDD<Double> once = CoterieBarrier.run(numbers(4), CoterieBarrierTest::sumOfAll);
        assertThat(CoterieBarrier.run(
                                once,
                                (world, rows) ->
                                        List.of(world.team().sum(rows.next())).iterator())
                        .collect())
                .containsExactly(30.0, 30.0, 30.0, 30.0);
    }

    /// Records how a part of a task ends.
    private static void watch(World world, Runnable part) {
        try {
            part.run();
        } catch (RuntimeException | Error e) {
            SEEN.put("PE " + world.pe() + ", attempt " + TaskContext.get().stageAttemptNumber(), e);
            throw e;
        }
    }

    @Test
    void taskThrowsAndTheNextAttemptEndsRight() {
        List<Integer> sums = CoterieBarrier.run(numbers(4), (world, rows) -> {
                    int[] sum = {rows.next()};
                    watch(world, () -> {
                        world.team().barrier(); // all are in their parts
                        if (world.pe() == 2 && TaskContext.get().stageAttemptNumber() == 0) {
                            throw new ArithmeticException("planted");
                        }
                        world.team().allReduce(Reduction.SUM, sum);
                    });
                    return List.of(sum[0]).iterator();
                })
                .collect();
        assertThat(sums).containsExactly(6, 6, 6, 6);
        assertThat(SEEN.keySet())
                .containsExactlyInAnyOrder("PE 0, attempt 0", "PE 1, attempt 0", "PE 2, attempt 0", "PE 3, attempt 0");
        SEEN.forEach((pe, seen) -> {
            if (pe.startsWith("PE 2")) {
                assertThat(seen).isInstanceOf(ArithmeticException.class);
            } else {
                assertThat(seen).isInstanceOf(CoterieException.class);
                assertThat(seen.getMessage()).containsAnyOf(CAUSES);
            }
        });
    }

    @Test
    void exceptionsAreTheUsersOwn() {
        JavaRDD<Integer> results = CoterieBarrier.run(numbers(4), (world, rows) -> {
            throw new IOException("no such row");
        });
        assertThatThrownBy(results::collect)
                .isInstanceOf(SparkException.class)
                .hasMessageContaining("java.io.IOException: no such row");
    }

    @Test
    void nullInPlaceOfResults() {
        JavaRDD<Integer> results = CoterieBarrier.run(numbers(4), (world, rows) -> null);
        assertThatThrownBy(results::collect).hasMessageContaining("the task has returned null in place of an iterator");
    }

    @Test
    void resultsThatNeedTheWorld() {
        JavaRDD<Long> results = CoterieBarrier.run(
                numbers(4),
                (world, rows) -> Stream.of(1L).map(one -> world.team().sum(one)).iterator());
        assertThatThrownBy(results::collect).hasMessageContaining("closed");
    }

    /// Spark ends a stage whose tasks wait for something that never comes.
    @Test
    void cancelledJob() throws InterruptedException {
        JavaRDD<Integer> results = CoterieBarrier.run(numbers(4), (world, rows) -> {
            watch(world, () -> {
                LongView word = world.allocate(Long.BYTES).longs();
                Waiting.IN_WORLDS.put(world.pe(), TaskContext.get().taskAttemptId());
                word.waitUntil(0, Comparison.NE, 0);
            });
            return rows;
        });
        Waiting waiting = Waiting.in(spark, results);
        waiting.awaitTasks(PES);
        spark.cancelJobGroup(Waiting.GROUP);
        assertThat(waiting.failure()).hasMessageContaining("cancelled");
        assertSlotsAreFree();
        assertThat(SEEN).hasSize(PES);
        assertThat(SEEN.values()).allSatisfy(seen -> assertThat(seen).isInstanceOf(CoterieException.class));
    }

    /// Spark kills one task; the others wait for it.
    @Test
    void killedTask() throws InterruptedException {
        JavaRDD<Integer> results = CoterieBarrier.run(numbers(4), (world, rows) -> {
            watch(world, () -> {
                if (TaskContext.get().stageAttemptNumber() > 0) {
                    return;
                }
                LongView word = world.allocate(Long.BYTES).longs();
                Waiting.IN_WORLDS.put(world.pe(), TaskContext.get().taskAttemptId());
                if (world.pe() == 1) {
                    word.waitUntil(0, Comparison.NE, 0);
                }
                world.team().barrier();
            });
            return rows;
        });
        Waiting waiting = Waiting.in(spark, results);
        long task = waiting.awaitTasks(PES).get(1);
        assertThat(spark.sc().killTaskAttempt(task, false, "planted")).isTrue();
        assertThat(waiting.result()).hasSize(4);
        assertThat(SEEN.get("PE 1, attempt 0")).hasMessageContaining("Spark has killed its task: planted");
        assertThat(SEEN.get("PE 0, attempt 0").getMessage()).containsAnyOf(CAUSES);
    }

    /// A stage of as many tasks as there are slots starts only if no task of an earlier one holds a slot.
    private static void assertSlotsAreFree() {
        assertThat(CoterieBarrier.run(numbers(4), CoterieBarrierTest::sumOfAll).collect())
                .hasSize(PES);
    }

    @Test
    void noPartition() {
        JavaRDD<Integer> empty = spark.emptyRDD();
        assertThatThrownBy(() -> CoterieBarrier.run(empty, (world, rows) -> rows))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the RDD has no partition");
    }

    @Test
    @SuppressWarnings("NullAway")
    void nulls() {
        JavaRDD<Integer> rdd = numbers(4);
        Dataset<Integer> data = session.createDataset(rdd.rdd(), Encoders.INT());
        assertThatNullPointerException()
                .isThrownBy(() -> CoterieBarrier.run((JavaRDD<Integer>) null, (world, rows) -> rows))
                .withMessage("CoterieBarrier.run: rdd is null");
        assertThatNullPointerException()
                .isThrownBy(() -> CoterieBarrier.run(rdd, null))
                .withMessage("CoterieBarrier.run: task is null");
        assertThatNullPointerException()
                .isThrownBy(() -> CoterieBarrier.run((Dataset<Integer>) null, (world, rows) -> rows, Encoders.INT()))
                .withMessage("CoterieBarrier.run: data is null");
        assertThatNullPointerException()
                .isThrownBy(() -> CoterieBarrier.run(data, (world, rows) -> rows, null))
                .withMessage("CoterieBarrier.run: encoder is null");
        assertThatNullPointerException()
                .isThrownBy(() -> CoterieBarrier.run(rdd.rdd(), null, ClassTag.AnyRef()))
                .withMessage("CoterieBarrier.run: task is null");
    }
}
