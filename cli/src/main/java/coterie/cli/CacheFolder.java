// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The user's cache folder for Coterie: `$XDG_CACHE_HOME/coterie`, `~/.cache/coterie`, or, where neither can be
/// written, a folder of the user's own among the temporary files.
final class CacheFolder {
    private CacheFolder() {}

    /// The folder, made if need be; only its owner can look into it.
    ///
    /// @throws IOException if there is none that can be written, or the one found is not the user's own
    static Path open(Map<String, String> environment) throws IOException {
        Path preferred = preferred(environment);
        if (preferred != null) {
            if (Files.isWritable(preferred)) {
                return preferred;
            }
            try {
                return make(preferred);
            } catch (IOException e) {
                return openTemporary(e);
            }
        }
        return openTemporary(null);
    }

    private static @Nullable Path preferred(Map<String, String> environment) {
        String cache = environment.get("XDG_CACHE_HOME");
        if (cache != null && cache.startsWith("/")) {
            return Path.of(cache, "coterie");
        }
        String home = environment.get("HOME");
        return home != null && home.startsWith("/") ? Path.of(home, ".cache", "coterie") : null;
    }

    private static Path openTemporary(@Nullable IOException why) throws IOException {
        String user = System.getProperty("user.name");
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "coterie-cache-" + user);
        try {
            make(folder);
        } catch (IOException e) {
            if (why != null) {
                e.addSuppressed(why);
            }
            throw e;
        }
        // Others may make names here before we do.
        if (Files.isSymbolicLink(folder)
                || !Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName().equals(user)) {
            throw new IOException(folder + " belongs to somebody else; set XDG_CACHE_HOME to a folder of yours");
        }
        return folder;
    }

    private static Path make(Path folder) throws IOException {
        Path parent = folder.getParent();
        if (parent != null) {
            Files.createDirectories(parent);
        }
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            try {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } catch (IOException e) {
                if (!Files.isDirectory(folder)) {
                    throw e;
                }
            }
        }
        return folder;
    }
}
