// SPDX-License-Identifier: Apache-2.0
package coterie.internal.hier;

import coterie.collective.CollectiveType;
import coterie.collective.MemoryType;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.Plan;
import coterie.internal.score.AlgorithmTable;
import coterie.internal.score.ScoreTable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// The algorithms of component `hier`, and which of them serves which sizes unless a person wants another.
///
/// | collective | algorithm | by default | sizes |
/// |---|---|---|---|
/// | barrier | `2step` | yes | |
/// | bcast | `2step` | yes | up to 4 KiB |
/// | reduce | `2step` | yes | up to 4 KiB |
/// | allreduce | `rab` | yes | up to 4 KiB |
/// | allreduce | `split_rail` | if asked for | all |
/// | allgatherv | `gab` | yes | up to 8 MiB |
/// | allgather | `gab` | if asked for | up to 8 MiB |
/// | alltoall(v) | `node_split` | if asked for | all |
///
/// The ranges are those of UCC's component for hierarchies. What is there only if asked for has a score below that
/// of all components that serve whole teams. All algorithms decline on a team whose members are on one node, or
/// each on its own: there is no hierarchy.
public final class Hierarchy {
    /// Its name in tuning strings.
    public static final String COMPONENT = "hier";

    /// That of UCC's component for hierarchies: above all that knows less of the machine.
    public static final int SCORE = 50;

    /// Below that of any component that serves without being asked for.
    public static final int MANUAL_SCORE = 1;

    private static final long KIB = 1024;
    private static final long MIB = 1024 * KIB;
    private static final long NO_LIMIT = Long.MAX_VALUE;

    /// All algorithms by name, for a team.
    ///
    /// @param planner chooses what serves the groups
    public static AlgorithmTable<Algorithm> table(NodeTopology topology, GroupPlanner planner) {
        Function<Function<PlanAssembler, Optional<Plan>>, Algorithm> on =
                maker -> new GroupedAlgorithm(topology, maker, planner);
        long rails = topology.hasNet() ? NO_LIMIT : 0;
        return AlgorithmTable.<Algorithm>builder(COMPONENT, SCORE)
                .add(CollectiveType.BARRIER, "2step", on.apply(TwoStep::barrier))
                .add(CollectiveType.BROADCAST, "2step", on.apply(TwoStep::broadcast))
                .add(CollectiveType.ALL_REDUCE, "rab", on.apply(LeadersAllreduce::allreduce))
                .add(CollectiveType.ALL_REDUCE, "split_rail", rails, on.apply(SplitRail::allreduce))
                .add(CollectiveType.REDUCE, "2step", on.apply(TwoStep::reduce))
                .add(CollectiveType.ALL_GATHER, "gab", on.apply(NodeAllgather::allgather))
                .add(CollectiveType.ALL_GATHER_V, "gab", on.apply(NodeAllgather::allgather))
                .add(CollectiveType.ALL_TO_ALL, "node_split", on.apply(NodeSplit::alltoall))
                .add(CollectiveType.ALL_TO_ALL_V, "node_split", on.apply(NodeSplit::alltoall))
                .build();
    }

    /// Returns which algorithm serves which sizes on a team; none where there is no hierarchy.
    ///
    /// @param planner chooses what serves the groups
    public static ScoreTable<Algorithm> scores(NodeTopology topology, GroupPlanner planner) {
        if (!topology.isHierarchical()) {
            return ScoreTable.empty();
        }
        AlgorithmTable<Algorithm> table = table(topology, planner);
        ScoreTable.Builder<Algorithm> served = ScoreTable.builder();
        add(served, table, CollectiveType.BARRIER, NO_LIMIT, SCORE, "2step");
        add(served, table, CollectiveType.BROADCAST, 4 * KIB, SCORE, "2step");
        add(served, table, CollectiveType.REDUCE, 4 * KIB, SCORE, "2step");
        add(served, table, CollectiveType.ALL_REDUCE, 4 * KIB, SCORE, "rab");
        add(served, table, CollectiveType.ALL_GATHER_V, 8 * MIB, SCORE, "gab");
        ScoreTable.Builder<Algorithm> manual = ScoreTable.builder();
        add(manual, table, CollectiveType.ALL_GATHER, 8 * MIB, MANUAL_SCORE, "gab");
        add(manual, table, CollectiveType.ALL_TO_ALL, NO_LIMIT, MANUAL_SCORE, "node_split");
        add(manual, table, CollectiveType.ALL_TO_ALL_V, NO_LIMIT, MANUAL_SCORE, "node_split");
        if (topology.hasNet()) {
            add(manual, table, CollectiveType.ALL_REDUCE, NO_LIMIT, MANUAL_SCORE, "split_rail");
        }
        return served.build().merge(manual.build());
    }

    private static void add(
            ScoreTable.Builder<Algorithm> scores,
            AlgorithmTable<Algorithm> table,
            CollectiveType collective,
            long to,
            int score,
            String name) {
        scores.add(collective, MemoryType.HOST, 0, to, score, List.of(table.algorithm(collective, name)));
    }

    private Hierarchy() {}
}
