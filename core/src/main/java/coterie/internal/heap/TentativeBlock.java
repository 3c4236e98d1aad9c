// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.internal.memory.Allocator;
import coterie.internal.memory.Allocator.Region;
import coterie.internal.rma.PeMemory;

/// The place of a block to be, taken on trial: the allocator holds it and the old block's, until the members'
/// verdict says which of the two goes.
///
/// ```
///  as long or shorter   the old place; what it lets go is let go by keep
///  longer               the old place, if enough is free behind it, and else a new one
/// ```
///
/// A pure function of the world's allocations so far, so that all PEs come to the same place.
final class TentativeBlock {
    private final Allocator allocator;
    private final PeMemory old;
    private final long byteSize;
    private final long offset;

    TentativeBlock(Allocator allocator, HeapRequest request) {
        this.allocator = allocator;
        this.old = request.old();
        this.byteSize = request.byteSize();
        boolean stays = old.byteSize() > 0 && allocator.resize(old.offset(), old.byteSize(), held());
        this.offset = stays ? old.offset() : allocator.allocate(Region.WORLD, byteSize, request.alignment());
    }

    /// Where the block is to be, or −1 if there is no room.
    long offset() {
        return offset;
    }

    /// Whether the block is to be elsewhere than the old one, which has content.
    boolean moves() {
        return old.byteSize() > 0 && offset != old.offset();
    }

    /// Lets go what only the old block has.
    void keep() {
        if (old.byteSize() == 0) {
            return;
        }
        if (moves() || byteSize == 0) {
            allocator.free(old.offset(), old.byteSize());
        } else {
            allocator.resize(offset, held(), byteSize);
        }
    }

    /// Lets go what only the new block would have had: as if nothing had been tried.
    void release() {
        if (old.byteSize() > 0 && offset == old.offset()) {
            allocator.resize(offset, held(), old.byteSize());
        } else if (offset >= 0) {
            allocator.free(offset, byteSize);
        }
    }

    /// What the allocator holds at the old place meanwhile, if the block stays there.
    private long held() {
        return Math.max(old.byteSize(), byteSize);
    }
}
