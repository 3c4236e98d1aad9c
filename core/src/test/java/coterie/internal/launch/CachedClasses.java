// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/// The classes of the runtime and of its tests as jars, with a start-up cache of the JVM: thousands of short jobs
/// spend most of their time on loading classes. The files last as long as this JVM.
final class CachedClasses {
    private static @Nullable CachedClasses made;

    private final List<Path> jars = new ArrayList<>();
    private final Path cache;

    private CachedClasses(List<String> jvmOptions, Class<?> program) throws IOException {
        Path folder = Files.createTempDirectory("coterie-classes");
        ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
        for (Path classes : Launching.classPath()) {
            Path file = folder.resolve(jars.size() + ".jar");
            assertThat(jar.run(System.out, System.err, "--create", "--file=" + file, "-C", classes.toString(), "."))
                    .isZero();
            jars.add(file);
        }
        cache = folder.resolve("cache");
        List<String> options = new ArrayList<>(jvmOptions);
        options.add("-XX:AOTCacheOutput=" + cache);
        JobSpec training = JobSpec.of(
                        "training", 1, new JobSpec.Program(program.getName(), null, jars, List.of(), List.of()))
                .withJvmOptions(options);
        try (Job job = Job.start(training)) {
            assertThat(job.await()).isZero();
        }
        assertThat(cache).exists();
        jars.forEach(each -> each.toFile().deleteOnExit());
        cache.toFile().deleteOnExit();
        folder.toFile().deleteOnExit(); // files are deleted in the reverse order
    }

    /// Returns the classes, for a program that runs with one PE in the training run.
    static synchronized CachedClasses of(List<String> jvmOptions, Class<?> program) {
        if (made == null) {
            try {
                made = new CachedClasses(jvmOptions, program);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return made;
    }

    List<Path> classPath() {
        return jars;
    }

    Path cache() {
        return cache;
    }
}
