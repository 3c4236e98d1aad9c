// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Reduction;
import coterie.World;
import coterie.testing.Patience;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.spark.ExecutorAllocationClient;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.ExecutorDecommissionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.Option;

/// Two executors as on two hosts, with Spark's encryption, and with speculative tasks as soon as Spark allows them.
class EncryptedExecutorsIT extends ExecutorsCase {
    EncryptedExecutorsIT() {
        super(
                LocalCluster.conf(2, 1)
                        .set("spark.authenticate", "true")
                        .set("spark.authenticate.secret", "of a test")
                        .set("spark.network.crypto.enabled", "true")
                        // Spark repeats no slow task of a barrier stage: a second PE of one number would be refused.
                        .set("spark.speculation", "true")
                        .set("spark.speculation.interval", "10ms")
                        .set("spark.speculation.quantile", "0.1")
                        .set("spark.speculation.minTaskRuntime", "0ms")
                        .set("spark.decommission.enabled", "true")
                        // The executor stays until the results are read.
                        .set("spark.test.executor.decommission.initial.sleep.millis", "60000")
                        .set("spark.coterie.conduit", "tcp"),
                2);
    }

    /// An executor that is to go finishes its task, and with it the world.
    @Test
    void decommissionedExecutor(@TempDir Path folder) throws Exception {
        String signs = folder.toString();
        FutureTask<List<Integer>> action =
                new FutureTask<>(() -> CoterieBarrier.run(partitions(), (world, rows) -> sumUntilTold(world, signs))
                        .collect());
        Thread.ofPlatform().start(action);
        Path executor = folder.resolve("executor of PE 1");
        Patience.until("a world at work", () -> Files.exists(executor));
        var backend = (ExecutorAllocationClient) context().sc().schedulerBackend();
        assertThat(backend.decommissionExecutor(
                        Files.readString(executor),
                        new ExecutorDecommissionInfo("planted", Option.empty()),
                        false,
                        false))
                .isTrue();
        Files.createFile(folder.resolve("told"));
        assertThat(action.get()).as("attempts").containsExactly(0, 0);
    }

    private static Iterator<Integer> sumUntilTold(World world, String folder) throws IOException {
        if (world.pe() == 1) {
            Path partial =
                    Files.writeString(Path.of(folder, "partial"), SparkEnv.get().executorId());
            Files.move(partial, Path.of(folder, "executor of PE 1"));
        }
        double[] told = new double[1];
        do {
            told[0] = world.pe() == 0 && Files.exists(Path.of(folder, "told")) ? 1 : 0;
            world.team().allReduce(Reduction.SUM, told);
        } while (told[0] == 0);
        return List.of(TaskContext.get().stageAttemptNumber()).iterator();
    }
}
