// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import coterie.sim.schedule.SimulatedTask.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// Who runs when in one performance: one task at a time, and planned events between them, in the order of virtual
/// time.
///
/// ```
///  a task starts an operation      point:  its clock goes on; what is due happens; others whose turn it is run
///  first
///         waits                    block:  until something wakes its PE, or a time
///  next    the earliest of planned events and of tasks that can go on; if there is none, nobody can: a deadlock
/// ```
///
/// A task may run ahead of others by the *lookahead*, the least time in which anything that they do can reach it.
/// So the order of what can be told apart is that of virtual time, and turns change every few operations only.
///
/// The fields are used by whoever has the stage. Handing it over makes them visible.
public final class SimulationScheduler {
    /// Polls in a row, with nothing under way, after which a PE is taken to poll for ever.
    private static final long FUTILE_POLLS = 200_000;

    /// A guest polls by itself while it waits: what it waits for may have come while it had no turn, and no other
    /// guest wakes it by coming, as two that wait would do to each other without end.
    private static final long GUEST_NANOS = 1_000_000;

    private static final long LAST_LOOK_NANOS = 1_000_000;

    /// Real time for threads that the program has started to come to the stage before a deadlock is called one: if
    /// all main threads wait there, and if some have gone to wait for something else.
    private static final long OUTSIDE_NANOS = 500_000_000;

    private static final long AWAY_NANOS = 10_000_000_000L;

    /// Has the stage while the watchdog decides.
    private static final SimulatedTask NOBODY = new SimulatedTask(-1, -1, false);

    private final TaskSet taskSet;
    private final Queue<SimulatedTask> arrivals = new ConcurrentLinkedQueue<>();
    private final EventQueue events = new EventQueue();
    private final TaskQueue ready = new TaskQueue();
    private final Troubles troubles;
    private final long lookahead;
    private final Object door = new Object();

    /// Decides in the part of the performance that all PEs are in; otherwise virtual time does.
    private @Nullable SchedulingStrategy strategy;

    private int inPart;

    private @Nullable SimulatedTask running;
    private int tasks;

    /// The running task gives way when its clock is beyond it.
    private long limit;

    private long now;
    private long futilePolls;
    private final DeadlockDetector deadlockDetector = new DeadlockDetector();
    private final ClockPacer clockPacer = new ClockPacer();

    /// Whether somebody waits at the door.
    private volatile boolean arrived;

    /// Who knows more about a performance in which nobody can go on.
    public interface Troubles {
        /// The exception for each PE that waits.
        RuntimeException deadlock(long time);

        /// The exception for a PE that polls for what can't come.
        RuntimeException futile(int pe, long time);
    }

    /// A performance of `size` PEs, each of which comes with [#open].
    public SimulationScheduler(int size, long lookahead, Troubles troubles) {
        this.lookahead = lookahead;
        this.troubles = troubles;
        this.taskSet = new TaskSet(size, ready);
        this.tasks = size;
    }

    /// Makes the calling thread the main one of a PE, before the performance begins.
    public SimulatedTask open(int pe) {
        taskSet.mains[pe].thread = Thread.currentThread();
        return taskSet.mains[pe];
    }

    /// Begins; called once, when all PEs have come. The caller then waits for its own turn.
    public void begin() {
        handOver();
    }

    /// Waits for the first turn.
    public void awaitTurn(SimulatedTask task) {
        task.awaitTurn();
    }

    /// The task of the calling thread, which has the stage from here on; to be followed by [#exit].
    public SimulatedTask enter(int pe) {
        SimulatedTask task = running;
        if (task == null || !task.isOfCaller() || task.suspected) {
            task = arrive(pe);
        }
        task.inside = true;
        return task;
    }

    /// Ends what [#enter] began. A guest goes off: it may never come again.
    public void exit(SimulatedTask task) {
        task.inside = task.guest; // it is none any more when it has gone
        if (task.guest) {
            task.state = State.GONE;
            taskSet.remove(task);
            pass(task);
        }
    }

    /// The PE starts an operation that takes it so long.
    public void point(SimulatedTask task, long nanos) {
        task.clock += nanos;
        task.steps++;
        futilePolls = 0;
        if (strategy == null && (task.clock > limit || arrived || events.firstTime() <= task.clock)) {
            giveWay(task);
        }
        fail(task);
    }

    /// The PE looks at its own memory.
    ///
    /// @param again whether it may be waiting for a change there
    public void poll(SimulatedTask task, long nanos, boolean again) {
        task.clock += nanos;
        task.steps++;
        if (strategy != null) {
            requeue(task);
        } else if (task.clock > limit || arrived || events.firstTime() <= task.clock) {
            giveWay(task);
        } else if (!again) {
            futilePolls = 0;
        } else if (events.firstTime() == EventQueue.NEVER && ++futilePolls > FUTILE_POLLS) {
            futilePolls = 0;
            throw troubles.futile(task.pe, task.clock);
        }
        fail(task);
    }

    /// Waits until the PE is woken, or a time.
    public void block(SimulatedTask task, long until) {
        long wakeAt = Math.min(until, task.hint);
        task.hint = EventQueue.NEVER;
        task.wakeAt = Math.max(task.clock, task.guest ? Math.min(wakeAt, task.clock + GUEST_NANOS) : wakeAt);
        task.state = State.BLOCKED;
        task.steps++;
        if (task.wakeAt != EventQueue.NEVER) {
            ready.add(task);
        }
        pass(task);
        fail(task);
    }

    /// A PE waits for something to arrive, no longer than this.
    public void await(int pe, long nanos) {
        SimulatedTask task = enter(pe);
        try {
            block(task, nanos > EventQueue.NEVER - task.clock ? EventQueue.NEVER : task.clock + nanos);
        } finally {
            exit(task);
        }
    }

    /// Virtual time as the calling thread of a PE knows it.
    public long time(int pe) {
        SimulatedTask task = running;
        return task != null && task.isOfCaller() ? task.clock : Math.max(now, taskSet.mains[pe].clock);
    }

    /// Plans an event.
    public void at(long time, TimedEvent event) {
        events.add(event, Math.max(time, now));
    }

    /// Has an event happen now that has been put off.
    public void happen(TimedEvent event) {
        event.happen();
    }

    /// When the event happens that is happening.
    public long now() {
        return now;
    }

    /// Wakes the PE's waits at a time: something has changed for it.
    public void wake(int pe, long time) {
        limit = Math.min(limit, ahead(taskSet.wake(pe, time)));
    }

    /// Something has changed that may end waits: they are no deadlock yet.
    public void moved() {
        deadlockDetector.moved();
    }

    /// Hands the PE an exception, which it throws when it goes on.
    public void fault(int pe, RuntimeException fault) {
        taskSet.mains[pe].fault = fault;
        wake(pe, now);
    }

    /// The PE's main thread leaves, and does not come back. All others have a look what that means for them.
    public void leave(SimulatedTask task) {
        task.state = State.GONE;
        wakeAll(task.clock);
        deadlockDetector.moved();
        pass(task);
    }

    /// Kills the PE whose task has the stage; never returns.
    public void kill(SimulatedTask task) {
        taskSet.dismiss(task.pe);
        leave(task);
        while (true) {
            task.awaitTurn(); // which never comes
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

    /// Lets what is due happen, and others go first whose turn it is.
    private void giveWay(SimulatedTask task) {
        while (events.firstTime() <= task.clock) {
            occur();
        }
        admit();
        limit = ahead(ready.firstTime());
        if (task.clock > limit) {
            requeue(task);
        }
    }

    private void requeue(SimulatedTask task) {
        task.state = State.READY;
        task.wakeAt = task.clock;
        ready.add(task);
        pass(task);
    }

    /// Gives the stage to whoever is next, and waits for one's own turn unless one is gone.
    private void pass(SimulatedTask from) {
        SimulatedTask next = next();
        if (from != next) {
            if (next != null) {
                next.resume();
            }
            if (from.state != State.GONE) {
                from.awaitTurn();
            }
        }
    }

    private long ahead(long time) {
        return time == EventQueue.NEVER ? EventQueue.NEVER : time + lookahead;
    }

    private void handOver() {
        SimulatedTask next = next();
        if (next != null) {
            next.resume();
        }
    }

    /// Begins or ends the part of the performance in which a chooser decides: with the last PE that comes here. The
    /// others wait for it.
    ///
    /// @param next who decides from then on; null for virtual time
    public void part(int pe, @Nullable SchedulingStrategy next) {
        SimulatedTask task = enter(pe);
        try {
            if (++inPart < taskSet.mains.length) {
                block(task, EventQueue.NEVER);
            } else {
                inPart = 0;
                strategy = next;
                wakeAll(now);
                requeue(task);
            }
        } finally {
            exit(task);
        }
    }

    /// Has the chooser decide what comes next; returns the task if it is one's turn.
    private @Nullable SimulatedTask chosen(SchedulingStrategy who) {
        List<SchedulingStrategy.Option> options = new ArrayList<>();
        ready.all().forEach(task -> options.add(new SchedulingStrategy.Step(task)));
        events.all().forEach(event -> options.add(new SchedulingStrategy.Arrival(event)));
        switch (options.get(who.choose(options))) {
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

    /// Gives the turn to the next task and returns it, or null if nobody is there who could have one: then whoever
    /// comes to the door takes the stage, at any moment.
    private @Nullable SimulatedTask next() {
        while (true) {
            admit();
            SimulatedTask first = ready.first();
            if (strategy != null && (first != null || events.firstTime() != EventQueue.NEVER)) {
                SimulatedTask task = chosen(strategy);
                if (task != null) {
                    return task;
                }
            } else if (events.firstTime() != EventQueue.NEVER
                    && (first == null || events.firstTime() <= first.wakeAt)) {
                occur();
            } else if (first != null && !clockPacer.holdsBack(first, now)) {
                return run(first);
            } else if (first != null || !lookOnceMore()) {
                synchronized (door) {
                    if (!arrived) {
                        if (first != null) {
                            clockPacer.pause(now);
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
        futilePolls = 0;
        event.happen();
    }

    /// Nobody can go on. Returns whether somebody can after a last look; otherwise somebody has to come from
    /// outside.
    private boolean lookOnceMore() {
        if (!taskSet.anyMain(State.BLOCKED)) {
            return false;
        }
        if (!taskSet.anyMain(State.AWAY) && deadlockDetector.looksAgain()) {
            wakeAll(now + LAST_LOOK_NANOS);
            return true;
        }
        deadlockDetector.begin();
        return false;
    }

    /// Lets those in who wait at the door.
    private void admit() {
        if (!arrived) {
            return;
        }
        synchronized (door) {
            for (SimulatedTask task = arrivals.poll(); task != null; task = arrivals.poll()) {
                if (task.guest) {
                    clockPacer.hold();
                    taskSet.add(task);
                    taskSet.wakeMain(task.pe, now); // it may have stored something by itself
                }
                task.state = State.READY;
                task.wakeAt = Math.max(task.clock, now);
                ready.add(task);
            }
            arrived = false;
        }
    }

    /// Comes to the stage without a turn.
    private SimulatedTask arrive(int pe) {
        SimulatedTask task = taskSet.mains[pe].isOfCaller() ? taskSet.mains[pe] : null;
        synchronized (door) {
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
                clockPacer.end();
                if (task.guest) {
                    clockPacer.hold();
                    taskSet.add(task);
                }
                running = task;
                task.state = State.RUNNING;
                task.clock = Math.max(task.clock, now);
                limit = 0; // has a look around at the first point
                return task;
            }
            arrivals.add(task);
            arrived = true;
        }
        task.awaitTurn();
        return task;
    }

    /// Takes the stage from a task that has stopped outside of it. For the watchdog's thread.
    ///
    /// @param forLong whether it has stood still for long; a short sleep is let be unless somebody waits at the
    ///     door
    public void relieve(boolean forLong) {
        SimulatedTask task = running;
        if (task == null || !task.isOutside() || !(arrived || (forLong && task.isParked()))) {
            return;
        }
        task.suspected = true;
        if (!task.isOutside()) {
            return; // it has a look at the door when it comes
        }
        synchronized (door) {
            if (!task.suspected || task.state != State.RUNNING || !task.isOutside()) {
                return;
            }
            task.state = State.AWAY;
        }
        handOver();
    }

    /// Lets virtual time go on that has waited for the real clock; or calls it a deadlock, if nobody has had the
    /// stage for long enough. For the watchdog's thread.
    public void judge() {
        boolean goesOn;
        synchronized (door) {
            if (running != null || arrived) {
                return;
            }
            SimulatedTask first = ready.first();
            goesOn = first != null && clockPacer.hasTerminated(first);
            if (!goesOn && !deadlockDetector.lasts(taskSet.anyMain(State.AWAY) ? AWAY_NANOS : OUTSIDE_NANOS)) {
                return;
            }
            clockPacer.end();
            running = NOBODY;
        }
        if (goesOn) {
            handOver();
            return;
        }
        if (deadlockDetector.looksOutside()) {
            wakeAll(now + LAST_LOOK_NANOS); // a thread of the program may have stored something by itself
        } else {
            taskSet.fail(() -> troubles.deadlock(now));
            wakeAll(now);
        }
        handOver();
    }

    /// The task that has the stage, or null. For the watchdog's thread.
    public @Nullable SimulatedTask running() {
        return running;
    }
}
