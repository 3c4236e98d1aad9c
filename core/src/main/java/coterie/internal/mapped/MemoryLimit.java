// SPDX-License-Identifier: Apache-2.0
package coterie.internal.mapped;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// How much memory this process may still get: the machine's, and that of each control group above it. Asked before
/// pages are reserved, because the kernel answers too late, by killing.
///
/// @param availableBytes what is left
/// @param source the limit's name and figures, for messages
record MemoryLimit(long availableBytes, String source) {
    private static final Path CGROUPS = Path.of("/sys/fs/cgroup");

    /// The tightest limit that can be read; a limit that can't be read doesn't count.
    static MemoryLimit tightest() {
        MemoryLimit tightest = machine();
        for (Path group : controlGroups()) {
            MemoryLimit limit = ofGroup(group);
            if (limit != null && limit.availableBytes < tightest.availableBytes) {
                tightest = limit;
            }
        }
        return tightest;
    }

    private static MemoryLimit machine() {
        try {
            for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
                if (line.startsWith("MemAvailable:")) {
                    long bytes = 1024 * Long.parseLong(line.replaceAll("[^0-9]", ""));
                    return new MemoryLimit(bytes, "the machine has " + mebibytes(bytes) + " available");
                }
            }
        } catch (IOException e) {
            return unlimited("/proc/meminfo can't be read: " + e.getMessage());
        }
        return unlimited("/proc/meminfo has no MemAvailable");
    }

    private static MemoryLimit unlimited(String why) {
        return new MemoryLimit(Long.MAX_VALUE, why);
    }

    /// This process's group and all above it, in either version of the hierarchy.
    private static List<Path> controlGroups() {
        List<Path> groups = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
                String[] parts = line.split(":", 3);
                boolean unified = parts[1].isEmpty();
                if (unified || List.of(parts[1].split(",")).contains("memory")) {
                    Path root = unified ? CGROUPS : CGROUPS.resolve("memory");
                    Path group = root.resolve(parts[2].substring(1));
                    // A container may show its own group as the root: then the path leads nowhere, its parents do.
                    for (; group != null && group.startsWith(root); group = group.getParent()) {
                        groups.add(group);
                    }
                }
            }
        } catch (IOException e) {
            return List.of();
        }
        return groups;
    }

    private static @Nullable MemoryLimit ofGroup(Path group) {
        Long most = firstOf(group.resolve("memory.max"), group.resolve("memory.limit_in_bytes"));
        Long used = firstOf(group.resolve("memory.current"), group.resolve("memory.usage_in_bytes"));
        if (most == null || used == null) {
            return null;
        }
        return new MemoryLimit(
                Math.max(0, most - used),
                "control group " + group + " is limited to " + mebibytes(most) + " and uses " + mebibytes(used));
    }

    /// The number in the one of these files that exists: the hierarchies name them differently. Null for no limit.
    private static @Nullable Long firstOf(Path... files) {
        for (Path file : files) {
            if (Files.isReadable(file)) {
                try {
                    String text = Files.readString(file).strip();
                    return text.equals("max") ? null : Long.valueOf(text);
                } catch (IOException | NumberFormatException e) {
                    return null;
                }
            }
        }
        return null;
    }

    static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%.1f MiB", bytes / (double) (1 << 20));
    }
}
