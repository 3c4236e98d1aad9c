// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.CoterieException;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import coterie.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Worlds whose PEs are tasks of executors: processes of their own, which Spark starts, and starts again.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ExecutorsCase {
    private static final int ROUNDS_BEFORE = 100;

    private final SparkConf conf;
    private final int pes;
    private JavaSparkContext spark;

    ExecutorsCase(SparkConf conf, int pes) {
        this.conf = conf;
        this.pes = pes;
    }

    @BeforeAll
    void begin() {
        spark = new JavaSparkContext(conf);
    }

    @AfterAll
    void end() {
        spark.stop();
    }

    final JavaSparkContext context() {
        return spark;
    }

    final JavaRDD<Integer> partitions() {
        return spark.parallelize(IntStream.range(0, pes).boxed().toList(), pes);
    }

    @Test
    void sums() {
        int size = pes;
        List<Long> pids = CoterieBarrier.run(partitions(), (world, rows) -> {
                    double[] vector = new double[100_000];
                    Arrays.fill(vector, rows.next() + 1);
                    world.team().allReduce(Reduction.SUM, vector);
                    if (Arrays.stream(vector).anyMatch(each -> 2 * each != size * (size + 1))) {
                        throw new AssertionError("a sum of 1 to " + size);
                    }
                    return List.of(ProcessHandle.current().pid()).iterator();
                })
                .collect();
        assertThat(pids.stream().distinct())
                .hasSize(2)
                .doesNotContain(ProcessHandle.current().pid());
    }

    @Test
    void secretIsInNoEnvironmentCommandLineOrLog() throws IOException {
        String endpoint = DriverWorlds.serve(spark.sc());
        List<String> secrets = CoterieBarrier.run(partitions(), (world, rows) -> {
                    String key = WorldRequest.of(BarrierTaskContext.get())
                            .ask(endpoint)
                            .key()
                            .text();
                    String secret = key.substring(key.lastIndexOf(' ') + 1).strip();
                    if (read("/proc/self/environ").contains(secret)
                            || read("/proc/self/cmdline").contains(secret)) {
                        throw new AssertionError("the secret can be seen");
                    }
                    return List.of(secret).iterator();
                })
                .collect();
        assertThat(secrets).hasSize(pes).allMatch(secret -> secret.length() == 64);
        try (Stream<Path> files = Files.walk(Path.of(System.getenv("SPARK_HOME"), "work"))) {
            assertThat(files.filter(file -> file.endsWith("stderr")))
                    .isNotEmpty()
                    .noneMatch(log -> secrets.stream().anyMatch(read(log.toString())::contains));
        }
    }

    private static String read(String file) {
        try {
            return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Kill -9 of an executor inside an allReduce: the other tasks get their exceptions, and Spark's next attempt has
    /// a new world.
    @Test
    void lostExecutor(@TempDir Path folder) throws IOException {
        String saw = folder.toString();
        int size = pes;
        List<Double> sums = CoterieBarrier.run(partitions(), (world, rows) -> loseOne(world, saw))
                .collect();
        assertThat(sums).hasSize(size).containsOnly(1000.0 * size);
        try (Stream<Path> files = Files.list(folder)) {
            // The lost executor had one half of the PEs.
            List<Path> seen = files.toList();
            assertThat(seen).hasSize(size / 2).allSatisfy(each -> {
                assertThat(each.getFileName().toString()).endsWith("attempt 0");
                assertThat(each).content().contains("PE ").contains("failed");
            });
        }
    }

    /// An executor is lost after its world has closed, and the results of its tasks with it. Spark wants to run these
    /// tasks alone.
    @Test
    void lostResults() {
        Set<String> lost = ConcurrentHashMap.newKeySet();
        spark.sc().addSparkListener(new SparkListener() {
            @Override
            public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
                lost.add(removed.executorId());
            }
        });
        int size = pes;
        JavaRDD<List<String>> results = CoterieBarrier.run(
                partitions(),
                (world, rows) -> List.of(List.of(
                                SparkEnv.get().executorId(),
                                Long.toString(ProcessHandle.current().pid()),
                                Integer.toString(world.team().sum(1) == size ? world.pe() : -1)))
                        .iterator());
        List<String> first = results.collect().getFirst();
        ProcessHandle.of(Long.parseLong(first.get(1))).orElseThrow().destroyForcibly();
        Patience.until("the driver knows", () -> lost.contains(first.get(0)));
        assertThat(results.collect())
                .extracting(List::getLast)
                .containsExactlyElementsOf(
                        IntStream.range(0, size).mapToObj(Integer::toString).toList());
    }

    private static Iterator<Double> loseOne(World world, String folder) throws IOException {
        int attempt = TaskContext.get().stageAttemptNumber();
        Team team = world.team();
        double[] sum = new double[1000];
        try {
            for (int i = 0; attempt == 0 || i < 1; i++) {
                if (attempt == 0 && i == ROUNDS_BEFORE && world.pe() == 1) {
                    new ProcessBuilder(
                                    "kill", "-9", "" + ProcessHandle.current().pid())
                            .start();
                }
                Arrays.fill(sum, 1);
                team.allReduce(Reduction.SUM, sum);
            }
        } catch (CoterieException e) {
            Files.writeString(Path.of(folder, "PE " + world.pe() + ", attempt " + attempt), e.toString());
            throw e;
        }
        return List.of(Arrays.stream(sum).sum()).iterator();
    }
}
