// SPDX-License-Identifier: Apache-2.0
package coterie.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `coterie doctor` on a machine that a test has made ill, in a name space of its own.
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class DoctorTest {
    private static final String MOUNT = "mount -t tmpfs -o size=4k tmpfs /dev/shm";

    @TempDir
    private Path folder;

    private Process inNameSpace(String shell) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                shell,
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "doctor"));
        builder.redirectErrorStream(true).environment().put("XDG_CACHE_HOME", folder.toString());
        return builder.start();
    }

    @Test
    @NeedsTools(Tool.MOUNT_NAMESPACES)
    @DisplayName("doctor reports a full /dev/shm with a remedy, and runs its job nevertheless")
    void fullSharedMemory() throws Exception {
        Process doctor = inNameSpace(MOUNT + " && exec \"$0\" \"$@\"");
        String findings = new String(doctor.getInputStream().readAllBytes(), UTF_8);
        assertThat(findings)
                .containsPattern("✗ /dev/shm: 0 MiB free of 0 MiB .*\\R  → remove files from it, or enlarge it")
                .containsPattern("✓ conduit mapped: ")
                .containsPattern("✓ conduit ucx: |! conduit ucx: not usable here\\R  → .+")
                .containsPattern("✓ accelerator cuda: driver|! accelerator cuda: none\\R  → .+")
                .containsPattern("✓ a job of two PEs: [\\d.]+ ns");
        assertThat(doctor.waitFor()).isEqualTo(1);
    }
}
