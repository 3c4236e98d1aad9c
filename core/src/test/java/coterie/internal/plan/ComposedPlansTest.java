// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.internal.hier.CompositionPlanner;
import coterie.layer.Composition;
import coterie.layer.Composition.BufferSlice;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What layers may compose, in place and not, against the reference.
class ComposedPlansTest {
    private static final List<Integer> SIZES = List.of(1, 2, 3, 5, 8);
    private static final List<Integer> COUNTS = List.of(0, 1, 7, 64, 257);
    private static final int RADIX = 3;

    /// The whole collective as one of a group of all.
    static final String ONE = "one";

    /// Goes through member 0's scratch memory.
    static final String FIRST = "first";

    /// The same collective with a v.
    static final String VARIABLE = "variable";

    record Asked(CollectiveType type, String how) {}

    static Stream<Asked> compositions() {
        return Stream.of(
                new Asked(CollectiveType.BARRIER, ONE),
                new Asked(CollectiveType.BARRIER, "fans"),
                new Asked(CollectiveType.ALL_REDUCE, ONE),
                new Asked(CollectiveType.ALL_REDUCE, "halves"),
                new Asked(CollectiveType.ALL_REDUCE, "halves in target"),
                new Asked(CollectiveType.ALL_REDUCE, "shares"),
                new Asked(CollectiveType.ALL_REDUCE, "together"),
                new Asked(CollectiveType.ALL_REDUCE, "sequential fragments"),
                new Asked(CollectiveType.ALL_REDUCE, "fragments together"),
                new Asked(CollectiveType.ALL_GATHER, VARIABLE),
                new Asked(CollectiveType.GATHER, VARIABLE),
                new Asked(CollectiveType.SCATTER, VARIABLE),
                new Asked(CollectiveType.REDUCE_SCATTER, VARIABLE),
                new Asked(CollectiveType.ALL_TO_ALL, VARIABLE),
                new Asked(CollectiveType.REDUCE, ONE),
                new Asked(CollectiveType.REDUCE, FIRST),
                new Asked(CollectiveType.BROADCAST, ONE),
                new Asked(CollectiveType.BROADCAST, FIRST),
                new Asked(CollectiveType.ALL_GATHER, ONE),
                new Asked(CollectiveType.ALL_GATHER, "relay"),
                new Asked(CollectiveType.ALL_GATHER, "halves in target"),
                new Asked(CollectiveType.GATHER, ONE),
                new Asked(CollectiveType.GATHER, FIRST),
                new Asked(CollectiveType.GATHER, "turned"),
                new Asked(CollectiveType.SCATTER, ONE),
                new Asked(CollectiveType.SCATTER, "copies"),
                new Asked(CollectiveType.SCATTER, "letters"),
                new Asked(CollectiveType.REDUCE_SCATTER, ONE),
                new Asked(CollectiveType.REDUCE_SCATTER, FIRST),
                new Asked(CollectiveType.ALL_TO_ALL, ONE),
                new Asked(CollectiveType.ALL_TO_ALL, "copies"),
                new Asked(CollectiveType.ALL_TO_ALL, "backwards"),
                new Asked(CollectiveType.INCLUSIVE_SCAN, ONE),
                new Asked(CollectiveType.EXCLUSIVE_SCAN, ONE));
    }

    @ParameterizedTest
    @MethodSource("compositions")
    @DisplayName("a composition gives each member what the reference gives, in place and not, and touches nothing else")
    void agreesWithReference(Asked asked) {
        CollectiveType type = asked.type();
        boolean reduces = Case.REDUCE.contains(type);
        for (int size : SIZES) {
            int[] roots = Case.ROOTED.contains(type) ? IntStream.range(0, size).toArray() : new int[1];
            for (int root : roots) {
                for (int count : Case.SYNCHRONISE.contains(type) ? List.of(0) : COUNTS) {
                    for (PlanOperation each :
                            reduces ? Set.of(PlanOperation.SUM, PlanOperation.AFFINE) : Set.of(PlanOperation.NONE)) {
                        check(new Case(type, asked.how(), each, false, size, root, RADIX, count));
                        check(new Case(type, asked.how(), each, true, size, root, RADIX, count));
                    }
                }
            }
        }
    }

    private static void check(Case tried) {
        try {
            Case.Result result = tried.run(shape ->
                    CompositionPlanner.plan(new Composing(shape, tried.bytes()).compose(tried.algorithm()), shape));
            assertThat(result.cost()).isPresent();
            new Reference(tried.operation(), result.shapes(), result.planMemories()).check();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(tried + ": " + e.getMessage(), e);
        }
    }

    @Test
    @DisplayName("groups that a member is not in may be left out on it, and cost it nothing")
    void leftOut() {
        Case tried = new Case(CollectiveType.ALL_REDUCE, "pairs", PlanOperation.SUM, true, 4, 0, RADIX, 9);
        Case.Result result = tried.run(shape -> {
            BufferSlice source = BufferSlice.source(0, tried.bytes());
            BufferSlice target = BufferSlice.target(0, tried.bytes());
            Composition plan = new Composition();
            for (int[] pair : List.of(new int[] {0, 1}, new int[] {2, 3}, new int[] {0, 2}, new int[] {1, 3})) {
                boolean isFirst = pair[1] - pair[0] == 1;
                boolean isMine = IntStream.of(pair).anyMatch(member -> member == shape.me());
                if (isMine || shape.me() == 0) {
                    plan.then(CollectiveType.ALL_REDUCE, pair, target, isFirst ? source : target, 0);
                }
            }
            Optional<Plan> made = CompositionPlanner.plan(plan, shape);
            assertThat(made.orElseThrow().steps().stream().flatMap(step -> step.messages().stream()))
                    .noneMatch(message -> (message.member() ^ shape.me()) == 3);
            return made;
        });
        new Reference(tried.operation(), result.shapes(), result.planMemories()).check();
    }
}
