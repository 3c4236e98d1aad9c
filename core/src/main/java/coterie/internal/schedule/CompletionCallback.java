// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.UpcallGuard;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// What a program wants to be called at the end of each run of a task, and who gets what it throws: who awaits
/// that task, or else the thread that has come across the end.
final class CompletionCallback {
    private @Nullable Consumer<? super Task> then;

    /// What it has thrown at the end of the latest run, out of [#run].
    private @Nullable Throwable thrown;

    /// Threads that await the end.
    private final AtomicInteger awaiting = new AtomicInteger();

    /// What it has thrown for one of them.
    private final AtomicReference<@Nullable Throwable> kept = new AtomicReference<>();

    void set(Consumer<? super Task> newThen) {
        then = newThen;
    }

    /// A run begins.
    void reset() {
        thrown = null;
        if (kept.getPlain() != null) {
            kept.set(null);
        }
    }

    /// A run is over.
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
            if (awaiting.get() == 0 && kept.compareAndSet(e, null)) { // who awaits has come back, or has seen it
                thrown = e;
                throw e;
            }
        } finally {
            upcallGuard.end();
        }
    }

    /// Whether it has thrown this out of [#run].
    @SuppressWarnings("ReferenceEquality") // the very exception
    boolean hasThrown(Throwable exception) {
        return thrown == exception;
    }

    /// A thread begins to await the end.
    void isAwaited() {
        awaiting.incrementAndGet();
    }

    /// It does so no more.
    void isNotAwaited() {
        awaiting.decrementAndGet();
    }

    /// Throws what has been kept for the calling thread, if anything.
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
