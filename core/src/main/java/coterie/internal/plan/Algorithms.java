// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static coterie.internal.plan.Algorithm.always;
import static coterie.internal.plan.Algorithm.unless;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.ScoreTable;
import coterie.internal.score.SelectableAlgorithm;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/// The algorithms of component `p2p`, and the default ranges of sizes of each. Tuning strings can change the
/// ranges.
///
/// The ranges are those of UCC's transport layer `ucp`, whose authors have measured them on many machines. Each
/// range lists all algorithms of the collective: after the preferred algorithm come its fallbacks, first those for
/// similar sizes. At least one of them serves any call.
public final class Algorithms {
    /// The component's name in tuning strings.
    public static final String COMPONENT = "p2p";

    /// The score of UCC's transport layer `ucp`: lower than that of any layer that knows more of the machine.
    public static final int SCORE = 10;

    private static final long KIB = 1024;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    /// The largest block, in bytes, for which fewer messages are worth more copies: two cache lines.
    private static final long SMALL_BLOCK = 128;

    /// The team size from which a message to each member costs more than additional copies of short blocks.
    private static final int MANY = 64;

    private static final Algorithm RING_REDUCE_SCATTER =
            new DividedBlocks(unless(CollectiveShape::ordered, Ring::reduceScatter));

    private static final Algorithm KNOMIAL_REDUCE_SCATTER = new DividedBlocks(grouping(ScatterReduce::reduceScatter));

    private static final Algorithm SEQUENTIAL_REDUCE_SCATTER =
            new DividedBlocks(oneByOne(SequentialReduce::reduceScatter));

    private static final AlgorithmTable<Algorithm> TABLE = AlgorithmTable.<Algorithm>builder(COMPONENT, SCORE)
            .add(CollectiveType.BARRIER, "dissemination", always(DisseminationBarrier::barrier))
            .add(CollectiveType.BARRIER, "knomial", always(KnomialExchange::allreduce))
            .add(CollectiveType.FAN_IN, "knomial", always(KnomialReduce::reduce))
            .add(CollectiveType.FAN_OUT, "knomial", always(KnomialBroadcast::broadcast))
            .add(CollectiveType.BROADCAST, "knomial", always(KnomialBroadcast::broadcast))
            .add(CollectiveType.BROADCAST, "sag", ScatterAllgatherBroadcast::broadcast)
            .add(CollectiveType.BROADCAST, "dbt", always((plan, shape) -> new DoubleTree(plan, shape).broadcast()))
            .add(CollectiveType.BROADCAST, "linear", always(Linear::fromRoot))
            .add(CollectiveType.ALL_REDUCE, "knomial", grouping(KnomialExchange::allreduce))
            .add(CollectiveType.ALL_REDUCE, "sra", grouping(ScatterReduce::allreduce))
            .add(CollectiveType.ALL_REDUCE, "dbt", grouping((plan, shape) -> new DoubleTree(plan, shape).allreduce()))
            .add(CollectiveType.ALL_REDUCE, "ring", unless(CollectiveShape::ordered, Ring::allreduce))
            .add(CollectiveType.ALL_REDUCE, "sequential", oneByOne(SequentialReduce::allreduce))
            .add(CollectiveType.REDUCE, "knomial", grouping(KnomialReduce::reduce))
            .add(CollectiveType.REDUCE, "dbt", grouping((plan, shape) -> new DoubleTree(plan, shape).reduce()))
            .add(CollectiveType.REDUCE, "srg", grouping(ScatterReduce::reduce))
            .add(CollectiveType.REDUCE, "sequential", oneByOne(SequentialReduce::reduce))
            .add(CollectiveType.ALL_GATHER, "knomial", always(KnomialAllgather::allgather))
            .add(CollectiveType.ALL_GATHER, "ring", always(Ring::allgather))
            .add(
                    CollectiveType.ALL_GATHER,
                    "neighbor",
                    unless(shape -> shape.size() % 2 != 0, NeighbourAllgather::allgather))
            .add(CollectiveType.ALL_GATHER, "bruck", always(BruckAllgather::allgather))
            .add(CollectiveType.ALL_GATHER, "linear", always(Linear::allgather))
            .add(CollectiveType.ALL_GATHER_V, "ring", always(Ring::allgather))
            .add(CollectiveType.ALL_GATHER_V, "knomial", always(KnomialAllgather::allgather))
            .add(CollectiveType.ALL_GATHER_V, "linear", always(Linear::allgather))
            .add(CollectiveType.ALL_TO_ALL, "pairwise", always(PairwiseAlltoall::alltoall))
            .add(CollectiveType.ALL_TO_ALL, "bruck", always(BruckAlltoall::alltoall))
            .add(CollectiveType.ALL_TO_ALL, "linear", always(Linear::alltoall))
            .add(CollectiveType.ALL_TO_ALL_V, "pairwise", always(PairwiseAlltoall::alltoallv))
            .add(CollectiveType.ALL_TO_ALL_V, "hybrid", unless(CollectiveShape::inPlace, HybridAlltoall::alltoallv))
            .add(CollectiveType.ALL_TO_ALL_V, "linear", always(Linear::alltoall))
            .add(CollectiveType.REDUCE_SCATTER, "ring", RING_REDUCE_SCATTER)
            .add(CollectiveType.REDUCE_SCATTER, "knomial", KNOMIAL_REDUCE_SCATTER)
            .add(CollectiveType.REDUCE_SCATTER, "sequential", SEQUENTIAL_REDUCE_SCATTER)
            .add(CollectiveType.REDUCE_SCATTER_V, "ring", RING_REDUCE_SCATTER)
            .add(CollectiveType.REDUCE_SCATTER_V, "knomial", KNOMIAL_REDUCE_SCATTER)
            .add(CollectiveType.REDUCE_SCATTER_V, "sequential", SEQUENTIAL_REDUCE_SCATTER)
            .add(CollectiveType.GATHER, "knomial", always(KnomialGather::gather))
            .add(CollectiveType.GATHER, "linear", always(Linear::gather))
            .add(CollectiveType.GATHER_V, "linear", always(Linear::gather))
            .add(CollectiveType.SCATTER, "knomial", always(KnomialGather::scatter))
            .add(CollectiveType.SCATTER, "linear", always(Linear::fromRoot))
            .add(CollectiveType.SCATTER_V, "linear", always(Linear::fromRoot))
            .add(CollectiveType.INCLUSIVE_SCAN, "linear", grouping(ChainScan::inclusive))
            .add(CollectiveType.INCLUSIVE_SCAN, "dissemination", grouping(DisseminationScan::inclusive))
            .add(CollectiveType.INCLUSIVE_SCAN, "sequential", oneByOne(SequentialReduce::inclusiveScan))
            .add(CollectiveType.EXCLUSIVE_SCAN, "linear", grouping(ChainScan::exclusive))
            .add(CollectiveType.EXCLUSIVE_SCAN, "dissemination", grouping(DisseminationScan::exclusive))
            .add(CollectiveType.EXCLUSIVE_SCAN, "sequential", oneByOne(SequentialReduce::exclusiveScan))
            .build();

    private final ScoreTable.Builder<Algorithm> scores = ScoreTable.builder();

    private Algorithms() {}

    /// Makes an algorithm that reduces the operands of all members at once.
    private static Algorithm oneByOne(BiConsumer<Plan.Builder, CollectiveShape> steps) {
        return unless(shape -> !shape.isSequential(), steps);
    }

    /// Makes an algorithm that reduces members in groups.
    private static Algorithm grouping(BiConsumer<Plan.Builder, CollectiveShape> steps) {
        return unless(CollectiveShape::isSequential, steps);
    }

    /// Returns all algorithms by name; the order of a collective's algorithms gives their numbers.
    public static AlgorithmTable<Algorithm> table() {
        return TABLE;
    }

    /// Returns the default ranges of sizes on a team.
    ///
    /// @param teamSize members, at least 1
    public static ScoreTable<Algorithm> scores(int teamSize) {
        Algorithms table = new Algorithms();
        table.addSynchronizations();
        table.addReductions();
        table.addBroadcasts(teamSize);
        table.addGathers(teamSize);
        table.addAlltoalls(teamSize);
        return table.scores.build();
    }

    private void addSynchronizations() {
        add(CollectiveType.BARRIER, 0, NO_LIMIT, "knomial", "dissemination");
        add(CollectiveType.FAN_IN, 0, NO_LIMIT, "knomial");
        add(CollectiveType.FAN_OUT, 0, NO_LIMIT, "knomial");
    }

    private void addReductions() {
        add(CollectiveType.ALL_REDUCE, 0, 4 * KIB, "knomial", "dbt", "sra", "ring", "sequential");
        add(CollectiveType.ALL_REDUCE, 4 * KIB, NO_LIMIT, "sra", "ring", "dbt", "knomial", "sequential");
        add(CollectiveType.REDUCE, 0, 32 * KIB, "knomial", "dbt", "srg", "sequential");
        add(CollectiveType.REDUCE, 32 * KIB, NO_LIMIT, "srg", "dbt", "knomial", "sequential");
        add(CollectiveType.REDUCE_SCATTER, 0, NO_LIMIT, "ring", "knomial", "sequential");
        add(CollectiveType.REDUCE_SCATTER_V, 0, NO_LIMIT, "ring", "knomial", "sequential");
        add(CollectiveType.INCLUSIVE_SCAN, 0, 32 * KIB, "dissemination", "linear", "sequential");
        add(CollectiveType.INCLUSIVE_SCAN, 32 * KIB, NO_LIMIT, "linear", "dissemination", "sequential");
        add(CollectiveType.EXCLUSIVE_SCAN, 0, 32 * KIB, "dissemination", "linear", "sequential");
        add(CollectiveType.EXCLUSIVE_SCAN, 32 * KIB, NO_LIMIT, "linear", "dissemination", "sequential");
    }

    private void addBroadcasts(int teamSize) {
        long most = teamSize <= 2 ? NO_LIMIT : 32 * KIB;
        add(CollectiveType.BROADCAST, 0, most, "knomial", "linear", "dbt", "sag");
        if (most < NO_LIMIT) {
            add(CollectiveType.BROADCAST, most, NO_LIMIT, "sag", "dbt", "knomial", "linear");
        }
    }

    private void addGathers(int teamSize) {
        add(CollectiveType.ALL_GATHER, 0, 4 * KIB, "knomial", "bruck", "linear", "ring", "neighbor");
        if (teamSize % 2 == 0) {
            add(CollectiveType.ALL_GATHER, 4 * KIB, NO_LIMIT, "neighbor", "ring", "knomial", "bruck", "linear");
        } else {
            add(CollectiveType.ALL_GATHER, 4 * KIB, NO_LIMIT, "ring", "neighbor", "knomial", "bruck", "linear");
        }
        add(CollectiveType.ALL_GATHER_V, 0, 4 * KIB, "knomial", "linear", "ring");
        add(CollectiveType.ALL_GATHER_V, 4 * KIB, NO_LIMIT, "ring", "knomial", "linear");
        add(CollectiveType.GATHER, 0, NO_LIMIT, "knomial", "linear");
        add(CollectiveType.GATHER_V, 0, NO_LIMIT, "linear");
        add(CollectiveType.SCATTER, 0, NO_LIMIT, "knomial", "linear");
        add(CollectiveType.SCATTER_V, 0, NO_LIMIT, "linear");
    }

    private void addAlltoalls(int teamSize) {
        long small = (SMALL_BLOCK + 1) * teamSize;
        add(CollectiveType.ALL_TO_ALL, 0, small, "bruck", "linear", "pairwise");
        add(CollectiveType.ALL_TO_ALL, small, NO_LIMIT, "pairwise", "linear", "bruck");
        if (teamSize < MANY) {
            add(CollectiveType.ALL_TO_ALL_V, 0, NO_LIMIT, "pairwise", "linear", "hybrid");
        } else {
            add(CollectiveType.ALL_TO_ALL_V, 0, NO_LIMIT, "hybrid", "pairwise", "linear");
        }
    }

    private void add(CollectiveType collective, long from, long to, String... names) {
        List<SelectableAlgorithm<Algorithm>> algorithms = new ArrayList<>();
        for (String name : names) {
            algorithms.add(TABLE.algorithm(collective, name));
        }
        scores.add(collective, MemoryType.HOST, from, to, SCORE, algorithms);
    }
}
