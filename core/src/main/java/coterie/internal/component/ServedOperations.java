// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.hier.GroupPlanner;
import coterie.internal.hier.GroupedAlgorithm;
import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.hier.Subgroup;
import coterie.internal.layer.Component;
import coterie.internal.layer.Components;
import coterie.internal.plan.ByteSpan;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectedAlgorithm;
import coterie.layer.Arguments.Order;
import coterie.layer.TransportLayer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Finds collectives that a world's lists of layers leave without a layer, before a program calls them.
public final class ServedOperations {
    /// Members of a large team that are asked for their groups.
    private static final int MOST_ASKED = 64;

    private final ComponentRegistry registry;
    private final List<Component> plugged;
    private final TeamTopology topology;

    /// @param components that are open
    /// @param nodes of the PEs of the world
    /// @param isDirect whether the PEs load and store each other's memory
    /// @param isFlat whether they synchronize all-to-all
    public ServedOperations(
            ComponentRegistry registry,
            Components components,
            int size,
            IntUnaryOperator nodes,
            boolean isDirect,
            boolean isFlat) {
        this.registry = registry;
        this.plugged = components.list().stream()
                .filter(component -> component.refusal() == null)
                .toList();
        this.topology = TeamTopology.of(size, nodes, isDirect, isFlat);
    }

    /// Returns an error for each list that does not suffice.
    ///
    /// @param setting with the list of layers, and where it is from, for the message
    public List<String> errors(String setting) {
        List<String> errors = new ArrayList<>();
        if (registry.hasList()) {
            Set<String> unserved = calls().filter(type -> !isServed(type))
                    .map(CollectiveType::label)
                    .collect(Collectors.toCollection(TreeSet::new));
            if (!unserved.isEmpty()) {
                errors.add(lack(
                        setting,
                        String.join(", ", unserved) + " for all sizes on a team of " + topology.size()
                                + (topology.size() == 1 ? " PE" : " PEs")));
            }
        }
        boolean mayLack = Arrays.stream(NodeTopology.Kind.values())
                .anyMatch(kind -> !registry.groups().admits(Hierarchy.COMPONENT, kind.name(), ComponentRegistry.PLANS));
        if (mayLack && topology.isHierarchical() && registry.admits(Hierarchy.COMPONENT)) {
            unservedGroups()
                    .forEach((list, unserved) -> errors.add(
                            lack(list, String.join(", ", unserved)) + ", or exclude the algorithms by CL_HIER_TUNE"));
        }
        return errors;
    }

    private static String lack(String setting, String what) {
        return "setting " + setting + ": no layer of its list serves " + what + "; add a layer such as "
                + ComponentRegistry.PLANS;
    }

    /// Those that teams have as calls; a barrier is served by a round of the runtime in any case.
    private static Stream<CollectiveType> calls() {
        return Arrays.stream(CollectiveType.values())
                .filter(type -> CollectiveAlgorithm.isCalled(type) && type != CollectiveType.BARRIER);
    }

    private boolean isServed(CollectiveType type) {
        return (CollectiveAlgorithm.isCalledByPlans(type) && topology.isFlat() && isPlugged(type)) || isCovered(type);
    }

    /// Returns whether a layer of the list that plugs in serves the team of all PEs.
    private boolean isPlugged(CollectiveType type) {
        return plugged.stream()
                .anyMatch(component -> registry.isListed(component.name()) && serves(component, type, topology.size()));
    }

    /// Returns whether the runtime's own layers serve all sizes.
    private boolean isCovered(CollectiveType type) {
        ScoreMap<CollectiveAlgorithm> map = registry.offered(topology, List.of());
        long from = 0;
        while (from != Long.MAX_VALUE) {
            Explanation range = map.explain(type, MemoryType.HOST, from);
            if (range.candidates().isEmpty()) {
                return false;
            }
            from = range.to();
        }
        return true;
    }

    private static boolean serves(Component component, CollectiveType type, int members) {
        return component.whyNot(members) == null
                && component.layerAttributes().attributes().algorithms().containsKey(type);
    }

    /// Returns what no layer serves of the groups of `hier`, by the settings that leave it.
    private Map<String, Set<String>> unservedGroups() {
        Map<String, Set<String>> unserved = new TreeMap<>();
        ScoreMap<CollectiveAlgorithm> map = registry.tunedHierarchy(topology);
        for (Explanation range : map.explainAll()) {
            SelectedAlgorithm.stream(map.find(range.collective(), MemoryType.HOST, range.from()))
                    .takeWhile(selected -> selected.score() > Hierarchy.MANUAL_SCORE)
                    .map(SelectedAlgorithm::algorithm)
                    .forEach(each -> {
                        if (each.factory() instanceof CollectiveAlgorithm.Planned(GroupedAlgorithm grouped)) {
                            String algorithm = range.collective().label() + " by hier/" + each.algorithm();
                            check(grouped, range, new Check(algorithm, unserved));
                        }
                    });
        }
        return unserved;
    }

    private void check(GroupedAlgorithm algorithm, Explanation range, Check check) {
        int step = Math.max(1, topology.size() / MOST_ASKED);
        for (int member = 0; member < topology.size(); member += step) {
            algorithm.plan(
                    Explainer.shape(range.collective(), topology.size(), member, 0, range.from(), 1, Order.ANY, 2),
                    check);
        }
    }

    /// Plans nothing, and notes the groups that no layer serves.
    private final class Check implements GroupPlanner {
        private final String algorithm;
        private final Map<String, Set<String>> unserved;

        Check(String algorithm, Map<String, Set<String>> unserved) {
            this.algorithm = algorithm;
            this.unserved = unserved;
        }

        @Override
        public Optional<Plan> plan(Subgroup group, CollectiveShape shape, ByteSpan source, ByteSpan target) {
            String level = group.level();
            boolean isServed = group.size() == 1
                    || admitsPlans(group)
                    || level.isEmpty() // depends on the root: the next algorithm serves other roots
                    || plugged.stream()
                            .anyMatch(component -> component.layer() instanceof TransportLayer
                                    && registry.groups().admits(Hierarchy.COMPONENT, level, component.name())
                                    && serves(component, shape.type(), group.size()));
            if (!isServed) {
                String setting = registry.isOff(ComponentRegistry.PLANS)
                        ? "TL_P2P_TUNE"
                        : registry.groups().setting(Hierarchy.COMPONENT, level);
                unserved.computeIfAbsent(setting, _ -> new TreeSet<>())
                        .add(shape.type().label() + " of " + level.toLowerCase(Locale.ROOT) + " groups for "
                                + algorithm);
            }
            return Optional.of(Plan.EMPTY);
        }

        @Override
        public boolean admitsPlans(Subgroup group) {
            return registry.groups().admits(Hierarchy.COMPONENT, group.level(), ComponentRegistry.PLANS);
        }
    }

    /// Returns a remark if the list has no layer that serves requests, or none for some collectives: a program that
    /// only calls need not mind.
    ///
    /// @param setting with the list of layers, and where it is from, for the message
    public List<String> remarks(String setting) {
        if (!registry.hasList()) {
            return List.of();
        }
        ScoreTable<CollectiveAlgorithm> offered =
                registry.offered(topology, List.of()).table();
        List<CollectiveType> unserved = Arrays.stream(CollectiveType.values())
                .filter(type -> !isPlugged(type)
                        && offered.algorithms(type, MemoryType.HOST).stream()
                                .noneMatch(each -> CollectiveAlgorithm.servesRequests(type, each)))
                .toList();
        if (unserved.isEmpty()) {
            return List.of();
        }
        String types = unserved.size() == CollectiveType.values().length
                ? ""
                : unserved.stream().map(CollectiveType::label).collect(Collectors.joining(", ", " for ", ""));
        return List.of(lack(setting, "requests (Team.prepare)" + types));
    }
}
