// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.HeapStatistics;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.collective.TeamSync;
import coterie.internal.heap.HeapAgreement.Answer;
import coterie.internal.lock.PeLock;
import coterie.internal.memory.Allocator;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.BlockHeap;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Symmetric memory of the world team: allocation, reallocation and release as agreeing collectives.
///
/// An allocation is one round, after a first one that attaches the heaps; a reallocation that moves has another:
///
/// ```
///  allocate a place in this PE's allocator, reserve its pages, zero what is new
///    ▼
///  round: size, alignment or block, can I?      after it no PE writes into the old block any more
///    ▼ all can
///  copy the old content, if the block moves
///    ▼
///  round, if the block moves                    after it every PE has copied
///    ▼ all are there
///  release what only the old block had
/// ```
///
/// Whatever goes wrong before the last step, on whichever PE, all give back what they took: the old block is as it
/// was. Pages that were reserved stay so, since the next block there needs them too.
public final class WorldHeap implements BlockHeap {
    private final TeamSync teamSync;
    private final PeContext context;
    private final Conduit conduit;
    private final WaitingRoom room;
    private final Allocator allocator;
    private final HeapAttachment attachment;
    private final HeapAgreement agreement;
    private final Predicate<PeMemory> isInUse;
    private final Set<PeMemory> blocks = new LinkedHashSet<>();
    private long generation;
    private long peak;
    private boolean closed;

    /// Where the memory has never been touched: it is zero from here on.
    private long highWater;

    /// @param isInUse whether something of this PE's is under way on a block
    public WorldHeap(
            TeamSync teamSync,
            PeContext context,
            Conduit conduit,
            WaitingRoom room,
            long heapBytes,
            Predicate<PeMemory> isInUse) {
        this.teamSync = teamSync;
        this.isInUse = isInUse;
        this.context = context;
        this.conduit = conduit;
        this.room = room;
        this.allocator = new Allocator(heapBytes);
        this.attachment = new HeapAttachment(teamSync, context, conduit, allocator.byteSize());
        this.agreement = new HeapAgreement(teamSync);
    }

    private int pe() {
        return teamSync.membership().myPe();
    }

    private int size() {
        return teamSync.membership().size();
    }

    @Override
    public long address(int pe) {
        return pe == pe() ? conduit.localBase(Region.HEAP) : conduit.directBase(Region.HEAP, pe);
    }

    /// See [coterie.World#isAccessible].
    public boolean isAccessible(int pe) {
        return !closed && pe >= 0 && pe < size();
    }

    /// See [coterie.World#heapStatistics].
    public HeapStatistics statistics() {
        requireOpen("heapStatistics");
        return new HeapStatistics(
                allocator.byteSize(), allocator.used(), peak, allocator.blocks(), allocator.largestFree());
    }

    /// See [coterie.World#allocate(long, long, coterie.AllocationHint...)].
    public SymmetricMemory allocate(long byteSize, long alignment) {
        requireOpen("allocate");
        PeMemory nothing = empty(alignment);
        HeapRequest request = new HeapRequest(OperationKind.ALLOCATE, nothing, byteSize, alignment);
        if (byteSize != 0) {
            return replace(request);
        }
        String invalid = request.invalid();
        if (invalid != null) {
            throw new IllegalArgumentException(request.describe(pe()) + invalid);
        }
        return nothing;
    }

    @Override
    public SymmetricMemory reallocate(PeMemory block, long byteSize) {
        requireOpen("reallocate");
        if (byteSize == 0 && block.byteSize() == 0) {
            block.invalidate();
            return empty(block.alignment());
        }
        context.completeWithOwn();
        return replace(new HeapRequest(OperationKind.REALLOCATE, block, byteSize, block.alignment()));
    }

    @Override
    public SymmetricLock lock(PeMemory block, long offset) {
        PeLock lock = new PeLock(block, offset, context, room, pe(), size());
        block.hasLock(block.offset() + offset, lock::isHeld);
        return lock;
    }

    @Override
    public void release(PeMemory block) {
        if (block.byteSize() > 0) {
            context.completeWithOwn();
            agreement.free(block, isInUse.test(block) || block.holdsLocks());
            blocks.remove(block);
            allocator.free(block.offset(), block.byteSize());
            room.counters().heapUsed = allocator.used();
        }
        block.invalidate();
    }

    /// Takes memory for the runtime's own use, at a place of this PE alone. For any thread.
    ///
    /// @return where it begins, or −1 if there is not as much, or nothing at all has been allocated so far
    public long acquireScratch(long byteSize) {
        if (closed || !attachment.isUsable()) {
            return -1;
        }
        long offset = allocator.allocate(Allocator.Region.TEAM, byteSize, Allocator.GRANULE);
        if (offset >= 0 && conduit.reserve(Region.HEAP, offset, byteSize).isPresent()) {
            allocator.free(offset, byteSize);
            return -1;
        }
        return offset;
    }

    /// Gives it back, zeroed, as blocks of the world expect it.
    public void releaseScratch(long offset, long byteSize) {
        if (!closed) {
            clear(offset, byteSize);
            allocator.free(offset, byteSize);
        }
    }

    /// Ends all blocks without the others: the world is closing.
    public void close() {
        closed = true;
        blocks.forEach(PeMemory::invalidate);
        blocks.clear();
        conduit.close();
    }

    /// One line about what a test has left behind, or nothing.
    public String leftovers() {
        if (!allocator.isConsistent()) {
            return "the heap's free list is not whole: " + allocator.used() + " bytes in " + allocator.blocks()
                    + " blocks";
        }
        return blocks.isEmpty() ? "" : blocks.size() + " blocks were not freed: " + blocks;
    }

    /// Makes a block in place of another on every PE, or on none.
    private SymmetricMemory replace(HeapRequest request) {
        attachment.attach();
        String invalid = request.invalid();
        if (invalid != null) {
            throw agreement.refuse(request, Answer.INVALID, invalid);
        }
        if (isInUse.test(request.old())) {
            throw agreement.refuse(request, Answer.REFUSED, "it has a request under way on the block");
        }
        String unattached = attachment.refusal();
        if (unattached != null) {
            throw agreement.refuse(request, Answer.REFUSED, unattached);
        }
        TentativeBlock tentativeBlock = new TentativeBlock(allocator, request);
        boolean kept = false;
        try {
            String refusal = prepare(request, tentativeBlock.offset());
            if (refusal != null) {
                throw agreement.refuse(request, Answer.REFUSED, refusal);
            }
            agreement.grant(request.kind(), request);
            peak = Math.max(peak, allocator.used());
            if (tentativeBlock.moves()) {
                copy(
                        request.old().offset(),
                        tentativeBlock.offset(),
                        request.old().byteSize());
                agreement.grant(OperationKind.MOVE, request);
            }
            tentativeBlock.keep();
            kept = true;
        } finally {
            if (!kept) {
                tentativeBlock.release();
            }
        }
        return handOver(request, tentativeBlock.offset());
    }

    private SymmetricMemory handOver(HeapRequest request, long offset) {
        room.counters().heapUsed = allocator.used();
        request.old().invalidate();
        blocks.remove(request.old());
        if (request.byteSize() == 0) {
            return empty(request.alignment());
        }
        PeMemory block = new PeMemory(this, context, ++generation, offset, request.byteSize(), request.alignment());
        blocks.add(block);
        return block;
    }

    private PeMemory empty(long alignment) {
        return new PeMemory(this, context, 0, 0, 0, alignment);
    }

    /// Reserves and zeroes what a block gains. Returns null, or what is in the way.
    ///
    /// Zeroed is from the old content's end on, which may lie in a page that others have had, up to the high-water
    /// mark: a block that was shorter for a while had others' bytes behind it.
    private @Nullable String prepare(HeapRequest request, long offset) {
        long byteSize = request.byteSize();
        PeMemory old = request.old();
        if (offset < 0) {
            return byteSize + " bytes asked, the longest free part of the heap has " + allocator.largestFree() + " of "
                    + allocator.byteSize() + "; start the job with a larger --heap";
        }
        if (byteSize <= old.byteSize()) {
            return null;
        }
        long gained = offset + old.byteSize();
        long end = offset + byteSize;
        long reserved = old.byteSize() > 0 && offset == old.offset() ? gained : offset;
        String refusal = conduit.reserve(Region.HEAP, reserved, end - reserved).orElse(null);
        if (refusal == null) {
            if (gained < highWater) {
                clear(gained, Math.min(end, highWater) - gained);
            }
            highWater = Math.max(highWater, end);
        }
        return refusal;
    }

    private void clear(long offset, long length) {
        AddressSpace.ALL.asSlice(address(pe()) + offset, length).fill((byte) 0);
    }

    private void copy(long from, long to, long length) {
        MemorySegment heap = AddressSpace.ALL.asSlice(address(pe()), allocator.byteSize());
        MemorySegment.copy(heap, from, heap, to, length);
    }

    private void requireOpen(String operation) {
        if (closed) {
            throw new IllegalStateException(operation + " on PE " + pe() + ": the world was closed");
        }
    }
}
