// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of docs/spark.md: compiled, by Java's and by Scala's compiler, and run.
class SparkPageTest {
    private static final Path PAGE = Path.of("..", "docs", "spark.md");

    @Test
    void java(@TempDir Path classes) throws Exception {
        Path source = Files.writeString(classes.resolve("Page.java"), """
                import coterie.*;
                import coterie.spark.*;
                import java.util.*;
                import org.apache.spark.api.java.*;

                public class Page {
                    public static JavaRDD<Double> results(JavaRDD<Double> rdd) {
                        %s
                        return means;
                    }
                }
                """.formatted(block("java")));
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(status).isZero();
        assertThat(results(classes)).containsExactly(2.5, 2.5, 2.5, 2.5);
    }

    @Test
    void scala(@TempDir Path classes) throws Exception {
        Path source = Files.writeString(
                classes.resolve("Page.scala"), """
                import coterie.World
                import coterie.spark.CoterieBarrier
                import org.apache.spark.api.java.JavaRDD
                import scala.reflect.classTag

                object Page {
                  def results(numbers: JavaRDD[Double]): JavaRDD[Double] = {
                    val rdd = numbers.rdd
                    %s.toJavaRDD()
                  }
                }
                """.formatted(block("scala").strip()));
        assertThat(scala.tools.nsc.Main.process(
                        new String[] {"-usejavacp", "-Werror", "-d", classes.toString(), source.toString()}))
                .isTrue();
        assertThat(results(classes)).containsExactly(10.0, 10.0, 10.0, 10.0);
    }

    /// Runs the program as spark-submit would: its classes are in a loader of their own.
    private static List<Object> results(Path classes) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            try (JavaSparkContext spark = new JavaSparkContext(LocalMode.conf(4))) {
                JavaRDD<Double> numbers = spark.parallelize(List.of(1.0, 2.0, 3.0, 4.0), 4);
                Object results = loader.loadClass("Page")
                        .getMethod("results", JavaRDD.class)
                        .invoke(null, numbers);
                return List.copyOf(((JavaRDD<?>) results).collect());
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    private static String block(String language) throws IOException {
        Matcher block =
                Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(block.find()).isTrue();
        return block.group(1);
    }
}
