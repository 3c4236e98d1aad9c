// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import static java.util.Objects.requireNonNull;

import coterie.Team;
import coterie.collective.Collective;
import org.jspecify.annotations.Nullable;

/// Gives a collective of a lane its request, and checks that it has an order with the team's latest one, or makes
/// one. The caller holds the lock of the runtime.
final class CollectiveOrder {
    /// A position before all: requests of a graph are in use as long as it lives.
    private static final long NEVER = -1;

    private CollectiveOrder() {}

    /// Makes a collective ready to be the next operation of a lane, and returns its request.
    static CachedRequest prepare(StreamLane lane, StreamOperation operation, Collective collective) {
        Team team = requireNonNull(operation.team);
        StreamEngine engine = lane.engine();
        GraphLane capture = lane.captured();
        CachedRequest request = capture == null
                ? lane.requests().find(team, collective, lane.completed(), engine)
                : capture.graph().requests().find(team, collective, NEVER, engine);
        TeamUses uses = capture == null ? engine.teamUses() : capture.graph().teamUses();
        operation.object = request;
        if (lane.kind() == StreamLane.Kind.KERNEL) {
            uses = engine.kernelUses();
            checkAlone(lane, uses.latest(team), team, request.site(), operation);
        } else {
            orderUses(lane, uses, team, request.site(), operation);
        }
        uses.note(team, lane.target(), request.site());
        return request;
    }

    /// Orders the next operation of a lane, a collective, after the team's latest one, or throws.
    static void orderUses(StreamLane lane, TeamUses uses, Team team, String site, StreamOperation operation) {
        TeamUses.Use other = uses.unordered(team, lane.target());
        if (other == null) {
            return;
        }
        OperationLane before = other.lane();
        if (before != null && lane.engine().teamOrder() == TeamOrder.SERIALIZED) {
            lane.orderAfter(before, other.end(), OperationType.ORDER);
            return;
        }
        throw concurrent(
                lane,
                operation,
                team,
                site,
                other,
                "order the streams by an event, duplicate the team, or open the runtime with SERIALIZED");
    }

    /// Throws if another group of threads has a collective of the team under way.
    private static void checkAlone(
            StreamLane lane, TeamUses.@Nullable Use other, Team team, String site, StreamOperation operation) {
        if (other == null) {
            return;
        }
        OperationLane before = other.lane();
        if (before != null && !before.equals(lane) && before.completed() < other.end()) {
            throw concurrent(
                    lane, operation, team, site, other, "let one group of a kernel call them, or use a team for each");
        }
    }

    private static StreamException concurrent(
            StreamLane lane, StreamOperation operation, Team team, String site, TeamUses.Use other, String remedy) {
        return new StreamException(
                StreamError.TEAM_CONCURRENT,
                lane.prefix(operation.toString()) + "the collective of team \"" + team.name() + "\" at " + site
                        + " has no order with "
                        + other.describe() + ", of the same team. Members match a team's collectives by order: "
                        + remedy);
    }
}
