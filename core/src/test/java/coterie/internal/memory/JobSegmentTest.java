// SPDX-License-Identifier: Apache-2.0
package coterie.internal.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.CoterieException;
import coterie.internal.posix.AddressSpace;
import coterie.spi.PeState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobSegmentTest {
    @Test
    void whatTheLauncherDecidedIsReadByWhoeverAttaches() {
        try (JobSegment made = segment(3)) {
            JobSegment seen = JobSegment.attach(made.path());
            assertThat(seen.size()).isEqualTo(3);
            assertThat(seen.heapBytes()).isEqualTo(4096);
            assertThat(seen.usableCpus()).isEqualTo(2);
            assertThat(seen.survivorsGoOn()).isTrue();
            assertThat(seen.name()).isEqualTo("a job");
            assertThat(seen.launcherPid()).isEqualTo(ProcessHandle.current().pid());
        }
    }

    @Test
    void labelsOfAPageLeaveItsFieldsAlone() {
        try (JobSegment job = segment(2)) {
            StatusPage page = job.status(0);
            for (StatusField field : StatusField.values()) {
                page.set(field, field.offset());
            }
            page.waitLayer(new StatusLabel("layer"));
            page.waitTeam(new StatusLabel("team"));
            assertThat(StatusField.values()).allMatch(field -> page.get(field) == field.offset());
            assertThat(page.waitLayer()).isEqualTo("layer");
            assertThat(page.waitTeam()).isEqualTo("team");
            assertThat(job.status(1).get(StatusField.STATE)).isZero();
        }
    }

    @Test
    void hasNoName() throws IOException {
        try (JobSegment made = segment(1);
                Stream<Path> files =
                        Files.list(Files.readSymbolicLink(made.path()).getParent())) {
            String prefix = JobSegment.NAME_PREFIX + ProcessHandle.current().pid();
            assertThat(files).noneMatch(file -> file.getFileName().toString().startsWith(prefix));
        }
    }

    @Test
    void aSettingIsComparedWithTheFirstOfItsWorld() {
        try (JobSegment job = segment(2)) {
            assertThat(job.compareSetting(3, 0, -7)).isTrue();
            assertThat(job.compareSetting(3, 0, -7)).isTrue();
            assertThat(job.compareSetting(3, 0, 8)).isFalse();
            assertThat(job.compareSetting(4, 0, 8)).isTrue();
            assertThat(job.compareSetting(3, 1, 8)).isTrue();
            assertThat(job.compareSetting(3, 1, -7)).isFalse();
            assertThat(job.compareSetting(3, 0, -7)).as("whose world is over").isFalse();
        }
    }

    @Test
    void whoDiffersFromTheFirstIsNamed() {
        long[] others = {0, 2, 0, 6};
        assertThat(SelectionSettings.difference(pe -> others[pe], 0, 1, 2, 3))
                .isEqualTo("; setting TLS is another on PEs [1, 3] than on the rest; setting TL_SELF_TUNE is another on"
                        + " PEs [3] than on the rest");
        assertThat(SelectionSettings.difference(pe -> others[pe], 2, 0)).isEmpty();
        assertThat(SelectionSettings.difference(pe -> others[pe], 1))
                .as("alone")
                .isEmpty();
    }

    @Test
    void aPeEndsOnceAndTheEpochTellsIt() {
        try (JobSegment job = segment(2)) {
            job.status(1).state(PeState.RUNNING);
            job.end(1, 0);
            assertThat(AddressSpace.getLongAcquire(job.epochAddress())).isEqualTo(1);
            assertThat(job.status(1).state()).as("ended inside its world").isEqualTo(PeState.FAILED);
            job.end(1, 137);
            assertThat(AddressSpace.getLongAcquire(job.epochAddress())).isEqualTo(1);
            assertThat(job.status(1).get(StatusField.EXIT_CODE)).isZero();
            job.end(0, 0);
            assertThat(job.status(0).state()).isEqualTo(PeState.ENDED);
        }
    }

    @Test
    void theFirstAbortStands() {
        try (JobSegment job = segment(2)) {
            assertThat(job.abortCode()).isEmpty();
            assertThat(job.abortingPe()).isEqualTo(-1);
            job.abort(1, 7);
            job.abort(0, 8);
            assertThat(job.abortCode()).hasValue(7);
            assertThat(job.abortingPe()).isEqualTo(1);
        }
        try (JobSegment job = segment(2)) {
            job.abort(-1, 0);
            assertThat(job.abortCode()).hasValue(0);
            assertThat(job.abortingPe()).isEqualTo(-1);
        }
    }

    @Test
    void refusesWhatIsNoSegment(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("file"), new byte[8192]);
        assertThatThrownBy(() -> JobSegment.attach(file))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining(file.toString());
        assertThatThrownBy(() -> JobSegment.attach(folder.resolve("missing")))
                .isInstanceOf(CoterieException.class)
                .hasMessageContaining("missing");
    }

    private static JobSegment segment(int size) {
        return JobSegment.create(new JobSegment.Parameters("a job", size, 4096, 2, true));
    }
}
