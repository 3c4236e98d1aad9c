// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The module of the JDK's Vector API, which the kernels of coterie-vector need. A JVM loads it only if an
/// option asks for it, and then prints a warning on stderr.
final class VectorModule {
    /// The JVM's option that asks for the module.
    static final String OPTION = "--add-modules=jdk.incubator.vector";

    private static final String JAR = "coterie-vector*.jar";
    private static final Path CLASS = Path.of("coterie", "vector", "VectorProvider.class");
    private static final String NOTICE = "WARNING: Using incubator modules: jdk.incubator.vector\n";

    private VectorModule() {}

    /// Returns whether a JDK has the module. A JDK that was linked from selected modules lists them in its file
    /// `release`.
    static boolean isIn(Path java) {
        try {
            Path release = java.resolve("release");
            if (!Files.isReadable(release)) {
                return false;
            }
            String text = Files.readString(release);
            return !text.contains("MODULES=") || text.contains(" jdk.incubator.vector");
        } catch (IOException e) {
            throw new UncheckedIOException("reading what JDK " + java + " is", e);
        }
    }

    /// Returns whether an entry of a class path or module path has the kernels. The entry is their jar,
    /// recognised by its name, a folder of their classes, or a folder with their jar.
    static boolean isAt(Path entry) {
        Path file = entry.getFileName();
        if (file != null && file.toString().endsWith(".jar")) {
            return file.toString().startsWith("coterie-vector");
        }
        if (!Files.isDirectory(entry)) {
            return false;
        }
        if (Files.exists(entry.resolve(CLASS))) {
            return true;
        }
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(entry, JAR)) {
            return jars.iterator().hasNext();
        } catch (IOException e) {
            throw new UncheckedIOException("looking for coterie-vector in " + entry, e);
        }
    }

    static boolean isOn(List<Path> path) {
        for (Path entry : path) {
            if (isAt(entry)) {
                return true;
            }
        }
        return false;
    }

    /// Returns a target that drops the JVM's warning about the option.
    static LineTarget withoutNotice(LineTarget target) {
        return new NoticeFilter(NOTICE, target);
    }
}
