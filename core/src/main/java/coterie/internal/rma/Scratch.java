// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Two buffers that a collective works in. A world has a few, and threads that are in collectives of different
/// teams at once have one each; who finds none makes one.
public final class Scratch {
    /// Of each buffer: both stay in the L1 cache.
    public static final long BYTES = 8192;

    public final MemorySegment first = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    public final MemorySegment second = Arena.ofAuto().allocate(BYTES, Long.BYTES);

    private Scratch() {}

    /// The scratch of a world that nobody uses just now.
    public static final class Pool {
        /// Threads beyond as many allocate anew each time.
        private static final int KEPT = 16;

        private final AtomicReferenceArray<Scratch> idle = new AtomicReferenceArray<>(KEPT);

        public Scratch acquire() {
            for (int i = 0; i < KEPT; i++) {
                if (idle.getPlain(i) != null) {
                    Scratch found = idle.getAndSet(i, null);
                    if (found != null) {
                        return found;
                    }
                }
            }
            return new Scratch();
        }

        public void release(Scratch scratch) {
            for (int i = 0; i < KEPT; i++) {
                if (idle.getPlain(i) == null && idle.compareAndSet(i, null, scratch)) {
                    return;
                }
            }
        }
    }
}
