// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.spi.RuntimeThreads;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What runs the blocks of a runtime's kernels: so many threads of the JVM, and streams for the operations that
/// they call, which all go through the same contexts, so that a quiet of any thread completes the puts of all.
final class KernelDevice {
    private final StreamEngine engine;
    private final DeviceLimits limits;
    private final StreamContexts contexts;
    private final AtomicInteger free;
    private final AtomicInteger threads = new AtomicInteger();

    // The engine's lock guards these.
    private final Queue<WorkStream> idle = new ArrayDeque<>();
    private int kernels;
    private @Nullable ExecutorService executor;

    KernelDevice(StreamEngine engine, DeviceLimits limits, FailureWatch failures) {
        this.contexts = new StreamContexts(failures);
        this.engine = engine;
        this.limits = limits;
        this.free = new AtomicInteger(limits.residentThreads());
    }

    DeviceLimits limits() {
        return limits;
    }

    /// Returns the number of a new kernel. The caller holds the lock.
    int number() {
        return kernels++;
    }

    /// Takes threads for a block, if so many are free.
    boolean acquire(int count) {
        int before = free.get();
        while (before >= count) {
            if (free.compareAndSet(before, before - count)) {
                return true;
            }
            before = free.get();
        }
        return false;
    }

    void release(int count) {
        free.addAndGet(count);
    }

    void start(Runnable thread) {
        executor().execute(thread);
    }

    private ExecutorService executor() {
        synchronized (engine) {
            if (executor == null) {
                int pe = engine.world().pe();
                AtomicInteger made = new AtomicInteger();
                executor = Executors.newCachedThreadPool(
                        task -> RuntimeThreads.daemon("coterie-kernel-pe" + pe + "-" + made.getAndIncrement(), task));
            }
            return executor;
        }
    }

    /// Returns a stream for the operations of a thread group.
    WorkStream lease() {
        synchronized (engine) {
            WorkStream stream = idle.poll();
            return stream == null
                    ? new WorkStream(
                            engine,
                            engine.add(
                                    "kernel-lane-" + threads.getAndIncrement(),
                                    StreamRuntime.LEAST_PRIORITY,
                                    StreamLane.Kind.KERNEL,
                                    contexts))
                    : stream;
        }
    }

    /// Takes a stream back, unless an operation of it has failed.
    void giveBack(WorkStream stream) {
        synchronized (engine) {
            if (stream.lane.failureBefore(Long.MAX_VALUE) == null) {
                idle.add(stream);
            }
        }
    }

    /// Ends the threads and the contexts. No hook runs any more.
    void close() {
        synchronized (engine) {
            if (executor != null) {
                executor.shutdown();
            }
        }
        contexts.close();
    }
}
