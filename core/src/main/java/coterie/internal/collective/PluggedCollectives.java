// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ReductionOperator;
import coterie.internal.p2p.PlanTask;
import coterie.internal.p2p.Port;
import coterie.internal.plan.Shape;
import coterie.internal.schedule.Purpose;
import coterie.internal.schedule.Reuse;
import coterie.layer.Arguments.Order;
import coterie.spi.Conduit.Region;
import org.jspecify.annotations.Nullable;

/// Collectives by layers that plug in: prepared, posted and waited for at each call.
///
/// Members agree on whether the layer can and all have the memory for it; if not, the next in the selection serves.
final class PluggedCollectives {
    private static final int ABLE = 1;
    private static final long NONE = -1;

    private final Gathering gathering;
    private final Roster roster;
    private final Rounds rounds;
    private final Means means;
    private final TeamComponents components;
    private final TeamPort port;

    PluggedCollectives(Gathering gathering, Rounds rounds, Means means, TeamComponents components, TeamPort port) {
        this.gathering = gathering;
        this.roster = gathering.roster();
        this.rounds = rounds;
        this.means = means;
        this.components = components;
        this.port = port;
    }

    /// Goes this way if all members can; if not, all have met and know it.
    ///
    /// @return whether it was gone
    boolean run(Call call, Way.Plugged way) {
        if (!PlannedCollectives.SERVED.contains(call.type)) {
            return false;
        }
        TeamComponents.Prepared prepared = prepare(call, way);
        long bytes = prepared == null ? 0 : prepared.plan().scratchBytes();
        long scratch = bytes == 0 ? NONE : means.scratch().take(bytes);
        boolean isGone = false;
        try {
            boolean able = prepared != null && (bytes == 0 || scratch != NONE);
            gathering.meeting().say(ABLE, able ? 1 : 0);
            rounds.agree(call.kind, ABLE + 1);
            if (prepared == null || gathering.meeting().firstThatSays(ABLE, 0) >= 0) {
                return false;
            }
            isGone = true;
            run(call, prepared, scratch);
            return true;
        } finally {
            if (prepared != null && !isGone) {
                prepared.close();
            }
            if (scratch != NONE && (!isGone || port.failure(call.kind.words()) == null)) {
                means.scratch().giveBack(scratch, bytes);
            }
        }
    }

    private TeamComponents.@Nullable Prepared prepare(Call call, Way.Plugged way) {
        Shape shape = PlannedCollectives.shape(call, roster);
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

    private void run(Call call, TeamComponents.Prepared prepared, long scratch) {
        try {
            Port open = port.openWithin(call.kind);
            PlanTask task = new PlanTask(
                    means.engine(),
                    new Purpose(call.type.word(), call.kind, roster.label()),
                    Reuse.ONCE,
                    open,
                    prepared.plan(),
                    call.bytes,
                    new Reducing(call.reduction, call.elements));
            if (prepared.sequel() != null) {
                task.then(prepared.sequel());
            }
            task.queue(port.next(1), null, call.from, call.to, scratch);
            task.post();
            try {
                task.await();
            } finally {
                task.finalise();
            }
        } catch (RuntimeException e) {
            gathering.fail(e);
            throw e;
        } finally {
            rounds.leave();
        }
    }
}
