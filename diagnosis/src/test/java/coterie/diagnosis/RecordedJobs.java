// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.Comparison;
import coterie.internal.launch.RecordedJob;
import coterie.internal.launch.RecordedPe;
import coterie.internal.launch.RecordedWait;
import coterie.internal.launch.RecordedWord;
import coterie.internal.record.RecordedAllocation;
import coterie.internal.record.RecordedLane;
import coterie.spi.OperationRecord.Action;
import coterie.spi.PeState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Makes the records of jobs whose programs all wait.
final class RecordedJobs {
    private static final int WORDS = 8;

    private final List<RecordedPe> pes = new ArrayList<>();

    /// Adds a PE whose program waits for a word of its own.
    RecordedJobs waiting(long unrecorded, RecordedLane... lanes) {
        return waitingFor(0, unrecorded, lanes);
    }

    /// Adds one whose word only some PEs write.
    ///
    /// @param writers a bit for each; 0 for all
    RecordedJobs waitingFor(long writers, long unrecorded, RecordedLane... lanes) {
        return waitingForAny(1, writers, unrecorded, lanes);
    }

    /// Adds one that waits for any of some words.
    ///
    /// @param words 0 if their operands are not known
    RecordedJobs waitingForAny(long words, long writers, long unrecorded, RecordedLane... lanes) {
        return waitingIn(null, words, writers, unrecorded, lanes);
    }

    /// Adds one that waits for any of some words.
    ///
    /// @param allocation that the words are in; null if it is not known
    RecordedJobs waitingIn(
            @Nullable RecordedAllocation allocation, long words, long writers, long unrecorded, RecordedLane... lanes) {
        RecordedWait wait = new RecordedWait(
                RecordedWait.Kind.WORD,
                "waitUntil until the word is GE 1",
                "",
                0,
                -1,
                new RecordedWord(pes.size(), 0, Long.BYTES, true),
                words,
                "",
                allocation,
                Comparison.GE,
                1,
                writers,
                0,
                0,
                "");
        pes.add(new RecordedPe(
                pes.size(),
                PeState.RUNNING,
                "waiting",
                100 + pes.size(),
                false,
                false,
                List.of(),
                0,
                wait,
                List.of(lanes),
                unrecorded,
                Map.of()));
        return this;
    }

    /// Makes a lane with some operations.
    static RecordedLane lane(int number, String name, boolean isHost, int slots, RecordedLane.Operation... pending) {
        return new RecordedLane(
                number, name, isHost, -1, false, slots, pending.length, 0, 0, List.of(pending), List.of("#0 put"));
    }

    /// Makes an operation that needs a slot.
    static RecordedLane.Operation operation(Action action, boolean isStarted, long offset) {
        return new RecordedLane.Operation(
                action, Comparison.GE, true, Long.BYTES, true, isStarted, 0, offset, "", -1, 1, 1, "label", "", "", 0);
    }

    /// Makes a wait for words.
    ///
    /// @param allocation the text of the allocation that they are in
    static RecordedLane.Operation waitIn(String allocation, long offset, long words) {
        return new RecordedLane.Operation(
                Action.WAIT,
                Comparison.GE,
                true,
                Long.BYTES,
                false,
                true,
                0,
                offset,
                "",
                -1,
                1,
                words,
                "wait",
                allocation,
                "",
                0);
    }

    /// Makes an operation of the same kind on a word of another PE.
    static RecordedLane.Operation to(int pe, RecordedLane.Operation each) {
        return new RecordedLane.Operation(
                each.action(),
                each.comparison(),
                each.isUnsigned(),
                each.width(),
                each.needsSlot(),
                each.isStarted(),
                pe,
                each.offset(),
                each.object(),
                each.lane(),
                each.value(),
                each.length(),
                each.label(),
                each.signature(),
                each.site(),
                each.order());
    }

    RecordedJob job() {
        Map<RecordedWord, Long> words = new HashMap<>();
        for (int pe = 0; pe < pes.size(); pe++) {
            for (long offset = 0; offset < WORDS * Long.BYTES; offset += Long.BYTES) {
                words.put(new RecordedWord(pe, offset, Long.BYTES, true), 0L);
            }
        }
        return new RecordedJob("test", "box", pes, words);
    }

    Snapshot snapshot() {
        return JobSnapshots.of(
                job(),
                new BitSet(),
                new BitSet(),
                new BitSet(),
                pes.stream().map(RecordedPe::lanes).toList(),
                1,
                1);
    }
}
