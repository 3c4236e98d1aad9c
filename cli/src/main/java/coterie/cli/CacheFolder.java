// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The user's cache folder for Coterie: `$XDG_CACHE_HOME/coterie`, by default `~/.cache/coterie`. If the user
/// can't write to it, a folder for temporary files that belongs to the user.
final class CacheFolder {
    private CacheFolder() {}

    /// Returns the folder, and creates it if it does not exist, with access for its owner only.
    ///
    /// @throws IOException if no folder can be written, or the temporary one belongs to another user
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

    private static Path openTemporary(@Nullable IOException cause) throws IOException {
        String user = System.getProperty("user.name");
        Path folder = Path.of(System.getProperty("java.io.tmpdir"), "coterie-cache-" + user);
        try {
            make(folder);
        } catch (IOException e) {
            if (cause != null) {
                e.addSuppressed(cause);
            }
            throw e;
        }
        // Another user may have created this name first.
        if (Files.isSymbolicLink(folder)
                || !Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).getName().equals(user)) {
            throw new IOException(
                    folder + " belongs to another user; set XDG_CACHE_HOME to a folder that you can write to");
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
