// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.CoterieException;
import coterie.spi.PeJob;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The network devices that UCX may use where the user names none. Over TCP UCX listens on the address of each of its
/// devices: so it gets the one interface that connects the job's hosts, and the ports of cards with remote direct
/// memory access, on which it listens for no connection.
final class NetworkDevices {
    /// The user's list, in UCX's form.
    private static final String VARIABLE = "UCX_NET_DEVICES";

    private static final Path CARDS = Path.of("/sys/class/infiniband");

    private NetworkDevices() {}

    /// Returns the devices in the form of UCX_NET_DEVICES; empty if the user has set it, or the job does not know its
    /// network.
    static String of(PeJob job) {
        return System.getenv(VARIABLE) != null
                ? ""
                : job.hostAddress().map(NetworkDevices::at).orElse("");
    }

    /// @param address of this host
    static String at(InetAddress address) {
        try {
            NetworkInterface device = NetworkInterface.getByInetAddress(address);
            if (device == null) {
                throw new CoterieException(
                        "no interface of this host has the address " + address.getHostAddress() + "; set " + VARIABLE);
            }
            List<String> devices = cardPorts(CARDS);
            devices.addFirst(device.isVirtual() ? device.getParent().getName() : device.getName());
            return String.join(",", devices);
        } catch (IOException e) {
            throw new CoterieException(
                    "can't find the interface of " + address.getHostAddress() + "; set " + VARIABLE, e);
        }
    }

    /// Returns the ports of cards, such as mlx5_0:1.
    ///
    /// @param cards folder with a folder for each card
    static List<String> cardPorts(Path cards) throws IOException {
        List<String> ports = new ArrayList<>();
        if (Files.isDirectory(cards)) {
            try (DirectoryStream<Path> found = Files.newDirectoryStream(cards, "*")) {
                for (Path card : found) {
                    try (DirectoryStream<Path> numbers = Files.newDirectoryStream(card.resolve("ports"))) {
                        numbers.forEach(number -> ports.add(card.getFileName() + ":" + number.getFileName()));
                    }
                }
            }
        }
        Collections.sort(ports);
        return ports;
    }
}
