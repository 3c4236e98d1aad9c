// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Two buffers for the work of a collective. A world has a pool of them: threads in collectives of different teams
/// at the same time have one each.
public final class Scratch {
    /// Bytes of each buffer: both fit into the L1 cache.
    public static final long BYTES = 8192;

    public final MemorySegment first = Arena.ofAuto().allocate(BYTES, Long.BYTES);
    public final MemorySegment second = Arena.ofAuto().allocate(BYTES, Long.BYTES);

    private Scratch() {}

    /// The scratch objects of a world that no thread uses at present. A thread that finds none makes one.
    public static final class Pool {
        /// If more threads than this use scratch at a time, the additional ones allocate it for each collective.
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
