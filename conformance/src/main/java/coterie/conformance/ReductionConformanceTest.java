// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ByteView;
import coterie.ElementView;
import coterie.IntegerReduction;
import coterie.LongView;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;

/// Reductions and scans, of numbers and over memory.
class ReductionConformanceTest {

    @SpmdTest(pes = 5)
    @DisplayName("SH-C9 of five: the sum of numbers is 10, the product of one more 120, the greatest 4, the least 0")
    void sumProductMaxMin(World world) {
        int me = world.pe();
        assertThat(reduced(world, Reduction.SUM, me)).isEqualTo(10);
        assertThat(reduced(world, Reduction.PRODUCT, me + 1)).isEqualTo(120);
        assertThat(reduced(world, Reduction.MAX, me)).isEqualTo(4);
        assertThat(reduced(world, Reduction.MIN, me)).isEqualTo(0);
    }

    @EveryTeamSize
    @DisplayName("SH-C9 the same of any number of PEs")
    void sumProductMaxMinOfAny(World world) {
        long n = world.size();
        long product = 1;
        for (long factor = 2; factor <= n; factor++) {
            product *= factor;
        }
        assertThat(reduced(world, Reduction.SUM, world.pe())).isEqualTo(n * (n - 1) / 2);
        assertThat(reduced(world, Reduction.PRODUCT, world.pe() + 1)).isEqualTo(product);
        assertThat(reduced(world, Reduction.MAX, world.pe())).isEqualTo(n - 1);
        assertThat(reduced(world, Reduction.MIN, world.pe())).isZero();
    }

    @EveryTeamSize
    @DisplayName("SH-C10 xor of ones is the parity of PEs; and, or and xor of a bit each")
    void bitwise(World world) {
        int n = world.size();
        long bit = 1L << world.pe();
        long all = (1L << n) - 1;
        assertThat(reduced(world, IntegerReduction.XOR, 1)).isEqualTo(n % 2);
        assertThat(reduced(world, IntegerReduction.AND, ~bit)).isEqualTo(~all);
        assertThat(reduced(world, IntegerReduction.OR, bit)).isEqualTo(all);
        assertThat(reduced(world, IntegerReduction.XOR, bit)).isEqualTo(all);
    }

    @EveryTeamSize
    @DisplayName("logical reductions ask whether numbers are 0, and give 1 or 0")
    void logical(World world) {
        int n = world.size();
        long bit = 1L << world.pe();
        assertThat(reduced(world, IntegerReduction.LOGICAL_AND, bit)).isEqualTo(1);
        assertThat(reduced(world, IntegerReduction.LOGICAL_AND, world.pe())).isZero();
        assertThat(reduced(world, IntegerReduction.LOGICAL_OR, world.pe() == n - 1 ? -8 : 0))
                .isEqualTo(1);
        assertThat(reduced(world, IntegerReduction.LOGICAL_OR, 0)).isZero();
        assertThat(reduced(world, IntegerReduction.LOGICAL_XOR, bit)).isEqualTo(n % 2);
    }

    /// Reduces a number over memory and as such, which must be the same.
    private static long reduced(World world, Reduction reduction, long value) {
        long number = world.team().allReduce(reduction, value);
        assertThat(reducedInMemory(world, reduction, value)).isEqualTo(number);
        return number;
    }

    private static long reduced(World world, IntegerReduction reduction, long value) {
        long number = world.team().allReduce(reduction, value);
        assertThat(reducedInMemory(world, reduction, value)).isEqualTo(number);
        return number;
    }

    private static long reducedInMemory(World world, ReductionOperator<? super LongView> reduction, long value) {
        try (SymmetricMemory memory = world.allocate(16)) {
            Longs.set(memory, 0, value);
            world.team().barrier();
            world.team().allReduce(reduction, memory.longs(), 1, memory.longs(), 0, 1);
            return Longs.get(memory, 1);
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("SH-C11 bytes of 100 on both, in place: the sum wraps to −56")
    void sumInPlaceWraps(World world) {
        try (SymmetricMemory memory = world.allocate(3)) {
            ByteView bytes = memory.bytes();
            for (int i = 0; i < 3; i++) {
                bytes.set(i, 100);
            }
            world.team().barrier();
            world.team().allReduce(Reduction.SUM, bytes, 0, bytes, 0, 3);
            for (int i = 0; i < 3; i++) {
                assertThat(bytes.get(i)).isEqualTo(-56);
                assertThat(bytes.unsigned().get(i)).isEqualTo(200);
            }
        }
    }

    @SpmdTest(pes = 2)
    @DisplayName("SH-C12 the greatest of the bytes 200 and 100 is 200 unsigned and 100 signed")
    void greatestIsOfTheType(World world) {
        try (SymmetricMemory memory = world.allocate(3)) {
            ByteView signed = memory.bytes();
            signed.set(0, world.pe() == 0 ? 200 : 100);
            world.team().barrier();
            world.team().allReduce(Reduction.MAX, signed.unsigned(), 1, signed.unsigned(), 0, 1);
            world.team().allReduce(Reduction.MAX, signed, 2, signed, 0, 1);
            assertThat(signed.unsigned().get(1)).isEqualTo(200);
            assertThat(signed.get(2)).isEqualTo(100);
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C13 scans of number + 2 over all PEs in reverse order; member 0 before all has 0")
    void scansAreInTeamOrder(World world) {
        int n = world.size();
        try (Team reverse = world.team().splitStrided(n - 1, -1, n);
                SymmetricMemory memory = world.allocate(24)) {
            int me = reverse.member();
            Longs.set(memory, 0, me + 2);
            world.team().barrier();
            reverse.inclusiveScan(Reduction.SUM, memory.longs(), 1, memory.longs(), 0, 1);
            reverse.exclusiveScan(Reduction.SUM, memory.longs(), 2, memory.longs(), 0, 1);
            long before = me * (me - 1L) / 2 + 2L * me;
            assertThat(Longs.of(memory)).containsExactly(me + 2, before + me + 2, before);
            if (me == 3) {
                assertThat(Longs.of(memory)).containsExactly(5, 14, 9);
            }
        }
    }

    @EveryTeamSize
    @DisplayName("reduceScatter gives each member its part, in place too, and leaves the rest of the source alone")
    void reduceScatterGivesParts(World world) {
        int n = world.size();
        int count = 1500;
        try (SymmetricMemory memory = world.allocate(8L * count * (n + 1))) {
            for (boolean inPlace : new boolean[] {false, true}) {
                for (int at = 0; at < count * (n + 1); at++) {
                    Longs.set(memory, at, at < count * n ? world.pe() * 1_000_000L + at : -1);
                }
                world.team().barrier();
                int target = inPlace ? 0 : count * n;
                world.team().reduceScatter(Reduction.SUM, memory.longs(), target, memory.longs(), 0, count);
                for (int at = 0; at < count * (n + 1); at++) {
                    long part = at - target + (long) count * world.pe();
                    long expected = at >= target && at < target + count
                            ? n * (n - 1) / 2 * 1_000_000L + n * part
                            : at < count * n ? world.pe() * 1_000_000L + at : -1;
                    assertThat(Longs.get(memory, at)).isEqualTo(expected);
                }
                world.team().barrier();
            }
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C17 100 mixed collectives back to back on the same buffers, without a barrier of mine")
    void backToBack(World world) {
        Team team = world.team();
        int n = world.size();
        try (SymmetricMemory memory = world.allocate(8L * (2 + 3L * n))) {
            ElementView longs = memory.longs();
            int all = 2;
            int exchanged = 2 + n;
            int again = 2 + 2 * n;
            Longs.set(memory, 0, 1);
            team.barrier();
            long expected = 1;
            int rounds = Rounds.simulated() ? 12 : 100; // of nine collectives
            for (int round = 0; round < rounds; round++) {
                team.allReduce(Reduction.SUM, longs, 0, longs, 0, 1);
                expected *= n;
                team.broadcast(longs, 1, longs, 0, 1, round % n);
                team.allGather(longs, all, longs, 1, 1);
                team.allToAll(longs, exchanged, longs, all, 1);
                team.allGatherV(longs, again, longs, exchanged, 1);
                team.inclusiveScan(Reduction.SUM, longs, again, longs, again, n);
                team.exclusiveScan(Reduction.SUM, longs, exchanged, longs, exchanged, n);
                team.reduceScatter(Reduction.SUM, longs, exchanged, longs, exchanged, 1);
                assertThat(Longs.get(memory, exchanged)).isEqualTo(expected * (n * (n - 1) / 2));
                assertThat(Longs.get(memory, 2 + 3 * n - 1)).isEqualTo(expected * (world.pe() + 1));
                assertThat(team.sum((long) round * world.pe())).isEqualTo((long) round * n * (n - 1) / 2);
                if (round % 10 == 9) {
                    team.barrier();
                }
            }
            assertThat(Longs.get(memory, 0)).isEqualTo(expected);
        }
    }

    @EveryTeamSize
    @DisplayName("SH-C19 floating sums have the same bits on all members and in every repetition")
    void floatingSumsAreReproducible(World world) {
        int count = 257;
        SplittableRandom random = new SplittableRandom(world.pe());
        try (SymmetricMemory source = world.allocate(8L * count);
                SymmetricMemory target = world.allocate(8L * count);
                SymmetricMemory reference = world.allocate(8L * count)) {
            double[] mine = random.doubles(count, -1e10, 1e10).toArray();
            for (int i = 0; i < count; i++) {
                source.segment().setAtIndex(JAVA_DOUBLE, i, mine[i] * Math.pow(10, i % 20 - 10));
            }
            world.team().allReduce(Reduction.SUM, reference.doubles(), 0, source.doubles(), 0, count);
            for (int run = 0; run < 100; run++) {
                world.team().allReduce(Reduction.SUM, target.doubles(), 0, source.doubles(), 0, count);
                assertThat(Longs.of(target)).isEqualTo(Longs.of(reference));
            }
            double first = source.segment().get(JAVA_DOUBLE, 0);
            assertThat(Double.doubleToRawLongBits(world.team().sum(first)))
                    .as("the scalar sum adds in the same order")
                    .isEqualTo(Longs.get(reference, 0));
            world.team().broadcast(target.doubles(), 0, reference.doubles(), 0, count, 0);
            assertThat(Longs.of(target)).as("PE 0's bits").isEqualTo(Longs.of(reference));
        }
    }
}
