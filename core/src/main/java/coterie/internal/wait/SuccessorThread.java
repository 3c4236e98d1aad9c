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
        try {
            predecessor.join();
        } catch (InterruptedException e) {
            return; // nothing here interrupts it: a program that does so wants it to end
        }
        task.run();
    }

    /// Returns whether something belongs to another thread than the caller, in whose place the caller is not.
    ///
    /// @param owner the thread that it belongs to, or null if it belongs to none
    @SuppressWarnings("ReferenceEquality") // a program's own kind of thread may override equals
    public static boolean isForeign(@Nullable Thread owner) {
        Thread me = Thread.currentThread();
        return owner != null
                && owner != me
                && !(me instanceof SuccessorThread successor && successor.predecessor == owner);
    }
}
