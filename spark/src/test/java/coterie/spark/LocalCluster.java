// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.SparkConf;

/// Spark with executors that are processes of this machine, all of the class path of the test.
final class LocalCluster {
    private LocalCluster() {}

    /// Returns the properties of an application.
    ///
    /// @param executors number of processes
    /// @param cores task slots of each
    static SparkConf conf(int executors, int cores) {
        Path home = Path.of(System.getenv("SPARK_HOME"));
        List<Path> path = Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .toList();
        try {
            Path jars = Files.createDirectories(home.resolve("jars"));
            for (Path each : path) {
                if (Files.isRegularFile(each)) {
                    link(jars.resolve(each.getFileName()), each);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String folders = String.join(
                File.pathSeparator,
                path.stream().filter(Files::isDirectory).map(Path::toString).toList());
        return new SparkConf()
                .setMaster("local-cluster[" + executors + "," + cores + ",1024]")
                .setAppName("worlds")
                .set("spark.ui.enabled", "false")
                .set("spark.executor.extraClassPath", folders)
                .set("spark.executorEnv.JAVA_HOME", System.getProperty("java.home"))
                .set("spark.executor.memory", "512m")
                // The first job starts when all executors are there.
                .set("spark.cores.max", Integer.toString(executors * cores))
                .set("spark.scheduler.minRegisteredResourcesRatio", "1")
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s");
    }

    private static void link(Path link, Path target) throws IOException {
        try {
            Files.createSymbolicLink(link, target);
        } catch (FileAlreadyExistsException e) {
            if (!Files.readSymbolicLink(link).equals(target)) {
                Files.delete(link);
                Files.createSymbolicLink(link, target);
            }
        }
    }
}
