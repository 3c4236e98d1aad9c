// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Programs in several source files, of which the command line names one, by the rules of JEP 458.
class OtherSourcesTest {
    @TempDir
    private Path folder;

    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

    private Path write(String name, String text) throws IOException {
        Path file = folder.resolve("sources").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private SourceProgram compile(Path source, Path... classPath) throws IOException {
        return SourceProgram.of(
                source, List.of(classPath), folder.resolve("cache"), new PrintStream(messages, true, UTF_8));
    }

    /// Returns what a method of the main class returns.
    private static String text(SourceProgram program) throws IOException, ReflectiveOperationException {
        URL[] jar = {program.jar().toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, null)) {
            Method method = loader.loadClass(program.mainClass()).getDeclaredMethod("text");
            method.setAccessible(true);
            return (String) method.invoke(null);
        }
    }

    private static String main(String header, String value) {
        return header + " class App { public static void main(String[] a) {} static String text() { return " + value
                + "; } }";
    }

    @Test
    @DisplayName("classes of files beside the program's are compiled, and so are those that these need")
    void beside() throws Exception {
        write("Helper.java", "class Helper { static String call() { return tools.Tool.call(); } }");
        write("tools/Tool.java", "package tools; public class Tool { public static String call() { return \"t\"; } }");
        write("Broken.java", "class Broken {"); // which nothing needs
        write("module-info.java", "module beside {}");
        assertThat(text(compile(write("App.java", main("", "Helper.call()"))))).isEqualTo("t");
        assertThat(messages.size()).isZero();
    }

    @Test
    @DisplayName("packages begin where the program's own does, if the folders are named as it is")
    void packages() throws Exception {
        write("a/b/Helper.java", "package a.b; class Helper { static String call() { return a.Up.call(); } }");
        write("a/Up.java", "package a; public class Up { public static String call() { return \"up\"; } }");
        String app = main("package a.b;", "Helper.call()");
        assertThat(text(compile(write("a/b/App.java", app)))).isEqualTo("up");
        Path elsewhere = write("c/App.java", app);
        assertThatThrownBy(() -> compile(elsewhere)).isInstanceOf(CannotRunException.class);
        assertThat(text(compile(write("d/App.java", main("package a.b;", "\"alone\"")))))
                .isEqualTo("alone");
    }

    @Test
    @DisplayName("a compact source file uses classes beside it")
    void compact() throws Exception {
        write("Helper.java", "class Helper { static String call() { return \"c\"; } }");
        SourceProgram program =
                compile(write("Small.java", "void main() {} static String text() { return Helper.call(); }"));
        assertThat(text(program)).isEqualTo("c");
    }

    @Test
    @DisplayName("a change of any of the files, and a new one, make the program anew; otherwise it is kept")
    void changes() throws Exception {
        write("Helper.java", "class Helper { static String call() { return \"1\"; } }");
        Path app = write("App.java", main("", "Helper.call()"));
        Path unused = write("Unused.java", "class Unused {}");
        SourceProgram first = compile(app);
        assertThat(compile(app)).isEqualTo(first);
        Files.writeString(unused, "class Unused { int x; }");
        assertThat(compile(app)).isEqualTo(first);
        write("Helper.java", "class Helper { static String call() { return \"2\"; } }");
        assertThat(text(compile(app))).isEqualTo("2");
        write("Helper.java", "class Helper { static String call() { return \"1\"; } }");
        assertThat(compile(app)).isEqualTo(first);
        write("String.java", "class String {}"); // shadows java.lang's
        assertThatThrownBy(() -> compile(app)).isInstanceOf(CannotRunException.class);
    }

    @Test
    @DisplayName("a file that has been deleted is missed")
    void deleted() throws Exception {
        Path helper = write("Helper.java", "class Helper { static String call() { return \"1\"; } }");
        Path app = write("App.java", main("", "Helper.call()"));
        compile(app);
        Files.delete(helper);
        assertThatThrownBy(() -> compile(app)).isInstanceOf(CannotRunException.class);
        assertThat(messages.toString(UTF_8)).contains("Helper");
    }

    @Test
    @DisplayName("a source comes before a class of the class path, whichever is younger")
    void beforeClassPath() throws Exception {
        Path library =
                write("lib/Helper.java", "class Helper { static String call() { return \"jar\"; } void main() {} }");
        Path jar = compile(library).jar();
        Path app = write("App.java", main("", "Helper.call()"));
        assertThatThrownBy(() -> compile(app)).isInstanceOf(CannotRunException.class);
        assertThat(compile(app, jar).jar()).exists();
        write("Helper.java", "class Helper { static String call() { return \"source\"; } }");
        Files.setLastModifiedTime(jar, later(jar));
        assertThat(text(compile(app, jar))).isEqualTo("source");
    }

    private static FileTime later(Path file) throws IOException {
        return FileTime.from(Files.getLastModifiedTime(file).toInstant().plusSeconds(60));
    }

    @Test
    @DisplayName("an error in another file is shown with its name")
    void errors() throws Exception {
        write("Helper.java", "class Helper { static String call() { return 1; } }");
        Path app = write("App.java", main("", "Helper.call()"));
        assertThatThrownBy(() -> compile(app)).isInstanceOf(CannotRunException.class);
        assertThat(messages.toString(UTF_8)).contains("Helper.java:1:").contains("incompatible types");
    }

    @Test
    @DisplayName("a cache that can't be written is named, with what to do")
    void noSpace() throws Exception {
        Path cache = Files.createFile(folder.resolve("cache"));
        Path app = write("App.java", main("", "\"\""));
        assertThatThrownBy(() -> compile(app))
                .isInstanceOf(CannotRunException.class)
                .hasMessageContaining("can't keep the compiled program in " + cache.resolve("programs") + ": ")
                .hasMessageContaining("free some space")
                .hasMessageContaining("XDG_CACHE_HOME");
    }
}
