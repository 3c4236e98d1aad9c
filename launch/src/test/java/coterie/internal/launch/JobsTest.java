// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What `coterie ps` shows.
class JobsTest {
    // In the tests' simulator a PE that waits outside of the waiting room, as this program's last PE does, blocks
    // all PEs.
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SIMULATED")
    void aRunningJobIsListedOnceWithWhatItsPesDoAndNotAfterItsEnd(PeMode mode) {
        try (Launch launch = Launch.start("pes=3 mode=" + mode, Programs.LeavesOthersInBarrier.class, "wait")) {
            long pid = launch.launcher().pid();
            Awaitility.await()
                    .untilAsserted(() -> assertThat(Jobs.list().running())
                            .filteredOn(job -> job.launcherPid() == pid)
                            .singleElement()
                            .satisfies(job -> {
                                assertThat(job.name()).isEqualTo("test");
                                assertThat(job.heapBytes()).isEqualTo(1 << 20);
                                assertThat(job.pes()).extracting(Jobs.Pe::state).containsOnly("running");
                                assertThat(job.pes().getFirst().doing()).isEqualTo("waiting in barrier #2");
                                assertThat(job.pes().getFirst().waitedNanos()).isPositive();
                                assertThat(job.pes().getFirst().counters()).containsKeys("puts", "heap_used");
                                assertThat(job.pes()).extracting(Jobs.Pe::pid).isSubsetOf(launch.pes());
                            }));
            launch.launcher().destroyForcibly();
            launch.awaitEnd();
            assertThat(Jobs.list().running()).noneMatch(job -> job.launcherPid() == pid);
        }
    }

    @Test
    void aJobIsFoundByItsLauncherThoughAnotherProcessHasItsSegmentOpenForAMoment() throws IOException {
        try (Launch launch = Launch.start("pes=2", Programs.LeavesOthersInBarrier.class, "wait")) {
            Path lasting = Awaitility.await()
                    .until(() -> segment(launch), Optional::isPresent)
                    .orElseThrow();
            try (FileChannel mine = FileChannel.open(lasting)) { // as a rule, this process is the older one
                assertThat(mine.size()).isPositive();
                assertThat(segment(launch)).contains(lasting);
            }
            assertThat(lasting)
                    .startsWithRaw(Path.of("/proc/" + launch.launcher().pid()));
        }
    }

    private static Optional<Path> segment(Launch launch) {
        return Jobs.list().running().stream()
                .filter(job -> job.launcherPid() == launch.launcher().pid())
                .map(Jobs.Running::segment)
                .findAny();
    }
}
