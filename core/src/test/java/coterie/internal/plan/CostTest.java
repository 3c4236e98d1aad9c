// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The figures of the algorithms' documentation: messages one after the other on the longest path, and what a
/// member sends at most. Bytes are counted in blocks, or in shares if there is a vector: it is of n shares.
class CostTest {
    private static final List<Integer> SIZES = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 27, 33);
    private static final List<Integer> RADICES = List.of(2, 3, 4);
    private static final Set<CollectiveType> OF_BLOCKS = EnumSet.of(
            CollectiveType.ALL_GATHER,
            CollectiveType.ALL_TO_ALL,
            CollectiveType.REDUCE_SCATTER,
            CollectiveType.GATHER,
            CollectiveType.SCATTER);

    /// Elements of a block or a share; untyped ones make three cache lines.
    private static final int SHARE = 12;

    /// A number that depends on members and radix.
    interface Count {
        long of(int size, int radix);
    }

    enum Exactness {
        ALWAYS,
        WHERE_SIZE_IS_POWER,
        AT_MOST
    }

    /// @param steps always exactly so many
    /// @param sent blocks or shares
    record Claim(CollectiveType type, String algorithm, Count steps, Count sent, Exactness exactness) {
        @Override
        public String toString() {
            return type.label() + "/" + algorithm;
        }
    }

    static Stream<Claim> claims() {
        Count log = CostTest::log;
        Count twiceLog = (n, k) -> 2 * log(n, k);
        Count round = (n, k) -> n - 1;
        Count once = (n, k) -> n > 1 ? 1 : 0;
        Count nothing = (n, k) -> 0;
        Count vector = (n, k) -> n > 1 ? n : 0;
        Count others = (n, k) -> n - 1;
        Count vectorsEachStep = (n, k) -> (k - 1) * log(n, k) * n;
        Count kingVectors = (n, k) -> ((k - 1) * log(partners(n, k), k) + (partners(n, k) < n ? 1 : 0)) * n;
        List<Claim> claims = new ArrayList<>(List.of(
                always(CollectiveType.BARRIER, "dissemination", log, nothing),
                always(CollectiveType.BARRIER, "knomial", CostTest::kingSteps, nothing),
                always(CollectiveType.FAN_IN, "knomial", log, nothing),
                always(CollectiveType.FAN_OUT, "knomial", log, nothing),
                inPowers(CollectiveType.BROADCAST, "knomial", log, vectorsEachStep),
                atMost(CollectiveType.BROADCAST, "sag", twiceLog, (n, k) -> 3L * (n - 1)),
                always(CollectiveType.BROADCAST, "linear", once, (n, k) -> (n - 1L) * n),
                inPowers(CollectiveType.ALL_REDUCE, "knomial", CostTest::kingSteps, kingVectors),
                inPowers(CollectiveType.ALL_REDUCE, "sra", twiceLog, (n, k) -> (isPower(n, k) ? 2L : 3L) * (n - 1)),
                always(CollectiveType.ALL_REDUCE, "ring", (n, k) -> 2L * n - 2, (n, k) -> 2L * n - 2),
                always(CollectiveType.REDUCE, "knomial", log, vector),
                atMost(CollectiveType.REDUCE, "srg", twiceLog, (n, k) -> 2L * n - 1),
                always(CollectiveType.REDUCE_SCATTER, "ring", round, others),
                always(CollectiveType.REDUCE_SCATTER, "knomial", log, others),
                inPowers(CollectiveType.ALL_GATHER, "knomial", log, (n, k) -> (isPower(n, k) ? 1L : 2L) * (n - 1)),
                always(CollectiveType.ALL_GATHER, "ring", round, others),
                always(CollectiveType.ALL_GATHER, "neighbor", (n, k) -> n / 2, others),
                always(CollectiveType.ALL_GATHER, "bruck", log, others),
                always(CollectiveType.ALL_GATHER, "linear", once, others),
                always(CollectiveType.ALL_TO_ALL, "pairwise", round, others),
                always(CollectiveType.ALL_TO_ALL, "bruck", log, CostTest::digits),
                always(CollectiveType.ALL_TO_ALL, "linear", once, others),
                always(CollectiveType.GATHER, "knomial", log, CostTest::broadest),
                always(CollectiveType.GATHER, "linear", once, once),
                always(CollectiveType.SCATTER, "knomial", log, others),
                always(CollectiveType.SCATTER, "linear", once, others)));
        for (CollectiveType scan : List.of(CollectiveType.INCLUSIVE_SCAN, CollectiveType.EXCLUSIVE_SCAN)) {
            claims.add(always(scan, "linear", round, vector));
            claims.add(inPowers(scan, "dissemination", log, vectorsEachStep));
        }
        return claims.stream();
    }

    private static Claim always(CollectiveType type, String algorithm, Count steps, Count sent) {
        return new Claim(type, algorithm, steps, sent, Exactness.ALWAYS);
    }

    private static Claim inPowers(CollectiveType type, String algorithm, Count steps, Count sent) {
        return new Claim(type, algorithm, steps, sent, Exactness.WHERE_SIZE_IS_POWER);
    }

    private static Claim atMost(CollectiveType type, String algorithm, Count steps, Count sent) {
        return new Claim(type, algorithm, steps, sent, Exactness.AT_MOST);
    }

    @ParameterizedTest
    @MethodSource
    @DisplayName("an algorithm takes as many steps and sends as much as its documentation says")
    void claims(Claim claim) {
        for (int size : SIZES) {
            for (int radix : RADICES) {
                if (claim.algorithm.equals("neighbor") && size % 2 == 1) {
                    continue;
                }
                Case tried = tried(claim.type, claim.algorithm, size, radix);
                PlanRunner.Cost cost = tried.run().cost().orElseThrow();
                assertThat(cost.steps()).as("steps of %s", tried).isEqualTo(claim.steps.of(size, radix));
                long sent = claim.sent.of(size, radix) * shareBytes(tried);
                boolean exact = switch (claim.exactness) {
                    case ALWAYS -> true;
                    case WHERE_SIZE_IS_POWER -> isPower(size, radix);
                    case AT_MOST -> false;
                };
                if (exact) {
                    assertThat(cost.mostSent()).as("bytes of %s", tried).isEqualTo(sent);
                } else {
                    assertThat(cost.mostSent()).as("bytes of %s", tried).isLessThanOrEqualTo(sent);
                }
            }
        }
    }

    @Test
    @DisplayName("the double tree is at most as deep as documented, and no member sends more; some reach both bounds")
    void doubleTree() {
        checkDoubleTree(CollectiveType.BROADCAST, 1, 1, 2);
        checkDoubleTree(CollectiveType.REDUCE, 1, 1, 1);
        checkDoubleTree(CollectiveType.ALL_REDUCE, 2, 0, 2);
    }

    private static void checkDoubleTree(CollectiveType type, int ways, int hops, int vectors) {
        boolean reachedSteps = false;
        boolean reachedSent = false;
        for (int size : SIZES.subList(1, SIZES.size())) {
            for (int root = 0; root < size; root++) {
                Case tried = new Case(type, "dbt", PlanOperation.SUM, false, size, root, 2, SHARE);
                PlanRunner.Cost cost = tried.run().cost().orElseThrow();
                long steps = ways * log(size, 2) + hops;
                long sent = vectors * tried.bytes();
                assertThat(cost.steps()).as("steps of %s", tried).isLessThanOrEqualTo(steps);
                assertThat(cost.mostSent()).as("bytes of %s", tried).isLessThanOrEqualTo(sent);
                reachedSteps |= cost.steps() == steps;
                reachedSent |= cost.mostSent() == sent;
            }
        }
        assertThat(reachedSteps).as("%s takes all steps once", type).isTrue();
        assertThat(reachedSent).as("%s sends all bytes once", type).isTrue();
    }

    @Test
    @DisplayName("in the members' order, a reduction up the tree takes a step more unless the root is member 0")
    void orderedReduce() {
        for (int size : SIZES.subList(1, SIZES.size())) {
            for (int root : List.of(0, size - 1)) {
                Case tried =
                        new Case(CollectiveType.REDUCE, "knomial", PlanOperation.AFFINE, false, size, root, 3, SHARE);
                PlanRunner.Cost cost = tried.run().cost().orElseThrow();
                assertThat(cost.steps()).isEqualTo(log(size, 3) + (root == 0 ? 0 : 1));
                assertThat(cost.mostSent()).isEqualTo((long) SHARE * PlanOperation.AFFINE.width());
            }
        }
    }

    @Test
    @DisplayName("blocks of one length that are exchanged in place take a step more at most")
    void pairwiseInPlace() {
        for (int size : SIZES.subList(1, SIZES.size())) {
            Case tried = new Case(CollectiveType.ALL_TO_ALL, "pairwise", PlanOperation.NONE, true, size, 0, 2, SHARE);
            PlanRunner.Cost cost = tried.run().cost().orElseThrow();
            assertThat(cost.steps()).isBetween(size - 1L, (long) size);
            assertThat(cost.mostSent()).isEqualTo((size - 1) * shareBytes(tried));
        }
    }

    private static Case tried(CollectiveType type, String algorithm, int size, int radix) {
        PlanOperation operation = Case.REDUCE.contains(type) ? PlanOperation.SUM : PlanOperation.NONE;
        int count = OF_BLOCKS.contains(type) ? SHARE : SHARE * size;
        return new Case(type, algorithm, operation, false, size, size / 2, radix, count);
    }

    private static long shareBytes(Case tried) {
        return OF_BLOCKS.contains(tried.type()) ? tried.bytes() : tried.bytes() / tried.size();
    }

    /// ⌈log_k n⌉.
    private static long log(int size, int radix) {
        long log = 0;
        for (long power = 1; power < size; power *= radix) {
            log++;
        }
        return log;
    }

    private static boolean isPower(int size, int radix) {
        int rest = size;
        while (rest % radix == 0) {
            rest /= radix;
        }
        return rest == 1;
    }

    /// How many take part in recursive k-ing with proxies.
    private static int partners(int size, int radix) {
        int power = 1;
        while (power * radix <= size) {
            power *= radix;
        }
        return size / power * power;
    }

    private static long kingSteps(int size, int radix) {
        int partners = partners(size, radix);
        return log(partners, radix) + (partners < size ? 2 : 0);
    }

    /// Digits other than 0 of all numbers below the size.
    private static long digits(int size, int radix) {
        long digits = 0;
        for (int number = 0; number < size; number++) {
            for (int rest = number; rest > 0; rest /= radix) {
                digits += rest % radix == 0 ? 0 : 1;
            }
        }
        return digits;
    }

    /// The size of the largest proper subtree of a k-nomial tree.
    private static long broadest(int size, int radix) {
        long power = 1;
        while (power * radix < size) {
            power *= radix;
        }
        return size == 1 ? 0 : Math.max(Math.min(power, size - power), power / radix);
    }
}
