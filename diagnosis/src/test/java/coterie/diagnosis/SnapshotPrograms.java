// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.Comparison;
import coterie.diagnosis.OperationAction.After;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.OperationAction.Point;
import coterie.diagnosis.OperationAction.Update;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/// Writes small programs as snapshots: for each PE its streams, for each stream its operations.
final class SnapshotPrograms {
    private final List<List<LaneSnapshot>> pes = new ArrayList<>();
    private final Map<Word, Long> words = new HashMap<>();
    private final Map<String, Long> sequences = new HashMap<>();
    private QueueLimits limits = QueueLimits.NONE;

    SnapshotPrograms(int pes) {
        for (int pe = 0; pe < pes; pe++) {
            this.pes.add(new ArrayList<>());
        }
    }

    SnapshotPrograms stream(int pe, PendingOperation... operations) {
        List<LaneSnapshot> mine = pes.get(pe);
        mine.add(LaneSnapshot.stream("S" + mine.size(), numbered(pe, operations)));
        return this;
    }

    SnapshotPrograms lane(int pe, LaneSnapshot lane) {
        pes.get(pe).add(lane);
        return this;
    }

    SnapshotPrograms word(Word word, long value) {
        words.put(word, value);
        return this;
    }

    SnapshotPrograms limits(QueueLimits all) {
        limits = all;
        return this;
    }

    /// Members count a team's collectives in the order of the calls.
    private PendingOperation[] numbered(int pe, PendingOperation... operations) {
        return java.util.Arrays.stream(operations)
                .map(each -> each.action() instanceof Meet meet && meet.sequence() < 0
                        ? new PendingOperation(
                                each.label(),
                                each.site(),
                                each.waitedNanos(),
                                new Meet(
                                        meet.team(),
                                        meet.members(),
                                        sequences.merge(meet.team() + "/" + pe, 1L, Long::sum) - 1,
                                        meet.signature()),
                                each.queued(),
                                each.slot())
                        : each)
                .toArray(PendingOperation[]::new);
    }

    Snapshot snapshot() {
        List<PeSnapshot> all = IntStream.range(0, pes.size())
                .mapToObj(pe -> new PeSnapshot(pe, PeSnapshot.Status.RUNNING, "", pes.get(pe), Map.of(), limits, 0))
                .toList();
        return new Snapshot("test", all, words, 2_000_000_000L);
    }

    Snapshot snapshotWith(int pe, PeSnapshot.Status status, String detail) {
        List<PeSnapshot> all = new ArrayList<>(snapshot().pes());
        all.set(pe, new PeSnapshot(pe, status, detail, pes.get(pe), Map.of(), limits, 0));
        return new Snapshot("test", all, words, 2_000_000_000L);
    }

    static Word word(int pe) {
        return new Word(pe, 64);
    }

    static PendingOperation local() {
        return new PendingOperation("host function", new OperationAction.Local());
    }

    static PendingOperation add(int pe) {
        return add(word(pe), 1);
    }

    static PendingOperation add(Word word, long value) {
        return new PendingOperation("signal of PE " + word.pe(), new Update(word, true, value));
    }

    static PendingOperation set(Word word, long value) {
        return new PendingOperation("signal of PE " + word.pe(), new Update(word, false, value));
    }

    static PendingOperation await(int pe) {
        return await(word(pe), Comparison.GE, 1);
    }

    static PendingOperation await(Word word, Comparison comparison, long operand) {
        return new PendingOperation("waitUntil", new Await(new Condition(word, comparison, operand, true)));
    }

    static PendingOperation awaitOf(int needed, Condition... conditions) {
        return new PendingOperation("waitUntilAll", new Await(List.of(conditions), needed, List.of()));
    }

    /// Writes bytes of the word that only puts write.
    static PendingOperation put(int pe) {
        return new PendingOperation(
                "put", new OperationAction.Put(pe, putWord(pe).offset(), 4));
    }

    static Word putWord(int pe) {
        return new Word(pe, 128);
    }

    static PendingOperation barrier(String team, int... members) {
        return new PendingOperation(
                "barrier of team \"" + team + "\"",
                new Meet(team, IntStream.of(members).boxed().toList(), -1, "barrier"));
    }

    static PendingOperation after(int lane, long position) {
        return new PendingOperation("waitEvent", new After(List.of(new Point(lane, position))));
    }
}
