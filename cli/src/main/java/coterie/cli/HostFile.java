// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import coterie.internal.launch.HostPlan;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A file with the hosts of a job, one in a line, as `mpirun` and schedulers write it.
///
/// | line | written by | of a name that comes again |
/// |---|---|---|
/// | `name`, once for each PE | PBS, OAR | counts again |
/// | `name:4` | MPICH | adds to the number |
/// | `name slots=4`, also with `max_slots`, `max-slots` | Open MPI | is an error |
/// | empty, or after `#` | people | |
final class HostFile {
    private static final String SLOTS = "slots=";

    private HostFile() {}

    /// Reads a file.
    ///
    /// @throws UsageException if it can't be read, or names no host, with the line that is none
    static List<HostPlan.Host> read(Path file) {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (CharacterCodingException e) {
            throw new UsageException("--hostfile " + file + ": it is no text in UTF-8");
        } catch (IOException e) {
            throw new UsageException("--hostfile " + file + ": can't read it: " + e);
        }
        List<HostPlan.Host> hosts = new ArrayList<>();
        Map<String, Integer> withSlots = new HashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceFirst("#.*", "").strip();
            if (!line.isEmpty()) {
                try {
                    HostPlan.Host host = host(line);
                    hosts.add(host);
                    checkOnce(host.name(), line.contains(SLOTS), i + 1, withSlots);
                } catch (IllegalArgumentException e) {
                    throw new UsageException("--hostfile " + file + ", line " + (i + 1) + ": " + e.getMessage());
                }
            }
        }
        if (hosts.isEmpty()) {
            throw new UsageException("--hostfile " + file + ": it names no host");
        }
        return HostPlan.merged(hosts);
    }

    /// The number of slots of a host is no number to add: Open MPI refuses a second line, too.
    private static void checkOnce(String name, boolean hasSlots, int line, Map<String, Integer> withSlots) {
        Integer before = hasSlots ? withSlots.put(name, line) : withSlots.get(name);
        if (before != null) {
            throw new IllegalArgumentException("\"" + name + "\" has its slots in line " + before + " already");
        }
    }

    private static HostPlan.Host host(String line) {
        String[] words = line.split("\\s+", -1);
        String slots = "";
        for (int i = 1; i < words.length; i++) {
            if (words[i].startsWith(SLOTS)) {
                slots = ":" + words[i].substring(SLOTS.length());
            } else if (!words[i].matches("max[-_]slots=[0-9]+")) {
                throw new IllegalArgumentException(
                        "\"" + words[i] + "\" is not slots=N; a line is NAME, NAME:N or NAME slots=N");
            }
        }
        if (!slots.isEmpty() && words[0].matches("[^:]*:[^:]*")) {
            throw new IllegalArgumentException("\"" + line + "\" has two numbers of PEs");
        }
        return HostPlan.Host.parse(words[0] + slots);
    }
}
