// SPDX-License-Identifier: Apache-2.0

package coterie.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.spi.Encryption;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The address that a coordinator has for PEs of other hosts.
class ListenAddressTest {
    /// An interface of this machine, whose number the JDK writes as a zone.
    private static final int ZONE = 3;

    /// Returns an address as the JDK finds it at an interface: one of IPv6 has a zone.
    private static InetAddress atInterface(String text) throws Exception {
        InetAddress address = InetAddress.ofLiteral(text);
        return address instanceof Inet6Address ? Inet6Address.getByAddress(null, address.getAddress(), ZONE) : address;
    }

    @ParameterizedTest(name = "{0}")
    @DisplayName("an interface has its first address of IPv4, else one of IPv6 for all hosts, without its zone")
    @CsvSource(
            delimiter = '|',
            value = {
                "fe80::7 fd00::7 | fd00:0:0:0:0:0:0:7",
                "fd00::7 10.0.0.7 | 10.0.0.7",
                "fe80::7 169.254.0.7 | 169.254.0.7",
                "fe80::7 ::1 | 0:0:0:0:0:0:0:1",
                "fe80::7 fe80::8 | ''"
            })
    void first(String addresses, String chosen) throws Exception {
        List<InetAddress> all = Arrays.stream(addresses.split(" "))
                .map(each -> {
                    try {
                        return atInterface(each);
                    } catch (Exception e) {
                        throw new IllegalArgumentException(e);
                    }
                })
                .toList();
        assertThat(ListenAddress.first(all).map(InetAddress::getHostAddress))
                .isEqualTo(chosen.isEmpty() ? Optional.empty() : Optional.of(chosen));
    }

    @Test
    @DisplayName("the key of a coordinator has an address of IPv6 in brackets, and no zone of this host")
    void key() throws Exception {
        JobCoordinator.Options options = JobCoordinator.Options.of(2, atInterface("fd00::7"));
        assertThat(options.host()).isEqualTo("fd00:0:0:0:0:0:0:7");
        JobKey key = JobKey.create(options.host(), 29500);
        assertThat(key.place()).isEqualTo("[fd00:0:0:0:0:0:0:7]:29500");
        assertThat(JobKey.parse(key.text())).isEqualTo(key);
    }

    @Test
    @DisplayName("a coordinator does not listen on an address of a link, which other hosts can't name")
    void ofLink() throws Exception {
        InetAddress ofLink = atInterface("fe80::7");
        assertThatThrownBy(() -> JobCoordinator.Options.of(2, ofLink))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("fe80:", "one link", "fd00::");
    }

    @Test
    @DisplayName("a PE tries each address of the coordinator's name, and names all if none answers")
    void eachAddress() throws Exception {
        InetSocketAddress gone;
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.3"))) {
            gone = new InetSocketAddress(other.getInetAddress(), other.getLocalPort());
        }
        try (TestJob test = new TestJob(2, true)) {
            JobKey key = test.coordinator.key();
            InetSocketAddress right = key.address();
            InetSocketAddress none = new InetSocketAddress("127.0.0.2", right.getPort());
            try (JobLink link = JobLink.open(List.of(none, right), key, Encryption.none(), test.clock)) {
                assertThat(link.peerAddress()).isEqualTo(right.getAddress());
                assertThat(link.localAddress().isLoopbackAddress()).isTrue();
            }
            assertThatThrownBy(() -> JobLink.open(List.of(none, gone), key, Encryption.none(), test.clock))
                    .hasMessageMatching("127.0.0.2: .*; 127.0.0.3: .*");
        }
    }
}
