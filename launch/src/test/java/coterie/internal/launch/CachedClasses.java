// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/// The classes of the runtime and of its tests as jars, with start-up caches of the JVM for launchers and for PEs:
/// short jobs spend most of their time on loading classes. The files last as long as this JVM.
final class CachedClasses {
    /// Of PEs, so that what the JVM archives fits the JVM of a job.
    static final List<String> JVM_OPTIONS = List.of("-Xmx64m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    private static @Nullable CachedClasses made;

    private final List<Path> jars = new ArrayList<>();
    private final Path folder;

    private CachedClasses() throws IOException {
        folder = Files.createTempDirectory("coterie-classes");
        folder.toFile().deleteOnExit(); // files are deleted in the reverse order
        launcherCache().toFile().deleteOnExit();
        peCache().toFile().deleteOnExit();
        ToolProvider jar = ToolProvider.findFirst("jar").orElseThrow();
        for (Path classes : Launching.classPath()) {
            if (Files.isRegularFile(classes)) { // a module that Maven has packed already
                jars.add(classes);
                continue;
            }
            Path file = folder.resolve(jars.size() + ".jar");
            assertThat(jar.run(System.out, System.err, "--create", "--file=" + file, "-C", classes.toString(), "."))
                    .isZero();
            jars.add(file);
            file.toFile().deleteOnExit();
        }
        trainPe();
        trainLauncher();
        assertThat(peCache()).exists();
        assertThat(launcherCache()).exists();
    }

    private void trainPe() {
        List<String> options = new ArrayList<>(JVM_OPTIONS);
        options.add("-XX:AOTCacheOutput=" + peCache());
        JobSpec.Program program = new JobSpec.Program(FaultedWork.class.getName(), null, jars, List.of(), List.of());
        try (Job job = Job.start(JobSpec.of("training", 1, program).withJvmOptions(options))) {
            assertThat(job.await()).isZero();
        }
    }

    private void trainLauncher() throws IOException {
        List<String> command = new ArrayList<>(Launch.java());
        command.add("-XX:AOTCacheOutput=" + launcherCache());
        command.addAll(List.of("-cp", classPathText(), Launching.class.getName(), "--", FaultedWork.class.getName()));
        Process launcher = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertThat(launcher.onExit().join().exitValue()).isZero();
    }

    /// Returns those of this JVM, made at the first call.
    static synchronized CachedClasses ofThisRun() {
        if (made == null) {
            try {
                made = new CachedClasses();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return made;
    }

    List<Path> classPath() {
        return jars;
    }

    String classPathText() {
        return String.join(File.pathSeparator, jars.stream().map(Path::toString).toList());
    }

    Path launcherCache() {
        return folder.resolve("launcher.aot");
    }

    Path peCache() {
        return folder.resolve("pe.aot");
    }
}
