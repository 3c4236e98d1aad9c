// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import coterie.Bfloat16;
import coterie.ElementType;
import coterie.ElementView;
import coterie.ExtendedReduction;
import coterie.Float8;
import coterie.NarrowFloatView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Candidate;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/// Floating-point numbers of 16 bits, whose sums are a `float` accumulator over the members in their order, rounded
/// once;
/// and of 8 bits, which are moved alone.
class Float16ConformanceTest {
    private static final List<ElementType> TYPES = List.of(ElementType.HALF, ElementType.BFLOAT16);
    private static final List<ElementType> BYTES = List.of(ElementType.FLOAT8_E4M3, ElementType.FLOAT8_E5M2);

    private static final ScaledSum TENTHS = new ScaledSum(0.1);

    /// One, powers of two, the greatest, subnormal numbers and halves of them, infinities and NaN of HALF or
    /// BFLOAT16.
    private static final List<Short> SPECIAL = List.of(
            (short) 0x0000,
            (short) 0x8000,
            (short) 0x3C00,
            (short) 0x3F80,
            (short) 0x4000,
            (short) 0xC000,
            (short) 0x0001,
            (short) 0x8001,
            (short) 0x0002,
            (short) 0x0200,
            (short) 0x0040,
            (short) 0x7BFF,
            (short) 0xFBFF,
            (short) 0x7F7F,
            (short) 0x7C00,
            (short) 0xFC00,
            (short) 0x7F80,
            (short) 0xFF80,
            (short) 0x7E01,
            (short) 0xFFC1);

    private static NarrowFloatView view(SymmetricMemory memory, ElementType type) {
        return (NarrowFloatView) memory.elements(type);
    }

    private static float number(ElementType type, short bits) {
        return switch (type) {
            case HALF -> Float.float16ToFloat(bits);
            case BFLOAT16 -> Bfloat16.toFloat(bits);
            case FLOAT8_E4M3 -> Float8.fromE4m3((byte) bits);
            default -> Float8.fromE5m2((byte) bits);
        };
    }

    private static short nearest(ElementType type, float number) {
        return switch (type) {
            case HALF -> Float.isNaN(number) ? 0x7E00 : Float.floatToFloat16(number);
            case BFLOAT16 -> Bfloat16.of(number);
            case FLOAT8_E4M3 -> Float8.toE4m3(number);
            default -> Float8.toE5m2(number);
        };
    }

    /// An operand of a member, any bits or special ones.
    private static short operand(long seed, int member, long index) {
        SplittableRandom random = new SplittableRandom(seed + 31 * (member + 64 * index));
        return random.nextInt(4) == 0 ? SPECIAL.get(random.nextInt(SPECIAL.size())) : (short) random.nextInt();
    }

    /// What a loop over the first members gives; one member's element as it is.
    private static short expected(
            ReductionOperator<?> operator, ElementType type, long seed, int members, long index, int divisor) {
        short first = operand(seed, 0, index);
        if (members == 1) {
            return operator.equals(TENTHS) ? nearest(type, number(type, first) * 0.1f) : first;
        }
        float result = number(type, first);
        for (int member = 1; member < members; member++) {
            float next = number(type, operand(seed, member, index));
            result = operator == Reduction.PRODUCT
                    ? result * next
                    : operator == Reduction.MIN
                            ? Math.min(result, next)
                            : operator == Reduction.MAX ? Math.max(result, next) : result + next;
        }
        return nearest(
                type,
                operator == ExtendedReduction.AVERAGE
                        ? result / divisor
                        : operator.equals(TENTHS) ? result * 0.1f : result);
    }

    private static void fill(NarrowFloatView view, long index, long seed, int member, long count) {
        for (long i = 0; i < count; i++) {
            view.setBits(index + i, Short.toUnsignedLong(operand(seed, member, i)));
        }
    }

    private static void check(String what, NarrowFloatView view, long index, long count, Expected expected) {
        for (long i = 0; i < count; i++) {
            short wanted = expected.of(i);
            short found = (short) view.getBits(index + i);
            if (found != wanted) {
                assertThat(found)
                        .as("%s, element %s of %s %s", what, i, count, view.type())
                        .isEqualTo(wanted);
            }
        }
    }

    @FunctionalInterface
    private interface Expected {
        short of(long index);
    }

    @SpmdTest(pes = 3, timeoutSeconds = 60)
    @DisplayName("FP-1 what is stored is the nearest number, what is loaded is exact; 1 to 3 elements at odd places")
    void views(World world) {
        int pe = (world.pe() + 1) % world.size();
        try (SymmetricMemory memory = world.allocate(40_000)) {
            for (ElementType type :
                    Stream.of(TYPES, BYTES).flatMap(List::stream).toList()) {
                NarrowFloatView view = view(memory, type);
                float[] values = new float[19_000];
                SplittableRandom random = new SplittableRandom(7);
                for (int i = 0; i < values.length; i++) {
                    values[i] = i % 2 == 0 ? (float) random.nextGaussian() : Float.intBitsToFloat(random.nextInt());
                }
                for (int count : new int[] {1, 2, 3, 4095, 4096, 4097, values.length - 4}) {
                    for (int place : new int[] {0, 1, 3}) {
                        world.team().barrier();
                        view.put(place, values, 1, count, pe);
                        world.team().barrier();
                        float[] own = new float[count];
                        float[] other = new float[count + 1];
                        view.get(place, own, 0, count);
                        view.get(place, other, 1, count, pe);
                        for (int i = 0; i < count; i++) {
                            float rounded = number(type, nearest(type, values[1 + i]));
                            assertThat(Float.compare(own[i], rounded))
                                    .as("%s own %s", type, i)
                                    .isZero();
                            assertThat(Float.compare(other[1 + i], rounded))
                                    .as("%s of %s", i, pe)
                                    .isZero();
                        }
                    }
                }
                world.team().barrier();
                view.set(5, 1.0f / 3);
                view.slice(5, 3).put(1, -2.5f, pe);
                view.set(7, values, 0, 1);
                world.team().barrier();
                assertThat(view.get(5, pe)).isEqualTo(view.get(5)).isEqualTo(number(type, nearest(type, 1.0f / 3)));
                assertThat(view.get(6)).isEqualTo(-2.5f);
                assertThat(view.get(7, pe)).isEqualTo(number(type, nearest(type, values[0])));
                world.team().barrier();
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            timeoutSeconds = 60)
    @DisplayName("FP-6 adds of all PEs to neighbours: no add is lost, nothing else changes; 8 bits are refused by name")
    void adds(World world) {
        int each = Math.min(Rounds.of(40), 60); // 256 is the last number from which bfloat16 counts on by 1
        try (SymmetricMemory memory = world.allocate(64)) {
            for (ElementType type : TYPES) {
                NarrowFloatView view = view(memory, type);
                view.set(8, -1.5f);
                view.set(11, -1.5f);
                world.team().barrier();
                for (int i = 0; i < each; i++) {
                    view.add(9, 1, 0);
                    float former = view.getAndAdd(10, 1, 0);
                    assertThat(former).isBetween((float) i, (float) (world.size() * each - 1));
                }
                world.team().barrier();
                assertThat(view.get(9, 0)).isEqualTo(each * world.size());
                assertThat(view.get(10, 0)).isEqualTo(each * world.size());
                assertThat(view.get(8, 0)).isEqualTo(-1.5f);
                assertThat(view.get(11, 0)).isEqualTo(-1.5f);
                world.team().barrier();
                float last = type == ElementType.HALF ? 2048 : 256;
                view.set(5, last);
                assertThat(view.getAndAdd(5, 1)).isEqualTo(last); // a tie: to the even number
                assertThat(view.getAndAdd(5, 3)).isEqualTo(last);
                assertThat(view.get(5)).isEqualTo(last + 4);
                view.set(9, 0);
                view.set(10, 0);
                world.team().barrier();
            }
            for (ElementType type : BYTES) {
                NarrowFloatView view = view(memory, type);
                String refused = "ADD is not allowed on elements of type " + type;
                assertThatThrownBy(() -> view.add(0, 1, 0))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("add ")
                        .hasMessageEndingWith(refused);
                assertThatThrownBy(() -> view.getAndAdd(0, 1, 0)).hasMessageEndingWith(refused);
                assertThatThrownBy(() -> view.getAndAdd(0, 1)).hasMessageEndingWith(refused);
            }
            world.team().barrier();
        }
    }

    @SpmdTest(
            pes = {1, 2, 4},
            timeoutSeconds = 60)
    @DisplayName("FP-2 calls: sums, products, least and greatest, scans and parts have the bits of the loop")
    void calls(World world) {
        Team team = world.team();
        int me = team.member();
        int n = team.size();
        try (SymmetricMemory memory = world.allocate(2L * 2 * 5 * 3000 + 64)) {
            List<Reduction> operators =
                    Rounds.simulated() ? List.of(Reduction.SUM, Reduction.MIN) : List.of(Reduction.values());
            int[] counts = Rounds.simulated() ? new int[] {1, 3, 33, 700} : new int[] {1, 2, 3, 33, 600, 2999};
            long seed = 0;
            for (ElementType type : TYPES) {
                NarrowFloatView view = view(memory, type);
                for (Reduction operator : operators) {
                    for (int count : counts) {
                        long at = ++seed;
                        long source = 1 + (long) n * count;
                        String what = operator + " of " + count;
                        fill(view, source, at, me, (long) n * count);
                        team.barrier();
                        team.allReduce(operator, view, 0, view, source, count);
                        check(what, view, 0, count, i -> expected(operator, type, at, n, i, n));
                        team.inclusiveScan(operator, view, 0, view, source, count);
                        check(what + ", scan", view, 0, count, i -> expected(operator, type, at, me + 1, i, n));
                        team.exclusiveScan(operator, view, 0, view, source, count);
                        if (me > 0) {
                            check(what + ", scan before", view, 0, count, i -> expected(operator, type, at, me, i, n));
                        }
                        team.reduceScatter(operator, view, 0, view, source, count);
                        check(
                                what + ", part",
                                view,
                                0,
                                count,
                                i -> expected(operator, type, at, n, i + (long) me * count, n));
                        team.barrier();
                        team.inclusiveScan(operator, view, source, view, source, count);
                        check(
                                what + ", in place",
                                view,
                                source,
                                count,
                                i -> expected(operator, type, at, me + 1, i, n));
                        team.barrier();
                    }
                }
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 120)
    @DisplayName("FP-3 requests: every algorithm that serves them gives the bits of the loop, of means, too")
    void requests(World world) {
        Team team = world.team();
        try (SymmetricMemory memory = world.allocate(2L * 2 * 5 * 1000 + 64)) {
            long seed = 100;
            for (ElementType type : TYPES) {
                NarrowFloatView view = view(memory, type);
                for (ReductionOperator<?> operator :
                        List.of(Reduction.SUM, ExtendedReduction.AVERAGE, TENTHS, Reduction.MAX)) {
                    for (CollectiveType collective : List.of(
                            CollectiveType.ALL_REDUCE,
                            CollectiveType.REDUCE,
                            CollectiveType.REDUCE_SCATTER,
                            CollectiveType.INCLUSIVE_SCAN,
                            CollectiveType.EXCLUSIVE_SCAN)) {
                        boolean isScan = collective == CollectiveType.INCLUSIVE_SCAN
                                || collective == CollectiveType.EXCLUSIVE_SCAN;
                        if (isScan && (operator == ExtendedReduction.AVERAGE || operator.equals(TENTHS))) {
                            continue;
                        }
                        for (int count : new int[] {1, 3, 999}) {
                            for (String algorithm : algorithms(team, collective)) {
                                long at = ++seed;
                                request(team, view, collective, operator, count, algorithm, at);
                            }
                        }
                    }
                }
            }
        }
    }

    private static void request(
            Team team,
            NarrowFloatView view,
            CollectiveType collective,
            ReductionOperator<?> operator,
            int count,
            String algorithm,
            long seed) {
        int me = team.member();
        int n = team.size();
        int root = count % n;
        boolean isPart = collective == CollectiveType.REDUCE_SCATTER;
        long blocks = isPart ? n : 1;
        boolean isInPlace = seed % 3 == 0;
        long target = isInPlace ? 1 : 1 + (long) n * count;
        ElementType type = view.type();
        fill(view, 1, seed, me, blocks * count);
        Collective asked = (switch (collective) {
                    case ALL_REDUCE -> Collective.allReduce(operator);
                    case REDUCE -> Collective.reduce(operator, root);
                    case REDUCE_SCATTER -> Collective.reduceScatter(operator);
                    case INCLUSIVE_SCAN -> Collective.inclusiveScan(operator);
                    default -> Collective.exclusiveScan(operator);
                })
                .source(view, 1, blocks * count)
                .withAlgorithm(algorithm);
        boolean hasTarget = collective != CollectiveType.REDUCE || me == root;
        try (Request request = team.prepare(hasTarget ? asked.target(view, target, count) : asked)) {
            request.post();
            request.await();
            int members = collective == CollectiveType.INCLUSIVE_SCAN
                    ? me + 1
                    : collective == CollectiveType.EXCLUSIVE_SCAN ? me : n;
            long offset = isPart ? (long) me * count : 0;
            if (hasTarget && members > 0) {
                check(
                        request + ", " + algorithm,
                        view,
                        target,
                        count,
                        i -> expected(operator, type, seed, members, i + offset, n));
            }
        }
    }

    private static Iterable<String> algorithms(Team team, CollectiveType type) {
        TreeSet<String> names = new TreeSet<>();
        for (long bytes : new long[] {8, 64, 4096, 1 << 20}) {
            for (Candidate each : team.explain(type, bytes).candidates()) {
                if (Explained.servesRequests(each)) {
                    names.add(each.algorithm());
                }
            }
        }
        return names;
    }

    @SpmdTest(pes = 3, timeoutSeconds = 60)
    @DisplayName("FP-4 a million sums of segments have the bits of the loop on every member")
    void million(World world) {
        Team team = world.team();
        int count = Rounds.simulated() ? 10_000 : 1_000_000;
        for (ElementType type : TYPES) {
            short[] mine = new short[count];
            for (int i = 0; i < count; i++) {
                mine[i] = operand(5, team.member(), i);
            }
            team.allReduce(Reduction.SUM, type, MemorySegment.ofArray(mine));
            for (int i = 0; i < count; i++) {
                short wanted = expected(Reduction.SUM, type, 5, team.size(), i, 1);
                if (mine[i] != wanted) {
                    assertThat(mine[i]).as("%s %s", type, i).isEqualTo(wanted);
                }
            }
        }
    }

    @SpmdTest(
            pes = {1, 2, 3},
            timeoutSeconds = 60)
    @DisplayName("FP-5 8-bit numbers are moved by puts, calls and requests, every bit as it is, and not reduced")
    void bytes(World world) {
        Team team = world.team();
        int me = team.member();
        int size = team.size();
        try (SymmetricMemory from = world.allocate(256);
                SymmetricMemory to = world.allocate(256L * size)) {
            for (ElementType type : BYTES) {
                NarrowFloatView source = view(from, type);
                NarrowFloatView target = view(to, type);
                for (int i = 0; i < 256; i++) {
                    source.setBits(i, (i + 3 * me) & 0xFF);
                }
                team.allGather(target, 0, source, 0, 256);
                checkGathered(target, size);
                to.segment().fill((byte) 0);
                try (Request gather = team.prepare(
                        Collective.allGather().source(source, 0, 256).target(target, 0, 256L * size))) {
                    gather.post();
                    gather.await();
                }
                checkGathered(target, size);
                team.broadcast(target, 1, source, 0, 255, size - 1);
                assertThat(target.getBits(1)).isEqualTo(3L * (size - 1));
                assertThatThrownBy(() -> team.allReduce(Reduction.SUM, target, 0, source, 0, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("SUM is not defined for " + type);
                for (ReductionOperator<ElementView> operator : List.of(Reduction.MAX, ExtendedReduction.AVERAGE)) {
                    assertThatThrownBy(() -> team.prepare(Collective.allReduce(operator)
                                    .source(source, 0, 1)
                                    .target(target, 0, 1)))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining(operator + " is no reduction of " + type);
                }
                team.barrier();
            }
        }
    }

    private static void checkGathered(NarrowFloatView target, int size) {
        for (int i = 0; i < 256 * size; i++) {
            assertThat(target.getBits(i)).isEqualTo((i % 256 + 3L * (i / 256)) & 0xFF);
        }
    }
}
