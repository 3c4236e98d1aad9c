// SPDX-License-Identifier: Apache-2.0
package coterie.cuda.fake;

import coterie.spi.RuntimeThreads;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// A stream of the device: a queue of bounded length, and a thread that does one command after the other. As
/// with a driver, a caller blocks while the queue is full.
final class FakeStream {
    private static final int CAPACITY = 1024;

    private final FakeDriver driver;
    private final BlockingQueue<IntSupplier> commands = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicLong enqueued = new AtomicLong();
    private final AtomicLong completed = new AtomicLong();
    private final Thread thread;
    private volatile boolean isOver;

    /// The capture that goes on; null without one.
    @Nullable
    FakeCapture capture;

    FakeStream(FakeDriver driver, long handle) {
        this.driver = driver;
        this.thread = ofDevice("fake stream " + handle, this::run);
        thread.start();
    }

    /// Makes no thread of the program: a diagnosis must not take the device for one. Its group is that of the thread
    /// that makes it, the system's here, as a driver's threads have it.
    private static Thread ofDevice(String name, Runnable task) {
        CompletableFuture<Thread> made = new CompletableFuture<>();
        new Thread(system(), () -> made.complete(RuntimeThreads.daemon(name, task))).start();
        return made.join();
    }

    private static ThreadGroup system() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private void run() {
        try {
            while (!isOver) {
                IntSupplier command = commands.take();
                if (driver.sticky() == 0) {
                    driver.failed(result(command));
                }
                completed.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private int result(IntSupplier command) {
        try {
            return command.getAsInt();
        } catch (RuntimeException | Error e) {
            driver.violation("a command of a stream has thrown " + e);
            return 719;
        }
    }

    /// Enqueues a command, which returns a result of the driver.
    int enqueue(IntSupplier command) {
        FakeCapture now = capture;
        if (now != null) {
            now.commands.add(command);
            return 0;
        }
        enqueued.incrementAndGet();
        put(command);
        return 0;
    }

    /// Enqueues a command and blocks the caller until it is over; in a capture it only enqueues.
    int complete(IntSupplier command) {
        if (capture != null) {
            return enqueue(command);
        }
        CountDownLatch isDone = new CountDownLatch(1);
        enqueue(() -> {
            try {
                return command.getAsInt();
            } finally {
                isDone.countDown();
            }
        });
        boolean wasInterrupted = false;
        while (driver.sticky() == 0) {
            try {
                if (isDone.await(1, TimeUnit.MILLISECONDS)) {
                    break;
                }
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
        return 0;
    }

    private void put(IntSupplier command) {
        boolean wasInterrupted = false;
        while (true) {
            try {
                commands.put(command);
                break;
            } catch (InterruptedException e) {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    int query() {
        return completed.get() == enqueued.get() ? 0 : 600;
    }

    /// The thread ends after the commands that there are.
    void destroy() {
        put(this::end);
        if (driver.sticky() != 0) {
            thread.interrupt();
        }
    }

    private int end() {
        isOver = true;
        return 0;
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }
}
