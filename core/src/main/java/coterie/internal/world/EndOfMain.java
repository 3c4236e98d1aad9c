// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.wait.SuccessorThread;

/// Closes the world that is still open when the main method of a process has returned, where no launcher of Coterie
/// does it: in the processes of `mpirun`, `srun` or a host program. If main throws, the world stays open, since the
/// PE has failed.
///
/// The JVM ends when its last thread that is no daemon has ended. The thread that closes is no daemon, so the process
/// serves its peers until all have closed.
final class EndOfMain {
    private static final int UNCAUGHT = 1;

    private final WorldHolder holder;
    private volatile boolean hasThrown;

    private EndOfMain(WorldHolder holder) {
        this.holder = holder;
    }

    /// Closes the holder's world at the end of the calling thread, if this thread runs a main method.
    static void closeWorldOf(WorldHolder holder) {
        if (!isInMain()) {
            return;
        }
        Thread main = Thread.currentThread();
        EndOfMain end = new EndOfMain(holder);
        Thread.UncaughtExceptionHandler handler = main.getUncaughtExceptionHandler();
        main.setUncaughtExceptionHandler((thread, uncaught) -> {
            end.hasThrown = true;
            handler.uncaughtException(thread, uncaught);
        });
        new SuccessorThread(main, "coterie-end-of-main", end::close).start();
    }

    /// Returns whether the first method of the calling thread is a main method: any other thread begins in the JDK.
    private static boolean isInMain() {
        return StackWalker.getInstance()
                .walk(frames -> frames.reduce((above, below) -> below))
                .filter(first -> first.getMethodName().equals("main"))
                .isPresent();
    }

    private void close() {
        PeWorld open = holder.get();
        if (open == null || hasThrown) {
            return;
        }
        try {
            open.closeAtEnd();
        } catch (Throwable e) {
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            System.exit(UNCAUGHT); // an exception of a thread does not change the exit code
        }
    }
}
