// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NetworkDevicesTest {
    @TempDir
    private Path cards;

    @Test
    @DisplayName("the interface of an address comes first")
    void interfaceOfAnAddress() {
        assertThat(NetworkDevices.at(InetAddress.getLoopbackAddress()).split(","))
                .startsWith("lo");
    }

    @Test
    @DisplayName("an address of another host is refused")
    void foreignAddress() throws IOException {
        InetAddress other = InetAddress.getByAddress(new byte[] {(byte) 203, 0, 113, 9});
        assertThatThrownBy(() -> NetworkDevices.at(other))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("203.0.113.9")
                .hasMessageContaining("UCX_NET_DEVICES");
    }

    @Test
    @DisplayName("each port of each card counts; a machine without cards has none")
    void portsOfCards() throws IOException {
        assertThat(NetworkDevices.cardPorts(cards.resolve("none"))).isEmpty();
        for (String port : new String[] {"mlx5_1/ports/1", "mlx5_0/ports/2", "mlx5_0/ports/1"}) {
            Files.createDirectories(cards.resolve(port));
        }
        assertThat(NetworkDevices.cardPorts(cards)).containsExactly("mlx5_0:1", "mlx5_0:2", "mlx5_1:1");
    }
}
