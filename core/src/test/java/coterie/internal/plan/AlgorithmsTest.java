// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.hier.SubgroupPlans;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.SelectableAlgorithm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Every algorithm against the reference, with every form of each collective: a sample of them
/// in each build, all with `-Psoak`.
class AlgorithmsTest {
    private static final boolean SOAK = Boolean.getBoolean("coterie.soak");

    /// One case of so many is tried, and a different one for each algorithm.
    private static final int SAMPLE = SOAK ? 1 : 60;

    /// One case of so many is tried of algorithms that know the nodes: they are fewer, and there are more layouts.
    private static final int SAMPLE_ON_NODES = SOAK ? 1 : 15;

    /// The same of algorithms over the members' memory.
    private static final int SAMPLE_DIRECT = SOAK ? 1 : 15;

    private static final List<Integer> SIZES =
            List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 33);
    private static final List<Integer> RADICES = List.of(2, 3, 4, 5, 8);
    private static final int SMALL_TEAM = 9;

    /// The node of each member: nodes one after the other, members dealt to nodes, either backwards, and neither.
    private static final List<List<Integer>> NODES = List.of(
            List.of(0, 0, 1, 1),
            List.of(0, 0, 0, 1),
            List.of(5, 9, 9, 9),
            List.of(0, 1, 1, 0),
            List.of(2, 2, 1, 1, 0, 0),
            List.of(0, 1, 2, 2, 1, 0),
            List.of(0, 1, 2, 0, 1, 2, 0),
            List.of(0, 0, 0, 0, 7, 7, 7, 7),
            List.of(2, 1, 0, 2, 1, 0, 2, 1, 0),
            List.of(3, 0, 3, 3, 1, 0, 3, 2, 1, 3, 0),
            List.of(0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 4, 5),
            List.of(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3),
            List.of(0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0),
            List.of(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 0),
            List.of(0),
            List.of(3, 3),
            List.of(4, 4, 4, 4, 4),
            List.of(0, 1),
            List.of(4, 3, 2, 1, 0));

    private static final Set<CollectiveType> OF_A_VECTOR =
            EnumSet.of(CollectiveType.BROADCAST, CollectiveType.ALL_REDUCE, CollectiveType.REDUCE);

    /// Long enough that groups choose the algorithms of long vectors.
    private static final int LONG_VECTOR = 4200;

    /// Members, and the node of each or nothing.
    private record Crew(int size, List<Integer> nodes) {}

    static Set<CollectiveType> hierarchical() {
        return Hierarchy.table(NodeTopology.of(0), SubgroupPlans.UNTUNED).collectives();
    }

    @ParameterizedTest
    @EnumSource
    @DisplayName("each algorithm gives each member what the reference gives, and touches nothing else")
    void agreesWithReference(CollectiveType type) {
        agreesWithReference(
                type,
                Algorithms.table(),
                SIZES.stream().map(size -> new Crew(size, List.of())).toList(),
                SAMPLE);
    }

    static Set<CollectiveType> direct() {
        return DirectAlgorithms.table().collectives();
    }

    @ParameterizedTest
    @MethodSource("direct")
    @DisplayName("each algorithm over the members' memory gives the same, and uses it only while its owner is there")
    void agreesWithReferenceDirectly(CollectiveType type) {
        agreesWithReference(
                type,
                DirectAlgorithms.table(),
                SIZES.stream().map(size -> new Crew(size, List.of())).toList(),
                SAMPLE_DIRECT);
    }

    @ParameterizedTest
    @MethodSource("hierarchical")
    @DisplayName("each algorithm that knows the nodes gives the same, however members are on them")
    void agreesWithReferenceOnNodes(CollectiveType type) {
        agreesWithReference(
                type,
                Hierarchy.table(NodeTopology.of(0), SubgroupPlans.UNTUNED),
                NODES.stream().map(nodes -> new Crew(nodes.size(), nodes)).toList(),
                SAMPLE_ON_NODES);
    }

    private static void agreesWithReference(
            CollectiveType type, AlgorithmTable<Algorithm> table, List<Crew> crews, int sample) {
        Map<String, Integer> served = new TreeMap<>();
        Random random = new Random(type.label().hashCode());
        List<String> names = table.algorithms(type).stream()
                .map(SelectableAlgorithm::algorithm)
                .toList();
        for (Case each : cases(type, names, crews)) {
            if (random.nextInt(sample) == 0) {
                check(each, served);
            }
        }
        assertThat(served.keySet()).as("algorithms that served").isEqualTo(new TreeSet<>(names));
    }

    private static void check(Case each, Map<String, Integer> served) {
        try {
            Case.Result result = each.run();
            assertThat(result.cost().isEmpty()).as("declines").isEqualTo(declines(each));
            if (result.cost().isPresent()) {
                served.merge(each.algorithm(), 1, Integer::sum);
                Reference reference = new Reference(each.operation(), result.shapes(), result.planMemories());
                if (each.operation() == PlanOperation.MIXED) {
                    reference.checkSame();
                } else {
                    reference.check();
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(each + ": " + e.getMessage(), e);
        }
    }

    /// What algorithms don't support. They must serve all else.
    private static boolean declines(Case each) {
        boolean ordered = each.operation() == PlanOperation.AFFINE;
        boolean atOnce = each.operation() == PlanOperation.AT_ONCE;
        if (!each.nodes().isEmpty()) {
            Map<Integer, Long> members =
                    each.nodes().stream().collect(groupingBy(node -> node, LinkedHashMap::new, counting()));
            List<Integer> nodeByNode = members.entrySet().stream()
                    .flatMap(node -> Collections.nCopies(node.getValue().intValue(), node.getKey()).stream())
                    .toList();
            boolean uneven = members.values().stream().distinct().count() > 1;
            return members.size() == 1
                    || atOnce
                    || members.size() == each.size()
                    || (ordered && !each.nodes().equals(nodeByNode))
                    || (each.algorithm().equals("split_rail") && uneven);
        }
        return switch (each.algorithm()) {
            case "hybrid" -> each.inPlace();
            case "pull" -> each.inPlace() && each.type() == CollectiveType.ALL_TO_ALL;
            case "partitioned" -> each.inPlace() && each.type() == CollectiveType.REDUCE_SCATTER;
            case "sequential" -> !atOnce;
            case "ring" -> (ordered || atOnce) && Case.REDUCE.contains(each.type());
            case "neighbor" -> each.size() % 2 == 1;
            case "sag" -> (each.bytes() + 63) / 64 < each.size();
            default -> atOnce;
        };
    }

    private static Collection<Case> cases(CollectiveType type, List<String> names, List<Crew> crews) {
        List<Case> cases = new ArrayList<>();
        for (String name : names) {
            for (PlanOperation operation : operations(type)) {
                for (Crew crew : crews) {
                    addCases(cases, type, name, operation, crew);
                }
            }
        }
        return cases;
    }

    private static void addCases(
            Collection<Case> cases, CollectiveType type, String name, PlanOperation operation, Crew crew) {
        int size = crew.size();
        for (int root : roots(type, size)) {
            for (int radix : RADICES) {
                for (int count : counts(type, crew)) {
                    cases.add(new Case(type, name, operation, false, size, root, radix, count, crew.nodes()));
                    cases.add(new Case(type, name, operation, true, size, root, radix, count, crew.nodes()));
                }
            }
        }
    }

    private static List<PlanOperation> operations(CollectiveType type) {
        if (!Case.REDUCE.contains(type)) {
            return List.of(PlanOperation.NONE);
        }
        return type == CollectiveType.ALL_REDUCE
                ? List.of(PlanOperation.SUM, PlanOperation.AFFINE, PlanOperation.AT_ONCE, PlanOperation.MIXED)
                : List.of(PlanOperation.SUM, PlanOperation.AFFINE, PlanOperation.AT_ONCE);
    }

    private static List<Integer> roots(CollectiveType type, int size) {
        if (!Case.ROOTED.contains(type)) {
            return List.of(0);
        }
        return size <= SMALL_TEAM ? IntStream.range(0, size).boxed().toList() : List.of(0, 1, size / 2, size - 1);
    }

    private static List<Integer> counts(CollectiveType type, Crew crew) {
        int size = crew.size();
        if (Case.SYNCHRONISE.contains(type)) {
            return List.of(0);
        }
        List<Integer> counts = new ArrayList<>(List.of(0, 1, size - 1, size, size + 1, 7 * size + 3));
        if (size <= SMALL_TEAM) {
            counts.add(257);
        }
        if (!crew.nodes().isEmpty() && OF_A_VECTOR.contains(type)) {
            counts.add(LONG_VECTOR);
        }
        return counts;
    }
}
