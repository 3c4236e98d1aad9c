// SPDX-License-Identifier: Apache-2.0

package coterie.testing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Hosts made of network namespaces: each has an address in 10.77.0.0/16, or one of IPv6 alone, on a bridge of a
/// namespace of its own. Needs root and `ip`: see [Tool#NETWORK_NAMESPACES].
public final class NetworkNamespaces implements AutoCloseable {
    /// The network of hosts with IPv4.
    public static final String NETWORK = "10.77.0.0/16";

    /// The network of hosts with IPv6 alone.
    public static final String NETWORK_IPV6 = "fd00:77::/64";

    private final String prefix = "co" + ProcessHandle.current().pid() + "-" + System.nanoTime() % 1000;
    private final int hosts;
    private final String network;

    /// Makes hosts with IPv4, and no address of IPv6 but those of the link.
    ///
    /// @throws IOException with the reason if this machine can't make them
    public NetworkNamespaces(int hosts) throws IOException {
        this(hosts, NETWORK);
    }

    /// Makes hosts with IPv6 alone.
    ///
    /// @throws IOException with the reason if this machine can't make them
    public static NetworkNamespaces ofIpv6(int hosts) throws IOException {
        return new NetworkNamespaces(hosts, NETWORK_IPV6);
    }

    private NetworkNamespaces(int hosts, String network) throws IOException {
        this.hosts = hosts;
        this.network = network;
        boolean isMade = false;
        try {
            ip("netns add " + prefix);
            ip("-n " + prefix + " link add bridge type bridge");
            ip("-n " + prefix + " link set bridge up");
            for (int host = 0; host < hosts; host++) {
                String name = name(host);
                ip("netns add " + name);
                ip("-n " + name + " link set lo up");
                ip("-n " + name + " link add eth type veth peer name port" + host + " netns " + prefix);
                addAddress(host);
                ip("-n " + name + " link set eth up");
                ip("-n " + prefix + " link set port" + host + " master bridge up");
            }
            isMade = true;
        } finally {
            if (!isMade) {
                close();
            }
        }
    }

    /// Returns how many hosts there are.
    public int hosts() {
        return hosts;
    }

    /// Returns the network of the hosts, such as `10.77.0.0/16`.
    public String network() {
        return network;
    }

    /// Returns the address of a host.
    public String address(int host) {
        return network.equals(NETWORK_IPV6) ? "fd00:77::" + (host + 1) : "10.77.0." + (host + 1);
    }

    /// The kernel would wait a second for another host with the same address of IPv6.
    private void addAddress(int host) throws IOException {
        String length = network.substring(network.indexOf('/'));
        String check = network.equals(NETWORK_IPV6) ? " nodad" : "";
        ip("-n " + name(host) + " addr add " + address(host) + length + " dev eth" + check);
    }

    /// Returns the name of a host's namespace.
    public String name(int host) {
        return prefix + "-" + host;
    }

    /// Cuts the cable of a host.
    public void cut(int host) throws IOException {
        ip("-n " + prefix + " link set port" + host + " down");
    }

    /// Mends the cable of a host.
    public void mend(int host) throws IOException {
        ip("-n " + prefix + " link set port" + host + " up");
    }

    /// Replaces the cable of a host by two devices of this process's namespace: one for the host, one for the bridge.
    public void replaceCable(int host, String ofHost, String ofBridge) throws IOException {
        String name = name(host);
        ip("-n " + name + " link delete eth");
        ip("link set " + ofHost + " netns " + name);
        ip("-n " + name + " link set " + ofHost + " name eth");
        addAddress(host);
        ip("-n " + name + " link set eth up");
        ip("link set " + ofBridge + " netns " + prefix);
        ip("-n " + prefix + " link set " + ofBridge + " name port" + host);
        ip("-n " + prefix + " link set port" + host + " master bridge up");
    }

    /// Removes both ends of a host's cable.
    public void removeCable(int host) throws IOException {
        ip("-n " + name(host) + " link delete eth");
        ip("-n " + prefix + " link delete port" + host);
    }

    /// Returns the bytes that a host has received from its cable.
    public long receivedBytes(int host) throws IOException {
        return Long.parseLong(
                run(List.of("ip", "netns", "exec", name(host), "cat", "/sys/class/net/eth/statistics/rx_bytes"))
                        .strip());
    }

    private static void ip(String words) throws IOException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(words.split(" ")));
        run(command);
    }

    private static String run(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.onExit().join().exitValue() != 0) {
            throw new IOException(String.join(" ", command) + ": " + output.strip());
        }
        return output;
    }

    /// Removes what exists of the namespaces; devices go with them.
    @Override
    public void close() throws IOException {
        String existing = run(List.of("ip", "netns", "list"));
        for (int host = 0; host < hosts; host++) {
            if (existing.contains(name(host))) {
                ip("netns delete " + name(host));
            }
        }
        if (existing.contains(prefix)) {
            ip("netns delete " + prefix);
        }
    }
}
