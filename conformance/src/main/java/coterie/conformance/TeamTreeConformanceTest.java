// SPDX-License-Identifier: Apache-2.0
package coterie.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.SymmetricMemory;
import coterie.Team;
import coterie.TeamConfig;
import coterie.World;
import coterie.junit.SpmdTest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;

/// Random trees of teams, splits of splits of every kind, held against a model that knows nothing but lists of
/// PEs.
///
/// All PEs draw the same numbers, so that each knows the whole tree and takes part where it is a member.
class TeamTreeConformanceTest {
    /// For each number of PEs and each mode.
    private static final int TEAMS = 12;

    /// A team of the model, and this PE's handle of it.
    private record Node(List<Integer> pes, Team team) {}

    @SpmdTest(
            pes = {1, 2, 3, 4, 5, 8, 12},
            timeoutSeconds = 600)
    @DisplayName("random trees of teams: queries, translations between all of them, and a sum on each")
    void treesAreAsTheModelSays(World world) {
        try (SymmetricMemory memory = world.allocate(16)) {
            int trees = Rounds.of(4, 1_000);
            for (int seed = 0; seed < trees; seed++) {
                try {
                    check(world, memory, new SplittableRandom(seed));
                } catch (AssertionError e) {
                    throw new AssertionError("seed " + seed, e);
                }
            }
        }
    }

    private static void check(World world, SymmetricMemory memory, SplittableRandom random) {
        List<Node> nodes = new ArrayList<>();
        nodes.add(new Node(IntStream.range(0, world.size()).boxed().toList(), world.team()));
        while (nodes.size() < TEAMS) {
            Node parent = nodes.get(random.nextInt(nodes.size()));
            nodes.addAll(split(world, parent, random));
            if (nodes.size() > 1 && random.nextInt(6) == 0) {
                destroy(nodes, 1 + random.nextInt(nodes.size() - 1));
            }
        }
        for (Node node : nodes) {
            checkQueries(world, node, memory);
            for (Node other : nodes) {
                checkTranslations(node, other);
            }
        }
        while (nodes.size() > 1) {
            destroy(nodes, 1 + random.nextInt(nodes.size() - 1));
        }
    }

    private static void destroy(List<Node> nodes, int index) {
        nodes.remove(index).team.close();
    }

    private static List<Node> split(World world, Node parent, SplittableRandom random) {
        int n = parent.pes.size();
        TeamConfig config = TeamConfig.DEFAULT.withContexts(random.nextInt(3));
        return switch (random.nextInt(4)) {
            case 0 -> {
                int start = random.nextInt(n);
                int stride = random.nextInt(-n, n + 1);
                int most = stride == 0 ? 1 : 1 + (stride > 0 ? (n - 1 - start) / stride : start / -stride);
                int size = 1 + random.nextInt(most);
                List<Integer> pes = IntStream.range(0, size)
                        .mapToObj(i -> parent.pes.get(start + i * stride))
                        .toList();
                yield List.of(new Node(pes, parent.team.splitStrided(start, stride, size, config)));
            }
            case 1 -> {
                int width = 1 + random.nextInt(n + 1);
                int step = Math.min(width, n);
                Team.Axes axes = parent.team.split2D(width, config, TeamConfig.DEFAULT);
                List<Node> both = new ArrayList<>();
                for (int y = 0; y < n; y += step) {
                    both.add(ifMine(world, parent.pes.subList(y, Math.min(n, y + step)), axes.x()));
                }
                for (int x = 0; x < step; x++) {
                    int column = x;
                    both.add(ifMine(
                            world,
                            IntStream.iterate(column, i -> i < n, i -> i + step)
                                    .mapToObj(parent.pes::get)
                                    .toList(),
                            axes.y()));
                }
                yield both;
            }
            case 2 -> {
                int colors = 1 + random.nextInt(3);
                int[] color = random.ints(n, -1, colors).toArray();
                int[] key = random.ints(n, -3, 3).toArray();
                int me = parent.pes.indexOf(world.pe());
                Team mine = parent.team.splitByColor(me < 0 ? 0 : color[me], me < 0 ? 0 : key[me], config);
                yield IntStream.range(0, colors)
                        .mapToObj(each -> IntStream.range(0, n)
                                .filter(i -> color[i] == each)
                                .boxed()
                                .sorted((left, right) -> Integer.compare(key[left], key[right]))
                                .map(parent.pes::get)
                                .toList())
                        .filter(pes -> !pes.isEmpty())
                        .map(pes -> ifMine(world, pes, mine))
                        .toList();
            }
            default -> List.of(new Node(parent.pes, parent.team.duplicate(config)));
        };
    }

    private static Node ifMine(World world, List<Integer> pes, Team team) {
        return new Node(pes, pes.contains(world.pe()) ? team : Team.INVALID);
    }

    private static void checkQueries(World world, Node node, SymmetricMemory memory) {
        int me = node.pes.indexOf(world.pe());
        Team team = node.team;
        assertThat(team.isValid()).isEqualTo(me >= 0);
        assertThat(team.member()).isEqualTo(me);
        if (me < 0) {
            assertThat(team).isSameAs(Team.INVALID);
            return;
        }
        int size = node.pes.size();
        assertThat(team.size()).isEqualTo(size);
        assertThat(Arrays.stream(team.pes()).boxed().toList()).isEqualTo(node.pes);
        long sum = node.pes.stream().mapToLong(pe -> 1L << pe).sum();
        assertThat(team.sum(1L << world.pe())).isEqualTo(sum);
        assertThat(team.sum((double) me)).isEqualTo(size * (size - 1) / 2.0);
        memory.longs().set(0, world.pe());
        team.broadcast(memory.longs(), 1, memory.longs(), 0, 1, size / 2);
        assertThat(memory.longs().get(1)).isEqualTo(node.pes.get(size / 2).longValue());
    }

    private static void checkTranslations(Node from, Node to) {
        for (int member = -1; member <= from.pes.size(); member++) {
            boolean inside = member >= 0 && member < from.pes.size();
            int expected =
                    from.team.isValid() && to.team.isValid() && inside ? to.pes.indexOf(from.pes.get(member)) : -1;
            assertThat(from.team.translate(member, to.team)).isEqualTo(expected);
        }
    }
}
