// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/// What a [HostStaging] has copied to this host. At the end of the job the copies go; files that the job has written
/// beside them stay.
final class StagedFolder {
    private final Path folder;
    private final Set<Path> copies;

    /// Takes note of the copies, before the job writes anything. Makes the folder in which the job works.
    ///
    /// @param folder of [HostStaging#folder]
    StagedFolder(Path folder, Path work) throws IOException {
        Files.createDirectories(work);
        this.folder = folder;
        this.copies = new HashSet<>(content());
    }

    private List<Path> content() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.sorted(Comparator.reverseOrder()).toList();
        }
    }

    /// Removes the copies, and folders that are empty then. Returns what stays: files that the job has written.
    List<Path> remove() throws IOException {
        List<Path> all = content();
        for (Path each : all) {
            if (Files.isDirectory(each) ? isEmpty(each) : copies.contains(each)) {
                Files.delete(each);
            }
        }
        return all.stream().filter(Files::isRegularFile).toList();
    }

    private static boolean isEmpty(Path folder) throws IOException {
        try (Stream<Path> content = Files.list(folder)) {
            return content.findAny().isEmpty();
        }
    }
}
