// SPDX-License-Identifier: Apache-2.0
package coterie.loopback;

import coterie.AtomicOperation;
import coterie.spi.Conduit.Region;
import coterie.spi.TargetWords;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The memory of this PE that peers reach, and what their requests do to it. A remote place is the base of its
/// region plus an offset.
///
/// The program may access the same words by the processor's instructions, so all updates are such instructions.
final class OwnMemory {
    static final long HEAP_BASE = 1L << 61;
    static final long SYNC_BASE = 1L << 62;

    final MemorySegment sync;

    @Nullable
    MemorySegment heap;

    OwnMemory(MemorySegment sync) {
        this.sync = sync;
    }

    static long base(Region region) {
        return region == Region.SYNC ? SYNC_BASE : HEAP_BASE;
    }

    MemorySegment segment(long remote) {
        MemorySegment found = remote >= SYNC_BASE ? sync : heap;
        if (found == null) {
            throw new IllegalStateException("a peer uses the heap before it exists");
        }
        return found;
    }

    static long offset(long remote) {
        return remote - (remote >= SYNC_BASE ? SYNC_BASE : HEAP_BASE);
    }

    /// Returns the word before.
    long apply(AtomicOperation operation, long operand, long remote, int bytes) {
        return TargetWords.apply(operation, segment(remote), offset(remote), bytes, operand);
    }

    /// Returns the word before.
    long compareAndSwap(long expected, long value, long remote, int bytes) {
        return TargetWords.compareAndSwap(segment(remote), offset(remote), bytes, expected, value);
    }
}
