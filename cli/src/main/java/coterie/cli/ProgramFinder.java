// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.ExitCode;
import coterie.internal.launch.JobSpec;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/// Finds the program that `coterie run` runs: a source file, a class, a jar or a module.
final class ProgramFinder {
    private final ParsedArguments arguments;
    private final RuntimePath runtime = RuntimePath.own();
    private final Map<String, String> environment;
    private final PrintStream messages;

    /// @param messages the stream for messages of the compiler
    ProgramFinder(ParsedArguments arguments, Map<String, String> environment, PrintStream messages) {
        this.arguments = arguments;
        this.environment = environment;
        this.messages = messages;
    }

    /// A program, and the name of its job unless `--name` gives another.
    record Found(String name, JobSpec.Program program) {}

    /// @throws UsageException if the command line names no program
    /// @throws CannotRunException if the program does not exist or can't run
    Found find() throws IOException {
        warnOfMissingEntries();
        List<String> operands = arguments.operands();
        String jar = arguments.value(Option.JAR);
        String module = arguments.value(Option.MODULE);
        if (jar != null) {
            return jar(Path.of(jar), operands);
        }
        if (module != null) {
            return module(module, operands);
        }
        if (operands.isEmpty()) {
            throw new UsageException("no program; name a source file, or a class with -cp, or use -jar or -m");
        }
        String first = operands.getFirst();
        List<String> rest = operands.subList(1, operands.size());
        if (isSource(first)) {
            return source(Path.of(first), rest);
        }
        if (first.endsWith(".jar") && Files.isRegularFile(Path.of(first))) {
            return jar(Path.of(first), rest);
        }
        return type(first, rest);
    }

    /// Prints the entries of `-cp` that do not exist. The JVM ignores them silently, and then lacks a class.
    private void warnOfMissingEntries() {
        String given = arguments.value(Option.CLASS_PATH);
        for (Path entry : given == null ? List.<Path>of() : RuntimePath.split(given)) {
            Path name = entry.getFileName();
            Path parent = entry.getParent();
            Path needed = name != null && name.toString().equals("*") && parent != null ? parent : entry;
            if (!Files.exists(needed) && !needed.toString().equals("*")) {
                messages.println("coterie run: warning: -cp names " + needed + ", which does not exist");
            }
        }
    }

    private static boolean isSource(String word) throws IOException {
        if (word.endsWith(".java")) {
            return true;
        }
        Path file = Path.of(word);
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (InputStream in = Files.newInputStream(file)) {
            return in.read() == '#' && in.read() == '!';
        }
    }

    private Found source(Path file, List<String> rest) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw notFound("source file " + file);
        }
        List<Path> classPath = classPath(arguments);
        SourceProgram compiled = compiled(file, classPath, rest);
        classPath.addFirst(compiled.jar());
        return found(compiled.mainClass(), compiled.mainClass(), classPath, rest);
    }

    private SourceProgram compiled(Path file, List<Path> classPath, List<String> rest) throws IOException {
        try {
            return SourceProgram.of(file, classPath, CacheFolder.open(environment), messages);
        } catch (CannotRunException e) {
            for (String word : rest) {
                if (word.endsWith(".java") && Files.isRegularFile(Path.of(word))) {
                    messages.println(
                            "coterie run: " + word + " is an argument of the program: words after the first source file"
                                    + " are; other sources in the folder of its package are compiled as it needs them");
                    break;
                }
            }
            throw e;
        }
    }

    private Found type(String name, List<String> rest) throws IOException {
        boolean isSource = Files.isRegularFile(Path.of(name + ".java"));
        if (name.indexOf('/') >= 0 || (isSource && arguments.value(Option.CLASS_PATH) == null)) {
            throw notFound(name + (isSource ? " (did you mean " + name + ".java?)" : ""));
        }
        if (name.endsWith(".jar")) {
            throw notFound("jar " + name);
        }
        if (arguments.value(Option.CLASS_PATH) == null) {
            throw notFound(
                    "class " + name + ": no class path is set; use -cp, or name a source file that ends in .java");
        }
        return found(name, name, classPath(arguments), rest);
    }

    private Found jar(Path file, List<String> rest) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw notFound("jar " + file);
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            Manifest manifest = jar.getManifest();
            String main = manifest == null ? null : manifest.getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
            if (main == null) {
                throw new CannotRunException(
                        ExitCode.NOT_RUNNABLE,
                        file + " names no Main-Class in its manifest; use -cp " + file + " and name the class");
            }
            // The JVM adds the manifest's Class-Path.
            return found(file.getFileName().toString(), main.strip(), List.of(file), rest);
        }
    }

    private Found module(String text, List<String> rest) throws IOException {
        int slash = text.indexOf('/');
        String module = slash < 0 ? text : text.substring(0, slash);
        List<Path> modulePath = modulePath();
        String main = slash < 0 ? mainClass(module, modulePath) : text.substring(slash + 1);
        List<Path> classPath = classPath(arguments);
        classPath.addAll(0, runtime.classPath());
        return new Found(text, new JobSpec.Program(main, module, classPath, modulePath, rest));
    }

    private static String mainClass(String module, List<Path> modulePath) {
        try {
            return ModuleFinder.of(modulePath.toArray(Path[]::new))
                    .find(module)
                    .orElseThrow(() -> notFound("module " + module + "; name its jar or folder with -p"))
                    .descriptor()
                    .mainClass()
                    .orElseThrow(() -> new CannotRunException(
                            ExitCode.NOT_RUNNABLE,
                            "module " + module + " names no main class; use -m " + module + "/CLASS"));
        } catch (FindException e) {
            throw notFound("module " + module + ": " + e.getMessage());
        }
    }

    private Found found(String name, String mainClass, List<Path> classPath, List<String> rest) {
        if (!arguments.has(Option.MODULE_PATH)) {
            return new Found(name, runtime.program(mainClass, classPath, rest));
        }
        List<Path> all = new ArrayList<>(runtime.classPath());
        all.addAll(classPath);
        return new Found(name, new JobSpec.Program(mainClass, null, all, modulePath(), rest));
    }

    private List<Path> modulePath() {
        List<Path> entries = new ArrayList<>(runtime.modulePath());
        String given = arguments.value(Option.MODULE_PATH);
        if (given != null) {
            entries.addAll(RuntimePath.split(given));
        }
        return entries;
    }

    /// Returns the entries of `-cp`; replaces a folder's `/*` by the jars in it.
    static List<Path> classPath(ParsedArguments arguments) throws IOException {
        String given = arguments.value(Option.CLASS_PATH);
        List<Path> entries = new ArrayList<>();
        if (given == null) {
            return entries;
        }
        for (Path entry : RuntimePath.split(given)) {
            Path name = entry.getFileName();
            if (name != null && name.toString().equals("*")) {
                Path parent = entry.getParent();
                entries.addAll(jarsIn(parent == null ? Path.of("") : parent));
            } else {
                entries.add(entry);
            }
        }
        return entries;
    }

    private static List<Path> jarsIn(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> content = Files.list(folder)) {
            return content.filter(file ->
                            file.toString().toLowerCase(java.util.Locale.ROOT).endsWith(".jar"))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static CannotRunException notFound(String what) {
        return new CannotRunException(ExitCode.NOT_FOUND, "can't find " + what);
    }
}
