// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.JobSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramFinderTest {
    private final ByteArrayOutputStream messages = new ByteArrayOutputStream();

    @TempDir
    private Path folder;

    private ProgramFinder.Found find(String... words) throws IOException {
        ParsedArguments arguments = ParsedArguments.parse(Command.RUN, Arrays.asList(words));
        PrintStream out = new PrintStream(messages, true, StandardCharsets.UTF_8);
        return new ProgramFinder(arguments, Map.of("XDG_CACHE_HOME", folder.toString()), out).find();
    }

    private ExitCode refused(String... words) {
        return catchThrowableOfType(CannotRunException.class, () -> find(words)).exitCode();
    }

    /// What the finder adds to the class path of this test.
    private static List<Path> added(JobSpec.Program program) {
        List<Path> own = RuntimePath.own().classPath();
        List<Path> whole = program.wholeClassPath();
        assertThat(whole).startsWith(own.toArray(Path[]::new));
        return whole.subList(own.size(), whole.size());
    }

    private Path jar(String name, String mainClass) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (mainClass != null) {
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        }
        Path file = folder.resolve(name);
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        return file;
    }

    @Test
    @DisplayName("a source file is compiled, and its jar comes before the class path")
    void sourceFile() throws IOException {
        Path source = Files.writeString(folder.resolve("Hi.java"), "void main() {}");
        Path lib = jar("lib.jar", null);
        ProgramFinder.Found found = find("-cp", lib.toString(), source.toString(), "a", "-b");
        assertThat(found.name()).isEqualTo("Hi");
        assertThat(found.program().mainClass()).isEqualTo("Hi");
        assertThat(found.program().arguments()).containsExactly("a", "-b");
        assertThat(added(found.program())).hasSize(2).element(1).isEqualTo(lib);
        assertThat(added(found.program()).getFirst().toString()).endsWith("program.jar");
    }

    @Test
    @DisplayName("if a program does not compile, and words after it are source files, a message says what they are")
    void severalSourceFiles() throws IOException {
        Path first = Files.writeString(folder.resolve("First.java"), "void main() { Third.call(); }");
        Path second = Files.writeString(folder.resolve("Second.java"), "class Third { static void call() {} }");
        assertThat(refused(first.toString(), second.toString())).isEqualTo(ExitCode.NOT_RUNNABLE);
        assertThat(messages.toString(StandardCharsets.UTF_8))
                .contains("coterie run: " + second + " is an argument of the program");
    }

    @Test
    @DisplayName("a file that begins with #! is a source file, whatever its name")
    void script() throws IOException {
        Path script = Files.writeString(folder.resolve("hi"), "#!/usr/bin/env -S coterie run\nvoid main() {}");
        assertThat(find(script.toString()).program().mainClass()).isEqualTo("hi");
    }

    @Test
    @DisplayName("a class comes from the class path, whose /* stands for a folder's jars")
    void classOnPath() throws IOException {
        Path b = jar("b.jar", null);
        Path a = jar("a.JAR", null);
        Files.createFile(folder.resolve("c.txt"));
        JobSpec.Program program =
                find("-cp", "x.jar::" + folder + "/*", "my.Main", "-n").program();
        assertThat(program.mainClass()).isEqualTo("my.Main");
        assertThat(added(program)).containsExactly(Path.of("x.jar"), a, b);
        assertThat(program.arguments()).containsExactly("-n");
    }

    @Test
    @DisplayName("a jar runs its Main-Class")
    void jarFile() throws IOException {
        Path app = jar("app.jar", "my.App");
        ProgramFinder.Found found = find("-jar", app.toString(), "x");
        assertThat(found.name()).isEqualTo("app.jar");
        assertThat(found.program().mainClass()).isEqualTo("my.App");
        assertThat(added(found.program())).containsExactly(app);
        assertThat(found.program().arguments()).containsExactly("x");
    }

    @Test
    @DisplayName("a jar runs its Main-Class without -jar, too")
    void jarFileAsOperand() throws IOException {
        Path app = jar("app.jar", "my.App");
        ProgramFinder.Found found = find("-n", "2", app.toString(), "x");
        assertThat(found.program().mainClass()).isEqualTo("my.App");
        assertThat(added(found.program())).containsExactly(app);
        assertThat(found.program().arguments()).containsExactly("x");
    }

    @Test
    @DisplayName("the launcher names each entry of -cp that does not exist, and runs the program")
    void missingEntries() throws IOException {
        find("-cp", "absent.jar:" + jar("a.jar", null) + ":gone/*", "my.Main");
        assertThat(messages.toString(StandardCharsets.UTF_8)).isEqualTo("""
                        coterie run: warning: -cp names absent.jar, which does not exist
                        coterie run: warning: -cp names gone, which does not exist
                        """);
    }

    @Test
    @DisplayName("a name without .java is answered with the source file beside it")
    void nameWithoutSuffix() throws IOException {
        Files.writeString(folder.resolve("Hi.java"), "void main() {}");
        assertThatThrownBy(() -> find(folder.resolve("Hi").toString()))
                .hasMessageEndingWith("(did you mean " + folder.resolve("Hi.java") + "?)");
    }

    @Test
    @DisplayName("a module runs the class that is named")
    void module() throws IOException {
        JobSpec.Program program = find("-p", "mods", "-m", "app/my.App", "x").program();
        assertThat(program.module()).isEqualTo("app");
        assertThat(program.mainClass()).isEqualTo("my.App");
        assertThat(program.modulePath()).endsWith(Path.of("mods"));
        assertThat(program.arguments()).containsExactly("x");
    }

    @Test
    @DisplayName("what is not there ends with 127, what has no main class with 126")
    void refuses() throws IOException {
        assertThat(refused("absent.java")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refused("some/thing")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refused("app.jar")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refused("my.Main")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refused("-jar", "absent.jar")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refused("-p", folder.toString(), "-m", "absent")).isEqualTo(ExitCode.NOT_FOUND);
        assertThat(refused("-jar", jar("bare.jar", null).toString())).isEqualTo(ExitCode.NOT_RUNNABLE);
    }

    @Test
    @DisplayName("no program is a mistake of usage")
    void nothing() {
        assertThatThrownBy(() -> find("-n", "2"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("no program");
    }
}
