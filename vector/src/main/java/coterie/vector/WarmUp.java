// SPDX-License-Identifier: Apache-2.0
package coterie.vector;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// Runs a loop over a buffer of its own, in a thread of its own, until the compiler has made vector instructions
/// of it.
final class WarmUp {
    /// A usual length: the compiler takes notice of it.
    private static final long BYTES = 1024;

    /// Runs between looks at the clock.
    private static final int RUNS = 500;

    /// What a run takes at most with vector instructions, on any processor; without, it is some microseconds.
    private static final long FAST_NANOS = 1000;

    /// From then on it serves as it is.
    private static final long PATIENCE_NANOS = 2_000_000_000L;

    private WarmUp() {}

    /// Begins.
    ///
    /// @param maker of the loop
    /// @param ready gets it when it is fast
    static void begin(Supplier<Loop> maker, Consumer<Loop> ready) {
        Thread.ofPlatform()
                .name("coterie-warm-up")
                .daemon()
                .group(topmost()) // it is no PE's
                .inheritInheritableThreadLocals(false)
                .start(() -> {
                    Loop loop = maker.get();
                    run(loop);
                    ready.accept(loop);
                });
    }

    private static ThreadGroup topmost() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group;
    }

    private static void run(Loop loop) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment left = arena.allocate(BYTES, Long.BYTES);
            MemorySegment right = arena.allocate(BYTES, Long.BYTES);
            long begin = System.nanoTime();
            long nanos = Long.MAX_VALUE;
            while (nanos > RUNS * FAST_NANOS && System.nanoTime() - begin < PATIENCE_NANOS) {
                long before = System.nanoTime();
                for (int run = 0; run < RUNS; run++) {
                    loop.fold(left, 0, left, 0, right, 0, BYTES);
                }
                nanos = System.nanoTime() - before;
            }
        }
    }
}
