// SPDX-License-Identifier: Apache-2.0
package coterie.internal.posix;

import java.util.ArrayList;
import java.util.List;

/// A control group that this process is in, or one above it, as far as its memory goes.
///
/// @param folder where it shows itself
/// @param limitBytes the most its processes may have together; [Long#MAX_VALUE] for no limit
/// @param usedBytes what they have now; 0 where that can't be read
public record ControlGroup(String folder, long limitBytes, long usedBytes) {
    private static final String ROOT = "/sys/fs/cgroup";

    /// All groups of this process that limit its memory, the nearest first, in either version of the hierarchy.
    public static List<ControlGroup> thatLimit() {
        List<ControlGroup> groups = new ArrayList<>();
        String table = ProcFile.text("/proc/self/cgroup");
        for (int begin = 0, end; (end = table.indexOf('\n', begin)) >= 0; begin = end + 1) {
            String line = table.substring(begin, end);
            int controllers = line.indexOf(':') + 1;
            int path = line.indexOf(':', controllers) + 1;
            if (line.startsWith("0::")) {
                addAll(groups, ROOT, line.substring(path), "/memory.max", "/memory.current");
            } else if (line.startsWith("memory:", controllers)) {
                String root = ROOT.concat("/memory");
                addAll(groups, root, line.substring(path), "/memory.limit_in_bytes", "/memory.usage_in_bytes");
            }
        }
        return groups;
    }

    /// A container may show its own group as the root: the path then leads nowhere, but its parents do.
    private static void addAll(List<ControlGroup> groups, String root, String group, String limit, String usage) {
        for (String path = group.equals("/") ? "" : group; ; path = path.substring(0, path.lastIndexOf('/'))) {
            String folder = root.concat(path);
            long limitBytes = number(folder.concat(limit), Long.MAX_VALUE);
            if (limitBytes != Long.MAX_VALUE) {
                groups.add(new ControlGroup(folder, limitBytes, number(folder.concat(usage), 0)));
            }
            if (path.lastIndexOf('/') < 0) {
                return;
            }
        }
    }

    private static long number(String file, long otherwise) {
        String text = ProcFile.text(file).trim();
        return text.isEmpty() || text.equals("max") ? otherwise : Long.parseLong(text);
    }
}
