// SPDX-License-Identifier: Apache-2.0
package coterie.internal.team;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.SymmetricMemory;
import coterie.SymmetricMemoryException;
import coterie.internal.memory.Allocator;
import coterie.internal.memory.Allocator.Region;
import coterie.internal.rma.PeContext;
import coterie.internal.rma.PeMemory;
import coterie.internal.wait.WaitKind;
import coterie.internal.wait.WaitingRoom;
import coterie.spi.Conduit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Symmetric memory of the world team: allocation and release as agreeing collectives.
///
/// An allocation is one round. Before it, each PE takes a block from its own allocator and reserves its pages; in
/// it, everybody tells size, alignment and how that went; after it, all come to the same verdict and keep the block
/// or give it back. The first allocation has a second round, in which the heaps are made and attached: a program
/// that never allocates pays for none of it.
public final class WorldHeap {
    private static final int GRANTED = 0;
    private static final int REFUSED = 1;
    private static final int INVALID = 2;
    private static final int DIFFERENT = 3;
    private static final int FAILED = 4;

    private static final long MOST_ALIGNMENT = 1L << 30;

    private final PeTeam team;
    private final PeContext context;
    private final Conduit conduit;
    private final WaitingRoom room;
    private final Allocator allocator;
    private final Set<PeMemory> blocks = new LinkedHashSet<>();
    private boolean attached;
    private @Nullable String attachRefusal;
    private long generation;

    /// Where the memory has never been touched: it is zero from here on.
    private long highWater;

    public WorldHeap(PeTeam team, PeContext context, Conduit conduit, WaitingRoom room, long heapBytes) {
        this.team = team;
        this.context = context;
        this.conduit = conduit;
        this.room = room;
        this.allocator = new Allocator(heapBytes);
    }

    /// See [coterie.World#allocate(long, long)].
    public SymmetricMemory allocate(long byteSize, long alignment) {
        if (byteSize == 0) {
            return new PeMemory(context, 0, 0, 0, 0, PeMemory::die);
        }
        team.checkCaller(WaitKind.ALLOCATE);
        attach();
        Part part = takePart(byteSize, alignment);
        boolean granted = false;
        try {
            Meeting meeting = team.meeting();
            meeting.say(0, byteSize);
            meeting.say(1, alignment);
            meeting.say(2, part.code);
            long verdict = meetAndDecide();
            if ((verdict & 0xFF) != GRANTED) {
                throw refused(verdict, byteSize, alignment, part.refusal);
            }
            granted = true;
        } finally {
            if (!granted && part.offset >= 0) {
                allocator.free(part.offset, byteSize);
            }
        }
        room.counters().heapUsed = allocator.used();
        PeMemory block = new PeMemory(
                context, ++generation, part.offset, byteSize, context.heapAddress() + part.offset, this::release);
        blocks.add(block);
        return block;
    }

    /// What this PE brings to the round.
    ///
    /// @param code GRANTED, REFUSED or INVALID
    /// @param offset of the block taken, or −1
    /// @param refusal null where granted
    private record Part(int code, long offset, @Nullable String refusal) {}

    private Part takePart(long byteSize, long alignment) {
        String invalid = invalid(byteSize, alignment);
        if (invalid != null) {
            return new Part(INVALID, -1, invalid);
        }
        if (attachRefusal != null) {
            return new Part(REFUSED, -1, attachRefusal);
        }
        long offset = allocator.allocate(Region.WORLD, byteSize, alignment);
        String refusal = offset < 0 ? exhausted(byteSize) : prepare(offset, byteSize);
        return new Part(refusal == null ? GRANTED : REFUSED, offset, refusal);
    }

    /// Frees a block on every PE.
    private void release(PeMemory block) {
        team.checkCaller(WaitKind.FREE);
        context.quiet();
        Meeting meeting = team.meeting();
        meeting.say(0, block.generation());
        team.meet(WaitKind.FREE, 1, 1);
        forget(block);
    }

    private void forget(PeMemory block) {
        block.die();
        blocks.remove(block);
        allocator.free(block.offset(), block.byteSize());
        room.counters().heapUsed = allocator.used();
    }

    /// Ends all blocks without the others: the world is closing.
    public void close() {
        blocks.forEach(PeMemory::die);
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

    private static @Nullable String invalid(long byteSize, long alignment) {
        if (byteSize < 0) {
            return "size " + byteSize + " is negative";
        }
        if (alignment < Long.BYTES || alignment > MOST_ALIGNMENT || Long.bitCount(alignment) != 1) {
            return "alignment " + alignment + " is not a power of two in [8, 2^30]";
        }
        return null;
    }

    private String exhausted(long byteSize) {
        return byteSize + " bytes asked, the longest free part of the heap has " + allocator.largestFree() + " of "
                + allocator.byteSize() + "; start the job with a larger --heap";
    }

    /// Reserves and zeroes a block's pages. Returns null, or what is in the way.
    private @Nullable String prepare(long offset, long byteSize) {
        String refusal = conduit.reserve(offset, byteSize).orElse(null);
        if (refusal == null && offset < highWater) {
            context.clear(offset, Math.min(byteSize, highWater - offset));
        }
        highWater = refusal == null ? Math.max(highWater, offset + byteSize) : highWater;
        return refusal;
    }

    /// Makes my heap, and attaches everybody's, once. Where that goes wrong, this PE refuses its part ever after.
    private void attach() {
        if (attached) {
            return;
        }
        Meeting meeting = team.meeting();
        long[] mine = new long[Conduit.DESCRIPTOR_WORDS];
        boolean made = false;
        try {
            mine = conduit.createHeap(allocator.byteSize());
            made = true;
        } catch (CoterieException e) {
            attachRefusal = e.getMessage();
        }
        for (int word = 0; word < mine.length; word++) {
            meeting.say(word, mine[word]);
        }
        meeting.say(mine.length, made ? 1 : 0);
        team.meet(WaitKind.ATTACH, mine.length + 1, 0);
        attached = true;
        for (int member = 0; member < team.size() && attachRefusal == null; member++) {
            attachRefusal = attach(member);
        }
        context.heapsAttached();
    }

    /// Attaches one member's heap. Returns null, or what is in the way.
    private @Nullable String attach(int member) {
        Meeting meeting = team.meeting();
        long[] theirs = new long[Conduit.DESCRIPTOR_WORDS];
        for (int word = 0; word < theirs.length; word++) {
            theirs[word] = meeting.heard(member, word);
        }
        if (meeting.heard(member, theirs.length) == 0) {
            return "PE " + team.pe(member) + " could not make its heap";
        }
        try {
            conduit.attachHeap(team.pe(member), theirs);
            return null;
        } catch (CoterieException e) {
            return e.getMessage();
        }
    }

    /// Meets, proposes a verdict from what was heard, and returns the one that all members get: code | member << 8.
    private long meetAndDecide() {
        Meeting meeting = team.meeting();
        PeFailedException absence = null;
        long proposal;
        try {
            team.meetAgreeing(WaitKind.ALLOCATE, 3);
            proposal = proposal(meeting);
        } catch (PeFailedException e) {
            absence = e;
            proposal = FAILED | (long) e.failedPes().getFirst() << 8;
        }
        long verdict = meeting.decide(proposal);
        if ((verdict & 0xFF) == FAILED && absence != null) {
            throw absence;
        }
        return verdict;
    }

    private long proposal(Meeting meeting) {
        for (int member = 0; member < team.size(); member++) {
            if (meeting.heard(member, 2) == INVALID) {
                return INVALID | (long) member << 8;
            }
        }
        for (int member = 0; member < team.size(); member++) {
            if (meeting.heard(member, 0) != meeting.heard(0, 0) || meeting.heard(member, 1) != meeting.heard(0, 1)) {
                return DIFFERENT | (long) member << 8;
            }
        }
        for (int member = 0; member < team.size(); member++) {
            if (meeting.heard(member, 2) == REFUSED) {
                return REFUSED | (long) member << 8;
            }
        }
        return GRANTED;
    }

    private RuntimeException refused(long verdict, long byteSize, long alignment, @Nullable String mine) {
        int pe = team.pe((int) (verdict >> 8));
        String who =
                "allocate on PE " + team.pe(team.member()) + " (" + byteSize + " bytes, alignment " + alignment + "): ";
        return switch ((int) (verdict & 0xFF)) {
            case INVALID ->
                new IllegalArgumentException(
                        who + (mine != null ? mine : "the arguments of PE " + pe + " are out of range")
                                + "; all PEs refuse");
            case DIFFERENT ->
                new CollectiveMismatchException(
                        who + Arguments.disagreement(team, WaitKind.ALLOCATE, differs(0) ? 0 : 1));
            case REFUSED ->
                new SymmetricMemoryException(who + "PE " + pe + " can't give its part"
                        + (mine != null ? ": " + mine : "") + "; all PEs refuse");
            default -> new PeFailedException(who + "PE " + pe + " failed in it", List.of(pe));
        };
    }

    private boolean differs(int word) {
        Meeting meeting = team.meeting();
        for (int member = 1; member < team.size(); member++) {
            if (meeting.heard(member, word) != meeting.heard(0, word)) {
                return true;
            }
        }
        return false;
    }
}
