// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.Reduction;
import coterie.testing.Patience;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A driver that dies while its tasks are in a world: the executors end, as Spark's do, and no world keeps them.
class LostDriverIT {
    private static final String STARTED = "started";

    @Test
    void executorsEnd(@TempDir Path folder) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), Driver.class.getName(), folder.toString()));
        Process driver = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<ProcessHandle> executors = new ArrayList<>();
        try {
            Patience.until("an application", () -> Files.exists(folder.resolve(STARTED)) || !driver.isAlive());
            Patience.until("two executors in a world", () -> {
                assertThat(driver.isAlive()).isTrue();
                return pids(folder).size() == 2;
            });
            pids(folder).forEach(pid -> executors.add(ProcessHandle.of(pid).orElseThrow()));
            driver.destroyForcibly().waitFor();
            for (ProcessHandle each : executors) {
                Patience.until("the end of executor " + each.pid(), () -> !each.isAlive());
            }
        } finally {
            Stream.concat(Stream.of(driver.toHandle()), executors.stream()).forEach(ProcessHandle::destroyForcibly);
        }
    }

    private static List<Long> pids(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.equals(STARTED))
                    .map(Long::parseLong)
                    .toList();
        }
    }

    /// Its tasks sum for ever.
    static final class Driver {
        private Driver() {}

        public static void main(String[] args) throws IOException {
            JavaSparkContext spark = new JavaSparkContext(LocalCluster.conf(2, 1));
            String folder = args[0];
            Files.createFile(Path.of(folder, STARTED));
            CoterieBarrier.run(spark.parallelize(List.of(1, 2), 2), (world, rows) -> {
                        double[] sum = new double[1000];
                        for (int i = 0; ; i++) {
                            world.team().allReduce(Reduction.SUM, sum);
                            if (i == 100) {
                                Files.createFile(Path.of(
                                        folder,
                                        Long.toString(ProcessHandle.current().pid())));
                            }
                        }
                    })
                    .collect();
        }
    }
}
