// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CoterieException;
import coterie.Reduction;
import coterie.World;
import coterie.testing.SoakBound;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction1;

/// Many stages and many lost executors.
@Tag("soak")
class ExecutorsSoakIT {
    private static final int STAGES = 200;
    /// What the JVM itself may take meanwhile; the heaps of one stage in twenty would be more.
    private static final long GROWTH_KIBIBYTES = 4L << 20;
    private static final int KILLS = 50;
    private static final int ROUNDS = 200;

    /// A kill comes while the rounds go on, of which there are thousands in a second.
    private static final int MOMENTS = 5000;

    @Test
    void stagesLeaveNothing() {
        try (JavaSparkContext spark =
                new JavaSparkContext(LocalCluster.conf(2, 1).set("spark.coterie.heap", "256m"))) {
            sum(spark);
            Map<String, Leftovers> before = leftovers(spark, Map.of());
            for (int i = 0; i < STAGES; i++) {
                assertThat(sum(spark)).containsExactly(3.0, 3.0);
            }
            Map<String, Leftovers> after = leftovers(spark, before);
            assertThat(after).hasSize(2).containsOnlyKeys(before.keySet());
            after.forEach((executor, left) -> assertThat(left.openings())
                    .as(executor)
                    .isEqualTo(before.get(executor).openings()));
        }
    }

    private static List<Double> sum(JavaSparkContext spark) {
        return CoterieBarrier.run(spark.parallelize(List.of(1.0, 2.0), 2), (world, rows) -> {
                    double[] sum = {rows.next()};
                    world.team().allReduce(Reduction.SUM, sum);
                    return List.of(sum[0]).iterator();
                })
                .collect();
    }

    /// Returns what is in each executor, by its number in Spark.
    ///
    /// @param before mappings may not have become more than there were
    private static Map<String, Leftovers> leftovers(JavaSparkContext spark, Map<String, Leftovers> before) {
        Map<String, Leftovers> found = new HashMap<>();
        // A barrier stage has a task in each executor, which here has one slot.
        spark.parallelize(List.of(1.0, 2.0), 2)
                .rdd()
                .barrier()
                .mapPartitions(new Look(before), false, ClassTag.<Map<String, Leftovers>>apply(Map.class))
                .toJavaRDD()
                .collect()
                .forEach(found::putAll);
        return found;
    }

    private static final class Look
            extends AbstractFunction1<
                    scala.collection.Iterator<Double>, scala.collection.Iterator<Map<String, Leftovers>>>
            implements Serializable {
        private static final long serialVersionUID = 1;

        private final HashMap<String, Leftovers> before;

        Look(Map<String, Leftovers> before) {
            this.before = new HashMap<>(before);
        }

        @Override
        public scala.collection.Iterator<Map<String, Leftovers>> apply(scala.collection.Iterator<Double> rows) {
            String executor = SparkEnv.get().executorId();
            try {
                Leftovers here = Leftovers.here();
                if (before.containsKey(executor)) {
                    before.get(executor).awaitMappings(GROWTH_KIBIBYTES);
                }
                return scala.collection.Iterator.single(new HashMap<>(Map.of(executor, here)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /// Kills an executor at a random moment of each of many stages: all end right, and the other task gets its
    /// exception within a second.
    @Test
    void killsAtRandomMoments(@TempDir Path folder) throws Exception {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Duration> late = new ArrayList<>();
        try (JavaSparkContext spark = new JavaSparkContext(LocalCluster.conf(2, 1))) {
            for (int i = 0; i < KILLS; i++) {
                String saw = Files.createDirectory(folder.resolve("kill " + i)).toString();
                int victim = random.nextInt(2);
                int moment = random.nextInt(MOMENTS);
                List<Double> sums = CoterieBarrier.run(
                                spark.parallelize(List.of(1, 2), 2),
                                (world, rows) -> rounds(world, saw, victim, moment))
                        .collect();
                assertThat(sums).containsExactly(2000.0, 2000.0);
                try (Stream<Path> seen = Files.list(Path.of(saw))) {
                    long[] times = seen.sorted() // the kill, then the exception
                            .mapToLong(ExecutorsSoakIT::time)
                            .toArray();
                    assertThat(times).hasSize(2);
                    late.add(Duration.ofNanos(times[1] - times[0]));
                }
            }
        }
        Collections.sort(late);
        System.out.println(
                "from a kill to the exception: median " + late.get(KILLS / 2) + ", most " + late.get(KILLS - 1));
        assertThat(late.get(KILLS - 1)).isLessThan(Duration.ofSeconds(1));
    }

    private static long time(Path file) {
        try {
            return Long.parseLong(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Iterator<Double> rounds(World world, String folder, int victim, int moment) throws IOException {
        double[] sum = new double[1000];
        boolean isFirst = TaskContext.get().stageAttemptNumber() == 0;
        try {
            for (int i = 0; isFirst || i < ROUNDS; i++) {
                if (isFirst && i == moment && world.pe() == victim) {
                    Files.writeString(Path.of(folder, "1 kill"), Long.toString(SoakBound.now()));
                    new ProcessBuilder(
                                    "kill",
                                    "-9",
                                    Long.toString(ProcessHandle.current().pid()))
                            .start();
                }
                Arrays.fill(sum, 1);
                world.team().allReduce(Reduction.SUM, sum);
            }
        } catch (CoterieException e) {
            Files.writeString(Path.of(folder, "2 exception"), Long.toString(SoakBound.now()));
            throw e;
        }
        return List.of(Arrays.stream(sum).sum()).iterator();
    }
}
