// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Rung;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;

/// Random requests on teams of all shapes, by whichever algorithm, against a model that knows one element at a
/// time. The whole block is compared: what must not change as well.
class RequestSweepConformanceTest {
    private static final List<ReductionOperator> OPERATORS = Stream.<ReductionOperator>concat(
                    Stream.concat(Stream.of(Reduction.values()), Stream.of(ExtendedReduction.values())),
                    Stream.of(RequestModel.AFFINE))
            .toList();

    /// What requests can't go by.
    private static final Set<String> OVER_MEMORY = Set.of("round", "inline", "stage", "pull", "share", "push", "copy");

    /// Half is the target's and half the source's.
    private static final int HALF = 24 << 10;

    @SpmdTest(
            pes = {1, 2, 3, 5, 8},
            timeoutSeconds = 600)
    @DisplayName("UC-22 UC-23 UC-26 UC-27 random requests on teams of all shapes do what the model does")
    void randomRequests(World world) {
        int n = world.size();
        int shapes = 4;
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            for (int shape = 0; shape < shapes; shape++) {
                Team team = team(world, shape);
                if (!team.equals(Team.INVALID)) {
                    SplittableRandom random = new SplittableRandom(1_000L * n + shape);
                    int calls = Rounds.of(20, 2_000);
                    for (int call = 0; call < calls; call++) {
                        check(team, memory, model(random, team.size()), random.split());
                    }
                    team.close();
                }
                world.team().barrier();
            }
        }
    }

    /// All PEs, reversed, every other one, and some in an order by chance.
    private static Team team(World world, int shape) {
        int n = world.size();
        return switch (shape) {
            case 0 -> world.team().duplicate();
            case 1 -> world.team().splitStrided(n - 1, -1, n);
            case 2 -> world.team().splitByColour(world.pe() % 2, 0);
            default -> world.team().splitByColour(world.pe() % 3 == 1 ? -1 : 0, world.pe() * 7 % 5);
        };
    }

    private static RequestModel model(SplittableRandom random, int members) {
        CollectiveType collective = any(random, List.of(CollectiveType.values()));
        ElementType type = any(random, List.of(ElementType.values()));
        ReductionOperator operator = any(random, OPERATORS);
        while (!suits(collective, operator, type)) {
            operator = any(random, OPERATORS);
            type = any(random, List.of(ElementType.values()));
        }
        boolean isReduction = new RequestModel(collective, operator, type, 0, false, List.of(), 0, 0).isReduction();
        int grain = isReduction ? operator.width(type) / type.byteSize() : 1;
        int half = HALF / type.byteSize();
        int most = (half / members - 20) / grain / 2;
        int count = grain * (random.nextBoolean() ? random.nextInt(Math.min(most, 400) + 1) : random.nextInt(9));
        boolean isListed = collective.word().endsWith("v");
        List<int[]> lengths = new ArrayList<>();
        for (int from = 0; from < members; from++) {
            int[] each = new int[members];
            for (int to = 0; to < members; to++) {
                each[to] =
                        !isListed ? count : random.nextInt(4) == 0 ? 0 : grain * random.nextInt(2 * count / grain + 1);
            }
            lengths.add(each);
        }
        return new RequestModel(
                collective,
                operator,
                type,
                random.nextInt(members),
                random.nextInt(3) == 0,
                lengths,
                half,
                random.nextLong());
    }

    private static boolean suits(CollectiveType collective, ReductionOperator operator, ElementType type) {
        boolean isScan = collective == CollectiveType.INCLUSIVE_SCAN || collective == CollectiveType.EXCLUSIVE_SCAN;
        if (isScan && operator == ExtendedReduction.AVERAGE) {
            return false;
        }
        boolean hasIdentity = !(operator instanceof CustomReduction)
                && operator != ExtendedReduction.MIN_LOCATION
                && operator != ExtendedReduction.MAX_LOCATION;
        if (collective == CollectiveType.EXCLUSIVE_SCAN && !hasIdentity) {
            return false;
        }
        if (operator instanceof CustomReduction) {
            return type == ElementType.LONG;
        }
        try {
            return operator.width(type) > 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static <T> T any(SplittableRandom random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    private static void check(Team team, SymmetricMemory memory, RequestModel model, SplittableRandom random) {
        int me = team.member();
        int runs = random.nextInt(4) == 0 ? 3 : 1;
        Collective asked = model.asked(memory, me);
        if (random.nextBoolean()) {
            List<String> names = team.explain(model.collective(), 0).rungs().stream()
                    .map(Rung::algorithm)
                    .filter(name -> !OVER_MEMORY.contains(name))
                    .toList();
            asked = asked.algorithm(any(random, names));
        }
        try (Request request = team.prepare(runs > 1 ? asked.persistent() : asked)) {
            for (int run = 0; run < runs; run++) {
                long seed = random.nextLong();
                byte[][] before = new byte[team.size()][];
                for (int member = 0; member < team.size(); member++) {
                    before[member] = content(model, seed + member);
                }
                MemorySegment.copy(before[me], 0, memory.segment(), JAVA_BYTE, 0, 2 * HALF);
                request.post();
                if (random.nextBoolean()) {
                    while (!request.test()) {
                        Thread.onSpinWait();
                    }
                } else {
                    request.await();
                }
                byte[] found = model.elements().withOneNan(memory.segment().toArray(JAVA_BYTE));
                byte[] expected = model.elements().withOneNan(model.after(before, me));
                assertThat(Arrays.mismatch(found, expected))
                        .as(
                                "first wrong byte of member %d of %d, run %d of %s, %s",
                                me, team.size(), run, request, model)
                        .isEqualTo(-1);
            }
        }
    }

    /// Any bits; floating-point numbers whose sums and products are exact, in whichever order.
    private static byte[] content(RequestModel model, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = new byte[2 * HALF];
        random.nextBytes(bytes);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        ElementType type = model.type();
        boolean isFloating = type == ElementType.FLOAT || type == ElementType.DOUBLE;
        boolean isSparse = !isFloating && random.nextBoolean();
        for (int at = 0; at + type.byteSize() <= bytes.length; at += type.byteSize()) {
            int number = random.nextInt(2) == 0 ? -1 : 2;
            if (type == ElementType.FLOAT) {
                buffer.putFloat(at, number);
            } else if (type == ElementType.DOUBLE) {
                buffer.putDouble(at, number);
            } else if (isSparse) {
                model.elements().store(bytes, at / type.byteSize(), random.nextInt(3) / 2);
            }
        }
        return bytes;
    }
}
