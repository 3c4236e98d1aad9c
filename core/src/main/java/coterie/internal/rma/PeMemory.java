// SPDX-License-Identifier: Apache-2.0
package coterie.internal.rma;

import coterie.ByteView;
import coterie.DoubleView;
import coterie.ElementType;
import coterie.ElementView;
import coterie.FloatView;
import coterie.IntView;
import coterie.LongView;
import coterie.NarrowFloatView;
import coterie.ShortView;
import coterie.SignalWord;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.internal.posix.AddressSpace;
import coterie.internal.record.RecordedAllocation;
import coterie.internal.wait.AwaitedMemory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// A block of symmetric memory, live or freed, or a slice of one.
///
/// `owner` is the default context of the world that made the block, and null after the block is freed. So one
/// comparison detects both a freed block and a block of another world. A slice lives as long as its [#block],
/// which callers ask instead.
public final class PeMemory implements SymmetricMemory, AwaitedMemory {
    final long offset;
    final long byteSize;

    /// The block of a slice, and of a block itself.
    final PeMemory block;

    @Nullable
    PeContext owner;

    /// Whether this PE holds the locks in the block that the program has asked for, or waits for them, by their offsets
    /// in bytes.
    /// The words of a lock can't tell: once it is no longer used, they may be any data. Null before the first.
    private volatile @Nullable Map<Long, AtomicBoolean> locks;

    /// What to do when no PE uses the block any more.
    private @Nullable Runnable whenUnused;

    /// The line of the program that has allocated the block; empty if it is not known.
    private String site = "";

    /// How reports name the block; null before the first of them.
    private @Nullable RecordedAllocation allocation;

    private final BlockHeap heap;
    private final PeContext context;
    private final long generation;
    private final MemorySegment mine;
    private final long alignment;
    private final PeByteView bytes;

    /// @param context that views go through at first; its team allocates the block
    /// @param generation number of the allocation in its team, for messages and for matching handles between PEs;
    ///     0 for an empty handle
    /// @param alignment in bytes; reallocation keeps it
    public PeMemory(BlockHeap heap, PeContext context, long generation, long offset, long byteSize, long alignment) {
        this.heap = heap;
        this.block = this;
        this.owner = context.home;
        this.context = context;
        this.generation = generation;
        this.offset = offset;
        this.byteSize = byteSize;
        this.alignment = alignment;
        this.mine = AddressSpace.segment(heap.address(context.me) + offset, byteSize, context.runtime.memory());
        this.bytes = new PeByteView(context, this, ElementType.BYTE, this);
    }

    /// Makes a slice.
    ///
    /// @param byteOffset in the block or slice `of`, checked, as is the size
    private PeMemory(PeMemory of, long byteOffset, long byteSize) {
        this.heap = of.heap;
        this.block = of.block;
        this.context = of.context;
        this.generation = of.generation;
        this.offset = of.offset + byteOffset;
        this.byteSize = byteSize;
        this.alignment = 1;
        this.mine = of.mine.asSlice(byteOffset, byteSize);
        this.bytes = new PeByteView(context, this, ElementType.BYTE, this);
    }

    @Override
    public long byteSize() {
        return byteSize;
    }

    /// Returns the address of this PE's part.
    long address() {
        return mine.address();
    }

    /// Returns the offset of the block in the heap of every PE that has it.
    public long offset() {
        return offset;
    }

    /// Returns the number of the allocation in its team.
    public long generation() {
        return generation;
    }

    /// Returns the memory of the team that has allocated the block.
    public BlockHeap heap() {
        return heap;
    }

    /// Sets the line of the program that has allocated the block; an empty string says nothing.
    public void allocatedAt(String line) {
        site = line;
    }

    /// Returns how reports name the block, or the block of this slice. Later calls allocate nothing.
    @Override
    public RecordedAllocation allocation() {
        RecordedAllocation known = block.allocation;
        if (known == null) {
            String team = heap.teamName();
            known = RecordedAllocation.of(
                    block.offset, generation, team == null ? "" : team, block.site, block.byteSize);
            block.allocation = known;
        }
        return known;
    }

    /// Returns the alignment of the block, in bytes.
    public long alignment() {
        return alignment;
    }

    /// Returns whether the block is live, and contexts of this home can use it.
    public boolean isAliveIn(PeContext home) {
        return block.owner == home;
    }

    /// Returns whether the block is freed, or the block of this slice.
    @Override
    public boolean isFreed() {
        return block.owner == null;
    }

    /// Returns whether this PE holds the lock at an offset in bytes of this block or slice, or waits for it, for all
    /// objects that stand for the lock. The lock keeps it up to date.
    public AtomicBoolean lockHeld(long byteOffset) {
        return block.locks().computeIfAbsent(offset - block.offset + byteOffset, absent -> new AtomicBoolean());
    }

    private synchronized Map<Long, AtomicBoolean> locks() {
        Map<Long, AtomicBoolean> made = locks;
        if (made == null) {
            made = new ConcurrentHashMap<>();
            locks = made;
        }
        return made;
    }

    /// Returns the offset in bytes of the first lock in the block that this PE holds or waits for; -1 if there
    /// is none.
    public long firstHeldLock() {
        Map<Long, AtomicBoolean> known = block.locks;
        return known == null
                ? -1
                : known.entrySet().stream()
                        .filter(lock -> lock.getValue().get())
                        .mapToLong(Map.Entry::getKey)
                        .min()
                        .orElse(-1);
    }

    /// Takes over the locks of the block that this one replaces: they keep their offsets.
    public void takeLocks(PeMemory replaced) {
        locks = replaced.locks;
    }

    /// Returns the block of this slice, or this block.
    public PeMemory block() {
        return block;
    }

    @Override
    public MemorySegment segment() {
        checkAlive("segment");
        return mine;
    }

    @Override
    public MemorySegment segment(Arena arena) {
        checkAlive("segment");
        if (arena == null) {
            throw ArgumentErrors.missing("segment", context, "arena");
        }
        return AddressSpace.segment(address(), byteSize, arena, context.runtime.memory());
    }

    @Override
    public Optional<MemorySegment> segment(int pe) {
        checkAlive("segment");
        if (pe < 0 || pe >= context.size()) {
            throw ArgumentErrors.outside("segment", context, pe);
        }
        if (context.isMe(pe)) {
            return Optional.of(mine);
        }
        long base = heap.address(context.peerBases.world(pe));
        return base == 0
                ? Optional.empty()
                : Optional.of(AddressSpace.segment(base + offset, byteSize, context.runtime.memory()));
    }

    @Override
    public Optional<MemorySegment> segment(Team team, int member) {
        if (team == null) {
            throw ArgumentErrors.missing("segment", context, "team");
        }
        if (team.equals(Team.INVALID)) {
            return Optional.empty();
        }
        checkAlive("segment");
        if (!team.isValid()) {
            throw ArgumentErrors.endedTeam("segment", context, team);
        }
        if (!(team.context() instanceof PeContext other) || other.home != context.home) {
            throw ArgumentErrors.foreignTeam("segment", context, team);
        }
        if (member < 0 || member >= team.size()) {
            throw ArgumentErrors.noMember("segment", context, team, member);
        }
        int number = context.peerBases.number(team.pe(member));
        return number < 0 ? Optional.empty() : segment(number);
    }

    @Override
    public boolean isAccessible(int pe) {
        return !isFreed() && pe >= 0 && pe < context.size();
    }

    @Override
    public SymmetricMemory slice(long byteOffset, long byteSize) {
        checkAlive("slice");
        if ((byteOffset | byteSize) < 0 || byteOffset > this.byteSize - byteSize) {
            throw ArgumentErrors.outsideBlock("slice", context, this, byteOffset, byteSize);
        }
        return part(byteOffset, byteSize);
    }

    /// Returns a slice, whose range is checked.
    PeMemory part(long byteOffset, long byteSize) {
        return new PeMemory(this, byteOffset, byteSize);
    }

    @Override
    public ByteView bytes() {
        return bytes;
    }

    @Override
    public ShortView shorts() {
        return new PeShortView(context, aligned("shorts", Short.BYTES), ElementType.SHORT, this);
    }

    @Override
    public IntView ints() {
        return new PeIntView(context, aligned("ints", Integer.BYTES), ElementType.INT, this);
    }

    @Override
    public LongView longs() {
        return new PeLongView(context, aligned("longs", Long.BYTES), ElementType.LONG, this);
    }

    @Override
    public FloatView floats() {
        return new PeFloatView(context, aligned("floats", Float.BYTES));
    }

    @Override
    public DoubleView doubles() {
        return new PeDoubleView(context, aligned("doubles", Double.BYTES));
    }

    @Override
    public NarrowFloatView halves() {
        return new PeNarrowFloatView(context, aligned("halves", Short.BYTES), ElementType.HALF);
    }

    @Override
    public NarrowFloatView bfloat16s() {
        return new PeNarrowFloatView(context, aligned("bfloat16s", Short.BYTES), ElementType.BFLOAT16);
    }

    @Override
    public NarrowFloatView e4m3s() {
        return new PeNarrowFloatView(context, this, ElementType.FLOAT8_E4M3);
    }

    @Override
    public NarrowFloatView e5m2s() {
        return new PeNarrowFloatView(context, this, ElementType.FLOAT8_E5M2);
    }

    @Override
    public ElementView elements(ElementType type) {
        if (type == null) {
            throw ArgumentErrors.missing("elements", context, "type");
        }
        return switch (type) {
            case BYTE -> bytes();
            case UNSIGNED_BYTE -> bytes().unsigned();
            case SHORT -> shorts();
            case UNSIGNED_SHORT -> shorts().unsigned();
            case INT -> ints();
            case UNSIGNED_INT -> ints().unsigned();
            case LONG -> longs();
            case UNSIGNED_LONG -> longs().unsigned();
            case FLOAT -> floats();
            case DOUBLE -> doubles();
            case HALF -> halves();
            case BFLOAT16 -> bfloat16s();
            case FLOAT8_E4M3 -> e4m3s();
            case FLOAT8_E5M2 -> e5m2s();
        };
    }

    @Override
    public SignalWord signal(long index) {
        checkWords("signal", index, 1);
        return new PeSignalWord(context, aligned("signal", Long.BYTES), index);
    }

    @Override
    public SymmetricLock lock(long index) {
        checkWords("lock", index, SymmetricLock.LONGS);
        return heap.lock(aligned("lock", Long.BYTES), index * Long.BYTES);
    }

    @Override
    public SymmetricMemory reallocate(long newSize) {
        checkAlive("reallocate");
        checkWhole("reallocate");
        return heap.reallocate(this, newSize);
    }

    @Override
    public void close() {
        checkWhole("close");
        if (owner != null) {
            heap.close(this);
        }
    }

    @Override
    public void free() {
        checkWhole("free");
        if (owner != null) {
            heap.free(this);
        }
    }

    @Override
    public void freeLiving() {
        checkWhole("freeLiving");
        if (owner != null) {
            heap.freeLiving(this);
        }
    }

    /// Returns whether this is a block, and no slice of one.
    public boolean isWhole() {
        return block == this;
    }

    /// Does [coterie.spi.FaceSupport#whenUnused].
    public synchronized void whenUnused(Runnable action) {
        Runnable before = whenUnused;
        whenUnused = before == null
                ? action
                : () -> {
                    before.run();
                    action.run();
                };
    }

    /// No PE uses the block any more.
    public synchronized void unused() {
        Runnable action = whenUnused;
        whenUnused = null;
        if (action != null) {
            action.run();
        }
    }

    /// Marks the block as freed: every later use throws.
    public void invalidate() {
        owner = null;
    }

    private void checkAlive(String operation) {
        if (isFreed()) {
            throw ArgumentErrors.freed(operation, context, this);
        }
    }

    /// Throws if this is a slice, which has nothing to free.
    private void checkWhole(String operation) {
        if (block != this) {
            throw ArgumentErrors.slice(operation, context, this);
        }
    }

    /// Returns this; throws if it is a slice that begins between two elements.
    private PeMemory aligned(String operation, int bytes) {
        if (offset % bytes != 0) {
            throw ArgumentErrors.misaligned(operation, context, this, bytes);
        }
        return this;
    }

    private void checkWords(String operation, long index, long count) {
        checkAlive(operation);
        if (index < 0 || index > byteSize / Long.BYTES - count) {
            throw ArgumentErrors.ofWords(operation, context, this, index, count);
        }
    }

    /// Blocks are equal only if they are one object, whose own hash code takes longer to make than the block to close.
    @Override
    public int hashCode() {
        return Long.hashCode(offset ^ generation << Integer.SIZE);
    }

    @Override
    public String toString() {
        return (block == this ? "" : "slice of ") + "symmetric memory " + generation + " (" + byteSize
                + " bytes at offset " + offset + ")"
                + (heap.teamName() == null ? "" : " of team \"" + heap.teamName() + "\"")
                + (block.site.isEmpty() ? "" : ", allocated at " + block.site);
    }
}
