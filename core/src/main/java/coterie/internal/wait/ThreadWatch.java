// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

/// A thread that waits for the end of another one, and then runs a task. An interrupt ends the watch without the task.
public final class ThreadWatch extends Thread {
    private final Thread watched;
    private final Runnable task;

    /// Makes the thread, which is a daemon and inherits no thread-locals.
    public ThreadWatch(Thread watched, String name, Runnable task) {
        super(null, null, name, 0, false);
        this.watched = watched;
        this.task = task;
        setDaemon(true);
    }

    @Override
    public void run() {
        try {
            watched.join();
        } catch (InterruptedException e) {
            return; // the caller of the interrupt needs no watch any more
        }
        task.run();
    }
}
