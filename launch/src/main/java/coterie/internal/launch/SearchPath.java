// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Class paths and module paths in the notation of the JVM: entries with colons between them. Empty entries have
/// no meaning.
final class SearchPath {
    private SearchPath() {}

    static List<Path> parse(String text) {
        List<Path> entries = new ArrayList<>();
        for (String entry : text.split(File.pathSeparator, -1)) {
            if (!entry.isEmpty()) {
                entries.add(Path.of(entry));
            }
        }
        return entries;
    }

    static String format(List<Path> entries) {
        StringBuilder text = new StringBuilder();
        for (Path entry : entries) {
            text.append(text.isEmpty() ? "" : File.pathSeparator).append(entry);
        }
        return text.toString();
    }
}
