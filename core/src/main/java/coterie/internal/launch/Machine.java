// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// What this process may use of the machine, read from `/proc` and `/sys`: the JDK's bean for it costs a launcher more
/// time than starting a PE does.
final class Machine {
    private static final String CGROUPS = "/sys/fs/cgroup";

    private Machine() {}

    /// Memory in bytes: what is installed, or less where a cgroup limits it.
    static long memoryBytes() {
        long least = 1024 * kibibytes(text("/proc/meminfo"), "MemTotal:");
        for (String line : text("/proc/self/cgroup").split("\n", -1)) {
            String[] parts = line.split(":", 3); // hierarchy, its controllers, this process's group
            if (parts.length == 3 && parts[1].isEmpty()) {
                least = Math.min(least, leastLimit(CGROUPS, parts[2], "/memory.max"));
            } else if (parts.length == 3 && ",".concat(parts[1]).contains(",memory")) {
                least = Math.min(least, leastLimit(CGROUPS.concat("/memory"), parts[2], "/memory.limit_in_bytes"));
            }
        }
        return least;
    }

    private static long kibibytes(String table, String key) {
        int at = table.indexOf(key);
        int end = table.indexOf(" kB", at);
        if (at < 0 || end < 0) {
            throw new CoterieException("reading this machine's memory: /proc/meminfo has no " + key);
        }
        return Long.parseLong(table.substring(at + key.length(), end).trim());
    }

    /// The least of a cgroup's own limit and those of the groups above it, as far as they can be seen from here.
    private static long leastLimit(String root, String group, String file) {
        long least = Long.MAX_VALUE;
        for (String path = group.equals("/") ? "" : group; ; path = path.substring(0, path.lastIndexOf('/'))) {
            String limit = text(root.concat(path).concat(file)).trim();
            if (!limit.isEmpty() && !limit.equals("max")) {
                least = Math.min(least, Long.parseLong(limit));
            }
            if (path.lastIndexOf('/') < 0) {
                return least;
            }
        }
    }

    /// The processors of each PE under a binding other than [Binding#NONE]; PEs take turns.
    static List<BitSet> processors(Binding binding, int pes) {
        BitSet allowed = allowedProcessors();
        List<BitSet> places = binding == Binding.CORE ? single(allowed) : nodes(allowed);
        List<BitSet> chosen = new ArrayList<>(pes);
        for (int pe = 0; pe < pes; pe++) {
            chosen.add(places.get(pe % places.size()));
        }
        return chosen;
    }

    private static BitSet allowedProcessors() {
        String key = "Cpus_allowed_list:";
        String status = text("/proc/self/status");
        int at = status.indexOf(key);
        if (at < 0) {
            throw new CoterieException("binding PEs: /proc/self/status has no " + key + " use --bind none");
        }
        return parseProcessors(
                status.substring(at + key.length(), status.indexOf('\n', at)).trim());
    }

    private static List<BitSet> single(BitSet allowed) {
        List<BitSet> places = new ArrayList<>();
        for (int cpu = allowed.nextSetBit(0); cpu >= 0; cpu = allowed.nextSetBit(cpu + 1)) {
            BitSet one = new BitSet();
            one.set(cpu);
            places.add(one);
        }
        return places;
    }

    private static List<BitSet> nodes(BitSet allowed) {
        String folder = "/sys/devices/system/node/";
        BitSet online = parseProcessors(text(folder.concat("online")).trim());
        List<BitSet> places = new ArrayList<>();
        for (int node = online.nextSetBit(0); node >= 0; node = online.nextSetBit(node + 1)) {
            BitSet cpus = parseProcessors(text(folder + "node" + node + "/cpulist").trim());
            cpus.and(allowed);
            if (!cpus.isEmpty()) {
                places.add(cpus);
            }
        }
        if (places.isEmpty()) {
            places.add(allowed); // a kernel without NUMA: one node with everything
        }
        return places;
    }

    /// Reads the kernel's notation for sets of numbers, such as `0-3,8`.
    static BitSet parseProcessors(String list) {
        BitSet set = new BitSet();
        for (String range : list.split(",", -1)) {
            if (!range.isEmpty()) {
                int dash = range.indexOf('-');
                int first = Integer.parseInt(dash < 0 ? range : range.substring(0, dash));
                int last = dash < 0 ? first : Integer.parseInt(range.substring(dash + 1));
                set.set(first, last + 1);
            }
        }
        return set;
    }

    /// Writes a set of numbers as [#parseProcessors] reads it.
    static String formatProcessors(BitSet set) {
        StringBuilder list = new StringBuilder();
        for (int first = set.nextSetBit(0); first >= 0; ) {
            int end = set.nextClearBit(first);
            list.append(list.isEmpty() ? "" : ",").append(first);
            if (end > first + 1) {
                list.append('-').append(end - 1);
            }
            first = set.nextSetBit(end);
        }
        return list.toString();
    }

    /// A small file of the kernel's, or nothing where there is none.
    static String text(String path) {
        try (FileInputStream in = new FileInputStream(path)) {
            return new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
        } catch (FileNotFoundException e) {
            return "";
        } catch (IOException e) {
            throw new CoterieException("reading ".concat(path), e);
        }
    }
}
