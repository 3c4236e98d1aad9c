// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.ElementType;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.junit.SpmdTest;
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;

/// Random collectives on random teams, and all reductions of all types, against a model that knows one element at
/// a time. The whole block is compared: what must not change as well.
class CollectiveSweepConformanceTest {
    private static final int CALLS = 10;

    /// Half is the target's and half the source's; more than one piece for a share of two members.
    private static final int HALF = 24 << 10;

    /// What a block for these calls has, and for [RequestSweepConformanceTest#requests].
    static final long BYTES = 2 * HALF;

    /// In the soak tier's simulated networks, where each of very many seeds repeats them all, one of so many of a
    /// collective with a reduction and a type: loops over elements are the same there. Not a multiple of the
    /// number of reductions.
    private static final int FEW = 9;

    @SpmdTest(
            pes = {1, 2, 3, 4, 5, 8, 12},
            timeoutSeconds = 600)
    @DisplayName("random collectives on random teams do what the model does")
    void randomCollectives(World world) {
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            int teams = Rounds.of(6, 200);
            for (int round = 0; round < teams; round++) {
                SplittableRandom common = new SplittableRandom(1_000L * world.size() + round);
                int colors = 1 + common.nextInt(3);
                int[] color = new int[world.size()];
                int[] key = new int[world.size()];
                for (int pe = 0; pe < world.size(); pe++) {
                    color[pe] = common.nextInt(colors);
                    key[pe] = common.nextInt(5);
                }
                try (Team team = world.team().splitByColor(color[world.pe()], key[world.pe()])) {
                    SplittableRandom random = new SplittableRandom(common.nextLong() + color[world.pe()]);
                    for (int call = 0; call < CALLS; call++) {
                        long seed = random.nextLong();
                        check(team, memory, model(random, team.size()), seed);
                    }
                }
            }
        }
    }

    @SpmdTest(
            pes = {1, 3, 4},
            timeoutSeconds = 60)
    @DisplayName("every reduction and scan of every type, in place and not, does what the model does")
    void everyReductionOfEveryType(World world) {
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            long seed = world.size();
            int triple = 0;
            for (Collectives collective : Collectives.values()) {
                for (ElementType type : ElementType.values()) {
                    for (ReductionKind reduction : ReductionKind.values()) {
                        boolean isMine = !Rounds.simulated() || triple++ % FEW == 0;
                        if (isMine && collective.isReduction() && reduction.suits(type)) {
                            checkReduction(world.team(), memory, collective, reduction, type, 3, seed++);
                            checkReduction(world.team(), memory, collective, reduction, type, 999, seed++);
                        }
                    }
                }
            }
        }
    }

    /// Every collective once, with random arguments, the same of all members.
    static void everyCollective(Team team, SymmetricMemory memory, SplittableRandom random) {
        for (Collectives collective : Collectives.values()) {
            long seed = random.nextLong();
            check(team, memory, model(random, collective, team.size()), seed);
        }
    }

    /// @param source 3 is in place
    private static void checkReduction(
            Team team,
            SymmetricMemory memory,
            Collectives collective,
            ReductionKind reduction,
            ElementType type,
            int source,
            long seed) {
        List<Integer> counts = Collections.nCopies(team.size(), 61);
        check(team, memory, new CollectiveModel(collective, reduction, type, 3, source, counts, 0, 1, 1), seed);
    }

    private static CollectiveModel model(SplittableRandom random, int members) {
        return model(random, any(random, Collectives.values()), members);
    }

    private static CollectiveModel model(SplittableRandom random, Collectives collective, int members) {
        ElementType type = any(random, ElementType.values());
        ReductionKind reduction = any(random, ReductionKind.values());
        if (!type.isReducible() && collective.isReduction()) {
            type = ElementType.BFLOAT16;
        }
        if (!reduction.suits(type)) {
            reduction = ReductionKind.SUM;
        }
        int room = HALF / type.byteSize();
        int targetStride = 1 + random.nextInt(3);
        int sourceStride = 1 + random.nextInt(3);
        int most = switch (collective) {
            case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, BROADCAST -> room;
            case REDUCE_SCATTER, ALL_GATHER_V, ALL_GATHER, ALL_TO_ALL -> room / members;
            case ALL_TO_ALL_STRIDED -> room / members / Math.max(targetStride, sourceStride);
        };
        int count = random.nextBoolean() ? random.nextInt(most + 1) : random.nextInt(18);
        List<Integer> counts = new ArrayList<>();
        for (int member = 0; member < members; member++) {
            counts.add(collective == Collectives.ALL_GATHER_V ? random.nextInt(count + 1) : count);
        }
        boolean swap = random.nextBoolean();
        int source = swap ? 0 : room;
        int target = swap ? room : 0;
        if (collective.mayBeInPlace() && random.nextBoolean()) {
            target = source;
        } else if (count * members * 4 + 7 < room) {
            target += random.nextInt(7);
            source += random.nextInt(7);
        }
        int root = random.nextInt(members);
        return new CollectiveModel(
                collective, reduction, type, target, source, counts, root, targetStride, sourceStride);
    }

    private static <T> T any(SplittableRandom random, T[] values) {
        return values[random.nextInt(values.length)];
    }

    private static void check(Team team, SymmetricMemory memory, CollectiveModel model, long seed) {
        byte[][] before = new byte[team.size()][];
        for (int member = 0; member < team.size(); member++) {
            before[member] = content(model.type(), seed + member);
        }
        MemorySegment mine = memory.segment();
        MemorySegment.copy(before[team.member()], 0, mine, JAVA_BYTE, 0, 2 * HALF);
        team.barrier();
        model.call(team, memory);
        ElementModel elements = new ElementModel(model.type());
        byte[] found = elements.withOneNan(mine.toArray(JAVA_BYTE));
        byte[] expected = elements.withOneNan(model.after(before, team.member()));
        int wrong = Arrays.mismatch(found, expected);
        assertThat(wrong)
                .as("first wrong byte of member %d of %d after %s, seed %d", team.member(), team.size(), model, seed)
                .isEqualTo(-1);
        team.barrier();
    }

    /// Any bits, or numbers that don't drown each other: whose sum shows in which order they were added.
    private static byte[] content(ElementType type, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = new byte[2 * HALF];
        random.nextBytes(bytes);
        if (random.nextInt(4) > 0) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
            for (int at = 0; at < bytes.length; at += type.byteSize()) {
                if (type == ElementType.FLOAT) {
                    buffer.putFloat(at, (float) random.nextDouble(-10, 10));
                } else if (type == ElementType.DOUBLE) {
                    buffer.putDouble(at, random.nextDouble(-10, 10));
                }
            }
        }
        return bytes;
    }
}
