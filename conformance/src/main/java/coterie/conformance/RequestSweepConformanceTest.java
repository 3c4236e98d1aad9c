// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.assertj.core.api.Assertions.assertThat;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
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
import coterie.spi.ReductionKind;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Random requests on teams of all shapes, by whichever algorithm, against a model that knows one element at a
/// time. The whole block is compared: what must not change as well.
class RequestSweepConformanceTest {
    private static final List<ReductionOperator<?>> OPERATORS = Stream.<ReductionOperator<?>[]>of(
                    Reduction.values(),
                    IntegerReduction.values(),
                    ExtendedReduction.values(),
                    new ReductionOperator<?>[] {new ScaledSum(0.3), RequestModel.AFFINE})
            .flatMap(Arrays::stream)
            .toList();

    /// What requests can't go by.
    private static final Set<String> OVER_MEMORY =
            Set.of("round", "oneway", "inline", "bounce", "pull", "partitioned", "push", "copy");

    private static final Map<CollectiveType, List<String>> OF_HIERARCHIES = new EnumMap<>(Map.of(
            CollectiveType.BARRIER, List.of("2step"),
            CollectiveType.BROADCAST, List.of("2step"),
            CollectiveType.ALL_REDUCE, List.of("rab", "split_rail"),
            CollectiveType.REDUCE, List.of("2step"),
            CollectiveType.ALL_GATHER, List.of("gab"),
            CollectiveType.ALL_GATHER_V, List.of("gab"),
            CollectiveType.ALL_TO_ALL, List.of("node_split"),
            CollectiveType.ALL_TO_ALL_V, List.of("node_split")));

    /// Half is the target's and half the source's.
    private static final int HALF = 24 << 10;

    @SpmdTest(
            pes = {1, 2, 3, 5, 8},
            timeoutSeconds = 600)
    @DisplayName("UC-22 UC-23 UC-26 UC-27 random requests on teams of all shapes do what the model does")
    void randomRequests(World world) {
        sweep(world, Rounds.of(8, 2_000));
    }

    @SpmdTest(
            pes = {7, 16},
            timeoutSeconds = 900)
    @EnabledIfSystemProperty(named = "coterie.soak", matches = "true")
    @DisplayName("UC-22 UC-23 UC-26 UC-27 the same with numbers of PEs between and at powers of two")
    void moreSizes(World world) {
        sweep(world, Rounds.of(20, 100));
    }

    @SpmdTest(
            pes = {2, 3},
            timeoutSeconds = 600)
    @DisplayName("UC-22 allreduces of up to 65,536 elements of every type, in place and not, do what the model does")
    void longVectors(World world) {
        int most = 65_536;
        int half = most + 8;
        try (SymmetricMemory memory = world.allocate(16L * half)) {
            SplittableRandom random = new SplittableRandom(world.size());
            int calls = Rounds.of(3, 200);
            for (int call = 0; call < calls; call++) {
                RequestModel kind = kind(random, List.of(CollectiveType.ALL_REDUCE));
                int grain = grain(kind);
                int count = call % 3 == 0 ? most : grain * (1 + random.nextInt(most / grain));
                check(world.team(), memory, model(random, kind, world.size(), count, half), random.split());
            }
        }
    }

    static void sweep(World world, int calls) {
        int n = world.size();
        int shapes = 4;
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            for (int shape = 0; shape < shapes; shape++) {
                Team team = team(world, shape);
                if (!team.equals(Team.INVALID)) {
                    requests(team, memory, new SplittableRandom(1_000L * n + shape), calls);
                    team.close();
                }
                world.team().barrier();
            }
        }
    }

    /// Random requests.
    ///
    /// @param random the same on all members
    static void requests(Team team, SymmetricMemory memory, SplittableRandom random, int calls) {
        for (int call = 0; call < calls; call++) {
            check(team, memory, model(random, team.size()), random.split());
        }
    }

    /// Each algorithm of a hierarchy on all PEs, in place and not.
    ///
    /// @param areEven whether all nodes have as many members
    static void hierarchies(World world, boolean areEven) {
        int n = world.size();
        Team team = world.team();
        SplittableRandom random = new SplittableRandom(n);
        try (SymmetricMemory memory = world.allocate(2 * HALF)) {
            OF_HIERARCHIES.forEach((type, names) -> {
                for (String name : names) {
                    for (int call = 0; call < Rounds.few(100); call++) {
                        RequestModel kind = kind(random, List.of(type));
                        RequestModel model = model(random, kind, n, count(random, kind, n), half(kind));
                        String by = check(team, memory, model, name, random.split());
                        boolean isOrdered = kind.operator().equals(RequestModel.AFFINE)
                                || kind.type().isFloatingPoint();
                        boolean mayDecline = !areEven && kind.isReduction() && (isOrdered || name.equals("split_rail"));
                        if (isRoundedOnce(kind)) {
                            assertThat(by).as("%s", model).doesNotStartWith("hier/");
                        } else if (!mayDecline) {
                            assertThat(by).as("%s", model).isEqualTo("hier/" + name);
                        }
                    }
                }
            });
        }
    }

    /// Whether it sums 16-bit numbers, whose partial results no algorithm of a hierarchy may pass on.
    private static boolean isRoundedOnce(RequestModel kind) {
        boolean isSum = kind.operator().equals(ExtendedReduction.AVERAGE) || kind.operator() instanceof ScaledSum;
        return kind.isReduction()
                && kind.elements().isShort()
                && (isSum
                        || ReductionKind.of(kind.operator())
                                .map(each -> each.widens(kind.type()))
                                .orElse(false));
    }

    /// All PEs, reversed, every other one, and some in an order by chance.
    private static Team team(World world, int shape) {
        int n = world.size();
        return switch (shape) {
            case 0 -> world.team().duplicate();
            case 1 -> world.team().splitStrided(n - 1, -1, n);
            case 2 -> world.team().splitByColor(world.pe() % 2, 0);
            default -> world.team().splitByColor(world.pe() % 3 == 1 ? -1 : 0, world.pe() * 7 % 5);
        };
    }

    private static RequestModel model(SplittableRandom random, int members) {
        RequestModel kind = kind(random, List.of(CollectiveType.values()));
        return model(random, kind, members, count(random, kind, members), half(kind));
    }

    /// A collective by chance, and what it reduces with.
    private static RequestModel kind(SplittableRandom random, List<CollectiveType> collectives) {
        CollectiveType collective = any(random, collectives);
        ElementType type = any(random, List.of(ElementType.values()));
        ReductionOperator<?> operator = any(random, OPERATORS);
        while (!suits(collective, operator, type)) {
            operator = any(random, OPERATORS);
            type = any(random, List.of(ElementType.values()));
        }
        return new RequestModel(collective, operator, type, 0, false, List.of(), 0, 0);
    }

    private static int half(RequestModel kind) {
        return HALF / kind.type().byteSize();
    }

    /// Elements that are reduced as one.
    private static int grain(RequestModel kind) {
        return kind.isReduction()
                ? kind.operator().width(kind.type()) / kind.type().byteSize()
                : 1;
    }

    private static int count(SplittableRandom random, RequestModel kind, int members) {
        int most = (half(kind) / members - 20) / grain(kind) / 2;
        return grain(kind)
                * (random.nextBoolean()
                        ? random.nextInt(Math.min(most, 400) + 1)
                        : random.nextInt(Math.min(most, 8) + 1));
    }

    private static RequestModel model(SplittableRandom random, RequestModel kind, int members, int count, int half) {
        int grain = grain(kind);
        boolean isListed = kind.collective().label().endsWith("v");
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
                kind.collective(),
                kind.operator(),
                kind.type(),
                random.nextInt(members),
                random.nextInt(3) == 0,
                lengths,
                half,
                random.nextLong());
    }

    private static boolean suits(CollectiveType collective, ReductionOperator<?> operator, ElementType type) {
        boolean isScan = collective == CollectiveType.INCLUSIVE_SCAN || collective == CollectiveType.EXCLUSIVE_SCAN;
        if (isScan && (operator == ExtendedReduction.AVERAGE || operator instanceof ScaledSum)) {
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
        String name = null;
        if (random.nextBoolean()) {
            List<String> names = team.explain(model.collective(), 0).candidates().stream()
                    .map(Candidate::algorithm)
                    .filter(each -> !OVER_MEMORY.contains(each))
                    .toList();
            name = any(random, names);
        }
        check(team, memory, model, name, random);
    }

    /// @param name of an algorithm, or null
    /// @return which one has served
    private static String check(
            Team team, SymmetricMemory memory, RequestModel model, @Nullable String name, SplittableRandom random) {
        int me = team.member();
        int runs = random.nextInt(4) == 0 ? 3 : 1;
        Collective asked = model.asked(memory, me);
        if (name != null) {
            asked = asked.withAlgorithm(name);
        }
        if (name == null && random.nextBoolean()) {
            runs(team, memory, model, asked, runs, random);
            return "";
        }
        try (Request request = team.prepare(runs > 1 ? asked.persistent() : asked)) {
            for (int run = 0; run < runs; run++) {
                byte[][] before = filled(team, memory, model, random);
                request.post();
                if (random.nextBoolean()) {
                    while (!request.test()) {
                        Thread.onSpinWait();
                    }
                } else {
                    request.await();
                }
                checkAfter(team, memory, model, before, "run " + run + " of " + request);
            }
            return request.algorithm();
        }
    }

    /// The same by [Team#run]: as a call, or as a request.
    private static void runs(
            Team team,
            SymmetricMemory memory,
            RequestModel model,
            Collective asked,
            int runs,
            SplittableRandom random) {
        for (int run = 0; run < runs; run++) {
            byte[][] before = filled(team, memory, model, random);
            team.run(asked);
            checkAfter(team, memory, model, before, "blocking run " + run);
        }
    }

    private static byte[][] filled(Team team, SymmetricMemory memory, RequestModel model, SplittableRandom random) {
        long seed = random.nextLong();
        byte[][] before = new byte[team.size()][];
        for (int member = 0; member < team.size(); member++) {
            before[member] = content(model, seed + member);
        }
        byte[] mine = before[team.member()];
        MemorySegment.copy(mine, 0, memory.segment(), JAVA_BYTE, 0, mine.length);
        return before;
    }

    private static void checkAfter(Team team, SymmetricMemory memory, RequestModel model, byte[][] before, String run) {
        int me = team.member();
        byte[] found = model.elements()
                .withOneNan(memory.segment().asSlice(0, before[me].length).toArray(JAVA_BYTE));
        byte[] expected = model.elements().withOneNan(model.after(before, me));
        assertThat(Arrays.mismatch(found, expected))
                .as("first wrong byte of member %d of %d, %s, %s", me, team.size(), run, model)
                .isEqualTo(-1);
    }

    /// Any bits; floating-point numbers whose sums and products are exact, in whichever order, but any 16-bit numbers,
    /// which have one order.
    private static byte[] content(RequestModel model, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] bytes = new byte[2 * model.half() * model.type().byteSize()];
        random.nextBytes(bytes);
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
        ElementType type = model.type();
        boolean isSparse = !type.isFloatingPoint() && random.nextBoolean();
        for (int at = 0; at + type.byteSize() <= bytes.length; at += type.byteSize()) {
            int number = random.nextInt(2) == 0 ? -1 : 2;
            if (type == ElementType.FLOAT) {
                buffer.putFloat(at, number);
            } else if (type == ElementType.DOUBLE) {
                buffer.putDouble(at, number);
            } else if (model.elements().isShort()) {
                long bits = model.elements().load(bytes, at / type.byteSize());
                if (Float.isNaN(Float.intBitsToFloat((int) bits))) {
                    model.elements().store(bytes, at / type.byteSize(), Float.floatToRawIntBits(number));
                }
            } else if (isSparse) {
                model.elements().store(bytes, at / type.byteSize(), random.nextInt(3) / 2);
            }
        }
        return bytes;
    }
}
