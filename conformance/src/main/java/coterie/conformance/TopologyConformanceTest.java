// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.IntegerView;
import coterie.Reduction;
import coterie.SymmetricMemory;
import coterie.Team;
import coterie.World;
import coterie.collective.Collective;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation.Candidate;
import coterie.collective.Request;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Teams whose members share nodes in all kinds of ways: which algorithms serve them, and that their results are
/// right.
class TopologyConformanceTest {
    private static final int COUNT = 7;

    @SpmdTest(pes = 4)
    @DisplayName("UC-14 on one node there is no hierarchy")
    void oneNode(World world) {
        int[] nodes = {0, 0, 0, 0};
        check(world, nodes, 0, 1, 2, 3);
        check(world, nodes, 3, 0, 2);
    }

    @SpmdTest(pes = 4, nodes = "a:2,b:2")
    @DisplayName("UC-14 two nodes: teams of both, of one, in another order, of unequally many, of one of each, of one")
    void twoNodes(World world) {
        int[] nodes = {0, 0, 1, 1};
        check(world, nodes, 0, 1, 2, 3);
        check(world, nodes, 3, 2, 1, 0);
        check(world, nodes, 0, 2, 1, 3);
        check(world, nodes, 2, 1, 0, 3);
        check(world, nodes, 0, 1, 2);
        check(world, nodes, 3, 0, 2);
        check(world, nodes, 2, 3);
        check(world, nodes, 3, 1);
        check(world, nodes, 2);
    }

    @SpmdTest(pes = 5, nodes = "a:2,b:1,a:1,c:1")
    @DisplayName("UC-14 three nodes of unequally many, whose PEs are not neighbours: teams of all, and of some")
    void threeNodes(World world) {
        int[] nodes = {0, 0, 1, 0, 2};
        check(world, nodes, 0, 1, 2, 3, 4);
        check(world, nodes, 4, 3, 2, 1, 0);
        check(world, nodes, 2, 0, 3, 4);
        check(world, nodes, 4, 2, 0);
        check(world, nodes, 1, 2);
    }

    /// Checks the team of these PEs; `nodes` has that of each PE of the world.
    private static void check(World world, int[] nodes, int... pes) {
        int me = IntStream.range(0, pes.length)
                .filter(i -> pes[i] == world.pe())
                .findFirst()
                .orElse(-1);
        try (SymmetricMemory memory = world.allocate(8L * COUNT * 2 * (nodes.length + 1))) {
            Team team = world.team().splitByColor(me < 0 ? -1 : 0, Math.max(me, 0));
            if (team.isValid()) {
                assertThat(team.pes()).containsExactly(pes);
                new Checked(team, nodes, memory.longs()).check();
            }
            team.close();
        }
    }

    /// A team and what its nodes make of it.
    private static final class Checked {
        private final Team team;
        private final IntegerView longs;
        private final int n;
        private final boolean isLayered;
        private final boolean isEven;

        Checked(Team team, int[] nodes, IntegerView longs) {
            this.team = team;
            this.longs = longs;
            this.n = team.size();
            List<Integer> places =
                    IntStream.of(team.pes()).mapToObj(pe -> nodes[pe]).toList();
            Set<Integer> distinct = new HashSet<>(places);
            this.isLayered = distinct.size() > 1 && distinct.size() < n;
            this.isEven = distinct.stream()
                            .map(node -> places.stream().filter(node::equals).count())
                            .distinct()
                            .count()
                    == 1;
        }

        void check() {
            offers(CollectiveType.BARRIER, 0, "2step", isLayered);
            offers(CollectiveType.ALL_REDUCE, 8L * COUNT, "rab", isLayered);
            offers(CollectiveType.ALL_REDUCE, 8L * COUNT, "split_rail", isLayered && isEven);
            offers(CollectiveType.BROADCAST, 8L * COUNT, "2step", isLayered);
            offers(CollectiveType.REDUCE, 8L * COUNT, "2step", isLayered);
            offers(CollectiveType.ALL_GATHER, 8L * COUNT * n, "gab", isLayered);
            offers(CollectiveType.ALL_TO_ALL, 8L * COUNT * n, "node_split", isLayered);
            allreduce("rab", isLayered);
            allreduce("split_rail", isLayered && isEven);
            for (int root = 0; root < n; root++) {
                rooted(root);
            }
            exchanges();
            team.barrier();
        }

        private void offers(CollectiveType type, long bytes, String algorithm, boolean isThere) {
            List<String> offered = team.explain(type, bytes).candidates().stream()
                    .map(Candidate::toString)
                    .toList();
            assertThat(offered.stream().anyMatch(rung -> rung.startsWith("hier/" + algorithm + " ")))
                    .as("%s/%s among %s of %s", type, algorithm, offered, team.name())
                    .isEqualTo(isThere);
            long mine = offered.hashCode();
            assertThat(team.allReduce(Reduction.MIN, mine))
                    .as("all see the same")
                    .isEqualTo(mine);
            assertThat(team.allReduce(Reduction.MAX, mine))
                    .as("all see the same")
                    .isEqualTo(mine);
        }

        /// Selects the hierarchy if there is one, else the default algorithm.
        private void run(Collective asked, String algorithm, boolean isThere) {
            Collective named = isLayered ? asked.withAlgorithm(algorithm) : asked;
            try (Request request = team.prepare(named)) {
                assertThat(request.algorithm().equals("hier/" + algorithm))
                        .as("%s serves %s of %s", request.algorithm(), asked, team.name())
                        .isEqualTo(isThere);
                request.post();
                request.await();
            }
        }

        private void fill(int blocks) {
            for (int i = 0; i < blocks * COUNT; i++) {
                longs.set(i, value(team.member(), i));
            }
        }

        private static long value(int member, int i) {
            return 1000L * member + (long) i * i;
        }

        private List<Long> got(int from, int count) {
            List<Long> got = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                got.add(longs.get(from + i));
            }
            return got;
        }

        private List<Long> sums() {
            return IntStream.range(0, COUNT)
                    .mapToObj(i -> IntStream.range(0, n)
                            .mapToLong(member -> value(member, i))
                            .sum())
                    .toList();
        }

        private void allreduce(String algorithm, boolean isThere) {
            fill(1);
            run(
                    Collective.allReduce(Reduction.SUM).source(longs, 0, COUNT).target(longs, COUNT, COUNT),
                    algorithm,
                    isThere);
            assertThat(got(COUNT, COUNT)).isEqualTo(sums());
        }

        private void rooted(int root) {
            fill(1);
            boolean isRoot = team.member() == root;
            Collective reduce = Collective.reduce(Reduction.SUM, root).source(longs, 0, COUNT);
            run(isRoot ? reduce.target(longs, COUNT, COUNT) : reduce, "2step", isLayered);
            if (isRoot) {
                assertThat(got(COUNT, COUNT)).isEqualTo(sums());
            }
            run(Collective.broadcast(root).source(longs, 0, COUNT).target(longs, COUNT, COUNT), "2step", isLayered);
            for (int i = 0; i < COUNT; i++) {
                assertThat(longs.get(COUNT + i)).isEqualTo(value(root, i));
            }
        }

        private void exchanges() {
            fill(n);
            int target = n * COUNT;
            run(Collective.allGather().source(longs, 0, COUNT).target(longs, target, target), "gab", isLayered);
            for (int i = 0; i < target; i++) {
                assertThat(longs.get(target + i)).isEqualTo(value(i / COUNT, i % COUNT));
            }
            run(Collective.allToAll().source(longs, 0, target).target(longs, target, target), "node_split", isLayered);
            for (int i = 0; i < target; i++) {
                assertThat(longs.get(target + i)).isEqualTo(value(i / COUNT, team.member() * COUNT + i % COUNT));
            }
            run(Collective.barrier(), "2step", isLayered);
        }
    }
}
