// SPDX-License-Identifier: Apache-2.0
package coterie.spi;

import java.util.Objects;

/// Makes threads of the runtime, of a conduit or of a face, which run no code of a program but what they record as
/// operations. A diagnosis knows them by their class, and not by a name, and so knows that they end no wait by
/// themselves.
public final class RuntimeThreads {
    private RuntimeThreads() {}

    private static final class RuntimeThread extends Thread {
        RuntimeThread(String name, Runnable task, boolean inherits) {
            super(null, task, name, 0, inherits);
            setDaemon(true);
        }
    }

    /// Makes a daemon thread, which belongs to the PE of the caller.
    ///
    /// @throws NullPointerException if an argument is null
    public static Thread daemon(String name, Runnable task) {
        return make("daemon", name, task, true);
    }

    /// Makes a daemon thread that inherits no thread-locals, and so belongs to no PE by them.
    ///
    /// @throws NullPointerException if an argument is null
    public static Thread apart(String name, Runnable task) {
        return make("apart", name, task, false);
    }

    private static Thread make(String operation, String name, Runnable task, boolean inherits) {
        Objects.requireNonNull(name, () -> operation + ": name is null");
        Objects.requireNonNull(task, () -> operation + ": task is null");
        return new RuntimeThread(name, task, inherits);
    }

    /// Returns whether this class has made a thread.
    ///
    /// @throws NullPointerException if the thread is null
    public static boolean hasMade(Thread thread) {
        return Objects.requireNonNull(thread, "hasMade: thread is null") instanceof RuntimeThread;
    }
}
