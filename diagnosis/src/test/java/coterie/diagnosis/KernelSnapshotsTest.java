// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import static coterie.diagnosis.SnapshotPrograms.add;
import static coterie.diagnosis.SnapshotPrograms.await;
import static coterie.diagnosis.SnapshotPrograms.local;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.diagnosis.OperationAction.Kernel;
import coterie.diagnosis.OperationAction.Run;
import coterie.diagnosis.PendingOperation.Slot;
import coterie.diagnosis.QueueLimits.Order;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/// Kernels and host functions: they can do anything, but only once they have their turn on the device.
class KernelSnapshotsTest {
    private static final Run CODE = new Run(false);

    /// A kernel of one thread, which waits.
    private static final Kernel WAITING = new Kernel(0, 1);

    /// A kernel of which no block has started.
    private static final Kernel QUEUED = new Kernel(1, 0);

    private static PendingOperation operation(String label, OperationAction action, Slot slot, long queued) {
        return new PendingOperation(label, "", 0, action, queued, slot);
    }

    /// A kernel that waits for a word, and the notifying one, in streams of one device.
    private static Diagnosis kernels(QueueLimits limits) {
        Slot held = limits.slots() > 0 ? Slot.HELD : Slot.NONE;
        Slot needed = limits.slots() > 0 ? Slot.NEEDED : Slot.NONE;
        return Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, operation("wait", WAITING, held, 0)).stream(0, operation("notify", QUEUED, needed, 1))
                        .lane(0, LaneSnapshot.host("kernel-lane-0", await(0)))
                        .limits(limits)
                        .snapshot());
    }

    @Test
    @DisplayName("ST-S23: a kernel that waits holds the only slot, which the notifying kernel needs")
    void slots() {
        Diagnosis diagnosis = kernels(new QueueLimits(List.of(), Order.COMPLETION, 1));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        assertThat(diagnosis.causes()).containsExactly("P0.S1#0 needs the slot that P0.S0#0 holds");
        assertThat(diagnosis.cycle())
                .extracting(Diagnosis.Link::operation)
                .containsExactly("P0.S0#0", "P0.kernel-lane-0#0", "P0.S1#0");
        assertThat(kernels(new QueueLimits(List.of(), Order.COMPLETION, 2)).verdict())
                .isEqualTo(Verdict.STALLED);
    }

    @Test
    @DisplayName("ST-S24: the notifying kernel is behind the waiting one in their queue")
    void queues() {
        Diagnosis diagnosis = kernels(new QueueLimits(List.of(0, 0, -1), Order.COMPLETION, 0));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        assertThat(diagnosis.causes()).containsExactly("P0.S1#0 shares queue 0 with P0.S0#0, which is before it");
        assertThat(kernels(new QueueLimits(List.of(0, 1, -1), Order.COMPLETION, 0))
                        .verdict())
                .isEqualTo(Verdict.STALLED);
        assertThat(kernels(new QueueLimits(List.of(0, 0, -1), Order.DISPATCH, 0))
                        .verdict())
                .isEqualTo(Verdict.STALLED);
    }

    @Test
    @DisplayName("ST-S23: a kernel that waits holds the threads that the notifying kernel needs")
    void threads() {
        Diagnosis diagnosis = kernels(new QueueLimits(List.of(), Order.COMPLETION, 0, 1));
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        assertThat(diagnosis.causes())
                .containsExactly("P0.S1#0 needs 1 of the device's 1 threads, of which P0.S0#0 holds 1");
        assertThat(diagnosis.suggestions()).anyMatch(each -> each.contains("of P0.S0#0 wait for an event after P0.S1"));
        assertThat(kernels(new QueueLimits(List.of(), Order.COMPLETION, 0, 2)).verdict())
                .isEqualTo(Verdict.STALLED);
    }

    @Test
    @DisplayName("ST-S26: blocks of one kernel wait for those that its own blocks keep from running")
    void ownBlocks() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, new PendingOperation("kernel", new Kernel(1, 4)))
                        .limits(new QueueLimits(List.of(), Order.COMPLETION, 0, 4))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        assertThat(diagnosis.causes())
                .containsExactly("P0.S0#0 needs 1 of the device's 4 threads, of which its own blocks hold 4");
        assertThat(diagnosis.suggestions()).anyMatch(each -> each.contains("collectiveLaunch"));
    }

    @Test
    @DisplayName("a kernel all of whose threads wait needs what they wait for, with no limits")
    void allWait() {
        Diagnosis diagnosis = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, new PendingOperation("kernel", WAITING), add(0))
                        .lane(0, LaneSnapshot.host("kernel-lane-0", await(0)))
                        .snapshot());
        assertThat(diagnosis.verdict()).isEqualTo(Verdict.DEADLOCK);
        assertThat(diagnosis.cycle())
                .extracting(Diagnosis.Link::operation)
                .containsExactlyInAnyOrder("P0.S0#0", "P0.kernel-lane-0#0", "P0.S0#1");
    }

    @Test
    @DisplayName("a host function helps once operations before it are over, and not behind a wait that never ends")
    void hostFunctions() {
        PendingOperation code = new PendingOperation("host function", CODE);
        Diagnosis later = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, await(0)).stream(0, local(), code).snapshot());
        assertThat(later.verdict()).isEqualTo(Verdict.STALLED);
        Diagnosis behind =
                Diagnosis.of(new SnapshotPrograms(1).stream(0, await(0), code).snapshot());
        assertThat(behind.verdict()).isEqualTo(Verdict.DEADLOCK);
        Diagnosis queued = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, operation("wait", await(0).action(), Slot.NONE, 0)).stream(
                                0, operation("host function", CODE, Slot.NONE, 1))
                        .limits(new QueueLimits(List.of(0, 0), Order.COMPLETION, 0))
                        .snapshot());
        assertThat(queued.verdict()).isEqualTo(Verdict.FALSE_DEPENDENCY);
        Diagnosis polling = Diagnosis.of(new SnapshotPrograms(1)
                .stream(0, await(0)).stream(0, new PendingOperation("polled host function", new Run(true)))
                        .snapshot());
        assertThat(polling.verdict()).isEqualTo(Verdict.NO_PROGRESS);
        assertThat(polling.causes()).containsExactly("P0.S1#0, polled host function, polls");
    }
}
