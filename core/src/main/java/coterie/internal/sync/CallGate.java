// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.internal.trace.Tracing;
import coterie.internal.wait.CollectiveListeners;
import coterie.internal.wait.OperationKind;

/// Where the collectives of a team come in and go out: it alone takes the team's lock, and releases it.
///
/// ```
///  try (CallGate.Passage _ = gate.enter(kind)) {
///      …                        rounds, and what is done between them
///  }                            out again, whatever was thrown
/// ```
public final class CallGate {
    private final TeamSync teamSync;
    private final CollectiveListeners listeners;
    private final TeamLock lock;
    private final Passage passage;
    private final Hold hold;

    CallGate(TeamSync teamSync, CollectiveListeners listeners, TeamLock lock) {
        this.teamSync = teamSync;
        this.listeners = listeners;
        this.lock = lock;
        this.passage = new Passage(lock);
        this.hold = new Hold(lock);
    }

    /// A thread's stay in a collective; closed when the collective is over here. The same object each time.
    public static final class Passage implements AutoCloseable {
        private final TeamLock lock;

        private Passage(TeamLock lock) {
            this.lock = lock;
        }

        @Override
        public void close() {
            lock.release();
        }
    }

    /// A thread's stay in several collectives, with what it does between them; see [#hold]. The same object
    /// each time.
    public static final class Hold implements AutoCloseable {
        private final TeamLock lock;

        private Hold(TeamLock lock) {
            this.lock = lock;
        }

        @Override
        public void close() {
            lock.letGo();
        }
    }

    /// Lets the calling thread in: words that it sends from now on travel with the collective's round.
    ///
    /// @throws RuntimeException if the team can't be used any more, another thread is in, or the caller may not
    ///     wait
    public Passage enter(OperationKind kind) {
        teamSync.checkNotPoisoned(kind);
        listeners.begin(kind);
        lock.acquire(kind);
        return passage;
    }

    /// Keeps other threads out, while the calling thread calls collectives of the team, and does other things
    /// between them.
    ///
    /// @throws RuntimeException if the team can't be used any more, another thread is in, or the caller may not
    ///     wait
    public Hold hold(OperationKind kind) {
        teamSync.checkNotPoisoned(kind);
        lock.hold(kind);
        return hold;
    }

    /// Does the same as [#enter], for operations that a poisoned team can do as well.
    ///
    /// @throws IllegalStateException if the team has ended
    Passage enterToEnd(OperationKind kind) {
        teamSync.checkAlive(kind.label());
        lock.acquire(kind);
        return passage;
    }

    /// Does the last of a world's team. Any thread may, while none is in a collective.
    void end(OperationKind kind, Runnable last) {
        lock.checkNoOtherThread(kind);
        if (Tracing.ON) {
            lock.began(kind);
        }
        try {
            last.run();
        } finally {
            if (Tracing.ON) {
                lock.ended();
            }
        }
    }

    /// Tells the trace how many bytes the collective that the thread is in has from each member.
    public void carries(long bytes) {
        lock.carries(bytes);
    }

    /// Refuses a thread that may not call a collective now.
    ///
    /// @throws WrongThreadException if the team is confined to another thread
    /// @throws IllegalStateException if another thread is in a collective, or the caller is in a callback
    public void check(OperationKind kind) {
        lock.check(kind);
    }

    /// Refuses a thread that is in a callback or an event.
    public void checkNotInUpcall(OperationKind kind) {
        lock.checkNotInUpcall(kind);
    }

    /// Refuses a thread that may not use the team at all.
    ///
    /// @param operation that the program has called
    public void checkThread(String operation) {
        lock.checkThread(operation);
    }
}
