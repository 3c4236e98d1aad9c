// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.testing.NeedsTools;
import coterie.testing.Tool;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Jobs on machines that have no room for a control segment.
class FullMemoryTest {
    /// Runs the rest of its words with a file system of so few bytes at /dev/shm.
    private static List<String> sharedMemory(String size) {
        String mount = "mount -t tmpfs -o size=" + size + " tmpfs /dev/shm && exec \"$@\"";
        return List.of("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", mount, "sh");
    }

    @ParameterizedTest
    @NeedsTools(Tool.MOUNT_NAMESPACES)
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED") // the tests' stage uses no memory of its own
    @DisplayName("a launcher whose /dev/shm is full starts its job in a memory file")
    void fullAtStart(PeMode mode) {
        try (Launch launch = Launch.runBy(sharedMemory("4k"), "pes=2 mode=" + mode, Programs.UsesSegment.class)) {
            assertThat(launch.err()).isEmpty();
            assertThat(launch.out()).containsExactly("works", "works");
            assertThat(launch.exitCode()).isZero();
        }
    }

    @Test
    @NeedsTools(Tool.MOUNT_NAMESPACES)
    @DisplayName("a split for which /dev/shm has no room is refused by name, with its free bytes and a remedy")
    void fullAtSplit() {
        try (Launch launch = Launch.runBy(sharedMemory("32k"), "pes=2", Programs.UsesSegment.class)) {
            assertThat(launch.out())
                    .filteredOn(line -> line.startsWith("splitStrided"))
                    .hasSize(2)
                    .anySatisfy(line -> assertThat(line)
                            .containsPattern(
                                    "has no memory for its new teams: \\d+ bytes of the job's control segment in"
                                            + " /dev/shm, which has \\d+ bytes free .*remount"));
            assertThat(launch.exitCode()).isZero();
        }
    }

    @Test
    @DisplayName("a launcher that gets no memory for its control segment says what it needs, and what has less")
    void noMemory() {
        List<String> limit = List.of("sh", "-c", "ulimit -f 8 && exec \"$@\"", "sh");
        try (Launch launch = Launch.runBy(limit, "pes=8", Programs.UsesSegment.class)) {
            assertThat(launch.err())
                    .anySatisfy(line -> assertThat(line)
                            .containsPattern("starting job test: can't make its control segment: \\d+ bytes of .* in"
                                    + " /dev/shm, which has \\d+ bytes free.*; and in a memory file: "));
            assertThat(launch.exitCode()).isNotZero();
        }
    }
}
