// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALLGATHER;
import static coterie.collective.CollectiveType.ALLREDUCE;
import static coterie.collective.CollectiveType.ALLTOALL;
import static coterie.collective.CollectiveType.BROADCAST;
import static coterie.collective.CollectiveType.EXCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.INCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;

import coterie.ElementType;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.kernel.KernelChoice;
import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.Members;
import coterie.internal.p2p.Operator;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.Port;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Blocks;
import coterie.internal.plan.Plan;
import coterie.internal.plan.Shape;
import coterie.internal.schedule.Purpose;
import coterie.internal.schedule.Reuse;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Collectives that go by plans, over any conduit.
///
/// ```
///  plan           of the algorithm, for the shape of the call; kept, since calls come again
///  say, meet      all must agree; and all must have memory for it: the first time for a port, and for scratch
///  run the plan   it ends when my target is complete and my source is mine again
/// ```
///
/// Where a member has no memory, nobody goes this way, and the next in the selection serves. So it is with sums and
/// products of floating-point numbers, whose bits are to be those of the members' order, however they travel:
/// trees and rings group them otherwise.
final class PlannedCollectives {
    /// Those whose members all know all blocks before they meet.
    static final Set<CollectiveType> SERVED =
            Set.of(BROADCAST, ALLREDUCE, ALLGATHER, ALLTOALL, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN);

    /// Plans of a team that are kept.
    private static final int KEPT = 32;

    /// One collective of a team is under way at a time.
    private static final int LANES = 1;

    private static final int RADIX = 4;
    private static final int PORT = 1;
    private static final int ABLE = 2;
    private static final long NONE = -1;

    private final Gathering gathering;
    private final Roster roster;
    private final Rounds rounds;
    private final Means means;
    private final Map<Key, Prepared> prepared = new Recent();

    /// Where my lines are, or [#NONE] as long as I have none.
    private long lines = NONE;

    private @Nullable Port port;
    private @Nullable Key latest;

    /// Whether members have failed before all was complete, so that nobody knows what is still under way.
    private boolean isBroken;

    private long scratch = NONE;
    private long scratchBytes;

    /// What a plan depends on.
    private record Key(
            Algorithm algorithm,
            CollectiveType type,
            Reduction reduction,
            ElementType elements,
            long length,
            int root,
            boolean isInPlace) {

        boolean is(Call call, Algorithm other) {
            return algorithm.equals(other)
                    && type == call.type
                    && reduction == call.reduction
                    && elements == call.elements
                    && length == call.length()
                    && root == call.root
                    && isInPlace == call.isInPlace();
        }
    }

    /// @param plan null if the algorithm declines
    private record Prepared(@Nullable Plan plan, @Nullable PlanTask task) {}

    /// A reduction by the kernels of this JVM.
    private record Reducing(Reduction reduction, ElementType elements) implements Operator {
        @Override
        public void fold(
                MemorySegment target,
                long to,
                MemorySegment left,
                long leftFrom,
                MemorySegment right,
                long rightFrom,
                long length) {
            KernelChoice.made()
                    .kernels()
                    .fold(reduction, elements, target, to, left, leftFrom, right, rightFrom, length);
        }

        @Override
        public void clear(MemorySegment target, long at, long length) {
            Identity.fill(reduction, elements, target, at, length);
        }
    }

    PlannedCollectives(Gathering gathering, Rounds rounds, Means means) {
        this.gathering = gathering;
        this.roster = gathering.roster();
        this.rounds = rounds;
        this.means = means;
    }

    /// Goes this way if all members can; if not, all have met and know it.
    ///
    /// @return whether it was gone
    boolean run(Call call, Algorithm algorithm) {
        if (call.isRounding()) {
            return false;
        }
        Key key = key(call, algorithm);
        Prepared known = prepared.get(key);
        Plan plan = known != null ? known.plan : algorithm.plan(shape(call)).orElse(null);
        if (plan == null) {
            prepared.put(key, new Prepared(null, null));
            return false;
        }
        Meeting meeting = gathering.meeting();
        boolean able = hasLines() && hasScratch(plan.scratchBytes());
        meeting.say(PORT, lines);
        meeting.say(ABLE, able ? 1 : 0);
        rounds.agree(call.kind, ABLE + 1);
        if (meeting.firstThatSays(ABLE, 0) >= 0) {
            return false;
        }
        Port open = port == null ? open() : port;
        PlanTask task = known != null ? known.task : null;
        if (task == null) {
            task = task(call, open, plan);
            prepared.put(key, new Prepared(plan, task));
        }
        try {
            task.set(0, meeting.sequence(), call.from, call.to, scratch);
            task.post();
            task.await();
        } catch (RuntimeException e) {
            prepared.remove(key); // it can't be posted again
            gathering.fail(e);
            throw e;
        } finally {
            rounds.leave();
        }
        return true;
    }

    /// The same object while the same is asked for.
    private Key key(Call call, Algorithm algorithm) {
        Key key = latest;
        if (key == null || !key.is(call, algorithm)) {
            key = new Key(
                    algorithm, call.type, call.reduction, call.elements, call.length(), call.root, call.isInPlace());
            latest = key;
        }
        return key;
    }

    private Shape shape(Call call) {
        long length = call.length();
        int size = roster.size();
        Blocks vector = new Blocks.Even(1, length);
        Blocks blocks = new Blocks.Even(size, length);
        Blocks source = call.type == ALLTOALL || call.type == REDUCE_SCATTER ? blocks : vector;
        Blocks target = call.type == ALLTOALL || call.type == ALLGATHER ? blocks : vector;
        return new Shape(
                call.type,
                size,
                roster.me(),
                call.root,
                call.width(),
                call.elements == ElementType.FLOAT || call.elements == ElementType.DOUBLE,
                call.isInPlace(),
                source,
                target,
                RADIX);
    }

    private PlanTask task(Call call, Port open, Plan plan) {
        return new PlanTask(
                means.engine(),
                new Purpose(call.type.word(), call.kind, roster.label()),
                Reuse.PERSISTENT,
                open,
                plan,
                call.bytes,
                new Reducing(call.reduction, call.elements));
    }

    private boolean hasLines() {
        if (lines == NONE) {
            lines = means.lines().take(lineBytes());
        }
        return lines != NONE;
    }

    private long lineBytes() {
        return Port.lines(roster.size(), LANES) * JobSegment.LINE;
    }

    private boolean hasScratch(long bytes) {
        if (bytes > scratchBytes) {
            giveScratchBack();
            scratch = means.scratch().take(bytes);
            scratchBytes = scratch == NONE ? 0 : bytes;
        }
        return bytes <= scratchBytes;
    }

    private void giveScratchBack() {
        if (scratch != NONE) {
            means.scratch().giveBack(scratch, scratchBytes);
            scratch = NONE;
            scratchBytes = 0;
        }
    }

    /// Opens the port: all have said where their lines are, and those are zeroed.
    private Port open() {
        long[] offsets = new long[roster.size()];
        for (int member = 0; member < offsets.length; member++) {
            offsets[member] = gathering.meeting().heard(member, PORT);
        }
        Members members =
                new Members(roster.label(), roster.size(), roster.me(), roster::pe, member -> offsets[member]);
        Port opened = new Port(members, LANES, means.conduit(), means.room());
        port = opened;
        return opened;
    }

    /// Completes what is under way to others, before all meet for the last time.
    void settle() {
        Port open = port;
        if (open != null) {
            try {
                open.settle();
            } catch (PeFailedException e) {
                isBroken = true;
            }
        }
    }

    /// Gives back what I have; all members have come so far, or nobody will need it again.
    ///
    /// @param isQuiet whether nobody writes to my memory any more
    void close(boolean isQuiet) {
        Port open = port;
        port = null;
        if (open != null) {
            try {
                open.close();
            } catch (PeFailedException e) {
                isBroken = true;
            }
        }
        if (isQuiet && !isBroken) {
            giveScratchBack();
            if (lines != NONE) {
                means.lines().giveBack(lines, lineBytes());
                lines = NONE;
            }
        }
    }

    /// The latest ones that were used.
    private static final class Recent extends LinkedHashMap<Key, Prepared> {
        private static final long serialVersionUID = 1;

        Recent() {
            super(KEPT, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Prepared> eldest) {
            return size() > KEPT;
        }
    }
}
