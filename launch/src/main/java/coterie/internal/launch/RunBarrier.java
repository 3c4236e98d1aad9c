// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A barrier of a host's PEs between two simulated runs. The first failure closes the barrier: [#pass] then
/// returns false to PEs that wait there and to PEs that arrive later.
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

    /// Waits until all PEs have arrived. Returns false if the barrier was closed before.
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

    /// Closes the barrier: PEs that wait there and PEs that arrive later do not pass.
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
