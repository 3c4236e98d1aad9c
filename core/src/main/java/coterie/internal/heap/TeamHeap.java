// SPDX-License-Identifier: Apache-2.0
package coterie.internal.heap;

import coterie.CollectiveMismatchException;
import coterie.SymmetricLock;
import coterie.SymmetricMemory;
import coterie.internal.heap.HeapAgreement.Answer;
import coterie.internal.lock.PeLock;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.Allocator.End;
import coterie.internal.rma.BlockHeap;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.Membership;
import coterie.internal.sync.TeamSync;
import coterie.internal.sync.TeamSync.Survivors;
import coterie.internal.wait.OperationKind;
import coterie.internal.wait.PeRuntime;
import coterie.spi.Conduit;
import coterie.spi.Conduit.Region;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The symmetric memory of one team: allocation, reallocation and release as agreeing collectives of its members.
/// A block has one offset on all members.
///
/// An allocation is one round if the nearest free place is the same on all members, which is the rule. Otherwise
/// each further round proposes the nearest place at the largest distance of the round before; distances only grow,
/// so the members meet at the nearest place that is free on all of them, or learn that there is none.
///
/// ```
///  take the nearest free place, reserve its pages, zero them    ◄──┐
///    ▼                                                             │ free it
///  round: size, alignment or block, can I?, distance  ── different distances
///    ▼ all can, at one distance            after it no member writes into the old block any more
///  copy the old content, if the block moves
///    ▼
///  round, if the block moves               after it every member has copied
///    ▼ all are there
///  free what only the old block had
/// ```
///
/// If anything goes wrong before the last step, on any member, all members free what they took: the old block is
/// unchanged. Pages that were reserved stay so, since the next block there needs them too.
///
/// The first allocation attaches the members' heaps, in a round of its own.
public final class TeamHeap implements BlockHeap {
    /// A heap may be out of reach because its owner has just ended: time for the launcher to notice that.
    private static final long PATIENCE_NANOS = 1_000_000_000L;

    private final PeHeap heap;
    private final TeamSync teamSync;
    private final Membership membership;
    private final End end;
    private final PeContext home;
    private final Supplier<PeContext> context;
    private final Conduit conduit;
    private final PeRuntime runtime;
    private final Predicate<PeMemory> isInUse;

    /// Made when it is first needed.
    private @Nullable HeapAgreement agreement;

    private @Nullable PeMemory nothing;
    private long generation;
    private boolean attached;
    private @Nullable String unattached;

    /// Whether the owner of the heap that this PE can't attach has ended.
    private boolean isOwnerLost;

    /// @param end where the team's blocks are: the bottom for the world's team
    /// @param home the world's default context
    /// @param context the default context, with the team's numbers; asked for at the first allocation
    /// @param isInUse whether a request of this PE under way uses a block
    public TeamHeap(
            PeHeap heap,
            TeamSync teamSync,
            End end,
            PeContext home,
            Supplier<PeContext> context,
            Conduit conduit,
            PeRuntime runtime,
            Predicate<PeMemory> isInUse) {
        this.heap = heap;
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.end = end;
        this.home = home;
        this.context = context;
        this.conduit = conduit;
        this.runtime = runtime;
        this.isInUse = isInUse;
    }

    private HeapAgreement agreement() {
        HeapAgreement made = agreement;
        if (made == null) {
            made = new HeapAgreement(
                    teamSync, this::messagePrefix, new ClosedBlocks(membership), home::completeWithOwn, heap::free);
            agreement = made;
        }
        return made;
    }

    /// Returns the first words of messages; the world's have no team.
    private String messagePrefix(OperationKind kind) {
        return kind.label() + " on " + (end == End.BOTTOM ? "" : "team \"" + membership.name() + "\", ") + "PE "
                + membership.myPe();
    }

    @Override
    public long address(int pe) {
        return pe == membership.myPe() ? conduit.localBase(Region.HEAP) : conduit.directBase(Region.HEAP, pe);
    }

    @Override
    public boolean isHeldBy(int pe) {
        return membership.map().member(pe) >= 0;
    }

    @Override
    public @Nullable String teamName() {
        return end == End.BOTTOM ? null : membership.name();
    }

    /// Does [coterie.Team#allocate(long, long)].
    public SymmetricMemory allocate(long byteSize, long alignment) {
        return allocate(OperationKind.ALLOCATE, byteSize, alignment);
    }

    /// Does the same for an operation that needs memory.
    ///
    /// @param kind for messages, and the same on all members
    public SymmetricMemory allocate(OperationKind kind, long byteSize, long alignment) {
        checkOpen(kind);
        HeapRequest request = new HeapRequest(kind, end, nothing(), byteSize, alignment);
        if (byteSize != 0) {
            return replace(request);
        }
        String invalid = request.invalid();
        if (invalid != null) {
            throw new IllegalArgumentException(request.describe(messagePrefix(kind)) + invalid);
        }
        return empty(alignment);
    }

    /// Allocates memory for the runtime's own use, which ends with the team.
    ///
    /// **Collective**, agreeing, as all allocations.
    public SymmetricMemory allocateStaging(long byteSize) {
        SymmetricMemory block = allocate(OperationKind.STAGING, byteSize, Allocator.GRANULE);
        heap.keep((PeMemory) block);
        return block;
    }

    @Override
    public SymmetricMemory reallocate(PeMemory block, long byteSize) {
        checkOpen(OperationKind.REALLOCATE);
        if (byteSize == 0 && block.byteSize() == 0) {
            block.invalidate();
            return empty(block.alignment());
        }
        home.completeWithOwn();
        return replace(new HeapRequest(OperationKind.REALLOCATE, end, block, byteSize, block.alignment()));
    }

    @Override
    public SymmetricLock lock(PeMemory block, long offset) {
        return new PeLock(block, offset, home, runtime, membership.map()::pe, membership.me(), membership.size());
    }

    @Override
    public void close(PeMemory block) {
        teamSync.gate().checkThread(OperationKind.FREE.label());
        if (block.byteSize() > 0) {
            checkUnused(block, "");
        }
        heap.close(block);
    }

    @Override
    public void free(PeMemory block) {
        if (block.byteSize() > 0) {
            home.completeWithOwn();
            agreement().free(block, use(block));
            takeBack(block);
        }
        heap.remove(block);
    }

    @Override
    public void freeLiving(PeMemory block) {
        if (block.byteSize() > 0) {
            checkUnused(block, "; then call again: the other living members wait");
            home.completeWithOwn();
            Survivors survivors = teamSync.agreeOnLiving(OperationKind.FREE, block.generation());
            for (int member = 0; member < membership.size(); member++) {
                long its = survivors.has(member) ? survivors.word(member) : 0;
                if (its != 0 && its != block.generation()) {
                    throw new CollectiveMismatchException(messagePrefix(OperationKind.FREE) + ": this PE frees " + block
                            + ", but PE " + membership.pe(member) + " frees symmetric memory " + its
                            + "; the living members keep both");
                }
            }
            takeBack(block);
        }
        heap.remove(block);
    }

    private void takeBack(PeMemory block) {
        agreement().closedBlocks().remove(block);
        heap.free(block);
    }

    private void checkUnused(PeMemory block, String consequence) {
        BlockUse use = use(block);
        if (use.isAny()) {
            throw new IllegalStateException(messagePrefix(OperationKind.FREE) + " of " + block + ": this PE "
                    + use.description() + consequence);
        }
    }

    private BlockUse use(PeMemory block) {
        return BlockUse.of(isInUse.test(block), block.firstHeldLock());
    }

    /// Returns whether a request under way uses a block of the team, or this PE holds a lock in one.
    public boolean isInUse() {
        return blocks().stream().anyMatch(block -> use(block).isAny());
    }

    /// Ends the team's blocks here, when this member closes the team.
    public void close() {
        home.completeWithOwn();
        blocks().forEach(heap::close);
    }

    /// Frees the memory of the team's blocks, which no member uses any more.
    public void release() {
        if (agreement != null) {
            agreement.closedBlocks().removeAll().forEach(heap::free);
        }
    }

    private List<PeMemory> blocks() {
        return heap.blocks(block -> block.heap().equals(this));
    }

    /// Makes a block in place of another one on every member, or on none.
    private SymmetricMemory replace(HeapRequest request) {
        HeapAgreement agreement = agreement();
        ClosedBlocks closedBlocks = agreement.closedBlocks();
        attach();
        String invalid = request.invalid();
        if (invalid != null) {
            throw agreement.refuse(request, Answer.INVALID, invalid);
        }
        if (isInUse.test(request.old())) {
            throw agreement.refuse(request, Answer.REFUSED, "it has a request under way on the block");
        }
        if (unattached != null) {
            throw agreement.refuse(request, isOwnerLost ? Answer.LOST : Answer.REFUSED, unattached);
        }
        long minDistance = 0;
        int vain = 0;
        while (true) {
            heap.closedTeams().release();
            TentativeBlock block = new TentativeBlock(heap.allocator(), request, minDistance);
            boolean kept = false;
            try {
                boolean isFull = block.offset() < 0;
                String refusal = isFull ? null : prepare(request, block.offset());
                if (refusal != null) {
                    throw agreement.refuse(request, Answer.REFUSED, refusal);
                }
                int known = closedBlocks.size();
                long verdict = agreement.propose(request, isFull ? -1 : block.distance());
                if (verdict == HeapAgreement.GRANTED) {
                    heap.granted();
                    if (block.moves()) {
                        heap.copy(
                                request.old().offset(),
                                block.offset(),
                                request.old().byteSize());
                        agreement.confirmMove(request);
                    }
                    block.keep();
                    kept = true;
                    return handOver(request, block.offset());
                }
                if (verdict == HeapAgreement.FULL) {
                    vain = closedBlocks.size() < known ? 0 : vain + 1;
                    if (vain > Math.max(1, closedBlocks.parts())) {
                        throw agreement.refuseFull(request, full(request.byteSize(), minDistance > 0));
                    }
                }
                minDistance = Math.max(verdict, 0);
            } finally {
                if (!kept) {
                    block.release();
                }
            }
        }
    }

    private void attach() {
        if (!attached) {
            HeapAttachment.Refusal refusal = heap.attachment().attach(teamSync);
            attached = true;
            if (refusal != null) {
                unattached = refusal.why();
                isOwnerLost = refusal.pe() != membership.myPe()
                        && runtime.room().awaitEnd(refusal.pe(), OperationKind.ATTACH, PATIENCE_NANOS);
            }
        }
    }

    private SymmetricMemory handOver(HeapRequest request, long offset) {
        heap.remove(request.old());
        if (request.old().byteSize() > 0) {
            agreement().closedBlocks().remove(request.old());
        }
        if (request.byteSize() == 0) {
            return empty(request.alignment());
        }
        PeMemory block =
                new PeMemory(this, context.get(), ++generation, offset, request.byteSize(), request.alignment());
        block.allocatedAt(heap.allocationSite());
        block.takeLocks(request.old());
        heap.add(block);
        agreement().closedBlocks().add(block);
        return block;
    }

    /// Returns what a new block replaces.
    private PeMemory nothing() {
        PeMemory made = nothing;
        if (made == null) {
            made = empty(Allocator.GRANULE);
            nothing = made;
        }
        return made;
    }

    private PeMemory empty(long alignment) {
        return new PeMemory(this, context.get(), 0, 0, 0, alignment);
    }

    /// Returns why this PE has no place for a block.
    ///
    /// @param hasSearched whether other members have proposed other places before
    private String full(long byteSize, boolean hasSearched) {
        String inUse = Stream.of(
                        agreement().closedBlocks().text(), heap.closedTeams().text())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        return byteSize + " bytes asked, the longest free part of the heap has "
                + heap.allocator().largestFree() + " of "
                + heap.allocator().byteSize()
                + (hasSearched ? ", and no place is free on all members" : "")
                + (inUse.isEmpty() ? "" : "; still in use: " + inUse)
                + "; start the job with a larger --heap";
    }

    /// Reserves and zeroes what a block gains. Returns null, or why this PE can't.
    private @Nullable String prepare(HeapRequest request, long offset) {
        PeMemory old = request.old();
        long byteSize = request.byteSize();
        boolean stays = old.byteSize() > 0 && offset == old.offset();
        if (stays && byteSize <= old.byteSize()) {
            return null;
        }
        String refusal = heap.prepare(offset, stays ? offset + old.byteSize() : offset, offset + byteSize);
        if (refusal == null) {
            heap.use(end, offset, offset + byteSize);
        }
        return refusal;
    }

    private void checkOpen(OperationKind kind) {
        if (heap.isClosed()) {
            throw new IllegalStateException(messagePrefix(kind) + ": the world was closed");
        }
        teamSync.checkAlive(kind.label());
    }
}
