// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.spi.RuntimeThreads;
import coterie.ucx.libucp.LibUcp;
import java.util.concurrent.locks.LockSupport;

/// Advances a worker while the program computes, since a transport such as TCP executes the operations of
/// peers only in the target's progress.
///
/// The thread sleeps in the kernel until UCX has an event. While threads of the program advance the worker
/// themselves, it naps instead: each message would wake it for nothing, and it would take the lock from them.
///
/// It naps, too, while UCX has events that move nothing. UCX has one at any time while a connection waits for the
/// peer's answer, as its socket may be written; without naps the thread would keep a processor busy that the peer may
/// need.
///
/// ```
///  advance, until nothing has moved for a while ─► arm ─► start what was deferred ─► await an event
///       ▲            │ the program advances the worker                                   │
///       │            ▼                                                                  │
///       │       nap, until it has not in a nap                                           │
///       └────────────┴───────────────────────────────────────────────────────────────────┘
/// ```
final class EventThread implements Runnable {
    /// What a message waits for at most if the program has just begun to compute.
    static final long NAP_NANOS = 200_000;

    /// For so long after the latest message the thread looks for the next one itself: the kernel takes longer to
    /// wake it than a message takes.
    private static final long POLL_NANOS = 100_000;

    /// Calls of the program in that time, or in a nap of this thread, that do not show that it waits: a wait that naps
    /// makes fewer.
    private static final long BUSY_VISITS = 4;

    /// The longest wait for an event: after so long the thread looks for PEs that have ended.
    private static final int EVENT_MILLIS = 100;

    private final UcxWorker worker;
    private final Thread thread;
    private volatile boolean isStopped;

    /// Whether UCX has moved something since the latest event.
    private boolean hasMoved;

    /// Set before the thread starts.
    private Runnable afterAdvance = () -> {};

    /// Makes the thread, which [#start] starts.
    EventThread(UcxWorker worker, String name) {
        this.worker = worker;
        this.thread = RuntimeThreads.daemon(name, this);
    }

    /// Sets what the thread calls after it has advanced the worker, without the worker's lock.
    void afterAdvance(Runnable task) {
        afterAdvance = task;
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        boolean hasEvent = false;
        boolean isFutile = false;
        while (!isStopped) {
            hasMoved = false;
            boolean isIdle = pollsInVain(isFutile ? 0 : POLL_NANOS);
            isFutile = isIdle && hasEvent && !hasMoved;
            if (isFutile) {
                LockSupport.parkNanos(NAP_NANOS);
            }
            hasEvent = false;
            if (isIdle) {
                boolean isArmed = worker.tryArm();
                if (isArmed) {
                    afterAdvance.run();
                }
                hasEvent = !isArmed || LibUcp.awaitEvent(worker.events(), EVENT_MILLIS);
            }
        }
    }

    /// Advances the worker, until nothing has moved for so long. If the program advances it meanwhile, naps instead,
    /// and returns false.
    private boolean pollsInVain(long nanos) {
        long visits = worker.visits();
        long end = System.nanoTime() + nanos;
        do {
            if (worker.visits() - visits > BUSY_VISITS) {
                nap();
                return false;
            }
            if (worker.tryAdvance()) {
                hasMoved = true;
                afterAdvance.run();
                visits = worker.visits();
                end = System.nanoTime() + POLL_NANOS;
            }
            Thread.yield();
        } while (System.nanoTime() < end && !isStopped);
        return true;
    }

    private void nap() {
        long visits;
        do {
            visits = worker.visits();
            LockSupport.parkNanos(NAP_NANOS);
        } while (worker.visits() - visits > BUSY_VISITS && !isStopped);
    }

    /// Ends the thread, and returns when it has ended. An interrupt of the caller is kept.
    void stop() {
        isStopped = true;
        worker.signal();
        LockSupport.unpark(thread);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
