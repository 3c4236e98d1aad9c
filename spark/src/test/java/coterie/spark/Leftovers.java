// SPDX-License-Identifier: Apache-2.0
package coterie.spark;

import coterie.testing.Openings;
import coterie.testing.Patience;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What worlds could leave in a JVM.
///
/// @param openings listeners, sockets and files that others can open
/// @param mappedKibibytes the size of the address space
record Leftovers(List<String> openings, long mappedKibibytes) implements Serializable {

    /// Returns what is there, after the threads of earlier worlds have ended.
    static Leftovers here() throws IOException {
        Patience.until(
                "the end of the runtime's threads",
                () -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(each -> each.getName().startsWith("coterie-")));
        return new Leftovers(Openings.of(ProcessHandle.current().pid()), mappedHere());
    }

    private static long mappedHere() throws IOException {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmSize:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /// Waits until the address space is not larger than it was, but for some growth of the JVM itself.
    ///
    /// @param growth in KiB
    void awaitMappings(long growth) throws IOException {
        Patience.until("the end of the mappings", () -> {
            System.gc();
            return mappedHere() < mappedKibibytes + growth;
        });
    }
}
