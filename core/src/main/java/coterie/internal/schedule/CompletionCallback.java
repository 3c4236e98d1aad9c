// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.UpcallGuard;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A program's callback at the end of each run of a task. The thread that awaits the task gets what the callback
/// throws; if no thread awaits it, the thread that has ended the run. A post that ends the run at once keeps it for
/// the test or await that follows, so that it comes out of the same call on all members.
final class CompletionCallback {
    private @Nullable Consumer<? super Task> then;

    /// What the callback has thrown out of [#run] at the end of the latest run.
    private @Nullable Throwable thrown;

    /// Threads that await the end.
    private final AtomicInteger awaiting = new AtomicInteger();

    /// What the callback has thrown, kept for one of these threads.
    private final AtomicReference<@Nullable Throwable> kept = new AtomicReference<>();

    /// Whether the task is being posted, by the thread that owns it.
    private boolean isPosted;

    void set(Consumer<? super Task> newThen) {
        then = newThen;
    }

    void beginPost() {
        isPosted = true;
    }

    void endPost() {
        isPosted = false;
    }

    /// Begins a run, or ends the task: what is kept since then has no other thread to go to.
    void reset() {
        thrown = null;
        if (kept.getPlain() != null) {
            Throwable left = kept.getAndSet(null);
            if (left != null) {
                ProgressEngine.handOver(left);
            }
        }
    }

    /// Ends a run.
    ///
    /// @param why it has failed, or null
    void run(Task task, @Nullable RuntimeException why, UpcallGuard upcallGuard) {
        Consumer<? super Task> over = then;
        if (over == null) {
            return;
        }
        upcallGuard.begin();
        try {
            over.accept(task);
        } catch (RuntimeException | Error e) {
            if (why != null) {
                Task.suppress(e, why);
            }
            kept.set(e);
            // no thread awaits it, or one has seen it
            if (!isPosted && awaiting.get() == 0 && kept.compareAndSet(e, null)) {
                thrown = e;
                throw e;
            }
        } finally {
            upcallGuard.end();
        }
    }

    /// Returns whether the callback has thrown this out of [#run].
    @SuppressWarnings("ReferenceEquality") // the very exception
    boolean hasThrown(Throwable exception) {
        return thrown == exception;
    }

    /// Counts the calling thread as one that awaits the end, if there is a callback; returns whether it did.
    boolean isAwaited() {
        if (then != null) {
            awaiting.incrementAndGet();
            return true;
        }
        return false;
    }

    /// Counts the calling thread out again.
    ///
    /// @param isCounted whether it has been counted
    void isNotAwaited(boolean isCounted) {
        if (isCounted) {
            awaiting.decrementAndGet();
        }
    }

    /// Throws what is kept for the calling thread, if there is an exception.
    void rethrow() {
        if (kept.getAcquire() != null) {
            switch (kept.getAndSet(null)) {
                case null -> {}
                case Error e -> throw e;
                case RuntimeException e -> throw e;
                case Throwable e -> throw new AssertionError("callbacks throw nothing else", e);
            }
        }
    }
}
