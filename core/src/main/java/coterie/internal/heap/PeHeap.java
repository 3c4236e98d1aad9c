// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.HeapStatistics;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.Allocator.End;
import coterie.internal.p2p.ScratchMemory;
import coterie.internal.posix.AddressSpace;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.trace.CallSite;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// This PE's slice of the symmetric heap: which parts are in use, by the blocks of all teams and by scratch
/// memory of the runtime.
///
/// ```
///  0                     usedBelow          usedAbove                            byteSize
///  │ blocks of the world │  never used: zeros │ blocks of other teams, scratch memory │
/// ```
///
/// Thread-safe: threads may allocate for different teams at the same time.
public final class PeHeap implements ScratchMemory {
    private final PeContext context;
    private final Conduit conduit;
    private final PeRuntime runtime;
    private final Allocator allocator;
    private final HeapAttachment attachment;
    private final Set<PeMemory> blocks = new LinkedHashSet<>();

    /// Those of the blocks that the runtime has allocated for its own use.
    private final Set<PeMemory> kept = new LinkedHashSet<>();

    private ClosedTeams closedTeams = ClosedTeams.NONE;
    private final boolean namesSites;
    private volatile boolean closed;
    private long peak;

    /// Of blocks that this PE has closed and others have not: their bytes, and how many they are.
    private long closedBytes;

    private int closedBlocks;

    /// Memory from here to [#usedAbove] is zero, because nothing has used it.
    private long usedBelow;

    private long usedAbove;

    /// @param context the world's default context
    /// @param namesSites whether blocks know the lines that have allocated them
    /// @param created called once the conduit has made the heap
    public PeHeap(
            PeContext context,
            Conduit conduit,
            PeRuntime runtime,
            long heapBytes,
            boolean namesSites,
            Runnable created) {
        this.namesSites = namesSites;
        this.context = context;
        this.conduit = conduit;
        this.runtime = runtime;
        this.allocator = new Allocator(heapBytes);
        this.usedAbove = allocator.byteSize();
        this.attachment = new HeapAttachment(context, conduit, allocator.byteSize(), created);
    }

    /// Sets what knows the teams that this PE has closed and others have not; before the first block.
    public void closedTeams(ClosedTeams teams) {
        closedTeams = teams;
    }

    /// Returns the line of the program that allocates just now, or an empty string if blocks do not know it.
    String allocationSite() {
        return namesSites ? CallSite.find() : "";
    }

    ClosedTeams closedTeams() {
        return closedTeams;
    }

    Allocator allocator() {
        return allocator;
    }

    HeapAttachment attachment() {
        return attachment;
    }

    boolean isClosed() {
        return closed;
    }

    /// Does [coterie.World#heapStatistics], of an open world.
    public HeapStatistics statistics() {
        synchronized (this) {
            return new HeapStatistics(
                    allocator.byteSize(),
                    openBytes(),
                    peak,
                    allocator.blocks() - closedBlocks,
                    allocator.largestFree());
        }
    }

    private long openBytes() {
        return allocator.used() - closedBytes;
    }

    /// Reserves the pages of a place that [Allocator] holds, and zeroes what has been used before. Returns null,
    /// or why the PE can't.
    ///
    /// @param gained the offset from which on the memory must be zero; the bytes before it are an old block's
    synchronized @Nullable String prepare(long offset, long gained, long end) {
        long reserved = gained > offset ? gained : offset;
        String refusal = conduit.reserve(Region.HEAP, reserved, end - reserved).orElse(null);
        if (refusal == null) {
            clear(gained, Math.min(end, usedBelow));
            clear(Math.max(gained, usedAbove), end);
        }
        return refusal;
    }

    /// Notes that a place is in use from now on.
    synchronized void use(End from, long offset, long end) {
        if (from == End.BOTTOM) {
            usedBelow = Math.max(usedBelow, end);
        } else {
            usedAbove = Math.min(usedAbove, offset);
        }
    }

    /// Notes that all members take their places, while old blocks still have theirs.
    synchronized void granted() {
        peak = Math.max(peak, allocator.used());
    }

    /// Notes a new block, which all members have.
    synchronized void add(PeMemory block) {
        blocks.add(block);
        runtime.counters().heapUsed = openBytes();
    }

    /// Notes that a block is the runtime's own.
    synchronized void keep(PeMemory block) {
        kept.add(block);
    }

    /// Notes the end of a block here; others may still use its memory.
    synchronized void close(PeMemory block) {
        if (block.byteSize() > 0) {
            closedBytes += Allocator.rounded(block.byteSize());
            closedBlocks++;
        }
        remove(block);
    }

    /// Notes the end of a block whose memory has another use already.
    synchronized void remove(PeMemory block) {
        block.invalidate();
        blocks.remove(block);
        kept.remove(block);
        runtime.counters().heapUsed = openBytes();
    }

    /// Frees the memory of a block, which no PE uses any more.
    void free(PeMemory block) {
        block.unused();
        synchronized (this) {
            allocator.free(block.offset(), block.byteSize());
            if (block.isFreed()) {
                closedBytes -= Allocator.rounded(block.byteSize());
                closedBlocks--;
            }
            runtime.counters().heapUsed = openBytes();
        }
    }

    /// Returns the live blocks for which a condition holds.
    synchronized List<PeMemory> blocks(Predicate<PeMemory> condition) {
        return blocks.stream().filter(condition).toList();
    }

    private void clear(long from, long to) {
        if (from < to) {
            AddressSpace.ALL
                    .asSlice(conduit.localBase(Region.HEAP) + from, to - from)
                    .fill((byte) 0);
        }
    }

    /// Copies within this PE's slice.
    void copy(long from, long to, long length) {
        MemorySegment heap = AddressSpace.ALL.asSlice(conduit.localBase(Region.HEAP), allocator.byteSize());
        MemorySegment.copy(heap, from, heap, to, length);
    }

    /// Allocates memory for the runtime's own use, at a place of this PE alone.
    ///
    /// @return its offset, or −1 if the heap lacks so many bytes, or no team of the PE has allocated a block yet
    @Override
    public long acquire(long byteSize) {
        if (closed || !attachment.isUsable()) {
            return -1;
        }
        long offset = allocator.allocate(End.TOP, byteSize, Allocator.GRANULE);
        if (offset >= 0 && conduit.reserve(Region.HEAP, offset, byteSize).isPresent()) {
            allocator.free(offset, byteSize);
            return -1;
        }
        if (offset >= 0) {
            use(End.TOP, offset, offset + byteSize);
        }
        return offset;
    }

    @Override
    public void release(long offset, long byteSize) {
        if (!closed) {
            allocator.free(offset, byteSize);
        }
    }

    /// Returns a part of a PE's heap that ends with an arena; empty if this process can't load and store it, or
    /// the part leaves the heap.
    public Optional<MemorySegment> part(int pe, long offset, long byteSize, Arena arena) {
        boolean isWithin = offset >= 0 && byteSize >= 0 && byteSize <= allocator.byteSize() - offset;
        if (closed || !isWithin || pe < 0 || pe >= context.team().size()) {
            return Optional.empty();
        }
        long base =
                pe == context.team().member() ? conduit.localBase(Region.HEAP) : conduit.directBase(Region.HEAP, pe);
        return base == 0
                ? Optional.empty()
                : Optional.of(AddressSpace.segment(base + offset, byteSize, arena, runtime.memory()));
    }

    /// Ends all blocks without the other PEs, when the world closes.
    public void close() {
        closed = true;
        List<PeMemory> left;
        synchronized (this) {
            left = new ArrayList<>(blocks);
            blocks.clear();
        }
        left.forEach(PeMemory::invalidate);
        conduit.close();
    }

    /// Returns one line about blocks that a test has not freed; empty if there are none.
    public synchronized String leftovers() {
        if (!allocator.isConsistent()) {
            return "the heap's free list is not whole: " + allocator.used() + " bytes in " + allocator.blocks()
                    + " blocks";
        }
        List<PeMemory> left = blocks(block -> !kept.contains(block));
        if (left.isEmpty()) {
            return "";
        }
        String count = left.size() == 1 ? "a block of memory is" : left.size() + " blocks of memory are";
        return count + " not closed: " + left.stream().map(PeMemory::toString).collect(Collectors.joining(", "))
                + "; close what a test allocates, by try (SymmetricMemory memory = world.allocate(…))";
    }
}
