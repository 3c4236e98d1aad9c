// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import coterie.internal.launch.ExitCode;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// What PEs need of the runtime: its jar on their module path and those that make them faster, or this JVM's whole
/// class path where it was started without modules, as by a test.
///
/// @param modulePath the same for all programs, since start-up caches are keyed by it
/// @param classPath to come before the program's own
record RuntimePath(List<Path> modulePath, List<Path> classPath) {

    /// Of a program that knows the runtime alone.
    static RuntimePath own() {
        return Coterie.class.getModule().isNamed()
                ? new RuntimePath(coreAndMore(), List.of())
                : new RuntimePath(List.of(), split(System.getProperty("java.class.path", "")));
    }

    /// The runtime, and the jars in folder `pe` beside it: modules that only PEs can use, and that a launcher
    /// would start more slowly with.
    private static List<Path> coreAndMore() {
        Path core = core();
        List<Path> path = new ArrayList<>();
        path.add(core);
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(core.resolveSibling("pe"), "*.jar")) {
            jars.forEach(path::add);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return path; // nothing was put there
        } catch (IOException e) {
            throw new UncheckedIOException("looking for jars of PEs beside " + core, e);
        }
        path.subList(1, path.size()).sort(null);
        return path;
    }

    /// Of a module that lies beside the runtime: with it, and all that it requires from there.
    static RuntimePath of(String module) {
        RuntimePath own = own();
        if (own.modulePath().isEmpty()) {
            return own;
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
            throw new CannotRunException(ExitCode.NOT_FOUND, "can't find module " + module + " beside the runtime");
        }
        Set<Path> path = new LinkedHashSet<>(found.values());
        path.addAll(own.modulePath());
        return new RuntimePath(List.copyOf(path), List.of());
    }

    /// The jar or folder of module `coterie`.
    static Path core() {
        Module module = Coterie.class.getModule();
        try {
            URI place = module.isNamed()
                    ? module.getLayer()
                            .configuration()
                            .findModule(module.getName())
                            .flatMap(resolved -> resolved.reference().location())
                            .orElseThrow()
                    : Coterie.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI();
            return Path.of(place);
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the runtime's own place is no file", e);
        }
    }

    /// The entries of a path in the form of `-cp`; empty ones, which `java` takes for the current folder, are
    /// left out.
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
