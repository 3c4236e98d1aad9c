// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.ReductionOperator;
import coterie.internal.layer.Components;
import coterie.internal.p2p.PlanTask;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.schedule.Persistence;
import coterie.layer.Arguments.Order;
import coterie.spi.Conduit.Region;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// Collectives by layers that plug in: prepared, posted and waited for at each call, over the port that
/// [PlannedCollectives] have.
///
/// Before anything is posted, members tell each other what the layer has prepared. Where one has nothing, or no
/// memory for it, all go to the next in the selection; where it has failed to prepare on one, or has prepared
/// different things, all have an exception, and the team goes on. Behind the run they tell each other how it has
/// ended: where it has failed on one, all have an exception, and the team is poisoned.
final class ComponentCollectives {
    private static final int NOTHING = 0;
    private static final int TASK = 1;
    private static final int COMPOSITION = 2;
    private static final int FAILED = 3;

    private final TeamSync teamSync;
    private final Membership membership;
    private final AgreedRounds rounds;
    private final CollectiveResources resources;
    private final TeamComponents components;
    private final PlannedCollectives ground;

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
    }

    /// Goes this way if all members can; if not, all have met and know it.
    ///
    /// @return whether it was gone
    boolean run(CollectiveArgs args, CollectiveAlgorithm.Plugged way) {
        if (!PlannedCollectives.SERVED.contains(args.type)) {
            return false;
        }
        TeamComponents.PreparedWork preparedWork = null;
        RuntimeException failure = null;
        try {
            preparedWork = args.hasPlace() ? prepare(args, way) : null;
        } catch (RuntimeException e) {
            failure = e;
        }
        PlanTask task = null;
        try {
            int what = failure != null
                    ? FAILED
                    : preparedWork == null ? NOTHING : preparedWork.continuation() != null ? TASK : COMPOSITION;
            ground.agree(args, preparedWork == null ? 0 : preparedWork.plan().scratchBytes(), what);
            checkAll(args, failure);
            if (preparedWork == null || isReported(NOTHING) >= 0) {
                return false;
            }
            task = task(args, preparedWork, what);
            run(args, task);
            return true;
        } finally {
            if (preparedWork != null && task == null) {
                preparedWork.close();
            }
        }
    }

    private int isReported(int what) {
        return teamSync.syncRound().firstWith(PlannedCollectives.ABLE, what);
    }

    /// Refuses, on all members alike, what a layer has not prepared alike.
    private void checkAll(CollectiveArgs args, @Nullable RuntimeException failure) {
        int failed = isReported(FAILED);
        if (failed >= 0) {
            rounds.leave();
            throw failure != null ? failure : failedOn(args, failed);
        }
        int one = isReported(TASK);
        int other = isReported(COMPOSITION);
        if (one >= 0 && other >= 0 && isReported(NOTHING) < 0) {
            rounds.leave();
            throw new CollectiveMismatchException(membership.messagePrefix(args.kind.label())
                    + "the layer that serves this call prepared a task on PE " + membership.pe(one)
                    + " and a composition on PE " + membership.pe(other) + "; both must be of one kind");
        }
    }

    private TeamComponents.@Nullable PreparedWork prepare(CollectiveArgs args, CollectiveAlgorithm.Plugged way) {
        CollectiveShape shape = PlannedCollectives.shape(args, membership, resources.registry());
        boolean isReduction = switch (args.type) {
            case ALL_REDUCE, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
        ReductionOperator reduction = isReduction ? args.reduction : null;
        return components
                .prepare(
                        way,
                        team -> new LayerArguments(
                                shape,
                                args.elements,
                                reduction,
                                new KernelOperator(args.reduction, args.elements),
                                order(args, isReduction && shape.ordered()),
                                false,
                                true,
                                team,
                                resources.conduit().localBase(Region.HEAP),
                                args.from,
                                args.to),
                        null)
                .orElse(null);
    }

    private static Order order(CollectiveArgs args, boolean isOrdered) {
        return args.isRounding() ? Order.SEQUENTIAL : isOrdered ? Order.MEMBERS : Order.ANY;
    }

    private PlanTask task(CollectiveArgs args, TeamComponents.PreparedWork preparedWork, int what) {
        PlanTask task = ground.task(args, Persistence.ONCE, preparedWork.plan(), 4 * args.bytes + what);
        return preparedWork.continuation() == null ? task : task.thenRun(preparedWork.continuation());
    }

    private void run(CollectiveArgs args, PlanTask task) {
        RuntimeException failure = null;
        try {
            ground.run(args, task);
            task.finalise();
        } catch (RuntimeException e) {
            failure = e;
            Components.quietly("the task of a failed " + args.kind.label(), task::finalise);
        }
        try {
            conclude(args, failure);
        } finally {
            rounds.leave();
        }
    }

    /// Leaves all members with one verdict: what has failed on one may be through on the others, who would wait
    /// for that one in the team's next collective.
    private void conclude(CollectiveArgs args, @Nullable RuntimeException failure) {
        SyncRound round = teamSync.syncRound();
        round.send(0, failure == null ? 0 : 1);
        try {
            teamSync.round(args.kind, 1, 0);
        } catch (PeFailedException e) {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        if (round.firstWith(0, 1) >= 0) {
            // Nobody is dead, whatever a layer says of it.
            RuntimeException why = failure == null || failure instanceof PeFailedException
                    ? failedOnSome(args, round, failure)
                    : failure;
            teamSync.fail(why);
            throw why;
        }
    }

    /// Some of them because of others, which can't be told apart here.
    private CoterieException failedOnSome(CollectiveArgs args, SyncRound round, @Nullable RuntimeException mine) {
        List<Integer> failed = IntStream.range(0, membership.size())
                .filter(member -> round.received(member, 0) != 0)
                .mapToObj(membership::pe)
                .toList();
        CoterieException why = new CoterieException(membership.messagePrefix(args.kind.label())
                + "the layer that serves this call failed on PEs " + "" + failed);
        if (mine != null) {
            why.addSuppressed(mine);
        }
        return why;
    }

    private CoterieException failedOn(CollectiveArgs args, int member) {
        return new CoterieException(membership.messagePrefix(args.kind.label())
                + "the layer that serves this call failed on PE " + membership.pe(member));
    }
}
