// SPDX-License-Identifier: Apache-2.0
package coterie.sim.schedule;

import coterie.sim.schedule.Task.State;
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
public final class Schedule {
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
    private static final Task NOBODY = new Task(-1, -1, false);

    private final Company company;
    private final Queue<Task> arrivals = new ConcurrentLinkedQueue<>();
    private final EventQueue events = new EventQueue();
    private final TaskQueue ready = new TaskQueue();
    private final Troubles troubles;
    private final long lookahead;
    private final Object door = new Object();

    /// Decides in the part of the performance that all PEs are in; otherwise virtual time does.
    private @Nullable Chooser chooser;

    private int inPart;

    private @Nullable Task running;
    private int tasks;

    /// The running task gives way when its clock is beyond it.
    private long limit;

    private long now;
    private long futilePolls;
    private final Silence silence = new Silence();
    private final Pace pace = new Pace();

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
    public Schedule(int size, long lookahead, Troubles troubles) {
        this.lookahead = lookahead;
        this.troubles = troubles;
        this.company = new Company(size, ready);
        this.tasks = size;
    }

    /// Makes the calling thread the main one of a PE, before the performance begins.
    public Task open(int pe) {
        company.mains[pe].thread = Thread.currentThread();
        return company.mains[pe];
    }

    /// Begins; called once, when all PEs have come. The caller then waits for its own turn.
    public void begin() {
        handOver();
    }

    /// Waits for the first turn.
    public void awaitTurn(Task task) {
        task.awaitTurn();
    }

    /// The task of the calling thread, which has the stage from here on; to be followed by [#exit].
    public Task enter(int pe) {
        Task task = running;
        if (task == null || !task.isOfCaller() || task.suspected) {
            task = arrive(pe);
        }
        task.inside = true;
        return task;
    }

    /// Ends what [#enter] began. A guest goes off: it may never come again.
    public void exit(Task task) {
        task.inside = task.guest; // it is none any more when it has gone
        if (task.guest) {
            task.state = State.GONE;
            company.remove(task);
            pass(task);
        }
    }

    /// The PE starts an operation that takes it so long.
    public void point(Task task, long nanos) {
        task.clock += nanos;
        task.steps++;
        futilePolls = 0;
        if (chooser == null && (task.clock > limit || arrived || events.firstTime() <= task.clock)) {
            giveWay(task);
        }
        fail(task);
    }

    /// The PE looks at its own memory.
    ///
    /// @param again whether it may be waiting for a change there
    public void poll(Task task, long nanos, boolean again) {
        task.clock += nanos;
        task.steps++;
        if (chooser != null) {
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
    public void block(Task task, long until) {
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
        Task task = enter(pe);
        try {
            block(task, nanos > EventQueue.NEVER - task.clock ? EventQueue.NEVER : task.clock + nanos);
        } finally {
            exit(task);
        }
    }

    /// Virtual time as the calling thread of a PE knows it.
    public long time(int pe) {
        Task task = running;
        return task != null && task.isOfCaller() ? task.clock : Math.max(now, company.mains[pe].clock);
    }

    /// Plans an event.
    public void at(long time, Event event) {
        events.add(event, Math.max(time, now));
    }

    /// Has an event happen now that has been put off.
    public void happen(Event event) {
        event.happen();
    }

    /// When the event happens that is happening.
    public long now() {
        return now;
    }

    /// Wakes the PE's waits at a time: something has changed for it.
    public void wake(int pe, long time) {
        limit = Math.min(limit, ahead(company.wake(pe, time)));
    }

    /// Something has changed that may end waits: they are no deadlock yet.
    public void moved() {
        silence.moved();
    }

    /// Hands the PE an exception, which it throws when it goes on.
    public void fault(int pe, RuntimeException fault) {
        company.mains[pe].fault = fault;
        wake(pe, now);
    }

    /// The PE's main thread leaves, and does not come back. All others have a look what that means for them.
    public void leave(Task task) {
        task.state = State.GONE;
        wakeAll(task.clock);
        silence.moved();
        pass(task);
    }

    /// Kills the PE whose task has the stage; never returns.
    public void kill(Task task) {
        company.dismiss(task.pe);
        leave(task);
        while (true) {
            task.awaitTurn(); // which never comes
        }
    }

    private void wakeAll(long time) {
        company.wakeAll(time);
        limit = Math.min(limit, ahead(time));
    }

    private static void fail(Task task) {
        RuntimeException fault = task.fault;
        if (fault != null) {
            task.fault = null;
            throw fault;
        }
    }

    /// Lets what is due happen, and others go first whose turn it is.
    private void giveWay(Task task) {
        while (events.firstTime() <= task.clock) {
            occur();
        }
        admit();
        limit = ahead(ready.firstTime());
        if (task.clock > limit) {
            requeue(task);
        }
    }

    private void requeue(Task task) {
        task.state = State.READY;
        task.wakeAt = task.clock;
        ready.add(task);
        pass(task);
    }

    /// Gives the stage to whoever is next, and waits for one's own turn unless one is gone.
    private void pass(Task from) {
        Task next = next();
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
        Task next = next();
        if (next != null) {
            next.resume();
        }
    }

    /// Begins or ends the part of the performance in which a chooser decides: with the last PE that comes here. The
    /// others wait for it.
    ///
    /// @param next who decides from then on; null for virtual time
    public void part(int pe, @Nullable Chooser next) {
        Task task = enter(pe);
        try {
            if (++inPart < company.mains.length) {
                block(task, EventQueue.NEVER);
            } else {
                inPart = 0;
                chooser = next;
                wakeAll(now);
                requeue(task);
            }
        } finally {
            exit(task);
        }
    }

    /// Has the chooser decide what comes next; returns the task if it is one's turn.
    private @Nullable Task chosen(Chooser who) {
        List<Chooser.Option> options = new ArrayList<>();
        ready.all().forEach(task -> options.add(new Chooser.Step(task)));
        events.all().forEach(event -> options.add(new Chooser.Arrival(event)));
        switch (options.get(who.choose(options))) {
            case Chooser.Arrival arrival -> {
                events.remove(arrival.event());
                now = Math.max(now, arrival.event().time);
                arrival.event().happen();
                return null;
            }
            case Chooser.Step step -> {
                return run(step.task());
            }
        }
    }

    private Task run(Task task) {
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
    private @Nullable Task next() {
        while (true) {
            admit();
            Task first = ready.first();
            if (chooser != null && (first != null || events.firstTime() != EventQueue.NEVER)) {
                Task task = chosen(chooser);
                if (task != null) {
                    return task;
                }
            } else if (events.firstTime() != EventQueue.NEVER
                    && (first == null || events.firstTime() <= first.wakeAt)) {
                occur();
            } else if (first != null && !pace.holdsBack(first, now)) {
                return run(first);
            } else if (first != null || !lookOnceMore()) {
                synchronized (door) {
                    if (!arrived) {
                        if (first != null) {
                            pace.pause(now);
                        }
                        running = null;
                        return null;
                    }
                }
            }
        }
    }

    private void occur() {
        Event event = events.removeFirst();
        now = Math.max(now, event.time);
        futilePolls = 0;
        event.happen();
    }

    /// Nobody can go on. Returns whether somebody can after a last look; otherwise somebody has to come from
    /// outside.
    private boolean lookOnceMore() {
        if (!company.anyMain(State.BLOCKED)) {
            return false;
        }
        if (!company.anyMain(State.AWAY) && silence.looksAgain()) {
            wakeAll(now + LAST_LOOK_NANOS);
            return true;
        }
        silence.begin();
        return false;
    }

    /// Lets those in who wait at the door.
    private void admit() {
        if (!arrived) {
            return;
        }
        synchronized (door) {
            for (Task task = arrivals.poll(); task != null; task = arrivals.poll()) {
                if (task.guest) {
                    pace.hold();
                    company.add(task);
                    company.wakeMain(task.pe, now); // it may have stored something by itself
                }
                task.state = State.READY;
                task.wakeAt = Math.max(task.clock, now);
                ready.add(task);
            }
            arrived = false;
        }
    }

    /// Comes to the stage without a turn.
    private Task arrive(int pe) {
        Task task = company.mains[pe].isOfCaller() ? company.mains[pe] : null;
        synchronized (door) {
            if (task != null && task.state == State.RUNNING) {
                task.suspected = false;
                return task;
            }
            if (task == null) {
                task = new Task(pe, tasks++, true);
                task.thread = Thread.currentThread();
            }
            task.suspected = false;
            if (running == null) {
                silence.end();
                pace.end();
                if (task.guest) {
                    pace.hold();
                    company.add(task);
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
        Task task = running;
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
            Task first = ready.first();
            goesOn = first != null && pace.isOver(first);
            if (!goesOn && !silence.lasts(company.anyMain(State.AWAY) ? AWAY_NANOS : OUTSIDE_NANOS)) {
                return;
            }
            pace.end();
            running = NOBODY;
        }
        if (goesOn) {
            handOver();
            return;
        }
        if (silence.looksOutside()) {
            wakeAll(now + LAST_LOOK_NANOS); // a thread of the program may have stored something by itself
        } else {
            company.fail(() -> troubles.deadlock(now));
            wakeAll(now);
        }
        handOver();
    }

    /// The task that has the stage, or null. For the watchdog's thread.
    public @Nullable Task running() {
        return running;
    }
}
