// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.Comparison;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.PendingOperation.Slot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// A small program: two or three PEs with some streams, words that grow or change in any way, with and without a
/// sign, waits for one word or two, puts, barriers and events; and perhaps few queues and slots.
final class RandomProgram {
    private static final List<Comparison> ANY = List.of(Comparison.values());

    private final Random random;
    private final int pes;
    private final boolean isMonotone;
    private final boolean isUnsigned;
    private final List<List<List<PendingOperation>>> all = new ArrayList<>();

    private RandomProgram(Random random) {
        this.random = random;
        this.pes = 2 + random.nextInt(2);
        this.isMonotone = random.nextInt(4) > 0;
        this.isUnsigned = random.nextBoolean();
    }

    static Snapshot of(Random random) {
        return new RandomProgram(random).snapshot();
    }

    private Snapshot snapshot() {
        for (int pe = 0; pe < pes; pe++) {
            int streams = 1 + random.nextInt(pes == 2 ? 3 : 2);
            List<List<PendingOperation>> mine = new ArrayList<>();
            for (int stream = 0; stream < streams; stream++) {
                List<PendingOperation> operations = new ArrayList<>();
                int length = random.nextInt(streams == 3 ? 2 : 3);
                for (int i = 0; i < length; i++) {
                    operations.add(operation(pe, mine));
                }
                mine.add(operations);
            }
            all.add(mine);
        }
        int meetings = random.nextInt(3);
        for (int meeting = 0; meeting < meetings; meeting++) {
            PendingOperation barrier = SnapshotPrograms.barrier(
                    "T" + random.nextInt(2), pes == 2 ? new int[] {0, 1} : new int[] {0, 1, 2});
            for (List<List<PendingOperation>> mine : all) {
                List<PendingOperation> stream = mine.get(random.nextInt(mine.size()));
                stream.add(random.nextInt(stream.size() + 1), barrier);
            }
        }
        SnapshotPrograms programs = new SnapshotPrograms(pes);
        QueueLimits limits = random.nextInt(3) > 0 ? limits() : QueueLimits.NONE;
        for (int pe = 0; pe < pes; pe++) {
            limit(all.get(pe), limits);
            for (List<PendingOperation> stream : all.get(pe)) {
                programs.stream(pe, stream.toArray(PendingOperation[]::new));
            }
        }
        return programs.limits(limits).snapshot();
    }

    private QueueLimits limits() {
        List<Integer> queues =
                random.nextBoolean() ? List.of() : List.of(random.nextInt(2), random.nextInt(2), random.nextInt(2));
        QueueLimits.Order order = random.nextBoolean() ? QueueLimits.Order.COMPLETION : QueueLimits.Order.DISPATCH;
        return new QueueLimits(queues, order, random.nextInt(3));
    }

    /// Gives the operations of a PE their places among all, and the first ones their slots if they wait.
    private void limit(List<List<PendingOperation>> streams, QueueLimits limits) {
        int[] next = new int[streams.size()];
        int left = streams.stream().mapToInt(List::size).sum();
        int held = 0;
        for (int queued = 0; left > 0; left--, queued++) {
            int stream = random.nextInt(streams.size());
            while (next[stream] == streams.get(stream).size()) {
                stream = (stream + 1) % streams.size();
            }
            PendingOperation operation = streams.get(stream).get(next[stream]);
            Slot slot = Slot.NONE;
            if (limits.slots() > 0 && !(operation.action() instanceof OperationAction.After)) {
                boolean hasStarted = next[stream] == 0
                        && !limits.hasQueues()
                        && held < limits.slots()
                        && operation.action() instanceof Await
                        && random.nextBoolean();
                held += hasStarted ? 1 : 0;
                slot = hasStarted ? Slot.HELD : Slot.NEEDED;
            }
            streams.get(stream)
                    .set(
                            next[stream],
                            new PendingOperation(operation.label(), "", 0, operation.action(), queued, slot));
            next[stream]++;
        }
    }

    private PendingOperation operation(int pe, List<List<PendingOperation>> earlier) {
        int to = random.nextInt(pes);
        return switch (random.nextInt(10)) {
            case 0, 1, 2, 3 -> update(to);
            case 4, 5 -> SnapshotPrograms.awaitOf(1, condition(pe));
            case 6 -> SnapshotPrograms.awaitOf(1 + random.nextInt(2), condition(pe), putCondition(pe));
            case 7 -> SnapshotPrograms.put(to);
            default -> earlier.isEmpty() ? SnapshotPrograms.local() : event(earlier);
        };
    }

    private PendingOperation update(int to) {
        if (isMonotone) {
            return SnapshotPrograms.add(SnapshotPrograms.word(to), 1 + random.nextInt(2));
        }
        return random.nextBoolean()
                ? SnapshotPrograms.add(SnapshotPrograms.word(to), random.nextInt(5) - 2)
                : SnapshotPrograms.set(SnapshotPrograms.word(to), random.nextInt(4) - 1);
    }

    private Condition condition(int pe) {
        Comparison comparison =
                isMonotone || random.nextBoolean() ? Comparison.GE : ANY.get(random.nextInt(ANY.size()));
        return new Condition(SnapshotPrograms.word(pe), comparison, 1 + random.nextInt(2), isUnsigned);
    }

    private static Condition putCondition(int pe) {
        return new Condition(SnapshotPrograms.putWord(pe), Comparison.GE, 1, true);
    }

    private PendingOperation event(List<List<PendingOperation>> earlier) {
        int lane = random.nextInt(earlier.size());
        return SnapshotPrograms.after(lane, random.nextInt(earlier.get(lane).size() + 1));
    }
}
