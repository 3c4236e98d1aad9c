// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.internal.launch.JobRecords;
import coterie.internal.launch.JobWatcher;
import coterie.internal.launch.RecordedJob;
import coterie.internal.launch.RecordedPe;
import coterie.internal.launch.RecordedWord;
import java.time.Duration;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Looks at a job again and again, and diagnoses it once some of its PEs have not moved for long.
final class StallWatch implements JobWatcher {
    private final long stallNanos;
    private @Nullable RecordedJob last;
    private List<Long> lastPolls = List.of();
    private long[] movedAt = {};
    private final BitSet polling = new BitSet();
    private List<StuckOperation> reported = List.of();

    /// @param stall for how long a PE must not have moved
    StallWatch(Duration stall) {
        this.stallNanos = stall.toNanos();
    }

    @Override
    public Optional<Finding> look(JobRecords records, long nanoTime) {
        return look(records.read(), records.polls(), nanoTime);
    }

    /// Looks at what was read of the job just now.
    Optional<Finding> look(RecordedJob read, List<Long> polls, long nanoTime) {
        boolean hasChanged = note(read, polls, nanoTime);
        BitSet moving = moving(nanoTime);
        if (!hasChanged && moving.cardinality() == movedAt.length) {
            return Optional.empty();
        }
        Diagnosis diagnosis = Diagnosis.ofFinal(snapshot(moving, nanoTime)).orElse(null);
        if (diagnosis == null) {
            reported = List.of();
            return Optional.empty();
        }
        List<String> ids = ids(diagnosis.stuck());
        if (ids.equals(ids(reported))) {
            return Optional.empty();
        }
        reported = diagnosis.stuck();
        record(diagnosis);
        return Optional.of(new Finding(diagnosis.text(), true, diagnosis.fields(), nanoTime));
    }

    /// Tells the flight recorder of this process.
    static void record(Diagnosis diagnosis) {
        if (FlightRecorder.isInitialized()) {
            DiagnosisEvent.emit(diagnosis);
        }
    }

    private static List<String> ids(List<StuckOperation> operations) {
        return operations.stream().map(StuckOperation::id).toList();
    }

    /// Notes which PEs have moved.
    ///
    /// @return whether any has
    boolean note(RecordedJob now, List<Long> polls, long nanoTime) {
        RecordedJob before = last;
        boolean hasChanged = false;
        if (before == null) {
            movedAt = new long[now.pes().size()];
        }
        for (int pe = 0; pe < movedAt.length; pe++) {
            polling.set(pe, before != null && !polls.get(pe).equals(lastPolls.get(pe)));
            if (before == null || !isSame(before, now, pe)) {
                movedAt[pe] = nanoTime;
                hasChanged = true;
            }
        }
        last = now;
        lastPolls = polls;
        return hasChanged;
    }

    private static boolean isSame(RecordedJob before, RecordedJob now, int pe) {
        RecordedPe mine = now.pes().get(pe);
        return before.pes().get(pe).equals(mine) && words(before, pe).equals(words(now, pe));
    }

    private static Map<RecordedWord, Long> words(RecordedJob job, int pe) {
        return job.words().entrySet().stream()
                .filter(each -> each.getKey().pe() == pe)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /// Returns the PEs that have moved in the time after which a PE counts as stalled.
    BitSet moving(long nanoTime) {
        BitSet moving = new BitSet();
        for (int pe = 0; pe < movedAt.length; pe++) {
            moving.set(pe, nanoTime - movedAt[pe] < stallNanos);
        }
        return moving;
    }

    /// Returns what was last read.
    Snapshot snapshot(BitSet moving, long nanoTime) {
        RecordedJob job = last;
        if (job == null) {
            throw new IllegalStateException("StallWatch: nothing was read");
        }
        long stalled = nanoTime;
        for (int pe = 0; pe < movedAt.length; pe++) {
            if (!moving.get(pe)) {
                stalled = Math.min(stalled, nanoTime - movedAt[pe]);
            }
        }
        return JobSnapshots.of(job, moving, polling, nanoTime, moving.cardinality() == movedAt.length ? 0 : stalled);
    }
}
