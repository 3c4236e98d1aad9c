// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The address that a coordinator listens on, from a text that can be the same on all hosts: an address or name of
/// this machine, a network such as `10.1.0.0/16` or `fd00:1::/64`, or a network interface such as `eth1`.
///
/// The JDK adds the name of the interface to each address of IPv6 that it finds at one, as in `fd00::7%eth1`. An
/// address that travels to another host must not have this zone, since names and numbers of interfaces differ from
/// host to host. Only an address of a link (`fe80::`) needs one, and so can't be that of a coordinator.
public final class ListenAddress {
    private ListenAddress() {}

    /// Returns the address of this machine that a text names.
    ///
    /// @param text such as `127.0.0.1`, `10.1.0.0/16` or `eth1`
    /// @throws IllegalArgumentException if this machine has no such address, or the address is one of a link
    public static InetAddress of(String text) {
        try {
            int slash = text.indexOf('/');
            if (slash > 0) {
                return inNetwork(text, slash);
            }
            NetworkInterface byName = NetworkInterface.getByName(text);
            if (byName != null) {
                return first(byName.inetAddresses().toList())
                        .orElseThrow(() -> refused(
                                text,
                                "the network interface has no address that other hosts reach without the name of their"
                                        + " interface",
                                null));
            }
            InetAddress address = InetAddress.getByName(text);
            if (!isLocal(address)) {
                throw refused(text, "the address is not one of this machine", null);
            }
            return first(List.of(address)).orElseThrow(() -> refused(text, ofLink(address), null));
        } catch (IOException e) {
            throw refused(text, "it is neither an address nor a network nor a network interface", e);
        }
    }

    /// Returns the first address of IPv4, else the first of IPv6 that is not one of a link, without its zone.
    static Optional<InetAddress> first(List<InetAddress> addresses) {
        return addresses.stream()
                .filter(each -> !(each instanceof Inet6Address))
                .findFirst()
                .or(() -> addresses.stream().filter(each -> !isOfLink(each)).findFirst())
                .map(ListenAddress::withoutZone);
    }

    /// Returns whether an address of IPv6 has a meaning on one link alone. One of IPv4 can be used without a zone.
    static boolean isOfLink(InetAddress address) {
        return address instanceof Inet6Address && address.isLinkLocalAddress();
    }

    /// Returns why an address of a link is refused.
    static String ofLink(InetAddress address) {
        return address.getHostAddress() + " is an address of one link, whose zone differs from host to host; take a"
                + " unique local (fd00::) or a global address";
    }

    /// Returns an address as other hosts can use it.
    static InetAddress withoutZone(InetAddress address) {
        try {
            return InetAddress.getByAddress(address.getAddress());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has the length of one", e);
        }
    }

    /// Returns whether this machine has an address.
    static boolean isLocal(InetAddress address) {
        try {
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            throw new UncheckedIOException("this system does not tell its addresses", e);
        }
    }

    private static InetAddress inNetwork(String text, int slash) throws IOException {
        byte[] network = InetAddress.getByName(text.substring(0, slash)).getAddress();
        String digits = text.substring(slash + 1);
        int bits = digits.matches("[0-9]{1,3}") ? Integer.parseInt(digits) : Integer.MAX_VALUE;
        if (bits > network.length * Byte.SIZE) {
            throw new UnknownHostException(text);
        }
        int dropped = network.length * Byte.SIZE - bits;
        BigInteger wanted = new BigInteger(1, network).shiftRight(dropped);
        for (InetAddress each : all()) {
            byte[] address = each.getAddress();
            if (address.length == network.length
                    && new BigInteger(1, address).shiftRight(dropped).equals(wanted)) {
                return first(List.of(each)).orElseThrow(() -> refused(text, ofLink(each), null));
            }
        }
        throw refused(text, "no address of this machine is in the network", null);
    }

    private static List<InetAddress> all() throws IOException {
        List<InetAddress> all = new ArrayList<>();
        for (NetworkInterface each : NetworkInterface.networkInterfaces().toList()) {
            each.inetAddresses().forEach(all::add);
        }
        return all;
    }

    private static IllegalArgumentException refused(String text, String why, @Nullable Throwable cause) {
        String known;
        try {
            known = all().stream().map(InetAddress::getHostAddress).sorted().collect(Collectors.joining(", "));
        } catch (IOException e) {
            known = "not known: " + e.getMessage();
        }
        return new IllegalArgumentException(
                "listen address \"" + text + "\": " + why + "; the addresses of this machine are " + known, cause);
    }
}
