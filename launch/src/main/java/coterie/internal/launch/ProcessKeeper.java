// SPDX-License-Identifier: Apache-2.0
package coterie.internal.launch;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// The thread that starts the processes of a job, and lives until all have ended.
///
/// The kernel kills a process when the thread that started it ends, and not only when the launcher does. The
/// thread of the caller may end earlier: it may belong to a pool, or be the carrier of a virtual thread, which
/// ends when it has had nothing to run for a while.
final class ProcessKeeper extends Thread {
    private final Job job;
    private final StartAction action;
    private final CompletableFuture<@Nullable Void> started = new CompletableFuture<>();

    /// Starts processes and adds them to the job.
    @FunctionalInterface
    interface StartAction {
        void run() throws IOException;
    }

    ProcessKeeper(Job job, String name, StartAction action) {
        super("processes of job ".concat(name));
        setDaemon(true);
        this.job = job;
        this.action = action;
    }

    @Override
    public void run() {
        try {
            action.run();
            started.complete(null);
        } catch (Throwable e) {
            started.completeExceptionally(e); // the caller kills the processes that have started
        }
        try {
            job.awaitEnds(Long.MAX_VALUE);
        } catch (InterruptedException e) {
            throw new AssertionError("the launcher never interrupts this thread", e);
        }
    }

    /// Starts the processes by this thread, and waits until it has started them. An interrupt of the caller
    /// waits for what the caller does next.
    void startProcesses() throws IOException {
        start();
        try {
            started.join();
        } catch (CompletionException e) {
            switch (e.getCause()) {
                case IOException failure -> throw failure;
                case RuntimeException failure -> throw failure;
                case Error failure -> throw failure;
                case null, default -> throw e;
            }
        }
    }
}
