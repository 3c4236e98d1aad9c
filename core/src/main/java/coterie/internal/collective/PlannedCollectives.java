// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static coterie.collective.CollectiveType.ALL_GATHER;
import static coterie.collective.CollectiveType.ALL_REDUCE;
import static coterie.collective.CollectiveType.ALL_TO_ALL;
import static coterie.collective.CollectiveType.BARRIER;
import static coterie.collective.CollectiveType.BROADCAST;
import static coterie.collective.CollectiveType.EXCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.INCLUSIVE_SCAN;
import static coterie.collective.CollectiveType.REDUCE_SCATTER;

import coterie.ElementType;
import coterie.PeFailedException;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.internal.memory.JobSegment;
import coterie.internal.p2p.ArgumentSignature;
import coterie.internal.p2p.MemberAddresses;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.TeamEndpoint;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.BlockLayout;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.TaskDescription;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import java.util.ArrayList;
import java.util.List;
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
/// Where a member has no memory, nobody goes this way, and the next in the selection serves. So it is with sums
/// and products of floating-point numbers, whose bits are to be those of the members' order, however they travel:
/// trees and rings group them otherwise.
final class PlannedCollectives {
    /// Those whose members all know all blocks before they meet.
    static final Set<CollectiveType> SERVED = Set.of(
            BARRIER, BROADCAST, ALL_REDUCE, ALL_GATHER, ALL_TO_ALL, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN);

    /// Plans of a team that are kept.
    private static final int KEPT = 32;

    /// One collective of a team is under way at a time.
    private static final int LANES = 1;

    private static final int PORT = 1;
    static final int ABLE = 2;
    private static final long NONE = -1;
    private static final BlockLayout NOTHING = new BlockLayout.Even(0, 0);

    private final TeamSync teamSync;
    private final Membership membership;
    private final AgreedRounds rounds;
    private final CollectiveResources resources;

    /// The one that was used last is in front; looked through, which allocates nothing.
    private final List<PreparedPlan> recent = new ArrayList<>(KEPT);

    /// Where my lines are, or [#NONE] as long as I have none.
    private long lines = NONE;

    private @Nullable TeamEndpoint endpoint;

    /// Whether members have failed before all was complete, so that nobody knows what is still under way.
    private boolean isBroken;

    private long scratch = NONE;
    private long scratchBytes;

    /// A plan, and what it depends on.
    private static final class PreparedPlan {
        private final Algorithm algorithm;
        private final CollectiveType type;
        private final Reduction reduction;
        private final ElementType elements;
        private final long length;
        private final int root;
        private final boolean isInPlace;

        /// Null if the algorithm declines.
        private final @Nullable Plan plan;

        /// Null until it is first run, and once it can't be run again.
        private @Nullable PlanTask task;

        PreparedPlan(CollectiveArgs args, Algorithm algorithm, @Nullable Plan plan) {
            this.algorithm = algorithm;
            this.type = args.type;
            this.reduction = args.reduction;
            this.elements = args.elements;
            this.length = args.length();
            this.root = args.root;
            this.isInPlace = args.isInPlace();
            this.plan = plan;
        }

        boolean isFor(CollectiveArgs args, Algorithm other) {
            return length == args.length()
                    && type == args.type
                    && root == args.root
                    && reduction == args.reduction
                    && elements == args.elements
                    && isInPlace == args.isInPlace()
                    && algorithm.equals(other);
        }
    }

    PlannedCollectives(TeamSync teamSync, AgreedRounds rounds, CollectiveResources resources) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.rounds = rounds;
        this.resources = resources;
        teamSync.syncRound().notice().toldCause(() -> {
            TeamEndpoint open = endpoint;
            return open == null ? "" : open.toldCause();
        });
    }

    /// Goes this way if all members can; if not, all have met and know it.
    ///
    /// @return whether it was gone
    boolean run(CollectiveArgs args, Algorithm algorithm) {
        if ((args.isRounding() && membership.size() > 1)
                || !SERVED.contains(args.type)
                || !teamSync.syncRound().isAllToAll()) {
            return false;
        }
        PreparedPlan preparedPlan = preparedPlan(args, algorithm);
        Plan plan = preparedPlan.plan;
        if (plan == null) {
            return false;
        }
        agree(args, plan.scratchBytes(), 1);
        if (teamSync.syncRound().firstWith(ABLE, 0) >= 0) {
            return false;
        }
        try {
            run(args, preparedPlan, plan);
        } catch (RuntimeException e) {
            preparedPlan.task = null;
            teamSync.fail(e);
            throw e;
        } finally {
            rounds.leave();
        }
        return true;
    }

    /// Meets, and says whether I have the memory for it.
    ///
    /// @param able what to say in [#ABLE] if so; else 0
    void agree(CollectiveArgs args, long scratchNeeded, int able) {
        SyncRound round = teamSync.syncRound();
        boolean isAble = args.hasPlace() && hasLines() && hasScratch(scratchNeeded);
        round.send(PORT, lines);
        round.send(ABLE, isAble ? able : 0);
        rounds.agree(args, ABLE + 1);
    }

    private void run(CollectiveArgs args, PreparedPlan preparedPlan, Plan plan) {
        PlanTask task = preparedPlan.task;
        if (task == null) {
            task = task(args, Persistence.PERSISTENT, plan, args.bytes);
            preparedPlan.task = task;
        }
        run(args, task);
    }

    /// Runs a task behind a round in which all have agreed on it.
    void run(CollectiveArgs args, PlanTask task) {
        task.set(0, teamSync.syncRound().sequence(), args.from, args.to, scratch);
        task.post();
        task.await();
    }

    private PreparedPlan preparedPlan(CollectiveArgs args, Algorithm algorithm) {
        for (int place = 0; place < recent.size(); place++) {
            PreparedPlan each = recent.get(place);
            if (each.isFor(args, algorithm)) {
                for (int behind = place; behind > 0; behind--) {
                    recent.set(behind, recent.get(behind - 1));
                }
                recent.set(0, each);
                return each;
            }
        }
        if (recent.size() == KEPT) {
            recent.removeLast();
        }
        PreparedPlan made = new PreparedPlan(
                args,
                algorithm,
                algorithm.plan(shape(args, membership, resources.registry())).orElse(null));
        recent.addFirst(made);
        return made;
    }

    /// What an algorithm must know of a call that all members know all blocks of.
    static CollectiveShape shape(CollectiveArgs args, Membership membership, ComponentRegistry registry) {
        long length = args.length();
        int size = membership.size();
        BlockLayout vector = args.type == BARRIER ? NOTHING : new BlockLayout.Even(1, length);
        BlockLayout blocks = new BlockLayout.Even(size, length);
        BlockLayout source = args.type == ALL_TO_ALL || args.type == REDUCE_SCATTER ? blocks : vector;
        BlockLayout target = args.type == ALL_TO_ALL || args.type == ALL_GATHER ? blocks : vector;
        return new CollectiveShape(
                args.type,
                size,
                membership.me(),
                args.root,
                args.width(),
                keepsOrder(args),
                args.isInPlace(),
                source,
                target,
                registry.radix(args.bytes, size));
    }

    /// Of the least and greatest of numbers, the first NaN is the result: its bits depend on the order.
    private static boolean keepsOrder(CollectiveArgs args) {
        return args.elements == ElementType.FLOAT || args.elements == ElementType.DOUBLE;
    }

    /// The task of a plan; opens the port, if that is not done: behind a round in which all have agreed.
    PlanTask task(CollectiveArgs args, Persistence persistence, Plan plan, long signature) {
        return new PlanTask(
                resources.engine(),
                new TaskDescription(args.type.label(), args.kind, membership.label()),
                persistence,
                endpoint == null ? open() : endpoint,
                plan,
                ArgumentSignature.of(signature),
                new KernelOperator(args.reduction, args.elements));
    }

    private boolean hasLines() {
        if (lines == NONE) {
            lines = resources.lines().acquire(lineBytes());
        }
        return lines != NONE;
    }

    private long lineBytes() {
        return TeamEndpoint.lines(membership.size(), LANES) * JobSegment.LINE;
    }

    /// Returns where the scratch memory is, after it has been enlarged if necessary, or −1 if there is too little.
    long scratch(long bytes) {
        return hasScratch(bytes) ? scratch : NONE;
    }

    private boolean hasScratch(long bytes) {
        if (bytes > scratchBytes) {
            releaseScratch();
            scratch = resources.scratch().acquire(bytes);
            scratchBytes = scratch == NONE ? 0 : bytes;
        }
        return bytes <= scratchBytes;
    }

    private void releaseScratch() {
        if (scratch != NONE) {
            resources.scratch().release(scratch, scratchBytes);
            scratch = NONE;
            scratchBytes = 0;
        }
    }

    /// Opens the port: all have said where their lines are, and those are zeroed.
    private TeamEndpoint open() {
        long[] offsets = new long[membership.size()];
        for (int member = 0; member < offsets.length; member++) {
            offsets[member] = teamSync.syncRound().received(member, PORT);
        }
        MemberAddresses memberAddresses = new MemberAddresses(
                membership.label(), membership.size(), membership.me(), membership::pe, member -> offsets[member]);
        TeamEndpoint opened = new TeamEndpoint(
                memberAddresses,
                LANES,
                resources.conduit(),
                resources.room(),
                teamSync.syncRound().failureCheck(),
                ArgumentSignature.of(0));
        endpoint = opened;
        return opened;
    }

    /// Completes what is under way to others, before all meet for the last time.
    void drain() {
        TeamEndpoint open = endpoint;
        if (open != null) {
            try {
                open.drain();
            } catch (PeFailedException e) {
                isBroken = true;
            }
        }
    }

    /// Gives back what I have; all members have come so far, or nobody will need it again.
    ///
    /// @param isQuiet whether nobody writes to my memory any more
    /// @return whether nobody does, for all that is known here
    boolean close(boolean isQuiet) {
        TeamEndpoint open = endpoint;
        endpoint = null;
        if (open != null) {
            try {
                open.close();
            } catch (PeFailedException e) {
                isBroken = true;
            }
        }
        boolean isOver = isQuiet && !isBroken;
        if (isOver) {
            releaseScratch();
            if (lines != NONE) {
                resources.lines().release(lines, lineBytes());
                lines = NONE;
            }
        }
        return isOver;
    }
}
