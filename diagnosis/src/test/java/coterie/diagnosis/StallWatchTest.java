// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.internal.launch.JobWatcher.Finding;
import coterie.internal.launch.RecordedJob;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// When a watcher reports, by the clock that it is given.
class StallWatchTest {
    private long rounds;

    private static final Duration PAUSE = Duration.ofMillis(200);

    /// A look in which each PE has looked often since the one before.
    private StallWatch.Look look(RecordedJob job, List<Long> polls) {
        List<Long> before = Collections.nCopies(polls.size(), rounds);
        rounds += 10;
        return new StallWatch.Look(job, polls, before, Collections.nCopies(polls.size(), rounds), true);
    }

    private static RecordedJob job(int pes, long moves) {
        RecordedJobs job = new RecordedJobs();
        for (int pe = 0; pe < pes; pe++) {
            job.waiting(pe == pes - 1 ? moves : 0);
        }
        return job.job();
    }

    @ParameterizedTest
    @CsvSource({"2, 2", "8, 2", "32, 2", "2, 10", "32, 10"})
    @DisplayName("ST-S22: the report comes no more than two pauses after the stall threshold, for 2 to 32 PEs")
    void latency(int pes, int stallSeconds) {
        Duration stall = Duration.ofSeconds(stallSeconds);
        StallWatch watch = new StallWatch(stall);
        List<Long> polls = Collections.nCopies(pes, 0L);
        long now = 0;
        assertThat(watch.look(look(job(pes, 1), polls), now)).isEmpty();
        long stopped = now + 1; // just after a look
        Optional<Finding> finding = Optional.empty();
        while (finding.isEmpty()) {
            now += PAUSE.toNanos();
            finding = watch.look(look(job(pes, 0), polls), now);
        }
        assertThat(finding.get().isFinal()).isTrue();
        assertThat(finding.get().report()).startsWith("DEADLOCK");
        assertThat(now - stopped)
                .isBetween(stall.toNanos(), stall.plus(PAUSE.multipliedBy(2)).toNanos());
        assertThat(watch.look(look(job(pes, 0), polls), now + PAUSE.toNanos()))
                .as("again")
                .isEmpty();
    }
}
