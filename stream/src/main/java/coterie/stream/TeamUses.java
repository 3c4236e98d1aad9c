// SPDX-License-Identifier: Apache-2.0
package coterie.stream;

import coterie.Team;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The latest collective of each team. Members match a team's collectives by order, so on each PE each must
/// happen before the next: by the order of a stream, by events, or because the program has seen the earlier one
/// complete. The runtime's lock guards it.
final class TeamUses {
    private final Map<Team, Use> uses = new HashMap<>();

    /// A collective.
    static final class Use {
        private @Nullable OperationLane lane;
        private long position;
        private String site = "";

        /// Returns the number of operations of its lane up to it.
        long end() {
            return position + 1;
        }

        String describe() {
            return lane == null ? "none" : lane.id(position) + " (first enqueued at " + site + ")";
        }

        @Nullable
        OperationLane lane() {
            return lane;
        }
    }

    /// Returns the team's latest collective if it does not happen before the next operation of a lane, or null.
    @Nullable
    Use unordered(Team team, OperationLane lane) {
        Use use = uses.get(team);
        OperationLane other = use == null ? null : use.lane;
        if (use == null
                || other == null
                || other.equals(lane)
                || lane.clock.at(other.slot) > use.position
                || other.observed() > use.position) {
            return null;
        }
        return use;
    }

    /// Returns the team's latest collective, or null.
    @Nullable
    Use latest(Team team) {
        return uses.get(team);
    }

    /// Notes that the next operation of a lane is a collective of the team.
    void note(Team team, OperationLane lane, String site) {
        Use use = uses.get(team);
        if (use == null) {
            uses.keySet().removeIf(each -> !each.isValid());
            use = new Use();
            uses.put(team, use);
        }
        use.lane = lane;
        use.position = lane.position();
        use.site = site;
    }

    boolean isEmpty() {
        return uses.isEmpty();
    }

    /// Returns the teams that have had a collective.
    Iterable<Team> teams() {
        return uses.keySet();
    }
}
