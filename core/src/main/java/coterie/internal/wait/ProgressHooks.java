// SPDX-License-Identifier: Apache-2.0
package coterie.internal.wait;

import coterie.CoterieException;
import coterie.internal.trace.PeTracer;
import coterie.internal.trace.Tracing;
import coterie.spi.ProgressHook;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The hooks of a PE: first the runtime's own, which needs no care, then those that the program has registered.
final class ProgressHooks {
    private final int me;
    private final PeRuntime runtime;

    /// Conditions of posts that are polled.
    private final AtomicInteger conditions = new AtomicInteger();

    /// Replaced and never changed, so that a wait goes through it without a lock.
    private volatile ProgressHook[] hooks = {};

    ProgressHooks(int me, PeRuntime runtime) {
        this.me = me;
        this.runtime = runtime;
    }

    /// Advances all; returns whether anything moved.
    boolean advance() {
        return Tracing.ON ? advanceMuted() : advanceAll();
    }

    /// What hooks do is not recorded: streams have lanes of their own, and polls would fill a trace.
    private boolean advanceMuted() {
        PeTracer tracer = runtime.counters().tracer;
        tracer.mute();
        try {
            return advanceAll();
        } finally {
            tracer.unmute();
        }
    }

    private boolean advanceAll() {
        boolean moved = false;
        for (ProgressHook hook : hooks) {
            moved |= hook.progress();
        }
        return moved;
    }

    /// Returns within how many nanoseconds one of them needs a call, at least 1, or [WaitingRoom#FOREVER].
    long dueNanos() {
        long due = WaitingRoom.FOREVER;
        for (ProgressHook hook : hooks) {
            due = Math.min(due, hook.dueNanos());
        }
        return due;
    }

    /// Notes that so many conditions of the program more are polled.
    void conditions(int more) {
        conditions.addAndGet(more);
    }

    /// Returns the bits of what waits call of the program, see [OwnCode].
    long ownCode() {
        long bits = conditions.get() > 0 ? OwnCode.CONDITION.bit() : 0;
        for (ProgressHook hook : hooks) {
            if (hook instanceof Registered registered) {
                bits |= registered.isOwnCode() ? OwnCode.HOOK.bit() : 0;
            } else {
                bits |= hook.dueNanos() == WaitingRoom.FOREVER ? 0 : OwnCode.DEADLINE.bit();
            }
        }
        return bits;
    }

    /// Returns whether the calling thread runs a hook of the program.
    boolean isWithin() {
        for (ProgressHook hook : hooks) {
            if (hook instanceof Registered registered && registered.isMine()) {
                return true;
            }
        }
        return false;
    }

    /// Adds a hook of the runtime.
    synchronized void add(ProgressHook hook) {
        ProgressHook[] more = Arrays.copyOf(hooks, hooks.length + 1);
        more[hooks.length] = hook;
        hooks = more;
    }

    /// Registers a hook of the program.
    ProgressHook.Registration register(ProgressHook hook) {
        Registered registered = new Registered(hook);
        add(registered);
        return registered;
    }

    private synchronized void remove(Registered ended) {
        hooks = Arrays.stream(hooks).filter(each -> !ended.equals(each)).toArray(ProgressHook[]::new);
    }

    /// Ends all registrations of the program.
    void close() {
        for (ProgressHook hook : hooks) {
            if (hook instanceof Registered registered) {
                registered.close();
            }
        }
    }

    /// A hook of the program: one thread at a time calls it, and what it throws ends its registration alone.
    private final class Registered implements ProgressHook, ProgressHook.Registration, Awaitable {
        private final ProgressHook hook;
        private final AtomicReference<@Nullable Thread> runner = new AtomicReference<>();

        /// After the latest call.
        private volatile long due = 1;

        private volatile boolean hasEnded;

        Registered(ProgressHook hook) {
            this.hook = hook;
        }

        boolean isOwnCode() {
            return !hasEnded && !hook.dependsOnPesAlone();
        }

        boolean isMine() {
            return Thread.currentThread().equals(runner.get());
        }

        @Override
        public boolean progress() {
            if (runner.get() != null || !runner.compareAndSet(null, Thread.currentThread())) {
                return false;
            }
            runtime.upcallGuard().begin();
            try {
                boolean moved = !hasEnded && hook.progress();
                due = hasEnded ? WaitingRoom.FOREVER : Math.max(1, hook.dueNanos());
                return moved;
            } catch (RuntimeException | Error e) {
                end();
                handOver(e);
                return true;
            } finally {
                runtime.upcallGuard().end();
                runner.set(null);
            }
        }

        private void handOver(Throwable thrown) {
            Thread current = Thread.currentThread();
            current.getUncaughtExceptionHandler()
                    .uncaughtException(
                            current,
                            new CoterieException(
                                    "progress on PE " + me + ": the hook " + hook + " threw " + thrown
                                            + "; its registration has ended",
                                    thrown));
        }

        @Override
        public long dueNanos() {
            return due;
        }

        private void end() {
            hasEnded = true;
            due = WaitingRoom.FOREVER;
            remove(this);
        }

        @Override
        public void close() {
            end();
            if (!isMine()) {
                runtime.room().awaitWork(this, WaitingRoom.FOREVER);
            }
        }

        /// Whether no thread is in a call, since the registration has ended.
        @Override
        public boolean poll() {
            return runner.get() == null;
        }

        @Override
        public boolean isBrief() {
            return true;
        }

        @Override
        public OperationKind kind() {
            return OperationKind.NONE;
        }

        @Override
        public String text() {
            return "the end of a call of the progress hook " + hook;
        }
    }
}
