// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import static java.nio.charset.StandardCharsets.UTF_8;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.ElementType;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.internal.layer.Components;
import coterie.internal.p2p.PlanTask;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.schedule.Persistence;
import coterie.internal.schedule.TaskState;
import coterie.internal.sync.ByteAllgather;
import coterie.internal.sync.Membership;
import coterie.internal.sync.SyncRound;
import coterie.internal.sync.TeamSync;
import coterie.layer.Arguments.Order;
import coterie.layer.TeamParameters;
import coterie.spi.Conduit.Region;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Blocking collectives by layers that plug in, over the port that [PlannedCollectives] have.
///
/// ```
///  prepare        kept for the same call, since calls come again
///  agree          a round: on the arguments, and on what each member has prepared
///  run            the plan, and the tasks of layers that its steps begin
/// ```
///
/// If a member has prepared nothing, or has no memory for it, all members use the next algorithm of the
/// selection. If a layer has failed to prepare on one member, or members have prepared different things, all
/// members get an exception, and the team goes on. If it fails in the run, the team is poisoned: members that
/// need the one of the failure get its cause in this call, and members that have completed the call get it in the
/// next one.
final class ComponentCollectives {
    private static final int NOTHING = 0;
    private static final int TASK = 1;
    private static final int COMPOSITION = 2;
    private static final int FAILED = 3;

    /// Calls of a team whose work is kept.
    private static final int KEPT = 16;

    private final TeamSync teamSync;
    private final Membership membership;
    private final AgreedRounds rounds;
    private final CollectiveResources resources;
    private final TeamComponents components;
    private final PlannedCollectives ground;

    /// The one that was used last is in front; looked through, which allocates nothing.
    private final List<Kept> recent = new ArrayList<>(KEPT);

    private final CollectiveResources.ScratchMemory scratch;

    ComponentCollectives(
            TeamSync teamSync,
            AgreedRounds rounds,
            CollectiveResources resources,
            TeamComponents components,
            PlannedCollectives ground) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.rounds = rounds;
        this.resources = resources;
        this.components = components;
        this.ground = ground;
        this.scratch = new CollectiveResources.ScratchMemory() {
            @Override
            public long acquire(long bytes) {
                return ground.scratch(bytes);
            }

            @Override
            public void release(long offset, long bytes) {} // it stays for the next call
        };
    }

    /// What has been prepared for a call, and what it depends on.
    private static final class Kept {
        private final CollectiveAlgorithm way;
        private final CollectiveType type;
        private final Reduction reduction;
        private final ElementType elements;
        private final long length;
        private final int root;
        private final boolean isInPlace;
        private final long from;
        private final long to;
        private final PreparedWork work;

        /// Null until it is first run.
        private @Nullable PlanTask task;

        Kept(CollectiveArgs args, CollectiveAlgorithm way, PreparedWork work) {
            this.way = way;
            this.type = args.type;
            this.reduction = args.reduction;
            this.elements = args.elements;
            this.length = args.length();
            this.root = args.root;
            this.isInPlace = args.isInPlace();
            this.from = args.from;
            this.to = args.to;
            this.work = work;
        }

        /// @param scratch where the scratch memory is now
        boolean isFor(CollectiveArgs args, CollectiveAlgorithm other, long scratch) {
            return length == args.length()
                    && type == args.type
                    && from == args.from
                    && to == args.to
                    && root == args.root
                    && reduction == args.reduction
                    && elements == args.elements
                    && isInPlace == args.isInPlace()
                    && (work.scratch() == PreparedWork.NONE || work.scratch() == scratch)
                    && way.equals(other);
        }

        void close() {
            PlanTask made = task;
            if (made == null) {
                work.close();
            } else if (made.state() != TaskState.FINALIZED) {
                Components.quietly("the task of a " + type.label(), made::finalise);
            }
        }
    }

    /// Goes this way if all members can; if not, all have met and know it.
    ///
    /// @param way of a layer that plugs in, or of one that stands on these
    /// @return whether it was gone
    boolean run(CollectiveArgs args, CollectiveAlgorithm way) {
        if (!PlannedCollectives.SERVED.contains(args.type)) {
            return false;
        }
        Kept kept = null;
        RuntimeException failure = null;
        try {
            kept = args.hasPlace() ? kept(args, way) : null;
        } catch (RuntimeException e) {
            failure = e;
        }
        int what = failure != null ? FAILED : kept == null ? NOTHING : kept.work.isTask() ? TASK : COMPOSITION;
        ground.agree(args, kept == null ? 0 : kept.work.plan().scratchBytes(), what);
        int reported = reported();
        if ((reported & 1 << FAILED) != 0) {
            throw failed(args, failure);
        }
        if (kept == null || (reported & 1 << NOTHING) != 0) {
            return false;
        }
        if (reported != 1 << what) {
            throw differ(args);
        }
        run(args, kept, what);
        return true;
    }

    /// Returns a bit for each of what members have prepared.
    private int reported() {
        SyncRound round = teamSync.syncRound();
        int bits = 0;
        for (int member = 0; member < membership.size(); member++) {
            bits |= 1 << round.received(member, PlannedCollectives.ABLE);
        }
        return bits;
    }

    private int firstWith(int what) {
        return teamSync.syncRound().firstWith(PlannedCollectives.ABLE, what);
    }

    /// Returns the exception of a layer that has failed to prepare on a member, for all members.
    private RuntimeException failed(CollectiveArgs args, @Nullable RuntimeException failure) {
        int member = firstWith(FAILED);
        try {
            String mine = failure == null ? "" : String.valueOf(failure.getMessage());
            byte[][] causes = new ByteAllgather(teamSync).exchange(args.kind, mine.getBytes(UTF_8));
            return failure != null ? failure : failedOn(args, member, new String(causes[member], UTF_8));
        } finally {
            rounds.leave();
        }
    }

    /// Returns the exception for members that have prepared different things.
    private CollectiveMismatchException differ(CollectiveArgs args) {
        rounds.leave();
        return new CollectiveMismatchException(membership.messagePrefix(args.kind.label())
                + "the layer that serves this call prepared a task on PE " + membership.pe(firstWith(TASK))
                + " and a composition on PE " + membership.pe(firstWith(COMPOSITION)) + "; both must be of one kind");
    }

    private @Nullable Kept kept(CollectiveArgs args, CollectiveAlgorithm way) {
        for (int place = 0; place < recent.size(); place++) {
            Kept each = recent.get(place);
            if (each.isFor(args, way, ground.scratch(0))) {
                for (int behind = place; behind > 0; behind--) {
                    recent.set(behind, recent.get(behind - 1));
                }
                recent.set(0, each);
                return each;
            }
        }
        Optional<PreparedWork> work = prepare(args, way);
        if (work.isEmpty()) {
            return null;
        }
        if (recent.size() == KEPT) {
            recent.removeLast().close();
        }
        Kept made = new Kept(args, way, work.get());
        recent.addFirst(made);
        return made;
    }

    private Optional<PreparedWork> prepare(CollectiveArgs args, CollectiveAlgorithm way) {
        CollectiveShape shape = PlannedCollectives.shape(args, membership, resources.registry());
        return components.prepare(
                way, new TeamComponents.Order(team -> arguments(args, shape, team), null, scratch, false));
    }

    private LayerArguments arguments(CollectiveArgs args, CollectiveShape shape, TeamParameters team) {
        boolean isReduction = switch (args.type) {
            case ALL_REDUCE, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
        ReductionOperator reduction = isReduction ? args.reduction : null;
        return new LayerArguments(
                shape,
                args.elements,
                reduction,
                new KernelOperator(args.reduction, args.elements),
                order(args, isReduction && shape.ordered()),
                true,
                true,
                team,
                resources.conduit().localBase(Region.HEAP),
                args.from,
                args.to);
    }

    private static Order order(CollectiveArgs args, boolean isOrdered) {
        return args.isRounding() ? Order.SEQUENTIAL : isOrdered ? Order.MEMBERS : Order.ANY;
    }

    private void run(CollectiveArgs args, Kept kept, int what) {
        try {
            PlanTask task = kept.task;
            if (task == null) {
                task = ground.task(args, Persistence.PERSISTENT, kept.work.plan(), 4 * args.bytes + what)
                        .with(kept.work.tasks());
                kept.task = task;
            }
            if (kept.work.isTask()
                    && kept.work.tasks().getFirst() instanceof LayerTaskRun its
                    && its.completesAtOnce(teamSync.syncRound().sequence())) {
                return; // without a run of the plan, which has nothing to wait for
            }
            ground.run(args, task);
        } catch (RuntimeException e) {
            recent.remove(kept);
            kept.close();
            teamSync.fail(e);
            throw e;
        } finally {
            rounds.leave();
        }
    }

    private CoterieException failedOn(CollectiveArgs args, int member, String cause) {
        return new CoterieException(membership.messagePrefix(args.kind.label())
                + "the layer that serves this call failed to prepare it on PE " + membership.pe(member) + ": " + cause);
    }

    /// Closes what is kept; nothing is under way.
    void close() {
        recent.forEach(Kept::close);
        recent.clear();
    }
}
