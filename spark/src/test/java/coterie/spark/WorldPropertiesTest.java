// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What properties of the application do to its worlds, and what Spark writes of a world.
class WorldPropertiesTest {
    private static final Map<Integer, WorldRequest.Answer> ANSWERS = new ConcurrentHashMap<>();

    /// Of the application that has run last, at its end.
    private static String properties = "";

    /// Runs a world of two PEs.
    ///
    /// @return what the driver told the tasks, by PE
    private static Map<Integer, WorldRequest.Answer> run(SparkConf conf) {
        ANSWERS.clear();
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            List<Long> sums = world(spark).collect();
            assertThat(sums).containsExactly(3L, 3L);
            properties = Arrays.toString(spark.getConf().getAll());
        }
        return ANSWERS;
    }

    private static JavaRDD<Long> world(JavaSparkContext spark) {
        String endpoint = DriverWorlds.serve(spark.sc());
        return CoterieBarrier.run(spark.parallelize(List.of(1, 2), 2), (world, rows) -> {
            ANSWERS.put(world.pe(), WorldRequest.of(BarrierTaskContext.get()).ask(endpoint));
            return List.of(world.team().sum((long) rows.next())).iterator();
        });
    }

    @Test
    void settingsOfWorlds() {
        Map<Integer, WorldRequest.Answer> answers =
                run(LocalMode.conf(2).set("spark.coterie.conduit", "tcp").set("spark.coterie.link.timeout.s", "7"));
        assertThat(answers.get(1).settings())
                .isEqualTo(Map.of("CONDUIT", "tcp", "LINK_TIMEOUT_S", "7", "ENCRYPTION", "none"));
    }

    @Test
    void sparksEncryptionIsThatOfWorlds() {
        Map<Integer, WorldRequest.Answer> answers = run(LocalMode.conf(2)
                .set("spark.authenticate", "true")
                .set("spark.authenticate.secret", "of a test")
                .set("spark.network.crypto.enabled", "true"));
        assertThat(answers.get(0).settings()).isEqualTo(Map.of("ENCRYPTION", "tls"));
    }

    @Test
    void wrongSettings() {
        try (JavaSparkContext spark = new JavaSparkContext(LocalMode.conf(2).set("spark.coterie.conduitt", "tcp"))) {
            assertThatThrownBy(() -> world(spark).collect())
                    .hasMessageContaining("IllegalArgumentException")
                    .hasMessageContaining("CONDUITT");
        }
        try (JavaSparkContext spark =
                new JavaSparkContext(LocalMode.conf(2).set("spark.coterie.link.timeout.s", "soon"))) {
            assertThatThrownBy(() -> world(spark).collect())
                    .hasMessageContaining("the driver opens no world")
                    .hasMessageContaining("LINK_TIMEOUT_S: \"soon\"");
        }
    }

    @Test
    void stoppedContext() {
        JavaRDD<Integer> rdd;
        try (JavaSparkContext spark = new JavaSparkContext(LocalMode.conf(2))) {
            rdd = spark.parallelize(List.of(1, 2), 2);
        }
        assertThatThrownBy(() -> CoterieBarrier.run(rdd, (world, rows) -> rows))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("CoterieBarrier.run: the Spark context is stopped");
    }

    @Test
    void dynamicAllocation() {
        SparkConf conf = LocalMode.conf(2)
                .set("spark.dynamicAllocation.enabled", "true")
                .set("spark.dynamicAllocation.testing", "true")
                .set("spark.dynamicAllocation.shuffleTracking.enabled", "true");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            assertThatThrownBy(() -> world(spark).collect()).hasMessageContaining("spark.dynamicAllocation.enabled");
        }
    }

    @Test
    void tooFewSlots() {
        SparkConf conf = LocalMode.conf(1)
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.interval", "1s")
                .set("spark.scheduler.barrier.maxConcurrentTasksCheck.maxFailures", "1");
        try (JavaSparkContext spark = new JavaSparkContext(conf)) {
            assertThatThrownBy(() -> world(spark).collect()).hasMessageContaining("slots");
        }
    }

    /// The secret of a world is in no event, which the history server shows, and in no property or environment, which
    /// the web pages show.
    @Test
    void secretStaysSecret(@TempDir Path events) throws Exception {
        SparkConf conf = LocalMode.conf(2)
                .set("spark.eventLog.enabled", "true")
                .set("spark.eventLog.rolling.enabled", "false")
                .set("spark.eventLog.compress", "false")
                .set("spark.eventLog.dir", events.toUri().toString());
        String key = run(conf).get(0).key().text();
        String secret = key.lines()
                .filter(line -> line.startsWith("secret "))
                .findFirst()
                .orElseThrow()
                .substring("secret ".length());
        assertThat(secret).hasSize(64);
        try (Stream<Path> files = Files.walk(events)) {
            List<Path> logs = files.filter(Files::isRegularFile)
                    .filter(file -> !file.getFileName().toString().endsWith(".crc"))
                    .toList();
            assertThat(logs).isNotEmpty();
            for (Path log : logs) {
                assertThat(Files.readString(log))
                        .contains("SparkListenerStageCompleted")
                        .doesNotContain(secret);
            }
        }
        assertThat(properties).contains("spark.driver.host").doesNotContain(secret);
        assertThat(System.getProperties().toString()).doesNotContain(secret);
    }
}
