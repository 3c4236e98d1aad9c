// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import coterie.ThreadLevel;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The right to act on a task and on all its parts, which one thread has at a time, and not twice: a callback that
/// sweeps omits the tasks that its own thread is advancing.
///
/// No thread waits for it. A thread that does not get it continues with other work.
abstract sealed class TaskOwnership {

    static TaskOwnership of(ThreadLevel level) {
        return level.compareTo(ThreadLevel.SERIALIZED) >= 0 ? new Shared() : new Plain();
    }

    /// Acquires it if no thread has it, this one included.
    abstract boolean acquire();

    abstract void release();

    abstract boolean isFree();

    abstract boolean isMine();

    /// The ownership where one thread alone may call.
    private static final class Plain extends TaskOwnership {
        private boolean taken;

        @Override
        boolean acquire() {
            boolean free = !taken;
            taken = true;
            return free;
        }

        @Override
        void release() {
            taken = false;
        }

        @Override
        boolean isFree() {
            return !taken;
        }

        @Override
        boolean isMine() {
            return taken;
        }
    }

    /// The ownership where several threads may call; below `MULTIPLE` it finds those that do so at the same time.
    private static final class Shared extends TaskOwnership {
        private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();

        @Override
        boolean acquire() {
            return isFree() && holder.compareAndSet(null, Thread.currentThread());
        }

        @Override
        void release() {
            holder.setRelease(null);
        }

        @Override
        boolean isFree() {
            return holder.getAcquire() == null;
        }

        @Override
        boolean isMine() {
            return Thread.currentThread().equals(holder.getPlain());
        }
    }
}
