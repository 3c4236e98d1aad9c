// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import coterie.internal.hier.Hierarchy;
import coterie.internal.hier.NodeTopology;
import coterie.internal.hier.SubgroupPlans;
import coterie.internal.score.AlgorithmTable;
import coterie.layer.Arguments.Order;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/// A collective that an algorithm is tried with. The same case gives the same layouts, content and order of
/// events.
///
/// @param algorithm its name
/// @param inPlace of all members, or of the root alone where only it has both
/// @param count elements of the vector, or of a block; of blocks of any length, about so many
/// @param nodes that of each member, for the algorithms that use it; empty for the others
record Case(
        CollectiveType type,
        String algorithm,
        PlanOperation operation,
        boolean inPlace,
        int size,
        int root,
        int radix,
        int count,
        List<Integer> nodes) {
    static final Set<CollectiveType> SYNCHRONISE =
            EnumSet.of(CollectiveType.BARRIER, CollectiveType.FAN_IN, CollectiveType.FAN_OUT);
    static final Set<CollectiveType> REDUCE = EnumSet.of(
            CollectiveType.ALL_REDUCE,
            CollectiveType.REDUCE,
            CollectiveType.REDUCE_SCATTER,
            CollectiveType.REDUCE_SCATTER_V,
            CollectiveType.INCLUSIVE_SCAN,
            CollectiveType.EXCLUSIVE_SCAN);
    static final Set<CollectiveType> ROOTED = EnumSet.of(
            CollectiveType.FAN_IN,
            CollectiveType.FAN_OUT,
            CollectiveType.BROADCAST,
            CollectiveType.REDUCE,
            CollectiveType.GATHER,
            CollectiveType.GATHER_V,
            CollectiveType.SCATTER,
            CollectiveType.SCATTER_V);

    private static final AlgorithmTable<Algorithm> WITHOUT_NODES = Algorithms.table();

    /// The layout of collectives without blocks.
    private static final BlockLayout NONE = BlockLayout.Even.NONE;

    /// A cache line for each member, and now and then less than a whole number of them.
    private static final int BYTES_OF_UNTYPED = 16;

    /// What the run gave.
    ///
    /// @param plans none if the algorithm declined, and so are arenas and cost
    record Result(
            List<CollectiveShape> shapes,
            List<Plan> plans,
            List<PlanMemory> planMemories,
            Optional<PlanRunner.Cost> cost) {}

    /// Without nodes.
    Case(
            CollectiveType type,
            String algorithm,
            PlanOperation operation,
            boolean inPlace,
            int size,
            int root,
            int radix,
            int count) {
        this(type, algorithm, operation, inPlace, size, root, radix, count, List.of());
    }

    /// The names of direct algorithms are theirs alone.
    private AlgorithmTable<Algorithm> table() {
        if (DirectAlgorithms.find(type, algorithm).isPresent()) {
            return DirectAlgorithms.table();
        }
        return nodes.isEmpty()
                ? WITHOUT_NODES
                : Hierarchy.table(
                        NodeTopology.of(
                                nodes.stream().mapToInt(Integer::intValue).toArray()),
                        SubgroupPlans.UNTUNED);
    }

    private Order order() {
        return switch (operation) {
            case NONE, SUM, MIXED -> Order.ANY;
            case AFFINE -> Order.MEMBERS;
            case AT_ONCE -> Order.SEQUENTIAL;
        };
    }

    /// Plans and runs it.
    Result run() {
        return run(table().algorithm(type, algorithm).factory());
    }

    /// Has something plan it that is in no repertoire, and runs it.
    Result run(Algorithm maker) {
        RandomGenerator random = new SplittableRandom(toString().hashCode());
        List<CollectiveShape> shapes = shapes(random);
        List<Plan> plans =
                shapes.stream().map(maker::plan).flatMap(Optional::stream).toList();
        assertThat(plans.size()).as("members that don't decline").isIn(0, size);
        if (plans.isEmpty()) {
            return new Result(shapes, plans, List.of(), Optional.empty());
        }
        List<PlanMemory> planMemories = new ArrayList<>();
        for (CollectiveShape shape : shapes) {
            boolean both = inPlace && (!ROOTED.contains(type) || shape.isRoot());
            planMemories.add(new PlanMemory(shape, both, plans.get(shape.me()).scratchBytes(), random));
        }
        PlanRunner runner = new PlanRunner(plans, planMemories, operation, random);
        PlanRunner.Cost cost = runner.run();
        planMemories.forEach(PlanMemory::checkUntouched);
        return new Result(shapes, plans, planMemories, Optional.of(cost));
    }

    /// The shapes of all members. For a member without both buffers, in place is random and means nothing.
    private List<CollectiveShape> shapes(RandomGenerator random) {
        Layouts layouts = new Layouts(random);
        List<CollectiveShape> shapes = new ArrayList<>();
        for (int me = 0; me < size; me++) {
            boolean mine = !ROOTED.contains(type) || me == root;
            boolean here = mine ? inPlace : random.nextBoolean();
            shapes.add(new CollectiveShape(
                    type,
                    size,
                    me,
                    root,
                    operation.width(),
                    order(),
                    here,
                    layouts.source(me),
                    layouts.target(me),
                    radix));
        }
        return shapes;
    }

    /// Bytes of a vector or a block.
    long bytes() {
        return operation == PlanOperation.NONE
                ? Math.max(0, (long) BYTES_OF_UNTYPED * count - count % 3)
                : (long) operation.width() * count;
    }

    private final class Layouts {
        private final RandomGenerator random;

        /// Bytes from a member to another one.
        private final long[][] lengths = new long[size][size];

        private Layouts(RandomGenerator random) {
            this.random = random;
            for (int from = 0; from < size; from++) {
                for (int to = 0; to < size; to++) {
                    lengths[from][to] =
                            random.nextInt(4) == 0 ? 0 : (long) operation.width() * random.nextInt(2 * count + 1);
                }
            }
        }

        private BlockLayout one() {
            return new BlockLayout.Even(1, bytes());
        }

        private BlockLayout all() {
            return new BlockLayout.Even(size, bytes());
        }

        BlockLayout source(int me) {
            boolean mine = me == root;
            return switch (type) {
                case BARRIER, FAN_IN, FAN_OUT -> NONE;
                case BROADCAST -> mine ? one() : NONE;
                case ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, REDUCE, ALL_GATHER, GATHER -> one();
                case ALL_GATHER_V, GATHER_V -> new BlockLayout.Even(1, lengths[0][me]);
                case SCATTER -> mine ? all() : NONE;
                case ALL_TO_ALL, REDUCE_SCATTER -> all();
                case SCATTER_V -> mine ? spread(lengths[0]) : NONE;
                case REDUCE_SCATTER_V -> spread(lengths[0]);
                case ALL_TO_ALL_V -> spread(lengths[me]);
            };
        }

        BlockLayout target(int me) {
            boolean mine = me == root;
            return switch (type) {
                case BARRIER, FAN_IN, FAN_OUT -> NONE;
                case REDUCE -> mine ? one() : NONE;
                case BROADCAST, ALL_REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN, SCATTER, REDUCE_SCATTER -> one();
                case SCATTER_V, REDUCE_SCATTER_V -> new BlockLayout.Even(1, lengths[0][me]);
                case GATHER -> mine ? all() : NONE;
                case ALL_GATHER, ALL_TO_ALL -> all();
                case GATHER_V -> mine ? spread(lengths[0]) : NONE;
                case ALL_GATHER_V -> spread(lengths[0]);
                case ALL_TO_ALL_V ->
                    spread(IntStream.range(0, size)
                            .mapToLong(from -> lengths[from][me])
                            .toArray());
            };
        }

        /// Blocks of these lengths: in order, or in an order by chance with gaps between.
        private BlockLayout spread(long[] lengths) {
            if (random.nextInt(3) == 0) {
                return BlockLayout.Listed.dense(lengths);
            }
            List<Integer> order =
                    new ArrayList<>(IntStream.range(0, size).boxed().toList());
            Collections.shuffle(order, Random.from(random));
            long[] offsets = new long[size];
            long end = 0;
            for (int block : order) {
                end += random.nextInt(3) * (long) operation.width();
                offsets[block] = end;
                end += lengths[block];
            }
            return new BlockLayout.Listed(offsets, lengths);
        }
    }
}
