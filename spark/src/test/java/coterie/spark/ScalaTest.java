// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The interface as a program in Scala uses it, compiled by Scala's own compiler.
class ScalaTest {
    @Test
    void sums(@TempDir Path classes) throws Exception {
        boolean isCompiled = scala.tools.nsc.Main.process(new String[] {
            "-usejavacp", "-Werror", "-d", classes.toString(), "src/test/scala/SumsInScala.scala"
        });
        assertThat(isCompiled).isTrue();
        Thread task = Thread.currentThread();
        ClassLoader before = task.getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            task.setContextClassLoader(loader); // of Spark's executors too, as for jars of spark-submit
            try (SparkSession session =
                    SparkSession.builder().config(LocalMode.conf(2)).getOrCreate()) {
                Object sums = loader.loadClass("SumsInScala")
                        .getMethod("sums", SparkSession.class)
                        .invoke(null, session);
                assertThat((double[]) sums).containsExactly(5050, 5050);
            }
        } finally {
            task.setContextClassLoader(before);
        }
    }
}
