// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import coterie.internal.launch.SystemInfo;
import coterie.spi.Conduit;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@WithoutLibrary
class UcxProviderTest {
    @Test
    @DisplayName("without libucp the provider says what is not there, and what to install")
    void missingLibrary() {
        assertThat(new UcxProvider("libucp-of-nowhere.so.0").missing())
                .contains("libucp-of-nowhere.so.0 not found", "libucx0", "Debian", "ucx (Fedora", "LD_LIBRARY_PATH");
    }

    @Test
    @DisplayName("a library that is no libucp is refused by the name of what it lacks")
    void otherLibrary() {
        assertThat(new UcxProvider("libc.so.6").missing())
                .contains("libc.so.6", "ucp_worker_progress", "1.13 or later");
    }

    @Test
    @DisplayName("the module and META-INF/services declare the same provider")
    void isDeclaredTwice() throws IOException, URISyntaxException {
        Path classes = Path.of(UcxProvider.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        ModuleDescriptor module;
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(file);
        }
        String service = Conduit.Provider.class.getName();
        assertThat(module.provides())
                .extracting(ModuleDescriptor.Provides::service, ModuleDescriptor.Provides::providers)
                .containsExactly(tuple(service, Files.readAllLines(classes.resolve("META-INF/services/" + service))));
    }

    @Test
    @DisplayName("the tools list the conduit with the transports that UCX has found, or with what to install")
    void isListed() {
        SystemInfo.ConduitInfo info = SystemInfo.conduits().stream()
                .filter(conduit -> conduit.name().equals("ucx"))
                .findFirst()
                .orElseThrow();
        String missing = new UcxProvider().missing();
        assertThat(info.usable()).isEqualTo(missing.isEmpty());
        if (missing.isEmpty()) {
            assertThat(info.because()).contains("PASSIVE_TARGET", "UCX 1.", "tcp/lo", "self/memory");
        } else {
            assertThat(info.because()).isEqualTo(missing);
        }
    }
}
