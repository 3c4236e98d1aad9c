// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import coterie.internal.launch.ExitCode;
import coterie.internal.launch.Job;
import coterie.internal.launch.JobSpec;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The part of the runtime that PEs load: the runtime's jar and the jars that make PEs faster, as modules. If this
/// JVM was started without modules, such as by a test, it is this JVM's whole class path.
///
/// @param modulePath for programs that are modules, or need some
/// @param classPath entries to put before the program's class path
record RuntimePath(List<Path> modulePath, List<Path> classPath) {

    /// Returns the path for a program that needs the runtime only.
    static RuntimePath own() {
        return Coterie.class.getModule().isNamed()
                ? new RuntimePath(coreAndMore(), List.of())
                : new RuntimePath(List.of(), split(System.getProperty("java.class.path", "")));
    }

    /// Returns the runtime and the jars in the folder `pe` beside it. Launchers use none of these modules but their
    /// own and the diagnosis, which they have in another folder, and would start more slowly with all of them.
    private static List<Path> coreAndMore() {
        Path core = core();
        List<Path> path = new ArrayList<>();
        path.add(core);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(core.resolveSibling("pe"), "*.jar")) {
            jars.forEach(path::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            path.add(location(Job.class)); // no such jars are installed
            return path;
        } catch (IOException e) {
            throw new UncheckedIOException("looking for jars of PEs beside " + core, e);
        }
        path.subList(1, path.size()).sort(null);
        return path;
    }

    /// Returns a program on the class path, with the runtime in front: a JVM starts in a third of the time if it has
    /// no modules to resolve.
    JobSpec.Program program(String mainClass, List<Path> programPath, List<String> arguments) {
        List<Path> jars = new ArrayList<>(modulePath);
        jars.addAll(classPath);
        return new JobSpec.Program(mainClass, null, jars, programPath, List.of(), arguments);
    }

    /// Returns the jars of a module in the runtime's folder, and of the modules that it requires from this folder,
    /// without those that all PEs have. If this JVM was started without modules, all PEs have all.
    static List<Path> jarsOf(String module) {
        RuntimePath own = own();
        if (own.modulePath().isEmpty()) {
            return List.of();
        }
        ModuleFinder finder =
                ModuleFinder.of(split(System.getProperty("jdk.module.path", "")).toArray(Path[]::new));
        Map<String, Path> found = new LinkedHashMap<>();
        Deque<String> wanted = new ArrayDeque<>(List.of(module));
        while (!wanted.isEmpty()) {
            String name = wanted.remove();
            ModuleReference reference = finder.find(name).orElse(null);
            if (reference != null && !found.containsKey(name)) {
                found.put(name, Path.of(reference.location().orElseThrow()));
                reference.descriptor().requires().stream()
                        .map(ModuleDescriptor.Requires::name)
                        .forEach(wanted::add);
            }
        }
        if (!found.containsKey(module)) {
            throw new CannotRunException(
                    ExitCode.NOT_FOUND, "can't find module " + module + " in the folder of the runtime");
        }
        List<Path> jars = new ArrayList<>(found.values());
        jars.removeAll(own.modulePath());
        return jars;
    }

    /// Returns the jar or folder of module `coterie`.
    static Path core() {
        return location(Coterie.class);
    }

    private static Path location(Class<?> type) {
        Module module = type.getModule();
        try {
            URI location = module.isNamed()
                    ? module.getLayer()
                            .configuration()
                            .findModule(module.getName())
                            .flatMap(resolved -> resolved.reference().location())
                            .orElseThrow()
                    : type.getProtectionDomain().getCodeSource().getLocation().toURI();
            return Path.of(location);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the location of the runtime is not a file", e);
        }
    }

    /// Returns the entries of a path in the form of `-cp`, without empty entries, which `java` takes for the
    /// current folder.
    static List<Path> split(String path) {
        List<Path> entries = new ArrayList<>();
        for (int from = 0; from <= path.length(); ) {
            int end = path.indexOf(File.pathSeparatorChar, from);
            if (end < 0) {
                end = path.length();
            }
            if (end > from) {
                entries.add(Path.of(path.substring(from, end)));
            }
            from = end + 1;
        }
        return entries;
    }
}
