// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import coterie.internal.launch.PeMode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The cases of the class above, over TCP. PEs that are threads have their settings in common and join one after
/// another, while a join over TCP waits for all: so PEs are processes.
@Tag("soak")
@EnabledIfSystemProperty(named = "coterie.junit.modes", matches = "processes")
class TcpSettingsFileTest extends SettingsFileConformanceTest {
    @Override
    @ParameterizedTest
    @EnumSource(names = "PROCESSES")
    void usualPlace(PeMode mode, @TempDir Path folder) throws IOException {
        super.usualPlace(mode, folder);
    }

    @Override
    @ParameterizedTest
    @EnumSource(names = "PROCESSES")
    void environment(PeMode mode, @TempDir Path folder) throws IOException {
        super.environment(mode, folder);
    }
}
