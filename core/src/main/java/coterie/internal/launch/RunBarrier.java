// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A barrier of a host's PEs between two simulated runs. The first failure closes it: a PE that waits there, or
/// arrives later, returns with a refusal.
final class RunBarrier {
    private final int pes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private int waiting;
    private long round;
    private boolean closed;

    RunBarrier(int pes) {
        this.pes = pes;
    }

    /// Waits for all PEs. Returns whether all have come.
    boolean pass() {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            long mine = round;
            if (++waiting == pes) {
                waiting = 0;
                round++;
                moved.signalAll();
            }
            while (round == mine && !closed) {
                moved.awaitUninterruptibly();
            }
            return round != mine;
        } finally {
            lock.unlock();
        }
    }

    /// Refuses all PEs that wait or arrive.
    void close() {
        lock.lock();
        try {
            closed = true;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
