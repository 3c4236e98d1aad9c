// SPDX-License-Identifier: Apache-2.0
package coterie.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The distribution, unpacked by one user and run by another.
class DistributionIT {
    /// The user without rights of most systems. Only root can become it; another user is one that can't write.
    private static final List<String> AS_NOBODY =
            List.of("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups");

    @TempDir
    private Path folder;

    private record Result(int exitCode, List<String> out, String err) {}

    @Test
    @DisplayName("the owner's first use makes caches, from which another user runs the read-only distribution")
    void sharedCaches() throws Exception {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Path unpacked = unpack();
        Path command = unpacked.resolve("bin/coterie");

        Result first = run(folder.resolve("first"), List.of(command.toString(), "--version"));
        assertThat(first.err())
                .isEqualTo(
                        "coterie: making start-up caches in " + unpacked.resolve("start") + ", once for this JDK...\n");
        assertThat(first.exitCode()).isZero();
        assertThat(unpacked.resolve("start/launcher.aot")).exists();

        assertThat(run(folder.resolve("first"), List.of("chmod", "-R", "a-w", unpacked.toString()))
                        .exitCode())
                .isZero();
        Path other = folder.resolve("other");
        Files.createDirectory(other);
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxrwxrwx"));
        List<String> words = new ArrayList<>(Files.isWritable(unpacked) ? AS_NOBODY : List.of());
        words.addAll(List.of(
                command.toString(),
                "run",
                "-n",
                "2",
                unpacked.resolve("examples/Hello.java").toString()));
        for (int runs = 1; runs <= 3; runs++) { // the second makes a cache of the program, and the third uses it
            Result second = run(other, words);
            assertThat(second.err()).isEmpty();
            assertThat(second.out())
                    .hasSize(2)
                    .anyMatch(line -> line.startsWith("Hello from PE 0 of 2"))
                    .anyMatch(line -> line.startsWith("Hello from PE 1 of 2"));
            assertThat(second.exitCode()).isZero();
            assertThat(programCaches(other)).as("after run %s", runs).hasSize(runs < 2 ? 0 : 1);
        }
        assertThat(other.resolve("coterie")).exists();
        assertThat(other.resolve("coterie/start")).doesNotExist();
        assertThat(run(folder.resolve("first"), List.of("chmod", "-R", "u+w", unpacked.toString()))
                        .exitCode())
                .isZero();
    }

    private static List<Path> programCaches(Path cacheHome) throws IOException {
        try (Stream<Path> files = Files.walk(cacheHome.resolve("coterie/program-caches"))) {
            return files.filter(file -> file.endsWith("program.aot")).toList();
        }
    }

    private Path unpack() throws Exception {
        Path archive;
        try (Stream<Path> files = Files.list(ProgramRun.EXAMPLES.resolveSibling("target"))) {
            archive = files.filter(file -> file.getFileName().toString().matches("coterie-.*\\.tar\\.gz"))
                    .max(Comparator.comparingLong(DistributionIT::modified))
                    .orElseThrow();
        }
        assertThat(run(folder.resolve("first"), List.of("tar", "-xzf", archive.toString(), "-C", folder.toString()))
                        .exitCode())
                .isZero();
        return folder.resolve(archive.getFileName().toString().replace(".tar.gz", ""));
    }

    private static long modified(Path file) {
        return file.toFile().lastModified();
    }

    private Result run(Path cache, List<String> words) throws IOException, InterruptedException {
        Path out = Files.createTempFile(folder, "run", ".out");
        Path err = Files.createTempFile(folder, "run", ".err");
        ProcessBuilder builder =
                new ProcessBuilder(words).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("XDG_CACHE_HOME", cache.toString());
        Process process = builder.directory(folder.toFile()).start();
        process.getOutputStream().close();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        return new Result(process.exitValue(), Files.readAllLines(out, UTF_8), Files.readString(err, UTF_8));
    }
}
