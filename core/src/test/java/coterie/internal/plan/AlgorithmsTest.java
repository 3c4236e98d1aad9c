// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.internal.score.Candidate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every algorithm against the reference, with every way in which a collective can be asked for: a sample of them
/// in each build, all with `-Psoak`.
class AlgorithmsTest {
    private static final boolean SOAK = Boolean.getBoolean("coterie.soak");

    /// One case of so many is tried, and a different one for each algorithm.
    private static final int SAMPLE = SOAK ? 1 : 60;

    private static final List<Integer> SIZES =
            List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 31, 33);
    private static final List<Integer> RADICES = List.of(2, 3, 4, 5, 8);
    private static final int SMALL_TEAM = 9;

    @ParameterizedTest
    @EnumSource
    @DisplayName("each algorithm gives each member what the reference gives, and touches nothing else")
    void agreesWithReference(CollectiveType type) {
        Map<String, Integer> served = new TreeMap<>();
        Random random = new Random(type.word().hashCode());
        List<String> names = Algorithms.repertoire().algorithms(type).stream()
                .map(Candidate::algorithm)
                .toList();
        for (Case each : cases(type, names)) {
            if (random.nextInt(SAMPLE) == 0) {
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
                Reference reference = new Reference(each.operation(), result.shapes(), result.arenas());
                if (each.operation() == Operation.MIXED) {
                    reference.checkSame();
                } else {
                    reference.check();
                }
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(each + ": " + e.getMessage(), e);
        }
    }

    /// What algorithms don't do. All else must be served.
    private static boolean declines(Case each) {
        boolean ordered = each.operation() == Operation.AFFINE;
        return switch (each.algorithm()) {
            case "ring" -> ordered && Case.REDUCE.contains(each.type());
            case "neighbor" -> each.size() % 2 == 1;
            case "sag" -> (each.bytes() + 63) / 64 < each.size();
            default -> false;
        };
    }

    private static Collection<Case> cases(CollectiveType type, List<String> names) {
        List<Case> cases = new ArrayList<>();
        for (String name : names) {
            for (Operation operation : operations(type)) {
                for (int size : SIZES) {
                    for (int root : roots(type, size)) {
                        for (int radix : RADICES) {
                            for (int count : counts(type, size)) {
                                cases.add(new Case(type, name, operation, false, size, root, radix, count));
                                cases.add(new Case(type, name, operation, true, size, root, radix, count));
                            }
                        }
                    }
                }
            }
        }
        return cases;
    }

    private static List<Operation> operations(CollectiveType type) {
        if (!Case.REDUCE.contains(type)) {
            return List.of(Operation.NONE);
        }
        return type == CollectiveType.ALLREDUCE
                ? List.of(Operation.SUM, Operation.AFFINE, Operation.MIXED)
                : List.of(Operation.SUM, Operation.AFFINE);
    }

    private static List<Integer> roots(CollectiveType type, int size) {
        if (!Case.ROOTED.contains(type)) {
            return List.of(0);
        }
        return size <= SMALL_TEAM ? IntStream.range(0, size).boxed().toList() : List.of(0, 1, size / 2, size - 1);
    }

    private static List<Integer> counts(CollectiveType type, int size) {
        if (Case.SYNCHRONISE.contains(type)) {
            return List.of(0);
        }
        return size <= SMALL_TEAM
                ? List.of(0, 1, size - 1, size, size + 1, 7 * size + 3, 257)
                : List.of(0, 1, size - 1, size, size + 1, 7 * size + 3);
    }
}
