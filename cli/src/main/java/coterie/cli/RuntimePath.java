// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.Coterie;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Where the runtime's own jars are: this JVM's module path, or its class path where it was started without modules.
///
/// @param modulePath for PEs; the same text as the launcher's own, since start-up caches are keyed by it
/// @param classPath for PEs, before the program's own
record RuntimePath(List<Path> modulePath, List<Path> classPath) {

    /// That of this JVM.
    static RuntimePath own() {
        String modules = System.getProperty("jdk.module.path");
        if (modules != null && Coterie.class.getModule().isNamed()) {
            return new RuntimePath(split(modules), List.of());
        }
        return new RuntimePath(List.of(), split(System.getProperty("java.class.path", "")));
    }

    /// The entries of a path in the form of `-cp`; empty ones, which `java` takes for the current folder, are left out.
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

    /// The jar or folder of module `coterie` itself.
    static Path ofCore() {
        try {
            return Path.of(Coterie.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException("the runtime's own place is no file", e);
        }
    }
}
