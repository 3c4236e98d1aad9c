// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.ArrayList;
import java.util.List;

/// The hosts of a job, and how the launcher reaches them.
///
/// @param hosts in the order of their PEs: the first has PE 0
/// @param remoteShell the words of the command that runs a command on a host, such as `ssh -p 22`; the host and
///     the words of the command follow
/// @param service the coordinator of the job
public record HostPlan(List<Host> hosts, List<String> remoteShell, JobService service) {
    /// One host.
    ///
    /// @param name as the remote shell takes it
    /// @param pes number of its PEs, positive
    public record Host(String name, int pes) {}

    /// Parses `a:4,b:4`: each name with its number of PEs.
    ///
    /// @throws IllegalArgumentException if the text is no such list
    public static List<Host> parse(String text) {
        List<Host> hosts = new ArrayList<>();
        for (String each : text.split(",", -1)) {
            int colon = each.lastIndexOf(':');
            String count = each.substring(colon + 1);
            if (colon < 1 || !count.matches("[1-9][0-9]{0,5}") || each.startsWith("-")) {
                throw new IllegalArgumentException("\"" + each + "\" is not NAME:N with a positive number N of PEs");
            }
            hosts.add(new Host(each.substring(0, colon), Integer.parseInt(count)));
        }
        return hosts;
    }

    /// Returns the number of PEs.
    public int pes() {
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
        return hosts.subList(0, host).stream().mapToInt(Host::pes).sum();
    }
}
