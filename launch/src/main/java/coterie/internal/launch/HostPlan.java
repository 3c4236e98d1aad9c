// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The hosts of a job, and how the launcher reaches them.
///
/// @param hosts in the order of their PEs: the first has PE 0
/// @param remoteShell the words of the command that runs a command on a host, such as `ssh -p 22`; the host and
///     the words of the command follow
/// @param staging what is copied to each host
/// @param service the coordinator of the job
public record HostPlan(List<Host> hosts, List<String> remoteShell, HostStaging staging, JobService service) {
    /// One host.
    ///
    /// @param name as the remote shell takes it
    /// @param pes number of its PEs, positive
    public record Host(String name, int pes) {
        private static final String NUMBER = "[1-9][0-9]{0,5}";

        /// An address of IPv6 in brackets, and what follows.
        private static final Pattern BRACKETS = Pattern.compile("\\[([^\\[\\]]*:[^\\[\\]]*)](?::(.*))?");

        /// Parses `a:4`, or `a` for one PE. An address of IPv6 is in brackets, or has the number.
        ///
        /// @throws IllegalArgumentException if the text is neither
        public static Host parse(String text) {
            int colon = text.lastIndexOf(':');
            String name = colon < 0 ? text : text.substring(0, colon);
            String count = colon < 0 ? "1" : text.substring(colon + 1);
            Matcher address = BRACKETS.matcher(text);
            if (address.matches()) {
                name = address.group(1); // remote shells take no brackets
                count = address.group(2) == null ? "1" : address.group(2);
            }
            if (name.isEmpty() || name.startsWith("-") || name.endsWith(":") || !count.matches(NUMBER)) {
                throw new IllegalArgumentException("\"" + text + "\" is not NAME or NAME:N with a positive number N of"
                        + " PEs; an address of IPv6 is in brackets");
            }
            return new Host(name, Integer.parseInt(count));
        }
    }

    /// Parses `a:4,b:4`: each name with its number of PEs, 1 without a number. Numbers of a name that comes more than
    /// once add up.
    ///
    /// @throws IllegalArgumentException if the text is no such list
    public static List<Host> parse(String text) {
        List<Host> hosts = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            hosts.add(Host.parse(each));
        }
        return merged(hosts);
    }

    /// Returns each host once, where it comes first, with all its PEs.
    public static List<Host> merged(List<Host> hosts) {
        Map<String, Integer> pes = new LinkedHashMap<>();
        hosts.forEach(each -> pes.merge(each.name, each.pes, Integer::sum));
        return pes.entrySet().stream()
                .map(each -> new Host(each.getKey(), each.getValue()))
                .toList();
    }

    /// Returns the hosts of the first PEs, filled one after another.
    ///
    /// @param pes at most as many as the hosts have together
    public static List<Host> first(List<Host> hosts, int pes) {
        List<Host> used = new ArrayList<>();
        int left = pes;
        for (Host each : hosts) {
            if (left > 0) {
                used.add(new Host(each.name, Math.min(left, each.pes)));
                left -= each.pes;
            }
        }
        return used;
    }

    /// Returns the number of PEs.
    public int pes() {
        return pes(hosts);
    }

    /// Returns the number of PEs of hosts.
    public static int pes(List<Host> hosts) {
        return hosts.stream().mapToInt(Host::pes).sum();
    }

    /// Returns, per PE, the number of its host.
    public static List<Integer> nodes(List<Host> hosts) {
        List<Integer> nodes = new ArrayList<>();
        for (int host = 0; host < hosts.size(); host++) {
            for (int i = 0; i < hosts.get(host).pes; i++) {
                nodes.add(host);
            }
        }
        return nodes;
    }

    /// Returns the first PE of a host.
    int firstPe(int host) {
        return pes(hosts.subList(0, host));
    }
}
