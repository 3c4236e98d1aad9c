// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.internal.launch.JobRecords;
import coterie.internal.launch.JobWatcher;
import coterie.internal.launch.RecordedJob;
import coterie.internal.launch.RecordedPe;
import coterie.internal.launch.RecordedWord;
import coterie.internal.record.RecordedLane;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Looks at a job again and again, and diagnoses it once some of its PEs have not moved for long.
///
/// **Whether a PE has seen all that has come.** A wait of which the records do not have the condition may be over
/// already, on a PE that lacks the processor. So a PE counts only if all its waiting threads have looked, from begin to
/// end, since the latest move of any PE that stands still, see [#blind]. As none of them has moved since, that look
/// has found all that they had sent.
///
/// Over a network what a PE has sent may be on its way for any time. So each PE must have found out, after its own
/// latest move, whether anything of it still travels; and the looks count from then on.
final class StallWatch implements JobWatcher {
    /// Rounds of looks of which one lies between two reads for certain.
    private static final long WHOLE_ROUND = 2;

    /// The same over a network, of which each look takes some of what is on its way.
    private static final long NETWORK_ROUNDS = 64;

    /// A deadline that is so many thresholds away is one that people do not wait for without a word.
    private static final long PATIENCE = 10;

    /// Finds of a PE of which one has begun and ended between two reads for certain.
    private static final long WHOLE_TELL = 2;

    /// Looks that are kept: some multiples of the threshold.
    private static final int MOST_ROUNDS = 64;

    private final long stallNanos;
    private @Nullable RecordedJob last;
    private List<Long> lastPolls = List.of();
    private long[] movedAt = {};

    /// For each PE, how often it had found out what still acts when its latest move was seen.
    private long[] tellsAtMove = {};

    /// For each PE, when it was seen that it had found that out after its latest move, if [#isTold].
    private long[] toldAt = {};

    private final BitSet isTold = new BitSet();
    private final BitSet polling = new BitSet();
    private final Deque<Rounds> rounds = new ArrayDeque<>();
    private List<Long> lastRounds = List.of();
    private boolean isMapped;

    /// For each PE, the lanes that were the same at the look before.
    private List<Set<RecordedLane>> steady = List.of();
    private List<StuckOperation> reported = List.of();

    /// @param stall for how long a PE must not have moved
    StallWatch(Duration stall) {
        this.stallNanos = stall.toNanos();
    }

    /// What was read of a job at one moment.
    ///
    /// @param job what its PEs do
    /// @param polls for each PE, a number that grows while its program polls
    /// @param before read before the job
    /// @param after read after the job
    /// @param isMapped whether nothing can be on its way between PEs
    record Look(RecordedJob job, List<Long> polls, Counts before, Counts after, boolean isMapped) {
        static Look at(JobRecords records) {
            Counts before = Counts.of(records);
            RecordedJob job = records.read();
            return new Look(job, records.polls(), before, Counts.of(records), records.isMapped());
        }
    }

    /// What PEs count.
    ///
    /// @param rounds for each PE, how often its waiting threads had looked
    /// @param tells for each PE, how often it had found out what beside its waits may act
    record Counts(List<Long> rounds, List<Long> tells) {
        private static Counts of(JobRecords records) {
            return new Counts(records.rounds(), records.tells());
        }
    }

    /// How often the threads of each PE had looked at a moment.
    private record Rounds(long nanoTime, List<Long> after) {}

    @Override
    public Optional<Finding> look(JobRecords records, long nanoTime) {
        return look(Look.at(records), nanoTime);
    }

    /// Looks at what was read of the job just now.
    Optional<Finding> look(Look read, long nanoTime) {
        boolean hasChanged = note(read, nanoTime);
        BitSet moving = moving(nanoTime);
        if (!hasChanged && moving.cardinality() == movedAt.length) {
            return Optional.empty();
        }
        Diagnosis diagnosis = Diagnosis.ofFinal(snapshot(moving, nanoTime), PATIENCE * stallNanos)
                .orElse(null);
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
        return Optional.of(new Finding(diagnosis.text(), diagnosis.verdict().isFinal(), diagnosis.fields(), nanoTime));
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
    boolean note(Look look, long nanoTime) {
        RecordedJob now = look.job();
        List<Long> polls = look.polls();
        RecordedJob before = last;
        boolean hasChanged = false;
        if (before == null) {
            movedAt = new long[now.pes().size()];
            tellsAtMove = new long[movedAt.length];
            toldAt = new long[movedAt.length];
        }
        for (int pe = 0; pe < movedAt.length; pe++) {
            polling.set(pe, before != null && !polls.get(pe).equals(lastPolls.get(pe)));
            if (before == null || !isSame(before, now, pe)) {
                movedAt[pe] = nanoTime;
                tellsAtMove[pe] = look.after().tells().get(pe);
                isTold.clear(pe);
                hasChanged = true;
            } else if (!isTold.get(pe) && look.before().tells().get(pe) - tellsAtMove[pe] >= WHOLE_TELL) {
                toldAt[pe] = nanoTime;
                isTold.set(pe);
            }
        }
        steady = steady(before, now);
        last = now;
        lastPolls = polls;
        lastRounds = look.before().rounds();
        isMapped = look.isMapped();
        rounds.add(new Rounds(nanoTime, look.after().rounds()));
        if (rounds.size() > MOST_ROUNDS) {
            rounds.removeFirst();
        }
        return hasChanged;
    }

    /// Returns, for each PE, the lanes that both looks have found alike: none of them is made of parts of two moments.
    private static List<Set<RecordedLane>> steady(@Nullable RecordedJob before, RecordedJob now) {
        List<Set<RecordedLane>> steady = new ArrayList<>();
        for (RecordedPe pe : now.pes()) {
            Set<RecordedLane> same = new HashSet<>(pe.lanes());
            same.retainAll(
                    before == null
                            ? Set.of()
                            : Set.copyOf(before.pes().get(pe.pe()).lanes()));
            steady.add(same);
        }
        return steady;
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

    /// Returns whether PEs that stand still may yet find out that nothing travels between them.
    boolean mayLearn(BitSet moving) {
        return !isMapped && !blind(moving).isEmpty();
    }

    /// Returns the PEs that wait, and have not looked since the latest move of a PE that stands still; over a network
    /// also those of which something may travel, as far as is known.
    private BitSet blind(BitSet moving) {
        RecordedJob job = last;
        long latest = Long.MIN_VALUE;
        for (int pe = 0; pe < movedAt.length; pe++) {
            latest = moving.get(pe) ? latest : Math.max(latest, movedAt[pe]);
            latest = isMapped || moving.get(pe) || !isTold.get(pe) ? latest : Math.max(latest, toldAt[pe]);
        }
        long since = latest;
        Rounds base = rounds.stream()
                .filter(each -> each.nanoTime() - since >= 0)
                .findFirst()
                .orElse(rounds.getLast());
        long least = isMapped ? WHOLE_ROUND : NETWORK_ROUNDS;
        BitSet blind = new BitSet();
        for (int pe = 0; pe < movedAt.length; pe++) {
            boolean isWaiting = job != null && job.pes().get(pe).waiting() != null && !moving.get(pe);
            boolean mayTravel = !isMapped && !isTold.get(pe);
            blind.set(
                    pe,
                    isWaiting && (mayTravel || lastRounds.get(pe) - base.after().get(pe) < least));
        }
        return blind;
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
        return JobSnapshots.of(
                job,
                moving,
                polling,
                blind(moving),
                steady,
                nanoTime,
                moving.cardinality() == movedAt.length ? 0 : stalled);
    }
}
