// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.internal.wait.Awaitable;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import java.util.concurrent.ThreadFactory;
import org.jspecify.annotations.Nullable;

/// A thread that only advances tasks.
///
/// It waits in the waiting room, as all waiters do, until a task moves: the longer none does, the longer it
/// naps. A task that is posted meanwhile has begun at its post, and the threads that wait for it advance it,
/// too.
final class ProgressThread implements Runnable, Awaitable {
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
        engine.room().awaitWork(new End(), WaitingRoom.FOREVER);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void run() {
        try {
            while (!stopping) {
                engine.room().awaitWork(this, WaitingRoom.FOREVER);
            }
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            ended = true;
        }
    }

    @Override
    public boolean poll() {
        return stopping || engine.tryAdvanceAll();
    }

    @Override
    public OperationKind kind() {
        return OperationKind.NONE;
    }

    @Override
    public String text() {
        return "progress thread";
    }

    @Override
    public boolean isService() {
        return true;
    }

    /// The condition that the thread has ended.
    private final class End implements Awaitable {
        @Override
        public boolean poll() {
            return ended;
        }

        @Override
        public OperationKind kind() {
            return OperationKind.NONE;
        }

        @Override
        public String text() {
            return "end of the progress thread";
        }

        @Override
        public boolean isService() {
            return true;
        }
    }
}
