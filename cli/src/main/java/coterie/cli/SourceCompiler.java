// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import coterie.internal.launch.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/// Compiles a program by its source file, by the rules of `java File.java`: the file's name may differ from the
/// class's, the first line may be a `#!` line, and the first class is the main class. Classes of other source files
/// are compiled as it needs them, if its folders end as its package does: those in the folder where packages begin.
final class SourceCompiler {
    private SourceCompiler() {}

    /// @param mainClass binary name
    /// @param classes class files by binary name
    /// @param others what else it was compiled from
    record Compiled(String mainClass, Map<String, ByteArrayOutputStream> classes, OtherSources others) {

        /// Writes a jar. Equal classes make equal jars.
        void writeJar(Path file) throws IOException {
            Manifest manifest = new Manifest();
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
            try (OutputStream out = Files.newOutputStream(file);
                    JarOutputStream jar = new JarOutputStream(out)) {
                jar.setLevel(Deflater.NO_COMPRESSION); // every PE reads it once
                entry(jar, "META-INF/MANIFEST.MF");
                manifest.write(jar);
                for (Map.Entry<String, ByteArrayOutputStream> type : classes.entrySet()) {
                    entry(jar, type.getKey().replace('.', '/') + ".class");
                    type.getValue().writeTo(jar);
                }
            }
        }

        private static void entry(JarOutputStream jar, String name) throws IOException {
            ZipEntry entry = new ZipEntry(name);
            entry.setTimeLocal(LocalDateTime.of(2025, 1, 1, 0, 0));
            jar.putNextEntry(entry);
        }
    }

    /// Compiles `text`, the content of `file`.
    ///
    /// @throws CannotRunException if it does not compile, after the compiler has printed the errors, or if it has
    ///     no main method
    static Compiled compile(Path file, byte[] text, List<Path> classPath, PrintStream messages) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        PrintWriter writer = new PrintWriter(messages, false, UTF_8);
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8);
                ClassKeeper keeper = new ClassKeeper(files)) {
            JavaFileObject source = new Source(file, new String(text, UTF_8));
            JavacTask task =
                    (JavacTask) compiler.getTask(writer, keeper, null, options(classPath), null, List.of(source));
            FirstClass first = new FirstClass(task, unit -> keeper.open(OtherSources.root(file, unit)));
            task.addTaskListener(first);
            boolean compiled = task.call();
            writer.flush();
            if (!compiled) {
                throw new CannotRunException(ExitCode.NOT_RUNNABLE);
            }
            return new Compiled(first.mainClass(file), keeper.classes, keeper.others(first.parsed));
        }
    }

    private static List<String> options(List<Path> classPath) {
        List<Path> modulePath = RuntimePath.own().modulePath();
        if (modulePath.isEmpty()) {
            modulePath = List.of(RuntimePath.core());
        }
        // Without kernels and other plug-ins: programs don't import them, and javac warns of an incubator module.
        String modules = ModuleFinder.of(modulePath.toArray(Path[]::new)).findAll().stream()
                .map(ModuleReference::descriptor)
                .filter(module -> module.exports().stream().anyMatch(exported -> !exported.isQualified()))
                .map(ModuleDescriptor::name)
                .collect(Collectors.joining(","));
        return List.of(
                "-g",
                "-proc:none",
                "-implicit:class",
                "-Xprefer:source",
                "-cp",
                joined(classPath),
                "-sourcepath",
                "",
                "--module-path",
                joined(modulePath),
                "--add-modules",
                modules);
    }

    private static String joined(List<Path> path) {
        return path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /// The source, under the name that the user typed.
    private static final class Source extends SimpleJavaFileObject {
        private final Path file;
        private final String text;

        Source(Path file, String text) {
            super(file.toUri(), Kind.SOURCE);
            this.file = file;
            // An empty line in place of the #! line keeps the line numbers.
            this.text = text.startsWith("#!") ? text.replaceFirst("\\A[^\r\n]*", "") : text;
        }

        @Override
        public String getName() {
            return file.toString();
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }

        @Override
        public boolean isNameCompatible(String simpleName, Kind kind) {
            return kind == Kind.SOURCE;
        }
    }

    /// Keeps class files in memory, and notes in which packages it has looked for other sources.
    private static final class ClassKeeper extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Map<String, ByteArrayOutputStream> classes = new TreeMap<>();
        private final Set<String> packages = new TreeSet<>();
        private @Nullable Path root;

        ClassKeeper(StandardJavaFileManager files) {
            super(files);
        }

        /// Opens the folder in which packages of other sources begin.
        void open(@Nullable Path sources) {
            root = sources;
            if (sources != null) {
                try {
                    fileManager.setLocationFromPaths(StandardLocation.SOURCE_PATH, List.of(sources));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        /// @param parsed all sources but the first
        OtherSources others(List<Path> parsed) {
            return root == null ? OtherSources.NONE : new OtherSources(root, packages, parsed);
        }

        @Override
        public Iterable<JavaFileObject> list(
                JavaFileManager.Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            if (location == StandardLocation.SOURCE_PATH) {
                packages.add(packageName);
            }
            return super.list(location, packageName, kinds, recurse);
        }

        /// The program is in no module, although it may lie beside the source of one.
        @Override
        public @Nullable JavaFileObject getJavaFileForInput(
                JavaFileManager.Location location, String className, JavaFileObject.Kind kind) throws IOException {
            return location == StandardLocation.SOURCE_PATH && className.equals("module-info")
                    ? null
                    : super.getJavaFileForInput(location, className, kind);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                JavaFileManager.Location location,
                String className,
                JavaFileObject.Kind kind,
                @Nullable FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("memory:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    classes.put(className, bytes);
                    return bytes;
                }
            };
        }
    }

    /// Finds the first class of the file, and whether it has a main method; lists the sources parsed after it.
    private static final class FirstClass implements TaskListener {
        private final JavacTask task;
        private final Consumer<CompilationUnitTree> atParsed;
        private final List<Path> parsed = new ArrayList<>();
        private boolean isParsed;
        private @Nullable String name;
        private boolean hasMain;

        FirstClass(JavacTask task, Consumer<CompilationUnitTree> atParsed) {
            this.task = task;
            this.atParsed = atParsed;
        }

        @Override
        public void finished(TaskEvent event) {
            if (event.getKind() == TaskEvent.Kind.PARSE && isParsed) {
                parsed.add(Path.of(event.getSourceFile().toUri()));
            } else if (event.getKind() == TaskEvent.Kind.PARSE) {
                isParsed = true;
                name = firstName(event.getCompilationUnit());
                atParsed.accept(event.getCompilationUnit());
            } else if (event.getKind() == TaskEvent.Kind.ANALYZE) {
                TypeElement type = event.getTypeElement();
                if (type.getQualifiedName().contentEquals(name == null ? "" : name)) {
                    hasMain = task.getElements().getAllMembers(type).stream().anyMatch(FirstClass::isMain);
                }
            }
        }

        private static @Nullable String firstName(CompilationUnitTree unit) {
            for (Tree tree : unit.getTypeDecls()) {
                if (tree instanceof ClassTree type) {
                    String simple = type.getSimpleName().toString();
                    return unit.getPackageName() == null ? simple : unit.getPackageName() + "." + simple;
                }
            }
            return null;
        }

        private static boolean isMain(Element member) {
            if (member.getKind() != ElementKind.METHOD
                    || !member.getSimpleName().contentEquals("main")
                    || member.getModifiers().contains(Modifier.PRIVATE)) {
                return false;
            }
            var parameters = ((ExecutableElement) member).getParameters();
            return parameters.isEmpty()
                    || (parameters.size() == 1
                            && parameters.getFirst().asType().toString().equals("java.lang.String[]"));
        }

        String mainClass(Path file) {
            if (name == null || !hasMain) {
                String what = name == null ? "no class" : "no main method in its first class, " + name;
                throw new CannotRunException(
                        ExitCode.NOT_RUNNABLE,
                        file + " has " + what + "; give it a method such as void main(String[] args)");
            }
            return name;
        }
    }
}
