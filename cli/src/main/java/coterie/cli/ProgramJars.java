// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/// What the jars of a program say that decides on its start-up cache.
///
/// @param withOthers a jar whose manifest names other jars, or null
/// @param usesVectors whether a class may use the JDK's Vector API
record ProgramJars(@Nullable Path withOthers, boolean usesVectors) {
    /// The API's package as class files write it, and as programs do that look a class up by its name.
    private static final List<String> VECTOR_API = List.of("jdk/incubator/vector", "jdk.incubator.vector");

    /// Reads all classes of these jars.
    static ProgramJars of(List<Path> jars) throws IOException {
        boolean usesVectors = false;
        for (Path path : jars) {
            try (JarFile jar = new JarFile(path.toFile(), false)) {
                Manifest manifest = jar.getManifest();
                if (manifest != null && manifest.getMainAttributes().containsKey(Attributes.Name.CLASS_PATH)) {
                    return new ProgramJars(path, usesVectors);
                }
                usesVectors |= usesVectors(jar);
            }
        }
        return new ProgramJars(null, usesVectors);
    }

    private static boolean usesVectors(JarFile jar) throws IOException {
        for (JarEntry entry : Collections.list(jar.entries())) {
            if (entry.getName().endsWith(".class")) {
                try (InputStream in = jar.getInputStream(entry)) {
                    String bytes = new String(in.readAllBytes(), ISO_8859_1);
                    if (VECTOR_API.stream().anyMatch(bytes::contains)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
