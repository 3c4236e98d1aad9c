// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.CollectiveMismatchException;
import coterie.CoterieException;
import coterie.PeFailedException;
import coterie.ReductionOperator;
import coterie.internal.layer.Components;
import coterie.internal.p2p.PlanTask;
import coterie.internal.plan.Shape;
import coterie.internal.schedule.Reuse;
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
final class PluggedCollectives {
    private static final int NOTHING = 0;
    private static final int TASK = 1;
    private static final int COMPOSITION = 2;
    private static final int FAILED = 3;

    private final TeamSync teamSync;
    private final Membership membership;
    private final AgreedRounds rounds;
    private final Means means;
    private final TeamComponents components;
    private final PlannedCollectives ground;

    PluggedCollectives(
            TeamSync teamSync, AgreedRounds rounds, Means means, TeamComponents components, PlannedCollectives ground) {
        this.teamSync = teamSync;
        this.membership = teamSync.membership();
        this.rounds = rounds;
        this.means = means;
        this.components = components;
        this.ground = ground;
    }

    /// Goes this way if all members can; if not, all have met and know it.
    ///
    /// @return whether it was gone
    boolean run(Call call, Way.Plugged way) {
        if (!PlannedCollectives.SERVED.contains(call.type)) {
            return false;
        }
        TeamComponents.Prepared prepared = null;
        RuntimeException failure = null;
        try {
            prepared = call.hasPlace() ? prepare(call, way) : null;
        } catch (RuntimeException e) {
            failure = e;
        }
        PlanTask task = null;
        try {
            int what = failure != null
                    ? FAILED
                    : prepared == null ? NOTHING : prepared.sequel() != null ? TASK : COMPOSITION;
            ground.agree(call, prepared == null ? 0 : prepared.plan().scratchBytes(), what);
            checkAll(call, failure);
            if (prepared == null || says(NOTHING) >= 0) {
                return false;
            }
            task = task(call, prepared, what);
            run(call, task);
            return true;
        } finally {
            if (prepared != null && task == null) {
                prepared.close();
            }
        }
    }

    private int says(int what) {
        return teamSync.syncRound().firstThatSays(PlannedCollectives.ABLE, what);
    }

    /// Refuses, on all members alike, what a layer has not prepared alike.
    private void checkAll(Call call, @Nullable RuntimeException failure) {
        int failed = says(FAILED);
        if (failed >= 0) {
            rounds.leave();
            throw failure != null ? failure : failedOn(call, failed);
        }
        int one = says(TASK);
        int other = says(COMPOSITION);
        if (one >= 0 && other >= 0 && says(NOTHING) < 0) {
            rounds.leave();
            throw new CollectiveMismatchException(
                    membership.who(call.kind.words()) + "the layer that serves it has prepared" + " a task on PE "
                            + membership.pe(one) + " and a composition on PE " + membership.pe(other));
        }
    }

    private TeamComponents.@Nullable Prepared prepare(Call call, Way.Plugged way) {
        Shape shape = PlannedCollectives.shape(call, membership, means.layers());
        boolean isReduction = switch (call.type) {
            case ALLREDUCE, REDUCE_SCATTER, INCLUSIVE_SCAN, EXCLUSIVE_SCAN -> true;
            default -> false;
        };
        ReductionOperator reduction = isReduction ? call.reduction : null;
        return components
                .prepare(
                        way,
                        team -> new Asked(
                                shape,
                                call.elements,
                                reduction,
                                new Reducing(call.reduction, call.elements),
                                order(call, isReduction && shape.ordered()),
                                false,
                                true,
                                team,
                                means.conduit().localBase(Region.HEAP),
                                call.from,
                                call.to),
                        null)
                .orElse(null);
    }

    private static Order order(Call call, boolean isOrdered) {
        return call.isRounding() ? Order.SEQUENTIAL : isOrdered ? Order.MEMBERS : Order.ANY;
    }

    private PlanTask task(Call call, TeamComponents.Prepared prepared, int what) {
        PlanTask task = ground.task(call, Reuse.ONCE, prepared.plan(), 4 * call.bytes + what);
        return prepared.sequel() == null ? task : task.then(prepared.sequel());
    }

    private void run(Call call, PlanTask task) {
        RuntimeException failure = null;
        try {
            ground.run(call, task);
            task.finalise();
        } catch (RuntimeException e) {
            failure = e;
            Components.quietly(call.kind.words() + " that has failed", task::finalise);
        }
        try {
            conclude(call, failure);
        } finally {
            rounds.leave();
        }
    }

    /// Leaves all members with one verdict: what has failed on one may be through on the others, who would wait for
    /// that one in the team's next collective.
    private void conclude(Call call, @Nullable RuntimeException failure) {
        SyncRound round = teamSync.syncRound();
        round.say(0, failure == null ? 0 : 1);
        try {
            teamSync.round(call.kind, 1, 0);
        } catch (PeFailedException e) {
            if (failure != null) {
                e.addSuppressed(failure);
            }
            throw e;
        }
        if (round.firstThatSays(0, 1) >= 0) {
            // Nobody is dead, whatever a layer says of it.
            RuntimeException why = failure == null || failure instanceof PeFailedException
                    ? failedOnSome(call, round, failure)
                    : failure;
            teamSync.fail(why);
            throw why;
        }
    }

    /// Some of them because of others, which can't be told apart here.
    private CoterieException failedOnSome(Call call, SyncRound round, @Nullable RuntimeException mine) {
        List<Integer> failed = IntStream.range(0, membership.size())
                .filter(member -> round.heard(member, 0) != 0)
                .mapToObj(membership::pe)
                .toList();
        CoterieException why = new CoterieException(
                membership.who(call.kind.words()) + "the layer that serves it has failed on PEs " + failed);
        if (mine != null) {
            why.addSuppressed(mine);
        }
        return why;
    }

    private CoterieException failedOn(Call call, int member) {
        return new CoterieException(
                membership.who(call.kind.words()) + "the layer that serves it has failed on PE " + membership.pe(member));
    }
}
