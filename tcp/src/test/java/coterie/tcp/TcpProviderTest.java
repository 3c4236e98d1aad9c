// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import coterie.conformance.ObjectJob;
import coterie.internal.launch.SystemInfo;
import coterie.spi.Conduit;
import coterie.spi.PeJob;
import coterie.spi.SettingsProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TcpProviderTest {
    private final TcpProvider provider = new TcpProvider();

    @Test
    @DisplayName("the provider refuses a job that has no secret, and no other one")
    void refusals() {
        PeJob bare = (PeJob) Proxy.newProxyInstance(
                PeJob.class.getClassLoader(), new Class<?>[] {PeJob.class}, InvocationHandler::invokeDefault);
        assertThat(provider.refusal(bare).orElseThrow()).contains("no secret");
        assertThat(provider.refusal(new ObjectJob(2, InetAddress.getLoopbackAddress()).pe(0)))
                .isEmpty();
    }

    @Test
    @DisplayName("the provider refuses an address of a link, which its peers can't use")
    void addressOfLink() throws Exception {
        InetAddress ofLink =
                Inet6Address.getByAddress(null, InetAddress.ofLiteral("fe80::7").getAddress(), 3);
        assertThat(provider.refusal(new ObjectJob(2, ofLink).pe(0)).orElseThrow())
                .contains("fe80:0:0:0:0:0:0:7%3", "one link", "fd00::");
        InetAddress unique = InetAddress.ofLiteral("fd00::7");
        assertThat(provider.refusal(new ObjectJob(2, unique).pe(0))).isEmpty();
    }

    @Test
    @DisplayName("what a PE publishes has an address of IPv4 or IPv6 as its peers use it, without a zone")
    void publishedAddress() throws Exception {
        byte[] ofWorld = new byte[ConnectionProof.WORLD_BYTES];
        InetAddress atInterface =
                Inet6Address.getByAddress(null, InetAddress.ofLiteral("fd00::7").getAddress(), 3);
        for (InetAddress each : List.of(atInterface, InetAddress.ofLiteral("10.0.0.7"))) {
            PeAddress published = new PeAddress(new InetSocketAddress(each, 29500), 1, ofWorld, new byte[] {1});
            InetSocketAddress decoded = PeAddress.decode(published.encode()).socket();
            assertThat(decoded.getPort()).isEqualTo(29500);
            assertThat(decoded.getAddress().getHostAddress())
                    .isEqualTo(each.getHostAddress().replace("%3", ""));
        }
    }

    @Test
    @DisplayName("the module and META-INF/services declare the same providers")
    void isDeclaredTwice() throws IOException, URISyntaxException {
        Path classes = Path.of(TcpProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module;
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(file);
        }
        String conduits = Conduit.Provider.class.getName();
        String settings = SettingsProvider.class.getName();
        assertThat(module.provides())
                .extracting(ModuleDescriptor.Provides::service, ModuleDescriptor.Provides::providers)
                .containsExactlyInAnyOrder(
                        tuple(conduits, Files.readAllLines(classes.resolve("META-INF/services/" + conduits))),
                        tuple(settings, Files.readAllLines(classes.resolve("META-INF/services/" + settings))));
    }

    @Test
    @DisplayName("the tools list the conduit as usable")
    void isListed() {
        assertThat(SystemInfo.conduits())
                .filteredOn(conduit -> conduit.name().equals("tcp"))
                .singleElement()
                .satisfies(info -> assertThat(info.because()).contains("ORDERED", "PASSIVE_TARGET"));
    }
}
