// SPDX-License-Identifier: Apache-2.0
package coterie.internal.schedule;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// For threads that come at once: places in chunks that are linked and never taken out of the chain.
///
/// Lock-free: who posts takes any free place, and who has a task's tenure gives its place back; a thread that
/// stands still holds up its own task and no other. Being in order of places, a sweep is fair but in no order of
/// posting.
final class ConcurrentProgressQueue extends ProgressQueue {
    private static final int CHUNK = 64;

    private final Chunk first = new Chunk();

    private static final class Chunk {
        final AtomicReferenceArray<@Nullable Task> places = new AtomicReferenceArray<>(CHUNK);

        /// Places from here on have never been taken.
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

        /// With the task's tenure.
        @SuppressWarnings("ReferenceEquality") // the very task
        private boolean advance(Task task, int place) {
            boolean here = places.get(place) == task; // until now another thread may have ended it
            try {
                return here && task.advance();
            } finally {
                if (here && task.hasTerminated()) {
                    task.listed = false;
                    places.set(place, null);
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
