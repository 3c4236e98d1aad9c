// SPDX-License-Identifier: Apache-2.0
package coterie.junit.job;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.World;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import coterie.junit.Worker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.AssertionFailedError;

/// From what workers start faster.
class StartupCacheTest {
    @TempDir
    private Path folder;

    @Test
    @DisplayName("the jars of a cache come first on the class path, and the rest keeps its order")
    void jarsComeFirst() throws IOException {
        Path jar = Files.createFile(folder.resolve("used.jar"));
        StartupCache cache = cache(jar).orElseThrow();

        assertThat(cache.classPath(List.of(folder, jar, Path.of("other.jar"))))
                .containsExactly(jar, folder, Path.of("other.jar"));
    }

    @Test
    @DisplayName("a class of the workers that is in a folder leaves a run without a cache")
    void foldersHaveNone() throws IOException {
        assertThat(cache(Files.createFile(folder.resolve("used.jar")), folder)).isEmpty();
    }

    @Test
    @DisplayName("another jar at the same place has another cache")
    void keysDiffer() throws IOException {
        Path jar = Files.writeString(folder.resolve("used.jar"), "old");
        Path old = cache(jar).orElseThrow().file();
        assertThat(cache(jar).orElseThrow().file()).isEqualTo(old);

        Files.writeString(jar, "newer");

        assertThat(cache(jar).orElseThrow().file()).isNotEqualTo(old);
    }

    /// With `AOTMode=on` the JVM does not start if the cache does not fit.
    @Test
    @DisplayName("workers start from a cache that a training job has made")
    void isUsed() throws IOException {
        StartupCache cache = cache(
                        jar(World.class),
                        jar(Job.class),
                        jar(Worker.class),
                        jar(BeforeEach.class),
                        jar(AnnotationSupport.class),
                        jar(AssertionFailedError.class))
                .orElseThrow();
        cache.make();
        assertThat(cache.file()).isNotEmptyFile();

        JobSpec.Program program =
                new JobSpec.Program(TrainingRun.class.getName(), null, cache.jars(), List.of(), List.of());
        EndedJob job = EndedJob.of(JobSpec.of("cached", 2, program)
                .withStartupCache(cache.file())
                .withJvmOptions(List.of("-XX:AOTMode=on")));
        assertThat(job.exitCode()).as("%s", job.lines()).isZero();
    }

    private Optional<StartupCache> cache(Path... jars) {
        return StartupCache.in(folder.resolve("caches"), new ArrayList<>(Arrays.asList(jars)));
    }

    /// The jar that has the class, made from its folder where it is in none.
    private Path jar(Class<?> type) throws IOException {
        Path location =
                Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
        if (Files.isRegularFile(location)) {
            return location;
        }
        Path jar = folder.resolve(type.getSimpleName() + ".jar");
        ToolProvider tool = ToolProvider.findFirst("jar").orElseThrow();
        assertThat(tool.run(System.out, System.err, "--create", "--file=" + jar, "-C", location.toString(), "."))
                .isZero();
        return jar;
    }
}
