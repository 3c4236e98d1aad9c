// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.CustomReduction;
import coterie.DoubleView;
import coterie.ExtendedReduction;
import coterie.IntegerView;
import coterie.LongView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ShortView;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Candidate;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;

/// Counts, places and lengths in the shapes in which reports on other systems found them broken.
class ReportedPartsConformanceTest {
    private static final int GUARD = -77;

    private static Iterable<String> algorithms(Team team, CollectiveType type) {
        TreeSet<String> names = new TreeSet<>();
        for (Candidate each : team.explain(type, 64).candidates()) {
            if (Explained.servesRequests(each)) {
                names.add(each.algorithm());
            }
        }
        return names;
    }

    private static long value(int member, long index, int round) {
        return 1_000L * (member + 1) + 100_000L * round + index;
    }

    @SpmdTest(pes = {2, 3, 4, 5, 8})
    @DisplayName("BR-13 parts of 0, 5, 0, 1 elements, of none, and of the last member alone; at once an allGather")
    void emptyParts(World world) {
        Team team = world.team();
        int n = team.size();
        int me = team.member();
        long[][] layouts = {new long[n], new long[n], new long[n]};
        for (int member = 0; member < n; member++) {
            layouts[0][member] = new long[] {0, 5, 0, 1}[member % 4];
        }
        layouts[2][n - 1] = 6;
        try (SymmetricMemory memory = world.allocate(8L * (8 + 8L * n))) {
            LongView longs = memory.longs();
            for (int round = 0; round < layouts.length; round++) {
                long[] counts = layouts[round];
                memory.segment().fill((byte) -1);
                for (int i = 0; i < 8; i++) {
                    longs.set(i, value(me, i, round));
                }
                team.barrier();
                team.allGatherV(longs, 8, longs, 0, counts[me]);
                long at = 8;
                for (int member = 0; member < n; member++) {
                    for (long i = 0; i < counts[member]; i++) {
                        assertThat(longs.get(at++)).isEqualTo(value(member, i, round));
                    }
                }
                assertThat(longs.get(at)).as("behind the result").isEqualTo(-1);
                team.allGather(longs, 8, longs, 0, 2);
                for (int member = 0; member < n; member++) {
                    assertThat(longs.get(8 + 2L * member + 1)).isEqualTo(value(member, 1, round));
                }
                team.barrier();
            }
        }
    }

    /// Blocks of all members from the last to the first, with a gap of two behind each.
    private static long[] backwards(long[] counts, long begin) {
        long[] places = new long[counts.length];
        long at = begin;
        for (int member = counts.length - 1; member >= 0; member--) {
            places[member] = at;
            at += counts[member] + 2;
        }
        return places;
    }

    @SpmdTest(
            pes = {2, 3, 4, 5, 8},
            timeoutSeconds = 60)
    @DisplayName("BR-13 BR-15 requests of empty and other parts, in reverse order with gaps, posted again with other"
            + " data, by every algorithm: gaps keep their bytes")
    void backwardParts(World world) {
        Team team = world.team();
        int n = team.size();
        long[] counts = LongStream.range(0, n)
                .map(member -> new long[] {0, 5, 0, 1, 3}[(int) member % 5])
                .toArray();
        long total = LongStream.of(counts).sum() + 2L * n;
        try (SymmetricMemory memory = world.allocate(16L * total + 64)) {
            LongView longs = memory.longs();
            for (CollectiveType type : List.of(
                    CollectiveType.ALL_GATHER_V,
                    CollectiveType.GATHER_V,
                    CollectiveType.SCATTER_V,
                    CollectiveType.REDUCE_SCATTER_V)) {
                for (String algorithm : algorithms(team, type)) {
                    parts(team, longs, type, algorithm, counts, total);
                }
            }
        }
    }

    private static void parts(
            Team team, IntegerView longs, CollectiveType type, String algorithm, long[] counts, long total) {
        int n = team.size();
        int me = team.member();
        int root = n - 1;
        boolean isGather = type == CollectiveType.ALL_GATHER_V || type == CollectiveType.GATHER_V;
        long[] places = backwards(counts, isGather ? total : 0);
        Collective asked = switch (type) {
            case ALL_GATHER_V ->
                Collective.allGatherV().source(longs, 0, counts[me]).target(longs, counts, places);
            case GATHER_V ->
                Collective.gatherV(root).source(longs, 0, counts[me]).target(longs, counts, places);
            case SCATTER_V ->
                Collective.scatterV(root).source(longs, counts, places).target(longs, total, counts[me]);
            default ->
                Collective.reduceScatterV(Reduction.SUM)
                        .source(longs, counts, places)
                        .target(longs, total, counts[me]);
        };
        try (Request request = team.prepare(asked.withAlgorithm(algorithm).persistent())) {
            for (int round = 0; round < 3; round++) {
                long[] expected = new long[(int) (2 * total)];
                for (int i = 0; i < 2 * total; i++) {
                    expected[i] = i < total ? value(me, i, round) : GUARD;
                    longs.set(i, expected[i]);
                }
                if (!isGather) {
                    Arrays.fill(expected, (int) total, (int) (total + counts[me]), 0);
                }
                boolean isMine = type != CollectiveType.GATHER_V || me == root;
                for (int member = 0; isMine && isGather && member < n; member++) {
                    for (int i = 0; i < counts[member]; i++) {
                        expected[(int) places[member] + i] = value(member, i, round);
                    }
                }
                for (int i = 0; !isGather && i < counts[me]; i++) {
                    long index = places[me] + i;
                    for (int member = type == CollectiveType.SCATTER_V ? root : 0; member < n; member++) {
                        expected[(int) total + i] += value(member, index, round);
                    }
                }
                request.post();
                request.await();
                for (int i = 0; i < 2 * total; i++) {
                    assertThat(longs.get(i))
                            .as("%s by %s, run %s, element %s", type, request.algorithm(), round, i)
                            .isEqualTo(expected[i]);
                }
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 60)
    @DisplayName("BR-23 alone in a team of a larger world: means, sums, least, greatest and scans of 1 to 70 and"
            + " of some 4,100 elements copy, in place and not")
    void alone(World world) {
        int most = 4_100;
        try (Team alone = world.team().splitByColor(world.pe(), 0);
                SymmetricMemory memory = world.allocate(16L * (most + 1))) {
            DoubleView doubles = memory.doubles();
            int behind = most + 1;
            List<ReductionOperator<?>> operators =
                    List.of(ExtendedReduction.AVERAGE, Reduction.SUM, Reduction.MIN, Reduction.MAX);
            int some = Rounds.of(1, operators.size());
            for (int count = 1; count <= most; count += count == 70 ? 4_025 : 1) {
                for (int each = 0; each < some; each++) {
                    ReductionOperator<?> operator = operators.get((count + each) % operators.size());
                    for (boolean isInPlace : new boolean[] {true, false}) {
                        int target = isInPlace ? 0 : behind;
                        fill(doubles, count, behind);
                        RequestCalls.postAndAwait(
                                alone,
                                Collective.allReduce(operator)
                                        .source(doubles, 0, count)
                                        .target(doubles, target, count));
                        check(doubles, count, target, operator);
                        if (operator instanceof Reduction reduction) {
                            fill(doubles, count, behind);
                            alone.allReduce(reduction, doubles, target, doubles, 0, count);
                            check(doubles, count, target, operator);
                            fill(doubles, count, behind);
                            alone.inclusiveScan(reduction, doubles, target, doubles, 0, count);
                            check(doubles, count, target, operator);
                        }
                    }
                }
            }
        }
    }

    private static void fill(DoubleView doubles, int count, int behind) {
        for (int i = 0; i < count; i++) {
            doubles.set(i, i + 0.25);
            doubles.set(behind + i, GUARD);
        }
        doubles.set(count, GUARD);
    }

    private static void check(DoubleView doubles, int count, int target, ReductionOperator<?> operator) {
        for (int i = 0; i < count; i++) {
            if (doubles.get(target + i) != i + 0.25) {
                throw new AssertionError(operator + " of " + count + ", element " + i + ": " + doubles.get(target + i));
            }
        }
        assertThat(doubles.get(count)).as("behind %s elements", count).isEqualTo(GUARD);
    }

    /// Sums of numbers that are the upper halves of floats.
    private static final CustomReduction HALVES =
            new CustomReduction("sum of brain floats", 2, ReportedPartsConformanceTest::sum);

    private static void sum(MemorySegment target, MemorySegment left, MemorySegment right, long count) {
        for (long at = 0; at < 2 * count; at += 2) {
            float sum = widened(left.get(JAVA_SHORT_UNALIGNED, at)) + widened(right.get(JAVA_SHORT_UNALIGNED, at));
            target.set(JAVA_SHORT_UNALIGNED, at, narrowed(sum));
        }
    }

    private static float widened(short half) {
        return Float.intBitsToFloat(half << 16);
    }

    private static short narrowed(float number) {
        return (short) (Float.floatToRawIntBits(number) >>> 16);
    }

    @SpmdTest(pes = {1, 2, 3, 5, 8})
    @DisplayName("BR-25 a program's own elements of two bytes, 1 to 9 of them at even and odd places: powers of"
            + " two stay")
    void twoBytes(World world) {
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(128)) {
            ShortView shorts = memory.shorts();
            for (String algorithm : algorithms(world.team(), CollectiveType.ALL_REDUCE)) {
                for (int count : new int[] {1, 2, 3, 9}) {
                    for (int begin : new int[] {0, 1, 2, 3}) {
                        for (int i = 0; i < 64; i++) {
                            shorts.set(i, i >= 32 ? GUARD : narrowed((float) (1 << i % 8)));
                        }
                        RequestCalls.postAndAwait(
                                world.team(),
                                Collective.allReduce(HALVES)
                                        .source(shorts, begin, count)
                                        .target(shorts, 33 + begin, count)
                                        .withAlgorithm(algorithm));
                        for (int i = 0; i < 31; i++) {
                            boolean isResult = i >= begin && i < begin + count;
                            assertThat(shorts.get(33 + i))
                                    .as("%s elements from %s by %s, element %s", count, begin, algorithm, i)
                                    .isEqualTo(isResult ? narrowed((float) n * (1 << i % 8)) : GUARD);
                        }
                    }
                }
            }
        }
    }
}
