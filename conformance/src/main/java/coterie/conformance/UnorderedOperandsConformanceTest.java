// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static coterie.conformance.RequestCalls.postAndAwait;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementView;
import coterie.ExtendedReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Candidate;
import coterie.junit.SpmdTest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;

/// Reductions of operands that have no order, or that round: NaN, zeros of both signs and numbers that swallow
/// each other, at every member in turn. Every algorithm gives all members what a loop over the members gives.
class UnorderedOperandsConformanceTest {
    private static final List<Reduction> OPERATORS =
            List.of(Reduction.SUM, Reduction.PRODUCT, Reduction.MIN, Reduction.MAX);

    /// Numbers of which each sum depends on the order.
    private static final double[] SWALLOWING = {1e16, 1, -1e16, 1e-3, 3};

    private static final int PATTERNS = 6;

    /// The pattern of [#SWALLOWING].
    private static final int SWALLOWED = 4;

    /// An operand of a member.
    ///
    /// @param index selects one of the patterns, and at which member it has its odd operand
    private static double operand(int index, int member, int members) {
        int odd = index / PATTERNS % members;
        boolean isOdd = member == odd;
        return switch (index % PATTERNS) {
            case 0 -> isOdd ? Double.NaN : member + 1;
            case 1 -> isOdd ? -0.0 : 0.0;
            case 2 -> isOdd ? 0.0 : -0.0;
            case 3 -> isOdd ? Double.NaN : member % 2 == 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
            case SWALLOWED -> SWALLOWING[(member + odd) % SWALLOWING.length];
            default -> isOdd || member == (odd + 1) % members ? Double.NaN : -0.0;
        };
    }

    /// What a loop over the first members gives: bits that are the same for every NaN.
    private static long expected(Reduction operator, boolean isFloat, int index, int first, int members) {
        double result = operand(index, 0, members);
        result = isFloat ? (float) result : result;
        for (int member = 1; member < first; member++) {
            double next = operand(index, member, members);
            next = isFloat ? (float) next : next;
            result = switch (operator) {
                case SUM -> result + next;
                case PRODUCT -> result * next;
                case MIN -> Math.min(result, next);
                default -> Math.max(result, next);
            };
            result = isFloat ? (float) result : result;
        }
        return Double.doubleToLongBits(result);
    }

    private static boolean dependsOnGroups(Reduction operator, int index) {
        return index % PATTERNS == SWALLOWED && (operator == Reduction.SUM || operator == Reduction.PRODUCT);
    }

    /// What operands in the order of the members can give, grouped in every way.
    private static Set<Long> grouped(Reduction operator, boolean isFloat, int index, int from, int to, int members) {
        if (to - from == 1) {
            double only = operand(index, from, members);
            return Set.of(Double.doubleToLongBits(isFloat ? (float) only : only));
        }
        Set<Long> results = new TreeSet<>();
        for (int middle = from + 1; middle < to; middle++) {
            for (long left : grouped(operator, isFloat, index, from, middle, members)) {
                for (long right : grouped(operator, isFloat, index, middle, to, members)) {
                    double a = Double.longBitsToDouble(left);
                    double b = Double.longBitsToDouble(right);
                    double result = operator == Reduction.SUM ? a + b : a * b;
                    results.add(Double.doubleToLongBits(isFloat ? (float) result : result));
                }
            }
        }
        return results;
    }

    private static void set(SymmetricMemory memory, boolean isFloat, long index, double value) {
        if (isFloat) {
            memory.floats().set(index, (float) value);
        } else {
            memory.doubles().set(index, value);
        }
    }

    private static long bits(SymmetricMemory memory, boolean isFloat, long index) {
        return Double.doubleToLongBits(
                isFloat ? memory.floats().get(index) : memory.doubles().get(index));
    }

    private static Set<String> algorithms(Team team, CollectiveType type) {
        Set<String> names = new TreeSet<>();
        for (long bytes : new long[] {8, 64, 4096, 1 << 20}) {
            for (Candidate each : team.explain(type, bytes).candidates()) {
                if (Explained.servesRequests(each)) {
                    names.add(each.algorithm());
                }
            }
        }
        return names;
    }

    /// All in the soak tier; else each kind of operand, length and type with some of the others.
    private static boolean isMine(boolean isWhole, boolean isFloat, CollectiveType type, Reduction operator) {
        if (Boolean.getBoolean("coterie.soak") && !Rounds.simulated()) {
            return true;
        }
        if (isWhole && !isFloat && type == CollectiveType.ALL_REDUCE) {
            return true;
        }
        return !Rounds.simulated() && operator == (isFloat ? Reduction.MAX : isWhole ? Reduction.MIN : Reduction.SUM);
    }

    private static void requests(Team team) {
        int n = team.size();
        for (int count : new int[] {1, PATTERNS * n, 8 * PATTERNS * n + 1}) {
            try (SymmetricMemory memory = team.allocate(16L * count)) {
                for (boolean isFloat : new boolean[] {false, true}) {
                    ElementView view = isFloat ? memory.floats() : memory.doubles();
                    for (CollectiveType type :
                            List.of(CollectiveType.ALL_REDUCE, CollectiveType.REDUCE, CollectiveType.INCLUSIVE_SCAN)) {
                        for (String algorithm : algorithms(team, type)) {
                            for (Reduction operator : OPERATORS) {
                                if (isMine(count == PATTERNS * n, isFloat, type, operator)) {
                                    request(team, memory, view, isFloat, type, algorithm, operator, count);
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    private static void request(
            Team team,
            SymmetricMemory memory,
            ElementView view,
            boolean isFloat,
            CollectiveType type,
            String algorithm,
            Reduction operator,
            int count) {
        int n = team.size();
        int me = team.member();
        int root = count % n;
        for (int i = 0; i < count; i++) {
            set(memory, isFloat, i, operand(i, me, n));
            set(memory, isFloat, count + i, 77);
        }
        Collective asked = switch (type) {
            case ALL_REDUCE -> Collective.allReduce(operator);
            case REDUCE -> Collective.reduce(operator, root);
            default -> Collective.inclusiveScan(operator);
        };
        String by = postAndAwait(
                team, asked.source(view, 0, count).target(view, count, count).withAlgorithm(algorithm));
        boolean isMine = type != CollectiveType.REDUCE || me == root;
        int first = type == CollectiveType.INCLUSIVE_SCAN ? me + 1 : n;
        long all = 0;
        for (int i = 0; i < count; i++) {
            long found = bits(memory, isFloat, count + i);
            all = 31 * all + found;
            String words = "%s of %s by %s, element %s of %s on member %s of %s";
            if (isMine && dependsOnGroups(operator, i)) {
                if (i < PATTERNS * n) {
                    assertThat(grouped(operator, isFloat, i, 0, first, n))
                            .as(words, type, operator, by, i, count, me, n)
                            .contains(found);
                }
            } else {
                assertThat(found)
                        .as(words, type, operator, by, i, count, me, n)
                        .isEqualTo(isMine ? expected(operator, isFloat, i, first, n) : Double.doubleToLongBits(77));
            }
        }
        if (type == CollectiveType.ALL_REDUCE) {
            assertThat(team.allReduce(Reduction.MIN, all))
                    .as("the same bits on all members: %s by %s", operator, by)
                    .isEqualTo(team.allReduce(Reduction.MAX, all));
        }
    }

    @SpmdTest(
            pes = {2, 3, 4, 5, 8},
            timeoutSeconds = 60)
    @DisplayName("SH-C24 BR-21 requests by every algorithm: one NaN is the result on all members, −0 is below 0;"
            + " sums are in the order of the members, with the same bits on all")
    void byRequests(World world) {
        requests(world.team());
    }

    @SpmdTest(pes = 3, nodes = "a:2,b:1", timeoutSeconds = 60)
    @DisplayName("SH-C24 BR-21 the same between two nodes")
    void betweenNodes(World world) {
        requests(world.team());
    }

    @SpmdTest(
            pes = {2, 3, 4, 5, 8},
            timeoutSeconds = 60)
    @DisplayName("SH-C24 BR-21 the same by calls, whose sums go from member to member, of vectors of all lengths that"
            + " have an algorithm of their own, and of single numbers")
    void byCalls(World world) {
        Team team = world.team();
        int n = team.size();
        int most = 40_000;
        try (SymmetricMemory memory = team.allocate(16L * most)) {
            for (int count : Rounds.simulated() ? new int[] {1, 999} : new int[] {1, 5, 60, 999, 5_000, most}) {
                for (Reduction operator : OPERATORS) {
                    for (int i = 0; i < count; i++) {
                        memory.doubles().set(i, operand(i, team.member(), n));
                    }
                    team.barrier();
                    team.allReduce(operator, memory.doubles(), most, memory.doubles(), 0, count);
                    for (int i = 0; i < count; i++) {
                        if (bits(memory, false, most + i) != expected(operator, false, i, n, n)) {
                            throw new AssertionError(operator + " of " + count + ", element " + i + ": "
                                    + memory.doubles().get(most + i));
                        }
                    }
                }
            }
        }
        for (int i = 0; i < PATTERNS * n; i++) {
            for (Reduction operator : OPERATORS) {
                double result = team.allReduce(operator, operand(i, team.member(), n));
                assertThat(Double.doubleToLongBits(result))
                        .as("%s of numbers, pattern %s", operator, i)
                        .isEqualTo(expected(operator, false, i, n, n));
            }
        }
    }

    @SpmdTest(
            pes = {2, 3, 5, 8},
            timeoutSeconds = 60)
    @DisplayName("SH-C24 the place of the least and of the greatest: that of a NaN, of the first of two; −0 is below 0")
    void locations(World world) {
        Team team = world.team();
        int n = team.size();
        int pairs = PATTERNS * n;
        try (SymmetricMemory memory = team.allocate(32L * pairs)) {
            for (ReductionOperator<?> operator :
                    List.of(ExtendedReduction.MIN_LOCATION, ExtendedReduction.MAX_LOCATION)) {
                boolean isLeast = operator == ExtendedReduction.MIN_LOCATION;
                for (String algorithm : algorithms(team, CollectiveType.ALL_REDUCE)) {
                    for (int i = 0; i < pairs; i++) {
                        memory.doubles().set(2L * i, operand(i, team.member(), n));
                        memory.doubles().set(2L * i + 1, team.member());
                    }
                    String by = postAndAwait(
                            team,
                            Collective.allReduce(operator)
                                    .source(memory.doubles(), 0, 2L * pairs)
                                    .target(memory.doubles(), 2L * pairs, 2L * pairs)
                                    .withAlgorithm(algorithm));
                    for (int i = 0; i < pairs; i++) {
                        int place = place(isLeast, i, n);
                        assertThat(bits(memory, false, 2L * pairs + 2L * i))
                                .as("%s by %s, pattern %s", operator, by, i)
                                .isEqualTo(Double.doubleToLongBits(operand(i, place, n)));
                        assertThat(memory.doubles().get(2L * pairs + 2L * i + 1))
                                .as("%s by %s, place in pattern %s", operator, by, i)
                                .isEqualTo(place);
                    }
                }
            }
        }
    }

    /// The first member that has the least operand, or the greatest.
    private static int place(boolean isLeast, int index, int members) {
        int place = 0;
        for (int member = 1; member < members; member++) {
            double best = operand(index, place, members);
            double next = operand(index, member, members);
            double chosen = isLeast ? Math.min(best, next) : Math.max(best, next);
            place = Double.compare(chosen, best) == 0 ? place : member;
        }
        return place;
    }
}
