// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import org.jspecify.annotations.Nullable;

/// A thread that waits for the end of another one, and then may use what belongs to that one alone.
public final class SuccessorThread extends Thread {
    private final Thread predecessor;
    private final Runnable task;

    /// Makes the thread, which is no daemon.
    ///
    /// @param task what it runs after the predecessor has ended
    public SuccessorThread(Thread predecessor, String name, Runnable task) {
        super(null, null, name, 0, false);
        this.predecessor = predecessor;
        this.task = task;
        setDaemon(false);
    }

    @Override
    public void run() {
        boolean isInterrupted = false;
        while (predecessor.isAlive()) {
            try {
                predecessor.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            interrupt();
        }
        task.run();
    }

    /// Returns whether something belongs to another thread than the caller, in whose place the caller is not.
    ///
    /// @param owner the thread that it belongs to, or null if it belongs to none
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    public static boolean isForeign(@Nullable Thread owner) {
        return owner != null && owner != Thread.currentThread() && !isSuccessor(owner);
    }

    @SuppressWarnings("ReferenceEquality")
    private static boolean isSuccessor(Thread owner) {
        return Thread.currentThread() instanceof SuccessorThread successor && successor.predecessor == owner;
    }
}
