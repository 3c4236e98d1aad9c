// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.memory.JobSegment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SteadyWatcherTest {
    private int looks;

    private Optional<JobWatcher.Finding> look() {
        looks++;
        return switch (looks) {
            case 1 -> throw new StackOverflowError("look 1");
            case 2 -> throw new IllegalStateException("look 2");
            default -> Optional.of(new JobWatcher.Finding("stuck", true, Map.of(), 0));
        };
    }

    @Test
    @DisplayName("a look that fails, also with an error, is printed once, and the looks go on")
    void goesOn() throws IOException {
        List<String> printed = new ArrayList<>();
        JobWatcher steady = new SteadyWatcher((_, _) -> look(), printed::add);
        try (JobSegment segment = JobSegment.create(new JobSegment.Parameters("test", 1, 4096, 2, true));
                JobRecords records = new JobRecords(segment)) {
            assertThat(steady.look(records, 0)).isEmpty();
            assertThat(steady.look(records, 1)).isEmpty();
            assertThat(steady.look(records, 2)).map(JobWatcher.Finding::report).contains("stuck");
        }
        assertThat(printed)
                .containsExactly("a look for deadlocks has failed, and the launcher goes on looking: "
                        + "java.lang.StackOverflowError: look 1");
    }
}
