// SPDX-License-Identifier: Apache-2.0
package coterie.tcp;

import coterie.CoterieException;
import coterie.spi.RuntimeThreads;
import java.io.IOException;
import java.nio.channels.Selector;
import java.util.concurrent.locks.LockSupport;

/// Advances an engine while the program computes: it applies the messages of peers, and sends what the sockets
/// have not taken at once.
///
/// The thread sleeps in the kernel until a connection has something to do. While threads of the program advance
/// the engine themselves, it naps instead: each message would wake it for nothing, and it would take the lock
/// from them.
///
/// ```
///  advance, until nothing has come for a while ─► arm ─► wait for an event
///       ▲            │ the program advances the engine          │
///       │            ▼                                         │
///       │       nap, until it has not in a nap                  │
///       └────────────┴──────────────────────────────────────────┘
/// ```
final class TcpAgent implements Runnable {
    /// What a message waits for at most if the program has just begun to compute.
    private static final long NAP_NANOS = 200_000;

    /// For so long after the latest message the thread looks for the next one itself: the kernel takes longer to
    /// wake it than a message takes.
    private static final long POLL_NANOS = 100_000;

    /// Calls of the program in that time, or in a nap of this thread, that do not show that it waits: a wait that
    /// naps makes fewer.
    private static final long BUSY_VISITS = 4;

    /// The longest wait for an event: after so long the thread looks for PEs that have ended.
    private static final long EVENT_MILLIS = 100;

    private final TcpEngine engine;
    private final Thread thread;
    private volatile boolean isStopped;

    /// Makes the thread, which [#start] starts.
    TcpAgent(TcpEngine engine, String name) {
        this.engine = engine;
        this.thread = RuntimeThreads.daemon(name, this);
    }

    void start() {
        thread.start();
    }

    @Override
    public void run() {
        try {
            while (!isStopped) {
                Thread.interrupted(); // a wait with the flag set would return at once
                if (pollUntilIdle() && engine.tryArm()) {
                    engine.awaitEvents(EVENT_MILLIS);
                }
            }
        } catch (IOException e) {
            throw new CoterieException("conduit tcp can't wait for its connections", e);
        }
    }

    /// Advances the engine, until nothing has come for so long. If the program advances it meanwhile, naps
    /// instead, and returns false.
    private boolean pollUntilIdle() {
        long visits = engine.visits();
        long end = System.nanoTime() + POLL_NANOS;
        do {
            if (engine.visits() - visits > BUSY_VISITS) {
                nap();
                return false;
            }
            if (engine.tryAdvance()) {
                visits = engine.visits();
                end = System.nanoTime() + POLL_NANOS;
            }
            Thread.yield();
        } while (System.nanoTime() < end && !isStopped);
        return true;
    }

    private void nap() {
        long visits;
        do {
            visits = engine.visits();
            LockSupport.parkNanos(NAP_NANOS);
        } while (engine.visits() - visits > BUSY_VISITS && !isStopped);
    }

    /// Ends the thread, after the engine has been closed, and returns when it has ended. An interrupt of the
    /// caller is kept.
    ///
    /// @param events for which it may wait
    void stop(Selector events) {
        isStopped = true;
        events.wakeup();
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
