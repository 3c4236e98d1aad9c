// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// One launch of a kernel. The stream that has launched it polls it:
///
/// ```
///  poll, by the thread that runs the hook     starts blocks while threads are free
///  each thread of a block                     runs the kernel
///  the last thread of a block to return       gives the threads back
/// ```
///
/// The first exception of a thread fails the kernel: the barriers and the waits of all its threads end.
final class KernelRun {
    private final String name;
    private final Kernel kernel;
    private final Extent grid;
    private final Extent block;
    private final KernelDevice device;
    private final AtomicInteger endedBlocks = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    // The lock of this object guards them.
    private final List<KernelBlock> resident = new ArrayList<>();
    private @Nullable GroupState whole;
    private int returned;

    /// Threads that wait in a group's operation or for their group.
    private final AtomicInteger waiting = new AtomicInteger();

    /// Blocks; the thread that runs the hook writes it.
    private volatile int started;

    KernelRun(KernelDevice device, int number, Extent grid, Extent block, Kernel kernel) {
        this.name = "kernel " + number + " of " + grid.count() + " blocks of " + block.count() + " threads";
        this.device = device;
        this.grid = grid;
        this.block = block;
        this.kernel = kernel;
    }

    KernelDevice device() {
        return device;
    }

    Extent grid() {
        return grid;
    }

    Extent block() {
        return block;
    }

    /// Makes the kernel run anew, for a graph: all threads of the run before have ended.
    void rewind() {
        synchronized (this) {
            whole = null;
            returned = 0;
        }
        endedBlocks.set(0);
        started = 0;
    }

    /// Starts blocks that have room, and returns whether all have ended.
    ///
    /// @throws RuntimeException that a thread has thrown, or an error
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes it
    boolean poll() {
        switch (failure.get()) {
            case null -> {}
            case Error error -> throw error;
            case RuntimeException thrown -> throw thrown;
            case Throwable other -> throw new IllegalStateException(name + ": " + other, other);
        }
        int blocks = grid.count();
        while (started < blocks && device.acquire(block.count())) {
            start(new KernelBlock(this, started));
            started = started + 1;
        }
        return endedBlocks.get() == blocks && failure.get() == null;
    }

    private void start(KernelBlock next) {
        synchronized (this) {
            resident.add(next);
            Throwable first = failure.get();
            if (first != null) {
                next.terminate(first);
            }
        }
        for (int rank = 0; rank < block.count(); rank++) {
            KernelThread thread = new KernelThread(this, next, rank);
            device.start(() -> run(thread, next));
        }
    }

    private void run(KernelThread thread, KernelBlock mine) {
        try {
            kernel.run(thread);
        } catch (Throwable e) { // also a checked exception that the compiler has not seen
            fail(e);
        }
        synchronized (this) {
            returned++;
            if (whole != null) {
                whole.leave();
            }
        }
        if (mine.leave(thread.number())) {
            synchronized (this) {
                resident.remove(mine);
            }
            device.release(block.count());
            endedBlocks.incrementAndGet();
        }
    }

    /// A thread begins to wait for an operation of its group, or for its group.
    void beginWait() {
        waiting.incrementAndGet();
    }

    void endWait() {
        waiting.decrementAndGet();
    }

    /// Returns whether a thread runs code of the program.
    boolean isActing() {
        synchronized (this) {
            return (long) started * block.count() - returned > waiting.get();
        }
    }

    /// Returns whether blocks have not started yet.
    boolean hasUnstarted() {
        return started < grid.count();
    }

    /// Returns how many threads of the device its blocks hold.
    int heldThreads() {
        return (started - endedBlocks.get()) * block.count();
    }

    /// Returns how many blocks have started, and how many have ended.
    long changes() {
        return (long) started + endedBlocks.get();
    }

    /// Returns how far it is, for people.
    String progress() {
        int blocks = grid.count();
        String room = started < blocks ? ", of which " + started + " have started, and the others have no room" : "";
        return name + room;
    }

    /// Returns the group of all threads of the grid that have not returned.
    synchronized GroupState whole() {
        if (whole == null) {
            long threads = (long) grid.count() * block.count() - returned;
            if (threads > GroupState.MOST_THREADS) {
                throw new IllegalStateException(name + ": a group of the grid has at most " + GroupState.MOST_THREADS
                        + " threads; use the groups of the blocks");
            }
            whole = new GroupState(this, (int) threads);
            Throwable first = failure.get();
            if (first != null) {
                whole.terminate(first);
            }
        }
        return whole;
    }

    /// Ends the kernel for all its threads.
    void fail(Throwable thrown) {
        Throwable cause = thrown instanceof StreamException e && e.getCause() != null ? e.getCause() : thrown;
        if (!(thrown instanceof KernelEnded) && failure.compareAndSet(null, cause)) {
            synchronized (this) {
                resident.forEach(each -> each.terminate(cause));
                if (whole != null) {
                    whole.terminate(cause);
                }
            }
        }
    }

    /// Throws if the kernel has failed.
    void checkAlive() {
        if (failure.get() != null) {
            throw ended();
        }
    }

    /// Returns what ends a thread of a kernel that has failed.
    KernelEnded ended() {
        return new KernelEnded(name, failure.get());
    }

    @Override
    public String toString() {
        return name;
    }
}
