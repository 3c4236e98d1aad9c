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
        return look(job, before, Collections.nCopies(polls.size(), rounds));
    }

    private static StallWatch.Look look(RecordedJob job, List<Long> roundsBefore, List<Long> roundsAfter) {
        List<Long> none = Collections.nCopies(roundsBefore.size(), 0L);
        return new StallWatch.Look(
                job, none, new StallWatch.Counts(roundsBefore, none), new StallWatch.Counts(roundsAfter, none), true);
    }

    /// A look at a job whose PEs have one count of rounds, and one of what they have found out.
    private static StallWatch.Look overNetwork(RecordedJob job, long rounds, long tells) {
        List<Long> none = Collections.nCopies(2, 0L);
        StallWatch.Counts counts = new StallWatch.Counts(Collections.nCopies(2, rounds), Collections.nCopies(2, tells));
        return new StallWatch.Look(job, none, counts, counts, false);
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
        long now = 0;
        List<Long> looked = List.of(5L, 7L);
        watch.look(look(job(2, 0), looked, looked), now);
        for (int look = 0; look < 200; look++) {
            now += PAUSE.toNanos();
            List<Long> onlyOne = List.of(5L, 100L + look);
            assertThat(watch.look(look(job(2, 0), onlyOne, onlyOne), now))
                    .as("look %s", look)
                    .isEmpty();
        }
        List<Long> half = List.of(6L, 400L); // a round that may have begun before
        assertThat(watch.look(look(job(2, 0), half, half), now + 1)).isEmpty();
        List<Long> whole = List.of(7L, 401L);
        assertThat(watch.look(look(job(2, 0), whole, whole), now + 2)).isPresent();
    }

    @Test
    @DisplayName("over a network one round of polls is not enough")
    void network() {
        StallWatch watch = new StallWatch(Duration.ofSeconds(2));
        watch.look(overNetwork(job(2, 0), 0, 0), 0);
        long now = Duration.ofSeconds(3).toNanos();
        assertThat(watch.look(overNetwork(job(2, 0), 100, 2), now)).isEmpty();
        assertThat(watch.look(overNetwork(job(2, 0), 163, 2), now + 1)).isEmpty();
        assertThat(watch.look(overNetwork(job(2, 0), 164, 2), now + 2)).isPresent();
    }

    @Test
    @DisplayName(
            "over a network a PE must have found out after its latest move that nothing of it travels, and then all poll")
    void travelling() {
        StallWatch watch = new StallWatch(Duration.ofSeconds(2));
        long now = 0;
        watch.look(overNetwork(job(2, 0), 0, 7), now);
        for (int look = 1; look < 100; look++) {
            now += PAUSE.toNanos();
            assertThat(watch.look(overNetwork(job(2, 0), 1000L * look, look < 50 ? 7 : 8), now))
                    .as("look %s: what it found may be from before its move", look)
                    .isEmpty();
        }
        assertThat(watch.look(overNetwork(job(2, 0), 200_000, 9), now + 1))
                .as("what travelled until then may not be seen yet")
                .isEmpty();
        assertThat(watch.look(overNetwork(job(2, 1), 300_000, 9), now + 2))
                .as("PE 1 moves")
                .isEmpty();
        assertThat(watch.look(overNetwork(job(2, 0), 310_000, 9), now + 3))
                .as("and again")
                .isEmpty();
        now += Duration.ofSeconds(5).toNanos();
        assertThat(watch.look(overNetwork(job(2, 0), 400_000, 10), now)).isEmpty();
        assertThat(watch.look(overNetwork(job(2, 0), 500_000, 11), now + 1)).isEmpty();
        assertThat(watch.look(overNetwork(job(2, 0), 600_000, 11), now + 2)).isPresent();
    }
}
