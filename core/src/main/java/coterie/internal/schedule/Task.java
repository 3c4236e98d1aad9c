// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.internal.memory.StatusLabel;
import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A unit of work that a program posts; it advances step by step without waiting, and ends well or in an error.
///
/// The work is in [#start] and [#progress], which one thread at a time calls; they end it by [#finish()], or by an
/// exception. The end has its effects in this order; a thread that sees one of them may rely on those before:
///
/// 1. the listeners are notified,
/// 2. the state changes, which ends waits and tests,
/// 3. the callback runs, which may post the task again or finalise it,
/// 4. the schedule that it is a part of continues.
///
/// A run allocates nothing as long as nothing fails. [TaskState] draws the life of a task.
public abstract class Task implements Awaitable {
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Task.class, "state", TaskState.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final ProgressEngine engine;
    final TaskOwnership ownership;
    final CompletionCallback completionCallback = new CompletionCallback();

    /// Whether the engine's queue has it; only the owning thread changes it.
    boolean listed;

    private final TaskDescription description;
    private final Persistence persistence;
    private final TaskListeners taskListeners = new TaskListeners();
    private @Nullable Task parent;
    private long timeoutNanos = WaitingRoom.FOREVER;

    /// Written in release order and read in acquire order: a thread that sees the end sees the results.
    @SuppressWarnings({"FieldMayBeFinal", "UnusedVariable"}) // the handle reads and writes it
    private TaskState state = TaskState.INITIALIZED;

    private long startedAt;
    private boolean finished;
    private @Nullable RuntimeException failure;

    protected Task(ProgressEngine engine, TaskDescription description, Persistence persistence) {
        this.engine = engine;
        this.description = description;
        this.persistence = persistence;
        this.ownership = TaskOwnership.of(engine.level());
    }

    /// Begins a run: prepares it for [#progress], and does the work that needs no waiting.
    protected abstract void start();

    /// Takes a step, if there is one to take, without waiting.
    ///
    /// @return whether the task moved
    protected abstract boolean progress();

    /// Releases the resources of a run that has failed; after that the run does not touch its buffers.
    protected void stop(RuntimeException why) {}

    /// Releases the resources of the task, once it is finalised.
    protected void release() {}

    /// Returns why the task can't end well any more, since a PE has ended, or null; the engine calls it where
    /// nothing moved. The default names [#awaitedPe], if that has ended.
    protected @Nullable RuntimeException lost() {
        int pe = awaitedPe();
        return pe < 0 || !engine.runtime().hasTerminated(pe)
                ? null
                : new PeFailedException(
                        describe() + ": PE " + pe + " " + engine.runtime().terminationCause(pe), List.of(pe));
    }

    /// Returns why the task can't end well although no PE has ended, or null.
    protected @Nullable RuntimeException revoked() {
        return null;
    }

    /// Ends the run well. Only [#start] and [#progress] may call it, and [#finish(RuntimeException)].
    protected final void finish() {
        assert state() == TaskState.IN_PROGRESS : describe();
        finished = true;
    }

    /// Ends the run with a failure; the first one counts.
    protected final void finish(RuntimeException why) {
        finish();
        if (failure == null) {
            failure = why;
        } else {
            suppress(failure, why);
        }
    }

    /// Every step of an algorithm passes here on its way to the waiting room's hook.
    protected final void step(int number) {
        engine.runtime().step(kind(), number);
    }

    /// Adds a listener for an event of each later run.
    public final void on(TaskEvent event, TaskListener listener) {
        checkIdle("on");
        taskListeners.add(event, listener);
    }

    /// Sets a callback for the end of each run, well or not. [CompletionCallback] says which thread gets what it
    /// throws; in a part of a schedule it fails the schedule.
    public final void onComplete(Consumer<? super Task> callback) {
        checkIdle("onComplete");
        this.completionCallback.set(callback);
    }

    /// Limits a run by the scheduler's clock, from its post, or a part's start; one that is found complete ends well.
    public final void timeout(long nanos) {
        checkIdle("timeout");
        if (nanos <= 0) {
            throw new IllegalArgumentException(describe() + ": timeout of " + nanos + " ns is not positive");
        }
        this.timeoutNanos = nanos;
    }

    /// Begins a run; returns without waiting.
    public final void post() {
        post("post", () -> {});
    }

    /// Begins a run; returns without waiting.
    ///
    /// @param operation that the program has called
    /// @param setUp says what the run is; if it throws, nothing has been posted
    /// @throws IllegalStateException if it has been posted before and may not, or not yet, be posted again
    public final void post(String operation, Runnable setUp) {
        checkTopmost(operation);
        boolean nested = enter(operation);
        try {
            checkPostable(operation);
            setUp.run();
            prepare();
            completionCallback.beginPost();
            launch();
            if (!hasTerminated() && !listed) {
                listed = true;
                engine.add(this);
            }
        } finally {
            completionCallback.endPost();
            leave(nested);
        }
    }

    /// Advances all posted tasks, and returns whether this one is over.
    ///
    /// @throws IllegalStateException if it has not been posted
    public final boolean test() {
        checkPosted("test");
        engine.room().progress();
        engine.advanceAllFor(this);
        completionCallback.rethrow();
        return hasTerminated();
    }

    /// Waits for the end, and meanwhile advances all posted tasks.
    ///
    /// @throws RuntimeException that the task has failed with
    /// @throws IllegalStateException if it has not been posted, or from within itself
    public final void await() {
        await(WaitingRoom.FOREVER);
    }

    /// Waits as [#await()] does, until a deadline of the wait alone: the task continues.
    ///
    /// @throws coterie.WaitTimeoutException if the task is not over in time
    public final void await(long waitNanos) {
        checkPosted("await");
        if (!hasTerminated()) {
            if (topmost().ownership.isMine()) {
                throw misuse("await", "the waiting thread is running this task");
            }
            boolean isCounted = completionCallback.isAwaited();
            try {
                engine.room().awaitWork(this, waitNanos);
            } finally {
                completionCallback.isNotAwaited(isCounted);
                completionCallback.rethrow(); // also at the deadline: the run has ended nevertheless
            }
        }
        completionCallback.rethrow();
        if (failure != null) {
            throw failure;
        }
    }

    /// Finalises the task and its parts.
    ///
    /// @throws IllegalStateException if a run is under way, or it is finalised already
    public final void finalise() {
        checkTopmost("finalise");
        boolean nested = enter("finalise");
        try {
            checkIdle("finalise");
            dispose();
        } finally {
            leave(nested);
        }
    }

    public final TaskState state() {
        return (TaskState) STATE.getAcquire(this);
    }

    /// Returns why the latest run has failed, or null.
    public final @Nullable RuntimeException failure() {
        return state() == TaskState.FAILED ? failure : null;
    }

    /// Returns the PE of the task.
    public final int pe() {
        return engine.pe();
    }

    public final String name() {
        return description.name();
    }

    @Override
    public final boolean poll() {
        if (!hasTerminated()) {
            engine.tryAdvanceAll();
        }
        return hasTerminated();
    }

    @Override
    public final OperationKind kind() {
        return description.kind();
    }

    @Override
    public final @Nullable StatusLabel team() {
        return description.team();
    }

    /// Number of the operation in its team, or −1. A part has its schedule's.
    @Override
    public long sequence() {
        return parent == null ? -1 : parent.sequence();
    }

    @Override
    public final String statement() {
        return description.tag();
    }

    @Override
    public String text() {
        return description.text();
    }

    /// Returns the begin of messages: operation, PE and task.
    public final String describe() {
        return kind().label() + (sequence() >= 0 ? " #" + sequence() : "") + " on PE " + engine.pe() + ", " + text();
    }

    @Override
    public final String toString() {
        return describe() + " (" + state() + ")";
    }

    final boolean hasTerminated() {
        return state().hasTerminated();
    }

    /// Makes this task a part of another.
    final void adoptBy(Task owner) {
        checkTopmost("adoption by \"" + owner.name() + "\"");
        if (state() != TaskState.INITIALIZED || owner.engine != engine) {
            throw misuse(
                    "adoption by \"" + owner.name() + "\"",
                    owner.engine == engine
                            ? "only a task that was never posted can become a part"
                            : "it belongs to another engine");
        }
        parent = owner;
    }

    /// Announces a run that [#launch] may begin later.
    final void prepare() {
        become(TaskState.POSTED);
    }

    /// Begins a run. The task that this one is a part of calls it, or the owning thread.
    final void launch() {
        finished = false;
        failure = null;
        completionCallback.reset();
        if (timeoutNanos != WaitingRoom.FOREVER) {
            startedAt = engine.room().nanoTime();
            engine.remind(deadline());
        }
        become(TaskState.IN_PROGRESS);
        try {
            start();
            if (failure == null) {
                taskListeners.notifyListeners(this, TaskEvent.STARTED);
            }
        } catch (Throwable e) {
            fail(e);
        }
        if (finished) {
            conclude();
        }
    }

    /// Takes a step of a run that is in progress. The task that this one is a part of calls it, or the owning
    /// thread.
    ///
    /// @return whether the task moved
    final boolean advance() {
        boolean moved = tryStep();
        if (!finished && !moved) {
            RuntimeException loss = engine.runtime().hasFailures() ? lost() : revoked();
            // A PE that ended after it had done the awaited operation has still done it.
            if (loss != null && !tryStep() && !finished) {
                finish(loss);
            }
        }
        if (!finished && timeoutNanos != WaitingRoom.FOREVER) {
            checkTime();
        }
        if (finished) {
            conclude();
        }
        return moved || finished;
    }

    private long deadline() {
        long deadline = startedAt + timeoutNanos;
        return deadline < startedAt ? WaitingRoom.FOREVER : deadline;
    }

    private void checkTime() {
        if (engine.room().nanoTime() - startedAt >= timeoutNanos) {
            int pe = awaitedPe();
            finish(WaitingRoom.late(describe() + (pe < 0 ? "" : ", waiting for PE " + pe), timeoutNanos));
        } else {
            engine.remind(deadline());
        }
    }

    /// Ends a run that its schedule can't go on with, or takes an announcement back.
    final void abandon(Task owner, RuntimeException why) {
        switch (state()) {
            case POSTED -> become(TaskState.INITIALIZED);
            case IN_PROGRESS -> {
                finish(new CoterieException(
                        describe() + ": stopped, because task \"" + owner.name() + "\" failed", why));
                conclude();
            }
            default -> {}
        }
    }

    /// Finalises the task. The task that this one is a part of calls it, or the owning thread.
    final void dispose() {
        become(TaskState.FINALIZED);
        completionCallback.reset();
        release();
    }

    @SuppressWarnings("ReferenceEquality") // no exception can suppress itself
    static void suppress(Throwable failure, Throwable another) {
        if (another != failure) {
            failure.addSuppressed(another);
        }
    }

    private boolean tryStep() {
        try {
            return progress();
        } catch (Throwable e) {
            fail(e);
            return true;
        }
    }

    private void fail(Throwable e) {
        finish(e instanceof RuntimeException why ? why : new CoterieException(describe() + " failed: " + e, e));
    }

    /// Does the effects of the end.
    private void conclude() {
        if (failure == null) {
            try {
                taskListeners.notifyListeners(this, TaskEvent.COMPLETED);
            } catch (Throwable e) {
                fail(e);
            }
        }
        RuntimeException why = failure;
        if (why == null) {
            become(TaskState.OK);
        } else {
            try {
                stop(why);
            } catch (Throwable e) {
                suppress(why, e);
            }
            taskListeners.notifyFailure(this, why);
            become(TaskState.FAILED);
        }
        completionCallback.run(this, why, engine.runtime().upcallGuard());
    }

    private void become(TaskState next) {
        STATE.setRelease(this, next);
    }

    /// Acquires the ownership unless this thread has it already. Another thread that has it is about to release
    /// it: the task is posted right now, or its callback runs.
    ///
    /// @return whether this thread had it already
    private boolean enter(String operation) {
        while (!ownership.acquire()) {
            if (ownership.isMine()) {
                return true;
            }
            checkIdle(operation);
            engine.room().awaitWork(new OwnershipWait(this), WaitingRoom.FOREVER);
        }
        return false;
    }

    private void leave(boolean nested) {
        if (!nested) {
            ownership.release();
        }
    }

    private Task topmost() {
        Task task = this;
        while (task.parent != null) {
            task = task.parent;
        }
        return task;
    }

    private void checkTopmost(String operation) {
        if (parent != null) {
            throw misuse(operation, "it is a part of task \"" + parent.name() + "\", which posts and finalises it");
        }
    }

    private void checkPostable(String operation) {
        checkIdle(operation);
        TaskState now = state();
        if (now == TaskState.FAILED) {
            throw misuse(operation, "a failed task can't be posted again; create a new one: " + failure);
        }
        if (now == TaskState.OK && persistence == Persistence.ONCE) {
            throw misuse(operation, "it is not persistent");
        }
    }

    private void checkIdle(String operation) {
        TaskState now = state();
        if (now.isUnderWay()) {
            throw misuse(operation, "its run is not complete; wait for it first");
        }
        if (now == TaskState.FINALIZED) {
            throw misuse(operation, "it has been finalised");
        }
    }

    private void checkPosted(String operation) {
        TaskState now = state();
        if (now == TaskState.INITIALIZED || now == TaskState.FINALIZED) {
            throw misuse(operation, now == TaskState.INITIALIZED ? "it has not been posted" : "it has been finalised");
        }
    }

    private IllegalStateException misuse(String operation, String why) {
        return new IllegalStateException(operation + " of " + describe() + ", which is " + state() + ": " + why);
    }
}
