// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import coterie.sim.schedule.SimulatedTask.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The schedule of one run: one task runs at a time, and planned events happen between turns, in the order of
/// virtual time.
///
/// ```
///  a task starts an operation      point:  its clock advances; due events happen; earlier tasks run first
///  a task waits                    block:  until an event wakes its PE, or until a time
///  next    the earliest of all planned events and tasks that can continue; if there is none: a deadlock
/// ```
///
/// A task may run earlier than the others by the *lookahead*, the smallest time in which another PE can affect it.
/// So all distinguishable events are in the order of virtual time, and turns change only every few operations.
///
/// The running task's thread uses the fields; passing the turn makes them visible to the next thread.
public final class SimulationScheduler {
    /// After so many polls in a row without a message in flight, the PE is taken to poll without end.
    private static final long MAX_ENDLESS_POLLS = 200_000;

    /// A spawned task polls while it waits, at this period: its event may have occurred before it entered.
    /// Entering wakes no other spawned task, because two that wait would wake each other without end.
    private static final long SPAWNED_POLL_NANOS = 1_000_000;

    private static final long RECHECK_NANOS = 1_000_000;

    /// Real time in which threads that the program started may enter before the scheduler reports a deadlock: if
    /// all main threads wait in the simulator, and if some block outside.
    private static final long GRACE_NANOS = 500_000_000;

    private static final long DETACHED_GRACE_NANOS = 10_000_000_000L;

    /// The running task while the watchdog decides.
    private static final SimulatedTask WATCHDOG_TASK = new SimulatedTask(-1, -1, false);

    private final TaskSet taskSet;
    private final Queue<SimulatedTask> arrivals = new ConcurrentLinkedQueue<>();
    private final EventQueue events = new EventQueue();
    private final TaskQueue ready = new TaskQueue();
    private final StallExceptions stallExceptions;
    private final long lookahead;
    private final Object lock = new Object();

    /// Decides the order in the section that all PEs are in; null: virtual time does.
    private @Nullable SchedulingStrategy strategy;

    private int switching;

    private @Nullable SimulatedTask running;
    private int tasks;

    /// The running task passes the turn when its clock is beyond this.
    private long limit;

    private long now;
    private long endlessPolls;
    private final DeadlockDetector deadlockDetector = new DeadlockDetector();
    private final ClockPacer clockPacer = new ClockPacer();

    /// Whether a thread waits to enter.
    private volatile boolean arrived;

    /// Makes the exceptions for a run that can't continue.
    public interface StallExceptions {
        /// Returns the exception for a PE that waits.
        RuntimeException deadlock(long time);

        /// Returns the exception for a PE that polls for a change that can't happen.
        RuntimeException endlessPolling(int pe, long time);
    }

    /// Makes the schedule of a run of `size` PEs, each of which calls [#open].
    public SimulationScheduler(int size, long lookahead, StallExceptions stallExceptions) {
        this.lookahead = lookahead;
        this.stallExceptions = stallExceptions;
        this.taskSet = new TaskSet(size, ready);
        this.tasks = size;
    }

    /// Makes the calling thread the main one of a PE, before the run begins.
    public SimulatedTask open(int pe) {
        taskSet.mains[pe].thread = Thread.currentThread();
        return taskSet.mains[pe];
    }

    /// Begins the run. The last PE calls it after all have called [#open], and then waits for its own turn.
    public void begin() {
        resumeNext();
    }

    /// Waits for the first turn.
    public void awaitTurn(SimulatedTask task) {
        task.awaitTurn();
    }

    /// Returns the task of the calling thread, which is the running task from now on; [#exit] must follow.
    public SimulatedTask enter(int pe) {
        SimulatedTask task = running;
        if (task == null || !task.isOfCaller() || task.suspected) {
            task = arrive(pe);
        }
        task.inside = true;
        return task;
    }

    /// Ends what [#enter] began. A spawned task is removed: it may never enter again.
    public void exit(SimulatedTask task) {
        task.inside = task.spawned; // the thread of a spawned task has no task from here on
        if (task.spawned) {
            task.state = State.ENDED;
            taskSet.remove(task);
            passTurn(task);
        }
    }

    /// The PE starts an operation that takes so long.
    public void point(SimulatedTask task, long nanos) {
        task.clock += nanos;
        task.steps++;
        endlessPolls = 0;
        if (strategy == null && (task.clock > limit || arrived || events.firstTime() <= task.clock)) {
            yieldTurn(task);
        }
        fail(task);
    }

    /// The PE accesses its own memory.
    ///
    /// @param again whether it may be polling
    public void poll(SimulatedTask task, long nanos, boolean again) {
        task.clock += nanos;
        task.steps++;
        if (strategy != null) {
            requeue(task);
        } else if (task.clock > limit || arrived || events.firstTime() <= task.clock) {
            yieldTurn(task);
        } else if (!again) {
            endlessPolls = 0;
        } else if (events.firstTime() == EventQueue.NEVER && ++endlessPolls > MAX_ENDLESS_POLLS) {
            endlessPolls = 0;
            throw stallExceptions.endlessPolling(task.pe, task.clock);
        }
        fail(task);
    }

    /// Waits until an event wakes the PE, or until a time.
    public void block(SimulatedTask task, long until) {
        long wakeAt = Math.min(until, task.hint);
        task.hint = EventQueue.NEVER;
        task.wakeAt = Math.max(task.clock, task.spawned ? Math.min(wakeAt, task.clock + SPAWNED_POLL_NANOS) : wakeAt);
        task.state = State.BLOCKED;
        task.steps++;
        if (task.wakeAt != EventQueue.NEVER) {
            ready.add(task);
        }
        passTurn(task);
        fail(task);
    }

    /// Waits until a message arrives at the PE, but no longer than this.
    public void await(int pe, long nanos) {
        SimulatedTask task = enter(pe);
        try {
            block(task, nanos > EventQueue.NEVER - task.clock ? EventQueue.NEVER : task.clock + nanos);
        } finally {
            exit(task);
        }
    }

    /// Returns the virtual time of the calling thread of a PE.
    public long time(int pe) {
        SimulatedTask task = running;
        return task != null && task.isOfCaller() ? task.clock : Math.max(now, taskSet.mains[pe].clock);
    }

    /// Plans an event.
    public void at(long time, TimedEvent event) {
        events.add(event, Math.max(time, now));
    }

    /// Executes an event that was deferred.
    public void happen(TimedEvent event) {
        event.happen();
    }

    /// Returns the time of the current event.
    public long now() {
        return now;
    }

    /// Wakes the PE's waits at a time: an event may end them.
    public void wake(int pe, long time) {
        limit = Math.min(limit, ahead(taskSet.wake(pe, time)));
    }

    /// Notes a change that may end waits, so that they are no deadlock yet.
    public void moved() {
        deadlockDetector.moved();
    }

    /// Makes the PE throw an exception when it continues.
    public void fault(int pe, RuntimeException fault) {
        taskSet.mains[pe].fault = fault;
        wake(pe, now);
    }

    /// Ends the PE's main thread. All other tasks wake, to react.
    public void leave(SimulatedTask task) {
        task.state = State.ENDED;
        wakeAll(task.clock);
        deadlockDetector.moved();
        passTurn(task);
    }

    /// Kills the PE of the running task; never returns.
    public void kill(SimulatedTask task) {
        taskSet.dismiss(task.pe);
        leave(task);
        while (true) {
            task.awaitTurn(); // it gets no turn
        }
    }

    private void wakeAll(long time) {
        taskSet.wakeAll(time);
        limit = Math.min(limit, ahead(time));
    }

    private static void fail(SimulatedTask task) {
        RuntimeException fault = task.fault;
        if (fault != null) {
            task.fault = null;
            throw fault;
        }
    }

    /// Executes due events, and passes the turn if a task with an earlier clock can run.
    private void yieldTurn(SimulatedTask task) {
        while (events.firstTime() <= task.clock) {
            occur();
        }
        admitArrivals();
        limit = ahead(ready.firstTime());
        if (task.clock > limit) {
            requeue(task);
        }
    }

    private void requeue(SimulatedTask task) {
        task.state = State.READY;
        task.wakeAt = task.clock;
        ready.add(task);
        passTurn(task);
    }

    /// Passes the turn to the next task, and waits for the next turn of `from` unless `from` has ended.
    private void passTurn(SimulatedTask from) {
        SimulatedTask next = next();
        if (from != next) {
            if (next != null) {
                next.resume();
            }
            if (from.state != State.ENDED) {
                from.awaitTurn();
            }
        }
    }

    private long ahead(long time) {
        return time == EventQueue.NEVER ? EventQueue.NEVER : time + lookahead;
    }

    private void resumeNext() {
        SimulatedTask next = next();
        if (next != null) {
            next.resume();
        }
    }

    /// Switches the strategy when all PEs have called it; the others wait for the last one.
    ///
    /// @param next decides the order from then on; null for virtual time
    public void switchStrategy(int pe, @Nullable SchedulingStrategy next) {
        SimulatedTask task = enter(pe);
        try {
            if (++switching < taskSet.mains.length) {
                block(task, EventQueue.NEVER);
            } else {
                switching = 0;
                strategy = next;
                wakeAll(now);
                requeue(task);
            }
        } finally {
            exit(task);
        }
    }

    /// Executes the option that the strategy chooses. Returns the task if the option is a task's turn.
    private @Nullable SimulatedTask chosen(SchedulingStrategy chooser) {
        List<SchedulingStrategy.Option> options = new ArrayList<>();
        ready.all().forEach(task -> options.add(new SchedulingStrategy.Step(task)));
        events.all().forEach(event -> options.add(new SchedulingStrategy.Arrival(event)));
        switch (options.get(chooser.choose(options))) {
            case SchedulingStrategy.Arrival arrival -> {
                events.remove(arrival.event());
                now = Math.max(now, arrival.event().time);
                arrival.event().happen();
                return null;
            }
            case SchedulingStrategy.Step step -> {
                return run(step.task());
            }
        }
    }

    private SimulatedTask run(SimulatedTask task) {
        running = task;
        ready.remove(task);
        task.state = State.RUNNING;
        task.clock = Math.max(task.clock, task.wakeAt);
        now = Math.max(now, task.wakeAt);
        limit = ahead(ready.firstTime());
        return task;
    }

    /// Gives the turn to the next task and returns it. Returns null if no task can run: then any thread may enter
    /// and run at once.
    private @Nullable SimulatedTask next() {
        while (true) {
            admitArrivals();
            SimulatedTask first = ready.first();
            if (strategy != null && (first != null || events.firstTime() != EventQueue.NEVER)) {
                SimulatedTask task = chosen(strategy);
                if (task != null) {
                    return task;
                }
            } else if (events.firstTime() != EventQueue.NEVER
                    && (first == null || events.firstTime() <= first.wakeAt)) {
                occur();
            } else if (first != null && !clockPacer.delays(first, now)) {
                return run(first);
            } else if (first != null || !recheckWaits()) {
                synchronized (lock) {
                    if (!arrived) {
                        if (first != null) {
                            clockPacer.beginPause(now);
                        }
                        running = null;
                        return null;
                    }
                }
            }
        }
    }

    private void occur() {
        TimedEvent event = events.removeFirst();
        now = Math.max(now, event.time);
        endlessPolls = 0;
        event.happen();
    }

    /// Called when no task can continue. Returns whether a task can after all waits were woken; otherwise a thread
    /// must enter from outside.
    private boolean recheckWaits() {
        if (!taskSet.anyMain(State.BLOCKED)) {
            return false;
        }
        if (!taskSet.anyMain(State.DETACHED) && deadlockDetector.needsRecheck()) {
            wakeAll(now + RECHECK_NANOS);
            return true;
        }
        deadlockDetector.begin();
        return false;
    }

    /// Lets threads enter that wait to.
    private void admitArrivals() {
        if (!arrived) {
            return;
        }
        synchronized (lock) {
            for (SimulatedTask task = arrivals.poll(); task != null; task = arrivals.poll()) {
                if (task.spawned) {
                    clockPacer.enable();
                    taskSet.add(task);
                    taskSet.wakeMain(task.pe, now); // the thread may have stored to memory before it entered
                }
                task.state = State.READY;
                task.wakeAt = Math.max(task.clock, now);
                ready.add(task);
            }
            arrived = false;
        }
    }

    /// Enters without a turn.
    private SimulatedTask arrive(int pe) {
        SimulatedTask task = taskSet.mains[pe].isOfCaller() ? taskSet.mains[pe] : null;
        synchronized (lock) {
            if (task != null && task.state == State.RUNNING) {
                task.suspected = false;
                return task;
            }
            if (task == null) {
                task = new SimulatedTask(pe, tasks++, true);
                task.thread = Thread.currentThread();
            }
            task.suspected = false;
            if (running == null) {
                deadlockDetector.end();
                clockPacer.endPause();
                if (task.spawned) {
                    clockPacer.enable();
                    taskSet.add(task);
                }
                running = task;
                task.state = State.RUNNING;
                task.clock = Math.max(task.clock, now);
                limit = 0; // at its next operation it checks for events and other tasks
                return task;
            }
            arrivals.add(task);
            arrived = true;
        }
        task.awaitTurn();
        return task;
    }

    /// Takes the turn from a task that blocks outside the simulator. For the watchdog's thread.
    ///
    /// @param forLong whether the task has blocked for long; a short sleep keeps its turn unless a thread waits to
    ///     enter
    public void preempt(boolean forLong) {
        SimulatedTask task = running;
        if (task == null || !task.isOutside() || !(arrived || (forLong && task.isParked()))) {
            return;
        }
        task.suspected = true;
        if (!task.isOutside()) {
            return; // its thread enters through arrive, which resets `suspected`
        }
        synchronized (lock) {
            if (!task.suspected || task.state != State.RUNNING || !task.isOutside()) {
                return;
            }
            task.state = State.DETACHED;
        }
        resumeNext();
    }

    /// Continues a run in which no task runs: after a pause of virtual time, or by reporting a deadlock if it has
    /// lasted long enough. For the watchdog's thread.
    public void resolveStall() {
        boolean runsOn;
        synchronized (lock) {
            if (running != null || arrived) {
                return;
            }
            SimulatedTask first = ready.first();
            runsOn = first != null && clockPacer.isPauseOver(first);
            long grace = taskSet.anyMain(State.DETACHED) ? DETACHED_GRACE_NANOS : GRACE_NANOS;
            if (!runsOn && !deadlockDetector.hasLasted(grace)) {
                return;
            }
            clockPacer.endPause();
            running = WATCHDOG_TASK;
        }
        if (runsOn) {
            resumeNext();
            return;
        }
        if (deadlockDetector.needsFinalRecheck()) {
            wakeAll(now + RECHECK_NANOS); // a thread of the program may have stored to memory outside the simulator
        } else {
            taskSet.fail(() -> stallExceptions.deadlock(now));
            wakeAll(now);
        }
        resumeNext();
    }

    /// Returns the running task, or null. For the watchdog's thread.
    public @Nullable SimulatedTask running() {
        return running;
    }
}
