// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.internal.memory.Allocator;

/// A place for a new block that this PE proposes to the team. The allocator holds it, and the old block's place,
/// until the members' verdict says which of the two to free.
///
/// ```
///  as long or shorter   the old place; keep frees what the new block does not need
///  longer               the old place, if enough is free after it, and otherwise another one
///  a later proposal     another place, at a distance of at least minDistance
/// ```
final class TentativeBlock {
    private final Allocator allocator;
    private final HeapRequest request;
    private final long offset;

    TentativeBlock(Allocator allocator, HeapRequest request, long minDistance) {
        this.allocator = allocator;
        this.request = request;
        boolean stays = minDistance == 0
                && hasOld()
                && allocator.resize(request.old().offset(), request.old().byteSize(), held());
        this.offset = stays
                ? request.old().offset()
                : allocator.allocate(request.end(), request.byteSize(), request.alignment(), minDistance);
    }

    private boolean hasOld() {
        return request.old().byteSize() > 0;
    }

    /// Returns the offset of the new block, or −1 if there is no room.
    long offset() {
        return offset;
    }

    /// Returns the distance of the new block from the team's end of the heap; 0 if there is no room.
    long distance() {
        return offset < 0 ? 0 : allocator.distance(request.end(), offset, request.byteSize());
    }

    /// Returns whether the old block has content at another place.
    boolean moves() {
        return hasOld() && offset != request.old().offset();
    }

    /// Frees what only the old block needs.
    void keep() {
        if (!hasOld()) {
            return;
        }
        if (moves() || request.byteSize() == 0) {
            allocator.free(request.old().offset(), request.old().byteSize());
        } else {
            allocator.resize(offset, held(), request.byteSize());
        }
    }

    /// Frees what only the new block needs; the old block is unchanged.
    void release() {
        if (hasOld() && offset == request.old().offset()) {
            allocator.resize(offset, held(), request.old().byteSize());
        } else if (offset >= 0) {
            allocator.free(offset, request.byteSize());
        }
    }

    /// Returns the bytes that the allocator holds meanwhile, if the block stays at its place.
    private long held() {
        return Math.max(request.old().byteSize(), request.byteSize());
    }
}
