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
import org.junit.jupiter.api.Test;
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

    @Test
    @DisplayName("a PE that has not looked since the latest move is not called dead, however long that is")
    void blind() {
        StallWatch watch = new StallWatch(Duration.ofSeconds(2));
        List<Long> polls = Collections.nCopies(2, 0L);
        long now = 0;
        List<Long> looked = List.of(5L, 7L);
        watch.look(new StallWatch.Look(job(2, 0), polls, looked, looked, true), now);
        for (int look = 0; look < 200; look++) {
            now += PAUSE.toNanos();
            List<Long> onlyOne = List.of(5L, 100L + look);
            assertThat(watch.look(new StallWatch.Look(job(2, 0), polls, onlyOne, onlyOne, true), now))
                    .as("look %s", look)
                    .isEmpty();
        }
        List<Long> half = List.of(6L, 400L); // a round that may have begun before
        assertThat(watch.look(new StallWatch.Look(job(2, 0), polls, half, half, true), now + 1))
                .isEmpty();
        List<Long> whole = List.of(7L, 401L);
        assertThat(watch.look(new StallWatch.Look(job(2, 0), polls, whole, whole, true), now + 2))
                .isPresent();
    }

    @Test
    @DisplayName("over a network one round of polls is not enough")
    void network() {
        StallWatch watch = new StallWatch(Duration.ofSeconds(2));
        List<Long> polls = Collections.nCopies(2, 0L);
        List<Long> none = List.of(0L, 0L);
        watch.look(new StallWatch.Look(job(2, 0), polls, none, none, false), 0);
        List<Long> few = List.of(63L, 63L);
        long now = Duration.ofSeconds(3).toNanos();
        assertThat(watch.look(new StallWatch.Look(job(2, 0), polls, few, few, false), now))
                .isEmpty();
        List<Long> many = List.of(64L, 64L);
        assertThat(watch.look(new StallWatch.Look(job(2, 0), polls, many, many, false), now + 1))
                .isPresent();
    }
}
