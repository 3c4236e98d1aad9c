// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.DefaultSignals;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The script in a fresh copy of the sources, and in small projects of its own that it builds in seconds; all under a
/// path with a space in it.
class ScriptIT {
    static final Path CHECKOUT = Path.of("..").toAbsolutePath().normalize();
    private static final Set<String> NOT_COPIED = Set.of("target", ".git", ".idea");
    private static final long MINUTES = 10;
    private static final String HELLO = "void main(String[] a) { IO.println(\"hello \" + String.join(\",\", a)); }";

    private static final String FIRST_USE =
            "coterie: building Coterie (first use): 1 to 3 minutes, more if Maven must download its plug-ins...\n";

    /// How often it occurs depends on the machine.
    private static final String STILL_BUILDING = "coterie: still building after \\d+ s\n";

    @TempDir
    private Path folder;

    private record Result(int exitCode, String out, String err) {}

    private final class Run {
        private final Process process;
        private final Path out;
        private final Path err;

        Run(Path script, String... words) throws IOException {
            out = Files.createTempFile(folder, "run", ".out");
            err = Files.createTempFile(folder, "run", ".err");
            List<String> command = new ArrayList<>(DefaultSignals.of(List.of(script.toString())));
            command.addAll(List.of(words));
            ProcessBuilder builder =
                    new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
            builder.environment().put("XDG_CACHE_HOME", folder.resolve("cache").toString());
            builder.environment().remove("COTERIE_JAVA_HOME");
            process = builder.directory(folder.toFile()).start();
            process.getOutputStream().close();
        }

        Result await() throws Exception {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).isTrue();
            String messages = Files.readString(err, UTF_8).replaceAll(STILL_BUILDING, "");
            return new Result(process.exitValue(), Files.readString(out, UTF_8), messages);
        }
    }

    private Path copy() throws IOException {
        Path copy = folder.resolve("a copy");
        Files.walkFileTree(CHECKOUT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path from, BasicFileAttributes attributes) throws IOException {
                if (NOT_COPIED.contains(from.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(CHECKOUT.relativize(from)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path from, BasicFileAttributes attributes) throws IOException {
                Path to = copy.resolve(CHECKOUT.relativize(from));
                if (attributes.isRegularFile()) {
                    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return copy;
    }

    private static List<String> leftovers(Path copy) throws IOException {
        try (Stream<Path> content = Files.list(copy.resolve("target"))) {
            return content.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("dist."))
                    .toList();
        }
    }

    @Test
    @DisplayName(
            "the script builds on first use, says so once, and runs through a link; later it builds no more, and if it is killed"
                    + " it leaves no attach socket")
    void firstUse() throws Exception {
        Path copy = copy();
        Path link = Files.createSymbolicLink(folder.resolve("link"), copy.resolve("coterie"));
        Path hello = Files.writeString(folder.resolve("Hello.java"), HELLO);

        Result first = new Run(link, "run", "-n", "2", hello.toString(), "a b", "c").await();
        assertThat(first).isEqualTo(new Result(0, "hello a b,c\nhello a b,c\n", FIRST_USE));
        assertThat(copy.resolve("target/dist/start/launcher.aot")).exists();
        assertThat(copy.resolve("target/dist/start/pe.aot")).exists();

        assertThat(new Run(link, "run", hello.toString()).await()).isEqualTo(new Result(0, "hello \n", ""));
        assertThat(new Run(link, "run", "-n").await().exitCode()).isEqualTo(2);

        killedLauncher(link);

        // A changed jar makes caches stale, which must be noticed: the JVM would run the old classes.
        Path stamp = copy.resolve("target/dist/start/stamp");
        Path jar = copy.resolve("target/dist/lib/coterie-cli.jar");
        Path same = Files.copy(jar, folder.resolve("same.jar"), StandardCopyOption.COPY_ATTRIBUTES);
        BasicFileAttributes before = Files.readAttributes(stamp, BasicFileAttributes.class);
        Files.move(same, jar, StandardCopyOption.ATOMIC_MOVE);
        assertThat(new Run(link, "--version").await().exitCode()).isZero();
        assertThat(Files.readAttributes(stamp, BasicFileAttributes.class).fileKey())
                .isNotEqualTo(before.fileKey());
        assertThat(leftovers(copy)).isEmpty();
    }

    @Test
    @DisplayName(
            "a changed source leads to a build, and one that fails to its log and exit code 70; the age of the jars is the start of"
                    + " the build that has made them")
    void changedSources() throws Exception {
        Path project = SmallProject.in(folder.resolve("a project"));
        Path script = project.resolve("coterie");
        String built = "coterie: building Coterie (its sources have changed)...\n";
        assertThat(new Run(script, "a", "b").await()).isEqualTo(new Result(0, "small a b\n", FIRST_USE));
        assertThat(new Run(script).await()).isEqualTo(new Result(0, "small\n", ""));

        Path broken = Files.writeString(project.resolve("cli/src/main/java/coterie/cli/Broken.java"), "class {}");
        Result failure = new Run(script).await();
        assertThat(failure.exitCode()).isEqualTo(70);
        assertThat(failure.err()).startsWith(built).contains("Broken.java").contains("the build failed");
        for (String word : List.of("--version", "--help", "ps")) {
            assertThat(new Run(script, word).await())
                    .as("needs no build")
                    .isEqualTo(new Result(0, "small " + word + "\n", ""));
        }
        Files.delete(broken);
        assertThat(new Run(script).await()).isEqualTo(new Result(0, "small\n", built));

        // As if Maven had begun to build before the last change, and had ended after it.
        Path age = project.resolve("target/dist/built");
        FileTime now = Files.getLastModifiedTime(age);
        Files.setLastModifiedTime(age, FileTime.from(now.toInstant().minusSeconds(3600)));
        assertThat(new Run(script).await()).isEqualTo(new Result(0, "small\n", built));
        assertThat(new Run(script).await()).isEqualTo(new Result(0, "small\n", ""));
        assertThat(leftovers(project)).isEmpty();
    }

    /// A launcher that is killed leaves no socket for tools that attach to JVMs.
    private void killedLauncher(Path script) throws Exception {
        Path waits = Files.writeString(
                folder.resolve("Waits.java"),
                "void main() throws Exception { IO.println(\"up\"); new java.util.concurrent.CountDownLatch(1).await(); }");
        Run run = new Run(script, "run", waits.toString());
        Awaitility.await()
                .atMost(1, TimeUnit.MINUTES)
                .until(() -> Files.readString(run.out).equals("up\n"));
        run.process.destroyForcibly().waitFor();
        assertThat(Path.of("/tmp/.java_pid" + run.process.pid())).doesNotExist();
    }

    @Test
    @Tag("soak")
    @DisplayName("of several first uses at once one builds, and all run")
    void severalFirstUses() throws Exception {
        Path project = SmallProject.in(folder.resolve("a project"));
        List<Run> runs = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            runs.add(new Run(project.resolve("coterie"), "x"));
        }
        int builders = 0;
        for (Run run : runs) {
            Result result = run.await();
            assertThat(result.exitCode()).isZero();
            assertThat(result.out()).isEqualTo("small x\n");
            builders += result.err().isEmpty() ? 0 : 1;
        }
        assertThat(builders).isEqualTo(1);
        assertThat(leftovers(project)).isEmpty();
    }

    @Test
    @Tag("soak")
    @DisplayName("if a first use is killed in the middle, the next one is not disturbed")
    void killedFirstUse() throws Exception {
        Path project = SmallProject.in(folder.resolve("a project"));
        Run killed = new Run(project.resolve("coterie"));
        Path log = project.resolve("target/build.log");
        Awaitility.await().atMost(1, TimeUnit.MINUTES).until(() -> Files.exists(log));
        killed.process.descendants().forEach(ProcessHandle::destroyForcibly);
        killed.process.destroyForcibly().waitFor();
        assertThat(new Run(project.resolve("coterie")).await().exitCode()).isZero();
        assertThat(leftovers(project)).isEmpty();
    }
}
