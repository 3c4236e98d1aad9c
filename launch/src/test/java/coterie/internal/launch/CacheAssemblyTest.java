// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.JobSpec.Program;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CacheAssemblyTest {
    @TempDir
    private Path folder;

    private final Collection<String> messages = new ConcurrentLinkedQueue<>();

    private JobSpec job(List<Path> classPath) {
        Program program = new Program(FaultedWork.class.getName(), null, classPath, List.of(), List.of());
        return JobSpec.of("learner", 2, program)
                .withHeapBytes(1 << 20)
                .withOutput(new JobSpec.Output.Lines((pe, standardError, line) -> {
                    if (standardError) {
                        messages.add(line);
                    }
                }));
    }

    private static int run(JobSpec spec) {
        try (Job job = Job.start(spec)) {
            return job.await();
        }
    }

    @Test
    @DisplayName("what PE 0 records becomes a cache of the program's classes, and no PE prints a word of it")
    void learns() throws IOException {
        JobSpec spec = job(CachedClasses.ofThisRun().classPath());
        Path recording = folder.resolve("recording");
        assertThat(CacheAssembly.fits(spec)).isTrue();
        assertThat(run(spec.withTrainingFiles(new JobSpec.TrainingFiles(recording, folder.resolve("vectors")))))
                .isZero();
        assertThat(recording).exists();
        assertThat(folder.resolve("vectors")).doesNotExist();
        assertThat(messages).isEmpty();

        Path cache = folder.resolve("learner.aot");
        assertThat(CacheAssembly.assemble(spec, recording, cache)).isEmpty();
        Path loaded = folder.resolve("loaded");
        assertThat(run(spec.withStartupCache(cache)
                        .withoutVectors()
                        .withJvmOptions(List.of("-Xlog:class+load=info:file=" + loaded + ".%p"))))
                .isZero();
        assertThat(messages).isEmpty();
        assertThat(folder.toFile().listFiles((of, name) -> name.startsWith("loaded")))
                .hasSize(2)
                .allSatisfy(log -> assertThat(Files.readString(log.toPath()))
                        .contains(FaultedWork.class.getName() + " source: shared objects file"));
    }

    @Test
    @DisplayName("a recording that is none gives a reason, and no cache")
    void noRecording() throws IOException {
        JobSpec spec = job(CachedClasses.ofThisRun().classPath());
        Path recording = Files.writeString(folder.resolve("recording"), "not a recording");
        Path cache = folder.resolve("learner.aot");
        assertThat(CacheAssembly.assemble(spec, recording, cache)).contains("exit code");
        assertThat(cache).doesNotExist();
    }

    @Test
    @DisplayName("folders, other modes, debuggers and options for another kind of JVM exclude a cache")
    void fits() throws IOException {
        Path jar = Files.createFile(folder.resolve("program.jar"));
        JobSpec spec = job(List.of(jar));
        assertThat(CacheAssembly.fits(spec)).isTrue();
        assertThat(CacheAssembly.fits(job(List.of(jar, folder)))).isFalse();
        assertThat(CacheAssembly.fits(job(List.of(folder.resolve("absent.jar")))))
                .isFalse();
        assertThat(CacheAssembly.fits(spec.withMode(PeMode.THREADS))).isFalse();
        assertThat(CacheAssembly.fits(spec.withDebugPort(5005))).isFalse();
        assertThat(CacheAssembly.fits(spec.withWrapper(List.of("numactl")))).isFalse();
        for (String harmless : List.of("-Dx=y", "-ea", "-ea:app...", "-Xss2m", "-Xmx512m", "-Xmx29g", "-Xms65536k")) {
            assertThat(CacheAssembly.fits(spec.withJvmOptions(List.of(harmless))))
                    .as(harmless)
                    .isTrue();
        }
        for (String other : List.of("-Xmx30g", "-Xmx100g", "-XX:+UseZGC", "-javaagent:a.jar", "-Xint", "-Xlog:gc")) {
            assertThat(CacheAssembly.fits(spec.withJvmOptions(List.of("-Dx=y", other))))
                    .as(other)
                    .isFalse();
        }
    }
}
