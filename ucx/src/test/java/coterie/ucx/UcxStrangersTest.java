// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.World;
import coterie.junit.SpmdMode;
import coterie.junit.SpmdTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/// Strangers at the ports on which UCX listens in a PE.
class UcxStrangersTest {
    private static final int SCANS = 300;
    private static final int HELD = 50;
    private static final int NOISE_BYTES = 100_000_000;
    private static final String LISTENING = "0A";

    @SpmdTest(pes = 2, modes = SpmdMode.PROCESSES, timeoutSeconds = 120)
    @DisplayName("a port scan, 100 MB of noise and connections that stay open change nothing, and the job runs on")
    void strangers(World world) throws IOException {
        try (SymmetricMemory memory = world.allocate(16)) {
            world.team().barrier();
            if (world.pe() == 0) {
                List<InetSocketAddress> places = listening();
                assertThat(places).isNotEmpty();
                int round = 0;
                for (InetSocketAddress place : places) {
                    scan(place);
                    assertThat(memory.longs().getAndAdd(0, 1, 1)).isEqualTo(round++);
                }
                noise(places);
                assertThat(memory.longs().getAndAdd(0, 1, 1)).isEqualTo(round++);
                List<Socket> held = new ArrayList<>();
                try {
                    for (int i = 0; i < HELD; i++) {
                        held.add(connect(places.get(i % places.size())));
                        held.getLast().getOutputStream().write(i);
                    }
                    assertThat(memory.longs().getAndAdd(0, 1, 1)).isEqualTo(round++);
                    memory.longs().put(1, round, 1);
                    world.context().quiet();
                    assertThat(memory.longs().get(1, 1)).isEqualTo(round);
                } finally {
                    for (Socket each : held) {
                        each.close();
                    }
                }
            }
            world.team().barrier();
            assertThat(memory.longs().get(0)).isEqualTo(memory.longs().get(1));
        }
    }

    private static Socket connect(InetSocketAddress place) throws IOException {
        Socket socket = new Socket();
        socket.connect(place);
        return socket;
    }

    private static void scan(InetSocketAddress place) throws IOException {
        for (int i = 0; i < SCANS; i++) {
            try (Socket socket = connect(place)) {
                socket.setSoLinger(i % 2 == 0, 0); // a reset, or an end in good order
            }
        }
    }

    private static void noise(List<InetSocketAddress> places) {
        byte[] piece = new byte[1 << 20];
        new Random(27).nextBytes(piece);
        int connections = 0;
        long sent = 0;
        while (sent < NOISE_BYTES) {
            try (Socket socket = connect(places.get(connections++ % places.size()))) {
                while (sent < NOISE_BYTES) {
                    sent += piece.length; // counted whether the system takes all of it or not
                    socket.getOutputStream().write(piece);
                }
            } catch (IOException e) {
                assertThat(e).hasMessageMatching("(?i).*(reset|pipe).*");
            }
        }
        assertThat(connections).as("UCX ends the connections of strangers").isGreaterThan(1);
    }

    /// Returns the places where this process listens, with TCP over IPv4.
    private static List<InetSocketAddress> listening() throws IOException {
        Set<String> inodes;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            inodes = files.map(UcxStrangersTest::target)
                    .filter(target -> target.startsWith("socket:["))
                    .map(target -> target.substring("socket:[".length(), target.length() - 1))
                    .collect(Collectors.toSet());
        }
        List<InetSocketAddress> places = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/self/net/tcp"))) {
            String[] fields = line.strip().split(" +", -1);
            if (fields[3].equals(LISTENING) && inodes.contains(fields[9])) {
                String[] place = fields[1].split(":", -1);
                byte[] address = HexFormat.of().parseHex(place[0]);
                byte[] inOrder = {address[3], address[2], address[1], address[0]};
                places.add(new InetSocketAddress(InetAddress.getByAddress(inOrder), Integer.parseInt(place[1], 16)));
            }
        }
        return places;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return ""; // the descriptor of the folder itself
        }
    }
}
