// SPDX-License-Identifier: Apache-2.0
package coterie.internal.world;

import coterie.internal.mapped.MemoryLimit;
import coterie.internal.posix.AddressSpace;
import coterie.internal.posix.Libc;
import coterie.spi.ConduitContext;
import coterie.spi.PeJob;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/// Memory of the conduits that plug in, one world after another: addresses once taken stay mapped and serve later
/// worlds, since addresses would run out.
final class ConduitMemory {
    /// So that an offset in the memory is aligned as its address is.
    private static final long ALIGNMENT = 1L << 30;

    private final List<MemorySegment> free = new ArrayList<>();

    private synchronized MemorySegment acquire(long byteSize) {
        for (Iterator<MemorySegment> each = free.iterator(); each.hasNext(); ) {
            MemorySegment block = each.next();
            if (block.byteSize() == byteSize) {
                each.remove();
                return block;
            }
        }
        int descriptor = Libc.memfd("coterie-conduit", byteSize);
        try {
            return AddressSpace.ALL.asSlice(Libc.mapShared(descriptor, byteSize, ALIGNMENT), byteSize);
        } finally {
            Libc.close(descriptor);
        }
    }

    private synchronized void release(MemorySegment block) {
        Libc.blank(block.address(), block.byteSize());
        free.add(block);
    }

    /// The memory of one world, and what its conduit knows of the job.
    final class OfWorld implements ConduitContext {
        private final PeJob job;
        private final long syncBytes;
        private final List<MemorySegment> blocks = new ArrayList<>();

        OfWorld(PeJob job, long syncBytes) {
            this.job = job;
            this.syncBytes = syncBytes;
        }

        @Override
        public PeJob job() {
            return job;
        }

        @Override
        public long syncBytes() {
            return syncBytes;
        }

        @Override
        public synchronized MemorySegment memory(long byteSize) {
            if (byteSize <= 0) {
                throw new IllegalArgumentException("memory of a conduit on PE " + job.pe() + ": " + byteSize
                        + " bytes; the size must be positive");
            }
            MemorySegment block = acquire(byteSize);
            blocks.add(block);
            return block;
        }

        @Override
        public Optional<String> refusal(long byteSize) {
            return MemoryLimit.tightest().refusal(byteSize, byteSize * job.size(), job.size());
        }

        /// Gives the pages back, after the conduit has closed.
        synchronized void releaseAll() {
            blocks.forEach(ConduitMemory.this::release);
            blocks.clear();
        }
    }
}
