// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import coterie.internal.launch.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceProgramTest {
    private static final String COMPACT = "void main() { IO.println(1); }";

    @TempDir
    private Path folder;

    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

    private SourceProgram compile(Path source, Path... classPath) throws IOException {
        return SourceProgram.of(source, List.of(classPath), cache(), new PrintStream(messages, true, UTF_8));
    }

    private Path cache() {
        return folder.resolve("cache");
    }

    private Path source(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    private List<Path> entries() throws IOException {
        try (Stream<Path> content = Files.list(cache().resolve("programs"))) {
            return content.toList();
        }
    }

    private CannotRunException refusal(Path source) {
        return catchThrowableOfType(CannotRunException.class, () -> compile(source));
    }

    /// A hit returns the very jar, untouched: its time is set to long ago first.
    @Test
    @DisplayName("an unchanged source is not compiled again")
    void hits() throws IOException {
        Path source = source("Hello.java", COMPACT);
        SourceProgram first = compile(source);
        FileTime longAgo = FileTime.fromMillis(1_000_000);
        Files.setLastModifiedTime(first.jar(), longAgo);
        assertThat(compile(source)).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(first.jar())).isEqualTo(longAgo);
        assertThat(entries()).hasSize(1);
    }

    @Test
    @DisplayName("a changed source is compiled anew, and the old result found again when it is changed back")
    void misses() throws IOException {
        SourceProgram first = compile(source("Hello.java", COMPACT));
        SourceProgram second = compile(source("Hello.java", COMPACT.replace('1', '2')));
        assertThat(second.jar()).isNotEqualTo(first.jar());
        assertThat(compile(source("Hello.java", COMPACT))).isEqualTo(first);
    }

    @Test
    @DisplayName("a changed class path makes a new program")
    void classPathCounts() throws IOException {
        Path jar = Files.write(
                folder.resolve("lib.jar"),
                compile(source("Lib.java", "class Lib { void main() {} }"))
                        .jar()
                        .toString()
                        .getBytes(UTF_8));
        Files.copy(compile(folder.resolve("Lib.java")).jar(), jar, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        Path source = source("Use.java", "void main() { new Lib(); }");
        SourceProgram first = compile(source, jar);
        assertThat(compile(source, jar)).isEqualTo(first);
        Files.setLastModifiedTime(jar, FileTime.fromMillis(1_000_000));
        assertThat(compile(source, jar).jar()).isNotEqualTo(first.jar());
    }

    @Test
    @DisplayName("if two programs have one hash, the whole key distinguishes them")
    void collisions() throws IOException {
        Path source = source("Hello.java", COMPACT);
        Path jar = compile(source).jar();
        Files.writeString(jar.resolveSibling("key"), "another program's");
        SourceProgram second = compile(source);
        assertThat(second.jar()).isNotEqualTo(jar);
        assertThat(second.jar().getParent().getFileName().toString()).endsWith("-1");
    }

    @Test
    @DisplayName("eight first compilations at once give one result and leave nothing else")
    void concurrent() throws Exception {
        Path source = source("Hello.java", COMPACT);
        List<Callable<SourceProgram>> same = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            same.add(() -> compile(source));
        }
        try (ExecutorService eight = Executors.newFixedThreadPool(8)) {
            SourceProgram first = null;
            for (Future<SourceProgram> each : eight.invokeAll(same)) {
                first = first == null ? each.get() : first;
                assertThat(each.get()).isEqualTo(first);
            }
            assertThat(entries()).containsExactly(first.jar().getParent());
        }
    }

    @Test
    @DisplayName("compact files, packages, module imports and #! lines are understood; the first class is the main one")
    void formsOfSources() throws Exception {
        assertThat(compile(source("Compact.java", COMPACT)).mainClass()).isEqualTo("Compact");
        assertThat(compile(source(
                                "P.java",
                                "package a.b; record Q(int x) { static void main(String[] s) {} } class R {}"))
                        .mainClass())
                .isEqualTo("a.b.Q");
        assertThat(compile(source("M.java", "import module java.base; void main() { List.of(); }"))
                        .mainClass())
                .isEqualTo("M");
        assertThat(compile(source("script", "#!/usr/bin/env coterie\nclass S { void main() {} }"))
                        .mainClass())
                .isEqualTo("S");
        assertThat(compile(source(
                                "Heir.java",
                                "class Heir extends Base {} class Base { public static void main(String[] a) {} }"))
                        .mainClass())
                .isEqualTo("Heir");
    }

    @Test
    @DisplayName("the runtime can be imported, by package and by module")
    void runtimeIsThere() throws Exception {
        compile(source("A.java", "import coterie.*; void main() { Comparison c = Comparison.EQ; }"));
        compile(source("B.java", "import module coterie; void main() { Comparison c = Comparison.EQ; }"));
        assertThat(messages.toString(UTF_8)).isEmpty();
    }

    @Test
    @DisplayName("the jar has the classes, nested ones included")
    void jarHasClasses() throws Exception {
        Path jar = compile(source("N.java", "class N { record I(int x) {} public static void main(String[] a) {} }"))
                .jar();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
            assertThat(loader.loadClass("N$I").isRecord()).isTrue();
        }
    }

    @Test
    @DisplayName("what does not compile ends with 126, in the compiler's words under the name that was typed")
    void errors() throws IOException {
        Path source = source("Bad.java", "void main() {\n  int x = \"\";\n}");
        assertThat(refusal(source).exitCode()).isEqualTo(ExitCode.NOT_RUNNABLE);
        assertThat(messages.toString(UTF_8))
                .startsWith(source + ":2: error: incompatible types")
                .contains("1 error");
        assertThat(Files.exists(cache().resolve("programs"))).isFalse();
    }

    @Test
    @DisplayName("line numbers stay where a #! line was")
    void shebangKeepsLines() throws IOException {
        assertThat(refusal(source("s.java", "#!x\n\nint y = \"\";\nvoid main() {}")))
                .isNotNull();
        assertThat(messages.toString(UTF_8)).contains("s.java:3: error");
    }

    @Test
    @DisplayName("a first class without a main method ends with 126")
    void noMain() throws IOException {
        CannotRunException refusal =
                refusal(source("No.java", "class No { private void main() {} } class Y { void main() {} }"));
        assertThat(refusal.exitCode()).isEqualTo(ExitCode.NOT_RUNNABLE);
        assertThat(refusal).hasMessageContaining("no main method in its first class, No");
        assertThat(refusal(source("E.java", "// empty"))).hasMessageContaining("no class");
    }

    @Test
    @DisplayName("a miss deletes what killed compilations have left, and not what running ones make")
    void sweeps() throws IOException {
        Path programs = Files.createDirectories(cache().resolve("programs"));
        Path dead = Files.createDirectory(programs.resolve("tmp-1-dead"));
        Files.writeString(dead.resolve("program.jar"), "half");
        Files.createFile(programs.resolve("tmp-1-dead.lock"));
        try (StagingDirectory alive = StagingDirectory.open(programs)) {
            compile(source("Hello.java", COMPACT));
            assertThat(dead).doesNotExist();
            assertThat(programs.resolve("tmp-1-dead.lock")).doesNotExist();
            assertThat(alive.folder()).exists();
        }
        assertThat(entries()).hasSize(1);
    }
}
