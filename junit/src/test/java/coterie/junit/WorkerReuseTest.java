// SPDX-License-Identifier: Apache-2.0
package coterie.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which tests share their PEs. Samples leave a file for each PE that ran them, named after PE and process.
@AsNoRunAsks
class WorkerReuseTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void tellSamplesWhereToWrite() {
        System.setProperty(Samples.FOLDER, folder.toString());
    }

    @Test
    @DisplayName(
            "tests of one layout share their PEs: two JVMs for processes, one for threads; another heap needs others, and so do nodes")
    void healthyGroupsAreReused() {
        SampleRun.of(Samples.Tracing.class);

        assertThat(pesOf("first")).hasSize(4).isEqualTo(pesOf("second"));
        assertThat(pidsOf("first"))
                .as("two processes, and one that hosts threads")
                .hasSize(3);
        assertThat(pidsOf("onNodes")).hasSize(3).doesNotContainAnyElementsOf(pidsOf("first"));
        assertThat(pesOf("onTheSameNodes")).isEqualTo(pesOf("onNodes"));
        assertThat(pidsOf("withAnotherHeap")).hasSize(3).doesNotContainAnyElementsOf(pidsOf("first"));
    }

    @Test
    @DisplayName("after a test that failed, the next one has fresh PEs")
    void failedGroupsAreThrownAway() {
        SampleRun run = SampleRun.of(Samples.TracingAroundAFailure.class);

        assertThat(run.error("b", SpmdMode.PROCESSES)).hasMessageContaining("PE 1 failed");
        assertThat(run.error("b", SpmdMode.THREADS)).hasMessageContaining("PE 1 failed");
        assertThat(pidsOf("a")).hasSize(3);
        assertThat(pidsOf("c")).hasSize(3).doesNotContainAnyElementsOf(pidsOf("a"));
    }

    @Test
    @DisplayName("when the run is over, no PE is left")
    void nobodyIsLeft() {
        SampleRun.of(Samples.TracingAroundAFailure.class);

        assertThat(pidsOf("a")).isNotEmpty().noneMatch(WorkerReuseTest::isAlive);
        assertThat(pidsOf("c")).isNotEmpty().noneMatch(WorkerReuseTest::isAlive);
    }

    private Set<String> pesOf(String method) {
        String[] files = Objects.requireNonNull(new File(folder.toFile(), method).list(), "no PE ran " + method);
        return Set.copyOf(Arrays.asList(files));
    }

    private Set<Long> pidsOf(String method) {
        return pesOf(method).stream()
                .map(name -> Long.valueOf(name.substring(name.lastIndexOf(' ') + 1)))
                .collect(Collectors.toSet());
    }

    private static boolean isAlive(long pid) {
        return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
    }
}
