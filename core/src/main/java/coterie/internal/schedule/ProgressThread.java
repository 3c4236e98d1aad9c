// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.util.concurrent.ThreadFactory;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A thread that only advances tasks.
///
/// It waits in the waiting room, as all waiters do, until a task moves: the longer none does, the longer it
/// naps. A task that is posted meanwhile has begun at its post, and the threads that wait for it advance it,
/// too.
final class ProgressThread implements Runnable {
    private final ProgressEngine engine;
    private @Nullable Thread thread;
    private volatile boolean stopping;
    private volatile boolean ended;
    private @Nullable RuntimeException failure;

    private ProgressThread(ProgressEngine engine) {
        this.engine = engine;
    }

    static ProgressThread start(ProgressEngine engine, ThreadFactory factory) {
        ProgressThread started = new ProgressThread(engine);
        Thread thread = factory.newThread(started);
        started.thread = thread;
        thread.start();
        return started;
    }

    void stop() {
        if (Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("stop of the progress thread on PE " + engine.pe() + ": the progress "
                    + "thread can't stop itself");
        }
        stopping = true;
        engine.room().awaitWork(new Condition("end of the progress thread", () -> ended), WaitingRoom.FOREVER);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void run() {
        Condition work = new Condition("progress thread", () -> stopping || engine.tryAdvanceAll());
        try {
            while (!stopping) {
                engine.room().awaitWork(work, WaitingRoom.FOREVER);
            }
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            ended = true;
        }
    }

    /// What a thread waits for that does nothing for the program.
    private record Condition(String text, BooleanSupplier holds) implements Awaitable {
        @Override
        public boolean poll() {
            return holds.getAsBoolean();
        }

        @Override
        public OperationKind kind() {
            return OperationKind.NONE;
        }

        @Override
        public boolean isService() {
            return true;
        }
    }
}
