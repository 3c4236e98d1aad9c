// SPDX-License-Identifier: Apache-2.0
package coterie.cuda;

import coterie.spi.CloseListener;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// What this PE gives back to the driver. Calls that free or unmap memory wait in the driver until the work of
/// the process is over, and this may wait for other PEs, which a close must not do. So they happen at once if
/// no stream of the process has work, and otherwise later: with the next one, at the next allocation, or when
/// the world closes.
///
/// ```
///  close ─ idle? ─ yes ► run ─ over? ─ yes ►
///           │ no              │ no, since other PEs may use it
///           ▼                 ▼
///         pending ◄───────────┘      next close, allocation: again
///                                    the world closes: waits for the streams, and then again
///                                    the world has closed: no other PE uses anything
/// ```
final class Releases implements CloseListener {
    /// Those of the process whose Cuda the program has closed, and that are not over.
    private static final Set<Releases> ENDING = ConcurrentHashMap.newKeySet();

    /// Those of the process that are not over.
    private static final Set<Releases> ALL = ConcurrentHashMap.newKeySet();

    private final DeviceContext context;
    private final StreamTable streams;
    private final ReentrantLock lock = new ReentrantLock();

    // The lock guards these.
    private final List<Release> pending = new ArrayList<>();
    private boolean isSweeping;
    private @Nullable Cuda closed;
    private @Nullable Registration registration;

    private volatile boolean isWorldClosing;
    private volatile boolean isWorldClosed;

    /// Something that is given back, in calls of the driver that may wait for this PE's device.
    interface Release {
        /// Gives it back, if no other PE needs it. Returns whether it is over.
        boolean run();
    }

    Releases(DeviceContext context, StreamTable streams) {
        this.context = context;
        this.streams = streams;
    }

    /// Notes that the world has this as its listener.
    void registered(Registration made) {
        registration = made;
        ALL.add(this);
    }

    /// Returns whether all PEs are in the close of the world, or will be.
    boolean isWorldClosing() {
        return isWorldClosing;
    }

    /// Returns whether no PE uses memory of another any more.
    boolean isWorldClosed() {
        return isWorldClosed;
    }

    /// Gives something back, now or later.
    void add(Release release) {
        lock.lock();
        try {
            pending.add(release);
            if (isProcessIdle()) {
                sweep();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Gives back what can be now.
    void sweep() {
        lock.lock();
        try {
            if (!isSweeping && (context.isLost() || isIdle())) {
                isSweeping = true;
                try {
                    runAll();
                } finally {
                    isSweeping = false;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean isIdle() {
        return context.captures.get() == 0 && context.canRelease() && streams.areOver();
    }

    private boolean isProcessIdle() {
        boolean isIdle = true;
        for (Releases each : ALL) {
            isIdle &= each.equals(this) || each.context.isLost() || each.isIdle();
        }
        return (context.isLost() || context.canRelease()) && isIdle; // makes this context the thread's again
    }

    /// Runs what is pending, also what is added meanwhile.
    private void runAll() {
        RuntimeException first = null;
        for (int i = 0; i < pending.size(); ) {
            boolean isOver = true;
            try {
                isOver = pending.get(i).run();
            } catch (RuntimeException e) {
                if (first != null) {
                    e.addSuppressed(first);
                }
                first = e;
            }
            if (isOver) {
                pending.remove(i);
            } else {
                i++;
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /// Gives back what can be now, also of this PE's objects whose Cuda the program has closed before.
    void sweepAll() {
        sweep();
        for (Releases each : ENDING) {
            if (each.context.world.team().equals(context.world.team())) {
                each.sweepAndEnd();
            }
        }
    }

    /// The program has closed the Cuda: ends all, now or when the world closes.
    void end(Cuda cuda) {
        lock.lock();
        try {
            closed = cuda;
            ENDING.add(this);
            sweep();
            endIfOver();
        } finally {
            lock.unlock();
        }
    }

    private void endIfOver() {
        Cuda ended = closed;
        if (ended != null && pending.isEmpty() && (context.isLost() || isIdle())) {
            closed = null;
            ENDING.remove(this);
            ALL.remove(this);
            streams.sweep(ended);
            ended.release();
            if (registration != null) {
                registration.close();
            }
        }
    }

    @Override
    public void closing() {
        isWorldClosing = true;
        if (closed != null) {
            onPlatformThread(() -> {
                streams.awaitAll();
                sweepAndEnd();
            });
        }
    }

    @Override
    public void closed() {
        isWorldClosed = true;
        if (closed != null) {
            onPlatformThread(this::sweepAndEnd);
        }
        ENDING.remove(this);
        ALL.remove(this);
    }

    private void sweepAndEnd() {
        lock.lock();
        try {
            sweep();
            endIfOver();
        } finally {
            lock.unlock();
        }
    }

    /// The driver keeps its context per platform thread.
    private static void onPlatformThread(Runnable action) {
        if (!Thread.currentThread().isVirtual()) {
            action.run();
            return;
        }
        Thread thread = Thread.ofPlatform().daemon().name("coterie-cuda-end").start(action);
        boolean isInterrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
