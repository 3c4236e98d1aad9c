// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.PeFailedException;
import coterie.Reduction;
import coterie.Team;
import coterie.World;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Worlds whose PEs are tasks of executors: processes of their own, which Spark starts, and starts again.
class ExecutorsIT {
    private static JavaSparkContext spark;

    @TempDir
    Path folder;

    @BeforeAll
    static void begin() {
        spark = new JavaSparkContext(LocalCluster.conf(2, 1));
    }

    @AfterAll
    static void end() {
        spark.stop();
    }

    private static JavaRDD<Integer> partitions(int n) {
        return spark.parallelize(IntStream.range(0, n).boxed().toList(), n);
    }

    @Test
    void sumsAmongProcesses() {
        List<Long> pids = CoterieBarrier.run(partitions(2), (world, rows) -> {
                    double[] vector = new double[100_000];
                    Arrays.fill(vector, rows.next() + 1);
                    world.team().allReduce(Reduction.SUM, vector);
                    if (Arrays.stream(vector).anyMatch(each -> each != 3)) {
                        throw new AssertionError("a sum of 1 and 2");
                    }
                    return List.of(ProcessHandle.current().pid()).iterator();
                })
                .collect();
        assertThat(pids).hasSize(2).doesNotHaveDuplicates();
    }

    /// Kill -9 of an executor inside an allReduce: the other task gets its exception, and Spark's next attempt has a
    /// new world.
    @Test
    void lostExecutor() throws IOException {
        String saw = folder.toString();
        List<Double> sums = CoterieBarrier.run(partitions(2), (world, rows) -> loseOne(world, saw))
                .collect();
        assertThat(sums).containsExactly(2_000.0, 2_000.0);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.map(each -> each.getFileName().toString())).containsExactly("PE 0, attempt 0");
        }
        assertThat(folder.resolve("PE 0, attempt 0")).content().contains("PE 1");
    }

    private static java.util.Iterator<Double> loseOne(World world, String folder) throws IOException {
        int attempt = TaskContext.get().stageAttemptNumber();
        Team team = world.team();
        double[] sum = new double[1000];
        try {
            for (int i = 0; attempt == 0 || i < 1; i++) {
                if (attempt == 0 && i == 100 && world.pe() == 1) {
                    new ProcessBuilder("kill", "-9", "" + ProcessHandle.current().pid()).start();
                }
                Arrays.fill(sum, 1);
                team.allReduce(Reduction.SUM, sum);
            }
        } catch (PeFailedException e) {
            Files.writeString(Path.of(folder, "PE " + world.pe() + ", attempt " + attempt), e.toString());
            throw e;
        }
        return List.of(Arrays.stream(sum).sum()).iterator();
    }
}
