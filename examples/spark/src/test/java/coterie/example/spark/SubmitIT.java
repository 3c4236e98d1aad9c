// SPDX-License-Identifier: Apache-2.0
package coterie.example.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs as users run them: spark-submit starts a driver, and brings it and its executors the jars of Coterie.
class SubmitIT {
    private static final Path HOME = Path.of(System.getenv("SPARK_HOME"));
    private static final int ROWS = 2000;

    @TempDir
    Path folder;

    /// Makes the folder that an installation of Spark has, without Coterie.
    @BeforeAll
    static void install() throws IOException {
        Path jars = Files.createDirectories(HOME.resolve("jars"));
        for (Path jar : jars(false)) {
            Path link = jars.resolve(jar.getFileName());
            Files.deleteIfExists(link);
            Files.createSymbolicLink(link, jar);
        }
    }

    /// Returns the jars of the class path that are Coterie's, or the others.
    private static List<Path> jars(boolean isCoterie) {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(Path::of)
                .filter(Files::isRegularFile)
                .filter(path -> path.getFileName().toString().startsWith("coterie") == isCoterie)
                .toList();
    }

    private String submit(String program, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--"))
                .forEach(command::add);
        command.addAll(List.of("-cp", HOME.resolve("jars") + File.separator + "*"));
        command.addAll(List.of("org.apache.spark.deploy.SparkSubmit", "--master", "local-cluster[2,1,1024]"));
        command.addAll(List.of("--conf", "spark.executorEnv.JAVA_HOME=" + System.getProperty("java.home")));
        command.addAll(List.of("--conf", "spark.executor.memory=512m", "--conf", "spark.ui.enabled=false"));
        command.addAll(List.of("--conf", "spark.scheduler.barrier.maxConcurrentTasksCheck.interval=1s"));
        command.addAll(List.of("--class", "coterie.example.spark." + program));
        command.addAll(List.of("--jars", jars(true).stream().map(Path::toString).collect(Collectors.joining(","))));
        command.add(System.getProperty("coterie.example.jar"));
        command.addAll(List.of(arguments));
        Process driver = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        String out;
        try (var reader = driver.inputReader()) {
            out = reader.lines().collect(Collectors.joining("\n"));
        }
        assertThat(driver.waitFor())
                .as(Files.readString(folder.resolve("errors")))
                .isZero();
        return out;
    }

    @Test
    void clusterRows() throws Exception {
        Random random = new Random(1);
        Path file = write(at -> at % 2 * 10 + random.nextGaussian() / 10 + "," + (5 + random.nextGaussian() / 10));
        assertThat(submit("ClusterRows", file.toString(), "2"))
                .containsPattern("(?m)^-?0\\.0\\d{3},(4\\.9|5\\.0)\\d{3}$")
                .containsPattern("(?m)^(9\\.9|10\\.0)\\d{3},(4\\.9|5\\.0)\\d{3}$")
                .containsPattern("cost \\d+\\.\\d+ after \\d+ iterations on 2 PEs");
    }

    @Test
    void predictLabels() throws Exception {
        Random random = new Random(2);
        Path file = write(at -> {
            double x = random.nextDouble() - 0.5;
            double y = random.nextDouble() - 0.5;
            return (at % 7 == 0 ? "" : x) + "," + y + "," + (y > 0.1 ? 1 : 0);
        });
        assertThat(submit("PredictLabels", file.toString()))
                .containsPattern("wrong labels: \\d of 1600 that it has learnt, \\d of 400 others, on 2 PEs");
    }

    private Path write(IntFunction<String> row) throws IOException {
        return Files.write(
                folder.resolve("rows.csv"),
                IntStream.range(0, ROWS).mapToObj(row).toList());
    }
}
