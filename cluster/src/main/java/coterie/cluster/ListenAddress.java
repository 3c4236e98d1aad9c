// SPDX-License-Identifier: Apache-2.0
package coterie.cluster;

import java.io.IOException;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The address that a coordinator listens on, from a text that can be the same on all hosts: an address or name of
/// this machine, a network such as `10.1.0.0/16`, or a network interface such as `eth1`.
public final class ListenAddress {
    private ListenAddress() {}

    /// Returns the address of this machine that a text names.
    ///
    /// @param text such as `127.0.0.1`, `10.1.0.0/16` or `eth1`
    /// @throws IllegalArgumentException if this machine has no such address
    public static InetAddress of(String text) {
        try {
            int slash = text.indexOf('/');
            if (slash > 0) {
                return inNetwork(text, slash);
            }
            NetworkInterface byName = NetworkInterface.getByName(text);
            if (byName != null) {
                List<InetAddress> addresses = byName.inetAddresses().toList();
                return addresses.stream()
                        .filter(each -> each.getAddress().length == Integer.BYTES)
                        .findFirst()
                        .or(() -> addresses.stream().findFirst())
                        .orElseThrow(() -> refused(text, "the network interface has no address", null));
            }
            InetAddress address = InetAddress.getByName(text);
            if (NetworkInterface.getByInetAddress(address) == null && !address.isLoopbackAddress()) {
                throw refused(text, "the address is not one of this machine", null);
            }
            return address;
        } catch (IOException e) {
            throw refused(text, "it is neither an address nor a network nor a network interface", e);
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
                return each;
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
