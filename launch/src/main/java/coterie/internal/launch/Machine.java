// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import coterie.CoterieException;
import coterie.internal.mapped.MemoryLimit;
import coterie.internal.posix.MachineMemory;
import coterie.internal.posix.ProcFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// What this process may use of the machine, from `/proc` and `/sys`; see [MachineMemory].
public final class Machine {
    private Machine() {}

    /// Returns the memory of the machine in bytes, or the limit of a control group if this is less.
    public static long memoryBytes() {
        return MachineMemory.bytes();
    }

    /// Returns how much of it is left, in bytes.
    public static long availableBytes() {
        return MemoryLimit.tightest().availableBytes();
    }

    /// Returns the processors of each PE under a binding other than [CpuBinding#NONE]. Processors or nodes go to
    /// the PEs in turn, and a PE shares them if there are more PEs.
    static List<BitSet> processors(CpuBinding binding, int pes) {
        BitSet allowed = allowedProcessors();
        List<BitSet> places = binding == CpuBinding.CORE ? single(allowed) : nodes(allowed);
        List<BitSet> chosen = new ArrayList<>(pes);
        for (int pe = 0; pe < pes; pe++) {
            chosen.add(places.get(pe % places.size()));
        }
        return chosen;
    }

    private static BitSet allowedProcessors() {
        String key = "Cpus_allowed_list:";
        String status = ProcFile.text("/proc/self/status");
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
        BitSet online = parseProcessors(ProcFile.text(folder.concat("online")).trim());
        List<BitSet> places = new ArrayList<>();
        for (int node = online.nextSetBit(0); node >= 0; node = online.nextSetBit(node + 1)) {
            BitSet cpus = parseProcessors(
                    ProcFile.text(folder + "node" + node + "/cpulist").trim());
            cpus.and(allowed);
            if (!cpus.isEmpty()) {
                places.add(cpus);
            }
        }
        if (places.isEmpty()) {
            places.add(allowed); // a kernel without NUMA: all processors are one node
        }
        return places;
    }

    /// Parses the kernel's notation for sets of numbers, such as `0-3,8`.
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

    /// Formats a set of numbers in the notation that [#parseProcessors] reads.
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
}
