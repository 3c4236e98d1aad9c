// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.add;
import static coterie.diagnosis.SnapshotPrograms.after;
import static coterie.diagnosis.SnapshotPrograms.await;
import static coterie.diagnosis.SnapshotPrograms.barrier;
import static coterie.diagnosis.SnapshotPrograms.set;
import static coterie.diagnosis.SnapshotPrograms.word;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.Comparison;
import coterie.diagnosis.LaneSnapshot.Agent;
import coterie.diagnosis.OperationAction.After;
import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.OperationAction.Point;
import coterie.diagnosis.PeSnapshot.Status;
import coterie.diagnosis.PendingOperation.Slot;
import coterie.diagnosis.QueueLimits.Order;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// The deadlocks of NVSHMEM's chapter on CUDA, as snapshots: the verdict, the cause, and what helps.
class ScenariosTest {
    private static final PendingOperation W = barrier("W", 0, 1);

    /// A thread that waits for the end of a stream.
    private static LaneSnapshot synchronize(int lane, long position) {
        return LaneSnapshot.host(
                "main", new PendingOperation("synchronize", new After(List.of(new Point(lane, position)))));
    }

    private static List<String> chain(Diagnosis diagnosis) {
        return diagnosis.cycle().stream().map(Diagnosis.Link::operation).toList();
    }

    @Test
    @DisplayName("ST-S22: a barrier before the signal that the other PE waits for before the barrier")
    void circular() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(2)
                .stream(0, W, add(1)).stream(1, await(1), W)
                        .lane(0, synchronize(0, 2))
                        .lane(1, synchronize(0, 2))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(chain(diagnosis)).containsExactly("P0.S0#0", "P1.S0#1", "P1.S0#0", "P0.S0#1");
        assertThat(diagnosis.suggestions())
                .anySatisfy(each -> assertThat(each).startsWith("enqueue P0.S0#1 (signal of PE 1), and what"));
        assertThat(diagnosis.stuck()).extracting(StuckOperation::id).contains("P0.main#0", "P1.main#0");
        assertThat(diagnosis.text())
                .contains(
                        "DEADLOCK: no schedule can complete these operations (test, 2 PEs, nothing has moved for 2.0 s)")
                .contains("1. P0.S0#0, barrier of team \"W\", waits for PE 1, which comes in P1.S0#1")
                .contains("waits for word 0x40 of PE 1, which is 0, to be GE 1 by P0.S0#1");
        assertThat(diagnosis.dot()).contains("\"P0.S0#0\" -> \"P1.S0#1\" [label=\"COLLECTIVE\", color=red]");
    }

    @Test
    @DisplayName("ST-S23: a wait holds the only slot, which the notification of the other stream needs")
    void slots() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, slot(await(0), Slot.HELD, 0)).stream(0, slot(add(0), Slot.NEEDED, 1))
                        .limits(new QueueLimits(List.of(), Order.COMPLETION, 1))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        assertThat(diagnosis.causes()).containsExactly("P0.S1#0 needs the slot that P0.S0#0 holds");
        assertThat(chain(diagnosis)).containsExactly("P0.S0#0", "P0.S1#0");
    }

    private static PendingOperation slot(PendingOperation operation, Slot slot, long queued) {
        return new PendingOperation(operation.label(), "", 0, operation.action(), queued, slot);
    }

    @Test
    @DisplayName("ST-S24: two streams share a queue, in which the wait is before the notification")
    void queues() {
        SnapshotPrograms waitFirst = new SnapshotPrograms(1)
                .stream(0, slot(await(0), Slot.NONE, 0)).stream(0, slot(add(0), Slot.NONE, 1))
                        .limits(new QueueLimits(List.of(0, 0), Order.COMPLETION, 0));
        Diagnosis diagnosis = Diagnosis.of(waitFirst.snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        assertThat(diagnosis.causes()).containsExactly("P0.S1#0 shares queue 0 with P0.S0#0, which is before it");
        waitFirst.limits(new QueueLimits(List.of(0, 1), Order.COMPLETION, 0));
        assertThat(Diagnosis.of(waitFirst.snapshot()).verdict()).isEqualTo(Verdict.HAZARD);
        waitFirst.limits(new QueueLimits(List.of(0, 0), Order.DISPATCH, 0));
        assertThat(Diagnosis.of(waitFirst.snapshot()).verdict()).isEqualTo(Verdict.HAZARD);
        Diagnosis notifyFirst = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, slot(await(0), Slot.NONE, 1)).stream(0, slot(add(0), Slot.NONE, 0))
                        .limits(new QueueLimits(List.of(0, 0), Order.COMPLETION, 0))
                        .snapshot());
        assertThat(notifyFirst.verdict()).isEqualTo(Verdict.HAZARD);
        assertThat(notifyFirst.order()).containsExactly("P0.S0#0");
    }

    @Test
    @DisplayName("ST-S25: an event that is recorded before the wait removes the hazard")
    void events() {
        SnapshotPrograms recorded = new SnapshotPrograms(2);
        SnapshotPrograms missing = new SnapshotPrograms(2);
        for (int pe = 0; pe < 2; pe++) {
            recorded.stream(pe, add(1 - pe)).stream(pe, after(0, 1), await(pe));
            missing.stream(pe, add(1 - pe)).stream(pe, await(pe));
        }
        assertThat(Diagnosis.of(recorded.snapshot()).verdict()).isEqualTo(Verdict.NONE);
        Diagnosis hazard = Diagnosis.of(missing.snapshot());
        assertThat(hazard.verdict()).isEqualTo(Verdict.HAZARD);
        assertThat(hazard.order()).containsExactlyInAnyOrder("P0.S1#0", "P1.S1#0");
        assertThat(hazard.text()).contains("order: ").contains("try: order the streams: record an event");
    }

    @Test
    @DisplayName("ST-S31: two members call different collectives")
    void mismatch() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(2)
                .stream(0, meet("allReduce SUM of 8 B")).stream(1, meet("barrier"))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.MISMATCH);
        assertThat(diagnosis.causes())
                .containsExactly(
                        "collective 0 of team \"W\" is allReduce SUM of 8 B in P0.S0#0, and barrier in P1.S0#0");
    }

    private static PendingOperation meet(String signature) {
        return new PendingOperation(signature, new Meet("W", List.of(0, 1), 0, signature));
    }

    @Test
    @DisplayName("ST-S34: a PE that is over is the cause before any cycle")
    void deadPe() {
        Snapshot snapshot = new SnapshotPrograms(3)
                .stream(0, barrier("W", 0, 1, 2), add(1)).stream(1, barrier("W", 0, 1, 2))
                        .snapshotWith(2, Status.FAILED, "exit code 137");
        Diagnosis diagnosis = Diagnosis.of(snapshot);
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.PE_DEAD);
        assertThat(diagnosis.causes()).containsExactly("PE 2 has failed: exit code 137");
        assertThat(diagnosis.stuck()).extracting(StuckOperation::id).containsExactly("P0.S0#0", "P0.S0#1", "P1.S0#0");
        assertThat(diagnosis.text()).contains("waits for PE 2, which has not called it: exit code 137");
    }

    @Test
    @DisplayName("ST-S35, ST-S36, ST-S40: code that could act, code that polls, a PE that cannot be read")
    void agents() {
        SnapshotPrograms active =
                new SnapshotPrograms(2).stream(0, await(0)).lane(1, LaneSnapshot.agent("main", Agent.ACTIVE));
        Diagnosis stalled = Diagnosis.of(active.snapshot());
        assertThat(stalled.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(stalled.causes()).containsExactly("\"main\" of PE 1 runs code of the program");
        SnapshotPrograms polling =
                new SnapshotPrograms(2).stream(0, await(0)).lane(1, LaneSnapshot.agent("main", Agent.POLLING));
        Diagnosis noProgress = Diagnosis.of(polling.snapshot());
        assertThat(noProgress.verdict()).isEqualTo(Verdict.NO_PROGRESS);
        assertThat(noProgress.causes()).containsExactly("\"main\" of PE 1 polls");
        Diagnosis unread = Diagnosis.of(
                new SnapshotPrograms(2).stream(0, await(0)).snapshotWith(1, Status.UNREAD, "process 17 is stopped"));
        assertThat(unread.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(unread.causes()).containsExactly("PE 1 can't be read: process 17 is stopped");
        assertThat(unread.unknown()).containsExactly("what PE 1 does (process 17 is stopped)");
    }

    @Test
    @DisplayName("a host that waits for what is stuck is no help; a deadlock beside code that runs is still one")
    void hosts() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(3)
                .stream(0, W, add(1)).stream(1, await(word(1), Comparison.GE, 1), W)
                        .lane(2, LaneSnapshot.agent("main", Agent.ACTIVE))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.STALLED); // PE 2 could still signal PE 1
        Diagnosis teams = Diagnosis.of(new SnapshotPrograms(3)
                .stream(0, barrier("T", 0, 1), barrier("U", 0, 1)).stream(1, barrier("U", 0, 1), barrier("T", 0, 1))
                        .lane(2, LaneSnapshot.agent("main", Agent.ACTIVE))
                        .snapshot());
        assertThat(teams.verdict()).isEqualTo(Verdict.DEADLOCK); // no other PE can come to these barriers
    }

    @Test
    @DisplayName("a wait with a deadline is no deadlock, nor is one for a PE whose wait has a deadline")
    void deadlines() {
        PendingOperation timed = new PendingOperation(
                "waitUntil",
                "Program.java:7",
                1,
                new OperationAction.Await(new OperationAction.Condition(word(0), Comparison.GE, 1, true)),
                0,
                PendingOperation.Slot.NONE,
                3_200_000_000L);
        Snapshot snapshot = new SnapshotPrograms(2)
                .lane(0, LaneSnapshot.host("main", timed))
                .lane(1, LaneSnapshot.host("main", await(word(1), Comparison.GE, 1)))
                .snapshot();
        Diagnosis diagnosis = Diagnosis.of(snapshot);
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(diagnosis.causes()).contains("P0.main#0 at Program.java:7, waitUntil, ends in 3.2 s at the latest");
        assertThat(Diagnosis.ofFinal(snapshot, 3_200_000_001L)).isEmpty();
        assertThat(Diagnosis.ofFinal(snapshot, 3_200_000_000L))
                .hasValueSatisfying(each -> assertThat(each.verdict()).isEqualTo(Verdict.STALLED));
    }

    @Test
    @DisplayName("a lost signal: the word has passed the value, and nothing changes it any more")
    void lostSignal() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, await(word(0), Comparison.EQ, 1)).word(word(0), 2).snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(diagnosis.cycle()).isEmpty();
        assertThat(diagnosis.text())
                .contains("which is 2, to be EQ 1, and no pending operation changes it")
                .contains("add to the word instead of setting it, and wait for GE");
        Snapshot overwritten = new SnapshotPrograms(2)
                .stream(0, set(word(1), 1), set(word(1), 2)).stream(1, await(word(1), Comparison.EQ, 1))
                        .snapshot();
        assertThat(Diagnosis.of(overwritten).verdict()).isEqualTo(Verdict.HAZARD);
    }

    @Test
    @DisplayName("a graph that is launched again waits for a value that the word has passed: advancing helps")
    void replay() {
        String advancing = "if the graph of P0.S.graph#0 is launched several times";
        for (long value : new long[] {0, 2}) {
            Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(1)
                    .lane(0, LaneSnapshot.stream("S.graph", await(word(0), Comparison.EQ, 1)))
                    .word(word(0), value)
                    .snapshot());
            assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
            assertThat(diagnosis.suggestions().stream().anyMatch(each -> each.startsWith(advancing)))
                    .isEqualTo(value == 2);
        }
    }

    @Test
    @DisplayName("the report says on which other PE the word is as it is waited for")
    void astray() {
        for (long value : new long[] {0, 1}) {
            Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(2)
                    .stream(0, await(word(0), Comparison.GE, 1))
                            .word(word(1), value)
                            .snapshot());
            assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
            assertThat(diagnosis.text().contains("on PE 1 it is 1")).isEqualTo(value == 1);
        }
    }

    @Test
    @DisplayName("the report has at most 25 lines, and the fields have all")
    void sizes() {
        PendingOperation[] many = Stream.generate(() -> await(0)).limit(100).toArray(PendingOperation[]::new);
        Diagnosis diagnosis =
                Diagnosis.of(new SnapshotPrograms(1).stream(0, many).snapshot());
        assertThat(diagnosis.text().lines()).hasSizeLessThanOrEqualTo(25);
        assertThat(diagnosis.text()).containsPattern("… \\d+ more");
        assertThat(diagnosis.fields())
                .containsEntry("schema", Diagnosis.SCHEMA)
                .containsEntry("verdict", "DEADLOCK")
                .hasEntrySatisfying(
                        "stuck", stuck -> assertThat((List<?>) stuck).hasSize(100));
    }
}
