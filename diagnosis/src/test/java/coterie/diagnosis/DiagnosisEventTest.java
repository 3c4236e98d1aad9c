// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.JobWatcher.Finding;
import coterie.internal.record.RecordedLane;
import coterie.spi.OperationRecord.Action;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a recording of the watching process has.
class DiagnosisEventTest {
    private static final List<Long> POLLS = List.of(0L, 0L);

    private static RecordedJobs circle() {
        RecordedJobs job = new RecordedJobs();
        for (int pe = 0; pe < 2; pe++) {
            RecordedLane.Operation wait = RecordedJobs.to(pe, RecordedJobs.operation(Action.WAIT, true, 8));
            RecordedLane.Operation add = RecordedJobs.operation(Action.ADD, false, 8);
            job.waiting(0, RecordedJobs.lane(0, "S", false, 0, wait, RecordedJobs.to(1 - pe, add)));
        }
        return job;
    }

    private static List<RecordedEvent> record(Path file, StallWatch watch) throws IOException {
        try (Recording recording = new Recording()) {
            recording.enable("coterie.Diagnosis");
            recording.start();
            assertThat(watch.look(look(0), 0)).isEmpty();
            Optional<Finding> finding = watch.look(look(10), 2);
            assertThat(finding).isPresent();
            assertThat(watch.look(look(20), 3)).as("again").isEmpty();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file);
    }

    /// A look after so many rounds of polls.
    private static StallWatch.Look look(long rounds) {
        List<Long> all = Collections.nCopies(POLLS.size(), rounds);
        StallWatch.Counts counts = new StallWatch.Counts(all, all);
        return new StallWatch.Look(circle().job(), POLLS, counts, counts, true);
    }

    @Test
    @DisplayName("ST-S41: a finding is one event, with the verdict, the PEs, the streams, the chain and the report")
    void finding(@TempDir Path folder) throws IOException {
        List<RecordedEvent> events = record(folder.resolve("watch.jfr"), new StallWatch(Duration.ofNanos(1)));
        assertThat(events).hasSize(1);
        RecordedEvent event = events.getFirst();
        assertThat(event.getEventType().getName()).isEqualTo("coterie.Diagnosis");
        assertThat(event.getString("job")).isEqualTo("test");
        assertThat(event.getString("verdict")).isEqualTo("DEADLOCK");
        assertThat(event.getString("stuckPes")).isEqualTo("0, 1");
        assertThat(event.getString("streams")).isEqualTo("P0.S, P0.main, P1.S, P1.main");
        assertThat(event.getString("chain")).isEqualTo("P0.S#0 → P1.S#1 → P1.S#0 → P0.S#1");
        assertThat(event.getString("text")).startsWith("DEADLOCK: no schedule").contains("cycle:");
        assertThat(event.getDuration("stalled")).isEqualTo(Duration.ofNanos(2));
    }
}
