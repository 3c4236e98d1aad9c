// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import coterie.internal.world.Launcher;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LaunchServiceTest {
    @Test
    @DisplayName("the module and META-INF/services declare the same launcher")
    void isDeclaredTwice() throws IOException, URISyntaxException {
        Path classes = Path.of(
                Job.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        ModuleDescriptor module;
        try (InputStream file = Files.newInputStream(classes.resolve("module-info.class"))) {
            module = ModuleDescriptor.read(file);
        }
        String service = Launcher.class.getName();
        assertThat(module.provides())
                .extracting(ModuleDescriptor.Provides::service, ModuleDescriptor.Provides::providers)
                .containsExactly(tuple(service, Files.readAllLines(classes.resolve("META-INF/services/" + service))));
    }
}
