// SPDX-License-Identifier: Apache-2.0
package coterie.internal.request;

import coterie.Comparison;
import coterie.collective.Collective;
import coterie.collective.Request;
import coterie.internal.component.AskedCollective;
import coterie.internal.rma.PeMemory;
import coterie.internal.schedule.Task;
import coterie.internal.schedule.TaskState;
import coterie.internal.trace.EventKind;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.Tracing;
import coterie.internal.wait.WaitingRoom;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A member's part in a collective that goes on by itself.
final class PeRequest implements Request {
    /// Where its scratch memory is, or −1.
    final long scratch;

    private final Requests owner;
    private final Collective collective;
    private final AskedCollective asked;
    private final String algorithm;

    /// What traces call it.
    private final String label;

    private final Execution execution;
    private final Task task;
    private final PeTracer tracer;
    private final Trigger trigger;

    private final Runnable setUp = this::setUp;

    /// Whether its last run had ended well when it was closed.
    private volatile boolean hasEndedWell;

    PeRequest(
            Requests owner,
            Collective collective,
            AskedCollective asked,
            String algorithm,
            Execution execution,
            long scratch) {
        this.owner = owner;
        this.collective = collective;
        this.asked = asked;
        this.algorithm = algorithm;
        this.label = (asked.kind().label() + " " + quotedTag(collective)).strip();
        this.execution = execution;
        this.task = execution.task();
        this.scratch = scratch;
        this.tracer = owner.tracer();
        this.trigger = new Trigger(owner.runtime());
    }

    /// The program's name of a request in quotes, or nothing.
    static String quotedTag(Collective described) {
        return described.tag().map(tag -> '"' + tag + '"').orElse("");
    }

    /// Whether a run is under way that uses a block of memory.
    boolean uses(PeMemory block) {
        return isUnderWay() && asked.blocks().contains(block);
    }

    long scratchBytes() {
        return execution.scratchBytes();
    }

    boolean isUnderWay() {
        return task.state().isUnderWay();
    }

    @Override
    public Collective collective() {
        return collective;
    }

    @Override
    public String algorithm() {
        return algorithm;
    }

    @Override
    public void post() {
        begin("post", setUp);
    }

    @Override
    public void postWhen(BooleanSupplier condition) {
        BooleanSupplier when = checked("postWhen", "condition", condition);
        begin("postWhen", () -> setUp(when));
    }

    private void begin(String operation, Runnable posted) {
        owner.checkThread(operation);
        long began = Tracing.begin(tracer);
        task.post(operation, posted);
        PeTracer.ended(tracer, began, EventKind.REQUEST, "post", 0, 0);
    }

    private void setUp() {
        setUp(null);
    }

    /// A post that is refused takes no number: the next one gets it.
    private void setUp(@Nullable BooleanSupplier condition) {
        owner.checkPost(asked);
        BooleanSupplier when = condition == null ? null : trigger.of(condition);
        execution.set(owner.number(execution.numbers()), when, asked.from(), asked.to(), scratch);
    }

    @Override
    public boolean test() {
        owner.checkThread("test");
        boolean isOver = task.test();
        RuntimeException failure = isOver ? task.failure() : null;
        if (failure != null) {
            throw failure;
        }
        return isOver;
    }

    @Override
    public boolean isComplete() {
        return task.state() == TaskState.OK || hasEndedWell;
    }

    @Override
    public void await() {
        await(WaitingRoom.FOREVER);
    }

    @Override
    public void await(Duration timeout) {
        Duration given = checked("await", "timeout", timeout);
        await(WaitingRoom.timeoutNanos(asked.kind().label(), task.pe(), given));
    }

    private void await(long timeoutNanos) {
        owner.checkThread("await");
        if (Tracing.ON) {
            tracer.enter(EventKind.REQUEST, label, -1, 0, 0, Comparison.EQ, 0);
        }
        try {
            task.await(timeoutNanos);
        } finally {
            if (Tracing.ON) {
                tracer.leave(0, 0);
            }
        }
    }

    private <T> T checked(String operation, String name, T argument) {
        return Objects.requireNonNull(
                argument, () -> operation + " on PE " + task.pe() + ", " + this + ": " + name + " is null");
    }

    /// Lets go of what is a layer's, since that ends with the team.
    void end() {
        execution.end();
    }

    @Override
    public void close() {
        if (task.state() != TaskState.FINALIZED) {
            TaskState last = task.state();
            hasEndedWell = last == TaskState.OK;
            task.finalise();
            trigger.end();
            owner.close(this, hasEndedWell || last == TaskState.INITIALIZED);
        }
    }

    @Override
    public String toString() {
        return collective + " by " + algorithm + ", " + task.state();
    }
}
