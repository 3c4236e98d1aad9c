// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.hier.Subgroup;
import coterie.internal.hier.SubgroupPlans;
import coterie.internal.plan.Algorithm;
import coterie.internal.score.LayerList;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.Tune;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/// What serves the groups of collective layers, as users have tuned it: which transport layers may, and what `p2p`
/// offers to groups of a size.
final class GroupSelection {
    private final ComponentRegistry registry;
    private final GroupLists lists;
    private final SubgroupPlans plans = new SubgroupPlans(this::plansOf);

    /// @param lists of the transport layers that serve groups
    GroupSelection(ComponentRegistry registry, GroupLists lists) {
        this.registry = registry;
        this.lists = lists;
    }

    /// What the algorithms of `p2p` do in groups.
    SubgroupPlans plans() {
        return plans;
    }

    /// What `p2p` offers to groups of a size, as users have tuned it. What tuning takes from it is the last resort of
    /// groups: it is known to the group alone, and the other members would not use another algorithm. If tuning has
    /// switched `p2p` off, it offers nothing; all members know that.
    ScoreTable<CollectiveAlgorithm> table(int size) {
        TeamTopology topology = TeamTopology.onOneNode(size, false);
        ScoreTable<CollectiveAlgorithm> table = DefaultScores.plans(size);
        Tune<CollectiveAlgorithm> tune = registry.tune(ComponentRegistry.PLANS, topology);
        if (tune == null) {
            return table;
        }
        if (tune.switchesOff()) {
            return ScoreTable.empty();
        }
        Tune<CollectiveAlgorithm> last =
                Tune.parse("1", DefaultScores.algorithmTable(ComponentRegistry.PLANS, topology, plans));
        return ComponentRegistry.tuned(table, tune, size)
                .merge(ComponentRegistry.tuned(table, last, size)); // the latter with the lowest score
    }

    private ScoreMap<Algorithm> plansOf(int size) {
        Algorithm declining = _ -> Optional.empty();
        ScoreTable<Algorithm> table = table(size)
                .map(algorithm -> algorithm instanceof CollectiveAlgorithm.Planned(Algorithm plan) ? plan : declining);
        return ScoreMap.of(table, size);
    }

    /// What members must have alike of the algorithms of groups, in a word.
    long digest(TeamTopology topology) {
        if (!topology.isHierarchical() || registry.tune(ComponentRegistry.PLANS, topology) == null) {
            return 0;
        }
        NodeTopology nodes = topology.topology();
        return IntStream.range(0, topology.size())
                .flatMap(member -> Arrays.stream(NodeTopology.Kind.values())
                        .mapToInt(kind -> nodes.of(kind, member).size()))
                .filter(size -> size > 1)
                .distinct()
                .sorted()
                .mapToLong(size -> plans.map(size).digest())
                .reduce(0, (before, next) -> 31 * before + next);
    }

    /// Makes the level of a group.
    ///
    /// @param parts of layers that plug in, which serve it
    GroupLevels.Level level(String name, int[] group, List<TeamComponent> parts, boolean admitsPlans) {
        ScoreTable<CollectiveAlgorithm> table = admitsPlans ? table(group.length) : ScoreTable.empty();
        for (TeamComponent part : parts) {
            table = table.merge(registry.tuned(part.component(), part.table(), group.length));
        }
        return new GroupLevels.Level(
                name, Arrays.stream(group).boxed().toList(), parts, ScoreMap.of(table, group.length), admitsPlans);
    }

    /// The levels of a collective layer with what serves them.
    GroupLevels levels(String owner, Map<String, GroupLevels.Level> levels, boolean isStacked) {
        return new GroupLevels(levels, admits(owner, "", ComponentRegistry.PLANS) ? plans : null, isStacked);
    }

    /// The levels of `hier` as `p2p` alone serves them.
    ///
    /// @param topology of a team, which need not have a hierarchy
    GroupLevels plainLevels(TeamTopology topology, int me) {
        Map<String, GroupLevels.Level> levels = new HashMap<>();
        if (topology.isHierarchical()) {
            NodeTopology nodes = topology.topology();
            for (NodeTopology.Kind kind : NodeTopology.Kind.values()) {
                Subgroup group = nodes.of(kind, me);
                if (group.size() > 1 && group.hasMe()) {
                    levels.put(kind.name(), level(kind.name(), group.members(), List.of(), true));
                }
            }
        }
        return levels(Hierarchy.COMPONENT, levels, false);
    }

    /// Whether a transport layer may serve the groups of a level of a collective layer.
    ///
    /// @param level empty for groups of no level
    boolean admits(String owner, String level, String transport) {
        LayerList list = lists.find(owner, level);
        return !registry.isOff(transport) && (list == null ? registry.admits(transport) : list.admits(transport));
    }

    /// Whether a transport layer was asked for by its name to serve groups of a level.
    boolean names(String owner, String level, String transport) {
        LayerList list = lists.find(owner, level);
        return list == null ? registry.names(transport) : list.names(transport);
    }

    /// Whether a transport layer was asked for by its name to serve groups of any level.
    boolean names(String transport) {
        return lists.names(transport);
    }

    /// The setting that says which transport layers serve a level.
    String setting(String owner, String level) {
        return lists.setting(owner, level);
    }
}
