// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.hier.Subgroup;
import coterie.internal.hier.SubgroupPlans;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The transport layers on which a collective layer stands on a team, level by level: its node, the leaders of the
/// nodes, and whatever else the collective layer divides the team into.
///
/// @param levels by name, those in which this member has a group of several members
/// @param adHoc what serves groups of no level, or null if nothing does
/// @param isStacked whether layers that plug in serve groups, or the algorithms of `p2p` may not: the same on all
///     members
record GroupLevels(Map<String, Level> levels, @Nullable SubgroupPlans adHoc, boolean isStacked) {
    /// The level of the whole team.
    static final String FULL = "FULL";

    GroupLevels {
        levels = Map.copyOf(levels);
    }

    /// A level, as the group of this member has it.
    ///
    /// @param members of the group, by their numbers in the team
    /// @param parts of layers that plug in, which serve the group
    /// @param map what serves the group's collectives
    /// @param admitsPlans whether the algorithms of `p2p` may
    record Level(
            String name,
            List<Integer> members,
            List<TeamComponent> parts,
            ScoreMap<CollectiveAlgorithm> map,
            boolean admitsPlans) {

        /// Finds what serves a collective of the group, or null if nothing does.
        @Nullable
        SelectedAlgorithm<CollectiveAlgorithm> find(CollectiveShape shape) {
            return map.find(shape.type(), MemoryType.HOST, shape.bytes());
        }

        /// Explains what serves a collective of the group.
        Explanation.Group served(CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> by) {
            return new Explanation.Group(name, members.size(), type, by.component(), by.algorithm());
        }
    }

    /// Returns the level of a group, or null if it has none.
    @Nullable
    Level level(Subgroup group) {
        return levels.get(group.level());
    }

    /// Returns the level that has a group of these members, or an empty string if there is none.
    String levelOf(List<Integer> members) {
        return levels.values().stream()
                .filter(level -> level.members.equals(members))
                .map(Level::name)
                .findFirst()
                .orElse("");
    }
}
