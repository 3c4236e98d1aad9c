// SPDX-License-Identifier: Apache-2.0

package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process of [LoadersProgram]. Its JVM clears soft references at each collection: the JDK keeps some to the loaders
/// of records, which the page on clusters names.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LoadersTest {
    @ParameterizedTest
    @ValueSource(strings = {"none", "tls"})
    @DisplayName("two loaders with Coterie have jobs side by side in one JVM, and are garbage after these")
    void twoLoaders(String encryption) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:SoftRefLRUPolicyMSPerMB=0",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LoadersProgram.class.getName(),
                        encryption)
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("COTERIE_"));
        Process process = builder.start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            String found = "[101 sum 3 there 100, 100 sum 3 there 101] true";
            assertThat(output.lines()).containsExactly(found, found, "loaders left: 0");
        } finally {
            process.destroyForcibly();
        }
    }
}
