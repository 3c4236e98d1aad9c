// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.JobSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramCacheTest {
    @TempDir
    private Path folder;

    private Path caches;
    private Path jar;

    @BeforeEach
    void makeJar() throws IOException {
        caches = folder.resolve("cache/program-caches");
        jar = folder.resolve("app.jar");
        jar("");
    }

    private void jar(String others) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (!others.isEmpty()) {
            manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, others);
        }
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    private ProgramCache run(String mainClass) throws IOException {
        return run(mainClass, null);
    }

    private ProgramCache run(String mainClass, Duration timeout) throws IOException {
        JobSpec.Program program = new JobSpec.Program(mainClass, null, List.of(jar), List.of(), List.of());
        JobSpec spec =
                JobSpec.of("app", 2, program).withTimeout(timeout).withStartupCache(folder.resolve("runtime.aot"));
        return ProgramCache.of(spec, folder.resolve("cache"));
    }

    private static Path recording(ProgramCache cache) {
        JobSpec.TrainingFiles trainingFiles = cache.spec().trainingFiles();
        return trainingFiles == null ? null : trainingFiles.recording();
    }

    /// The one place that there is.
    private Path place() throws IOException {
        try (Stream<Path> content = Files.list(caches)) {
            return content.filter(each -> !each.getFileName().toString().startsWith("tmp-"))
                    .reduce((a, b) -> {
                        throw new AssertionError(a + " and " + b);
                    })
                    .orElseThrow();
        }
    }

    @Test
    @DisplayName("the second run of a program records; nothing of a run that leaves no recording stays")
    void secondRunRecords() throws IOException {
        try (ProgramCache first = run("my.App")) {
            assertThat(recording(first)).isNull();
            assertThat(Objects.requireNonNull(first.spec().trainingFiles()).vectors())
                    .isEqualTo(place().resolve("vectors"));
            assertThat(first.isToBeMade()).isFalse();
        }
        try (ProgramCache second = run("my.App")) {
            assertThat(recording(second)).isNotNull();
            assertThat(second.spec().startupCache()).isEqualTo(folder.resolve("runtime.aot"));
            assertThat(second.spec().vectors()).isFalse();
            assertThat(second.isToBeMade()).as("the job has failed").isFalse();
        }
        assertThat(caches.toFile().list()).containsExactly(place().getFileName().toString());
    }

    @Test
    @DisplayName("whatever a manifest calls its main class, its place is in the folder")
    void strangeName() throws IOException {
        run("../../my/App").close();
        assertThat(place().getFileName().toString()).startsWith(".._.._my_App-");
    }

    @Test
    @DisplayName("a job with a time limit does not record, which would take more of its time")
    void timeLimit() throws IOException {
        run("my.App").close();
        try (ProgramCache limited = run("my.App", Duration.ofMinutes(1))) {
            assertThat(recording(limited)).isNull();
            assertThat(limited.spec().vectors()).isTrue();
        }
        try (ProgramCache unlimited = run("my.App")) {
            assertThat(recording(unlimited)).isNotNull();
        }
    }

    @Test
    @DisplayName("a program whose jar has changed is another program")
    void changedJar() throws IOException {
        run("my.App").close();
        jar("");
        Files.write(jar, new byte[1], java.nio.file.StandardOpenOption.APPEND);
        try (ProgramCache changed = run("my.App")) {
            assertThat(recording(changed)).isNull();
        }
        try (ProgramCache again = run("my.App")) {
            assertThat(recording(again)).isNotNull();
        }
        try (ProgramCache other = run("my.Other")) {
            assertThat(recording(other)).isNull();
        }
    }

    @Test
    @DisplayName("a run with a cache has no vector instructions, and notes if it would need them")
    void uses() throws IOException {
        run("my.App").close();
        Path aot = Files.createFile(place().resolve("program.aot"));
        try (ProgramCache third = run("my.App")) {
            assertThat(third.spec().startupCache()).isEqualTo(aot);
            assertThat(third.spec().vectors()).isFalse();
            assertThat(recording(third)).isNull();
            assertThat(third.spec().trainingFiles()).isNotNull();
        }
    }

    @Test
    @DisplayName("a program that needs vector instructions has them, and the runtime's cache, whatever was made before")
    void vectors() throws IOException {
        run("my.App").close();
        Files.createFile(place().resolve("program.aot"));
        Files.createFile(place().resolve("vectors"));
        try (ProgramCache cache = run("my.App")) {
            assertThat(cache.spec().vectors()).isTrue();
            assertThat(cache.spec().startupCache()).isEqualTo(folder.resolve("runtime.aot"));
            assertThat(cache.spec().trainingFiles()).isNull();
        }
    }

    @Test
    @DisplayName("a program with a class that names the Vector API keeps its module in all runs")
    void usesVectorApi() throws IOException {
        for (String name : List.of("jdk/incubator/vector/IntVector", "jdk.incubator.vector.IntVector")) {
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
                out.putNextEntry(new ZipEntry("my/App.class"));
                out.write(("constants " + name + " and code").getBytes(StandardCharsets.US_ASCII));
            }
            String main = "my.App" + name.indexOf('.');
            for (int i = 0; i < 4; i++) {
                try (ProgramCache cache = run(main)) {
                    assertThat(cache.spec().vectors()).isTrue();
                    assertThat(recording(cache)).isNull();
                }
            }
        }
    }

    @Test
    @DisplayName("the run that finds out that vectors pay leaves no cache")
    void vectorsInRecording() throws IOException {
        run("my.App").close();
        try (ProgramCache second = run("my.App")) {
            Files.createFile(recording(second));
            assertThat(second.isToBeMade()).isTrue();
            Files.createFile(place().resolve("vectors"));
            assertThat(second.isToBeMade()).isFalse();
        }
    }

    @Test
    @DisplayName("a jar that names others has no cache: it would hide their changes")
    void namesOthers() throws IOException {
        jar("lib.jar");
        run("my.App").close();
        for (int i = 0; i < 2; i++) {
            try (ProgramCache cache = run("my.App")) {
                assertThat(recording(cache)).isNull();
            }
        }
        assertThat(place().resolve("refused")).hasContent(jar + " names other jars in its manifest\n");
    }

    @Test
    @DisplayName("a cache that can't be made is not tried again, and old programs make room")
    void refused() throws IOException {
        for (int i = 0; i < 70; i++) {
            run("my.App" + i).close();
        }
        run("my.App").close();
        try (ProgramCache second = run("my.App")) {
            Files.writeString(recording(second), "not a recording");
            assertThat(second.make()).contains("exit code");
        }
        try (ProgramCache third = run("my.App")) {
            assertThat(recording(third)).isNull();
        }
        assertThat(caches.toFile().list()).hasSize(64).anyMatch(name -> name.startsWith("my.App-"));
    }
}
