// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// The queue for threads that call at the same time: places in chunks that stay linked for ever.
///
/// Lock-free: a thread that posts takes any free place, and the thread that owns a task releases its place; a
/// thread that is preempted delays its own task and no other. A sweep goes by places, so it is fair, but not in
/// the order of posts.
final class ConcurrentProgressQueue extends ProgressQueue {
    private static final int CHUNK = 64;

    private final Chunk first = new Chunk();

    private static final class Chunk {
        final AtomicReferenceArray<@Nullable Task> places = new AtomicReferenceArray<>(CHUNK);

        /// Places from here on have never been used.
        final AtomicInteger used = new AtomicInteger();

        final AtomicReference<@Nullable Chunk> next = new AtomicReference<>();

        boolean add(Task task) {
            for (int place = 0; place < CHUNK; place++) {
                if (places.get(place) == null && places.compareAndSet(place, null, task)) {
                    if (place >= used.get()) {
                        used.accumulateAndGet(place + 1, Math::max);
                    }
                    return true;
                }
            }
            return false;
        }

        boolean sweep() {
            boolean moved = false;
            int present = used.get();
            for (int place = 0; place < present; place++) {
                Task task = places.get(place);
                if (task != null && task.ownership.acquire()) {
                    moved |= advance(task, place);
                }
            }
            return moved;
        }

        /// The caller owns the task.
        @SuppressWarnings("ReferenceEquality") // the very task
        private boolean advance(Task task, int place) {
            boolean here = places.get(place) == task; // until now another thread may have ended it
            try {
                return here && task.advance();
            } finally {
                if (here && task.hasTerminated()) {
                    task.listed = false;
                    places.setRelease(place, null);
                }
                task.ownership.release();
            }
        }
    }

    @Override
    void add(Task task) {
        Chunk chunk = first;
        while (!chunk.add(task)) {
            Chunk next = chunk.next.get();
            if (next == null) {
                chunk.next.compareAndSet(null, new Chunk());
                next = chunk.next.get();
            }
            chunk = Objects.requireNonNull(next);
        }
    }

    @Override
    boolean sweep() {
        boolean moved = false;
        for (Chunk chunk = first; chunk != null; chunk = chunk.next.get()) {
            moved |= chunk.sweep();
        }
        return moved;
    }
}
