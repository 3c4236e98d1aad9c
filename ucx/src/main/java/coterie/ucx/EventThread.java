// SPDX-License-Identifier: Apache-2.0
package coterie.ucx;

import coterie.ucx.libucp.LibUcp;
import java.util.concurrent.locks.LockSupport;

/// Advances a worker while the program computes, since a transport such as TCP executes the operations of
/// peers only in the target's progress.
///
/// The thread sleeps in the kernel until UCX has an event. While threads of the program advance the worker
/// themselves, it naps instead: each message would wake it for nothing, and it would take the lock from them.
///
/// ```
///  advance, arm ─► start what was deferred ─► await an event ─► has the program advanced the worker meanwhile?
///       ▲                                                        │ yes             │ no
///       │                                                        ▼                 │
///       │                                       nap, until it has not in a nap     │
///       └────────────────────────────────────────────────┴─────────────────────────┘
/// ```
final class EventThread implements Runnable {
    /// What a message waits for at most if the program has just begun to compute.
    private static final long NAP_NANOS = 200_000;

    /// Calls of the program in a nap that count as a wait: one that naps makes fewer.
    private static final long BUSY_VISITS = 4;

    /// The longest wait for an event: after so long the thread looks for PEs that have ended.
    private static final int EVENT_MILLIS = 100;

    private final UcxWorker worker;
    private final Thread thread;
    private volatile boolean isStopped;

    /// Set before the thread starts.
    private Runnable afterAdvance = () -> {};

    /// Makes the thread, which [#start] starts.
    EventThread(UcxWorker worker, String name) {
        this.worker = worker;
        this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
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
        while (!isStopped) {
            boolean isArmed = isArmed();
            afterAdvance.run();
            long visits = worker.visits();
            if (isArmed) {
                LibUcp.awaitEvent(worker.events(), EVENT_MILLIS);
            }
            while (worker.visits() - visits > BUSY_VISITS && !isStopped) {
                visits = worker.visits();
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    private boolean isArmed() {
        worker.lock.lock();
        try {
            return worker.advanceAndArm();
        } finally {
            worker.lock.unlock();
        }
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
