// SPDX-License-Identifier: Apache-2.0
package coterie.internal.plan;

import static org.assertj.core.api.Assertions.assertThat;

import coterie.collective.CollectiveType;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Messages between nodes are those of the algorithms' documentation.
class BetweenNodesTest {
    static final List<List<Integer>> NODES = List.of(
            List.of(0, 0, 0, 1, 1, 1, 2, 2),
            List.of(0, 0, 0, 1),
            List.of(2, 1, 0, 2, 1, 0, 2, 1, 0),
            List.of(0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3));

    /// Elements; short, so that the algorithms are those for short vectors.
    private static final int COUNT = 24;

    private static final int RADIX = 2;

    private record Message(int from, int to, long bytes) {}

    private static Case tried(CollectiveType type, String algorithm, List<Integer> nodes, int root) {
        PlanOperation operation = Case.REDUCE.contains(type) ? PlanOperation.SUM : PlanOperation.NONE;
        return new Case(type, algorithm, operation, false, nodes.size(), root, RADIX, COUNT, nodes);
    }

    private static List<Message> between(Case tried) {
        List<Plan> plans = tried.run().plans();
        assertThat(plans).as("%s", tried).isNotEmpty();
        List<Message> messages = new ArrayList<>();
        for (int from = 0; from < plans.size(); from++) {
            for (Step step : plans.get(from).steps()) {
                for (Action.Message each : step.messages()) {
                    if (each instanceof Action.Send(int to, ByteSpan data)
                            && !tried.nodes().get(from).equals(tried.nodes().get(to))) {
                        messages.add(new Message(from, to, data.bytes()));
                    }
                }
            }
        }
        return messages;
    }

    private static long bytes(List<Message> messages) {
        return messages.stream().mapToLong(Message::bytes).sum();
    }

    private static Set<Integer> ends(List<Message> messages) {
        Set<Integer> ends = new TreeSet<>();
        messages.forEach(message -> {
            ends.add(message.from);
            ends.add(message.to);
        });
        return ends;
    }

    private static Set<Integer> leaders(List<Integer> nodes) {
        Set<Integer> leaders = new TreeSet<>();
        nodes.forEach(node -> leaders.add(nodes.indexOf(node)));
        return leaders;
    }

    /// The bytes of a collective that the leaders alone have.
    private static long alone(CollectiveType type, String algorithm, int size, int count) {
        return new Case(type, algorithm, PlanOperation.SUM, false, size, 0, RADIX, count)
                .run().cost().orElseThrow().sent().stream()
                        .mapToLong(Long::longValue)
                        .sum();
    }

    @ParameterizedTest
    @FieldSource("NODES")
    @DisplayName("allreduce, rab: the leaders' allreduce")
    void rab(List<Integer> nodes) {
        List<Message> messages = between(tried(CollectiveType.ALL_REDUCE, "rab", nodes, 0));
        Set<Integer> leaders = leaders(nodes);
        assertThat(bytes(messages)).isEqualTo(alone(CollectiveType.ALL_REDUCE, "knomial", leaders.size(), COUNT));
        assertThat(ends(messages)).isEqualTo(leaders);
    }

    @Test
    @DisplayName("allreduce, rab, of a long vector: the leaders have the algorithm of long vectors")
    void longVector() {
        int count = 4096;
        Case tried = new Case(
                CollectiveType.ALL_REDUCE, "rab", PlanOperation.SUM, false, 16, 0, RADIX, count, NODES.getLast());
        assertThat(bytes(between(tried))).isEqualTo(alone(CollectiveType.ALL_REDUCE, "sra", 4, count));
    }

    @Test
    @DisplayName("broadcast's root and alltoall's members begin on their node and between nodes at once")
    void atOnce() {
        List<Integer> nodes = NODES.getFirst();
        Case broadcast = tried(CollectiveType.BROADCAST, "2step", nodes, 4);
        assertThat(begins(broadcast, 4)).containsAnyOf(3, 5).containsAnyOf(0, 6);
        Case alltoall = tried(CollectiveType.ALL_TO_ALL, "node_split", nodes, 0);
        assertThat(begins(alltoall, 4)).contains(3, 5).containsAnyOf(0, 1, 2, 6, 7);
    }

    /// The peers of a member's first step.
    private static Set<Integer> begins(Case tried, int member) {
        Set<Integer> others = new TreeSet<>();
        tried.run().plans().get(member).steps().getFirst().messages().forEach(each -> others.add(each.member()));
        return others;
    }

    @Test
    @DisplayName("allreduce, split_rail: an allreduce of each share by its owners")
    void splitRail() {
        List<Integer> nodes = NODES.getLast();
        List<Message> messages = between(tried(CollectiveType.ALL_REDUCE, "split_rail", nodes, 0));
        assertThat(bytes(messages)).isEqualTo(4 * alone(CollectiveType.ALL_REDUCE, "knomial", 4, COUNT / 4));
        assertThat(messages).allMatch(message -> message.from % 4 == message.to % 4);
        assertThat(ends(messages)).hasSize(nodes.size());
    }

    @ParameterizedTest
    @FieldSource("NODES")
    @DisplayName("broadcast and reduce, 2step: a vector for each node but the root's, whichever member is the root")
    void twoStep(List<Integer> nodes) {
        for (CollectiveType type : List.of(CollectiveType.BROADCAST, CollectiveType.REDUCE)) {
            for (int root = 0; root < nodes.size(); root++) {
                Case tried = tried(type, "2step", nodes, root);
                List<Message> messages = between(tried);
                Set<Integer> heads = leaders(nodes);
                heads.remove(nodes.indexOf(nodes.get(root)));
                heads.add(root);
                assertThat(bytes(messages)).as("%s", tried).isEqualTo((heads.size() - 1) * tried.bytes());
                assertThat(ends(messages)).as("%s", tried).isEqualTo(heads);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("NODES")
    @DisplayName("barrier, 2step: the leaders' barrier")
    void barrier(List<Integer> nodes) {
        List<Message> messages = between(tried(CollectiveType.BARRIER, "2step", nodes, 0));
        int leaders = leaders(nodes).size();
        List<Integer> apart = IntStream.range(0, leaders).boxed().toList();
        List<Plan> alone = new Case(
                        CollectiveType.BARRIER, "knomial", PlanOperation.NONE, false, apart.size(), 0, RADIX, 0)
                .run()
                .plans();
        long sends = alone.stream()
                .flatMap(plan -> plan.steps().stream())
                .flatMap(step -> step.messages().stream())
                .filter(Action.Send.class::isInstance)
                .count();
        assertThat(messages).hasSize((int) sends);
        assertThat(ends(messages)).isEqualTo(leaders(nodes));
    }

    @ParameterizedTest
    @FieldSource("NODES")
    @DisplayName("allgather(v), gab: each node's blocks to each other node's leader")
    void gab(List<Integer> nodes) {
        for (CollectiveType type : List.of(CollectiveType.ALL_GATHER, CollectiveType.ALL_GATHER_V)) {
            Case tried = tried(type, "gab", nodes, 0);
            List<Message> messages = between(tried);
            long all = tried.run().shapes().getFirst().target().total();
            Set<Integer> leaders = leaders(nodes);
            assertThat(bytes(messages)).as("%s", tried).isEqualTo((leaders.size() - 1) * all);
            assertThat(ends(messages)).as("%s", tried).isEqualTo(leaders);
        }
    }

    @ParameterizedTest
    @FieldSource("NODES")
    @DisplayName("alltoall(v), node_split: each block that is for another node, straight")
    void nodeSplit(List<Integer> nodes) {
        for (CollectiveType type : List.of(CollectiveType.ALL_TO_ALL, CollectiveType.ALL_TO_ALL_V)) {
            Case tried = tried(type, "node_split", nodes, 0);
            List<CollectiveShape> shapes = tried.run().shapes();
            List<Message> expected = new ArrayList<>();
            for (int from = 0; from < nodes.size(); from++) {
                for (int to = 0; to < nodes.size(); to++) {
                    if (!nodes.get(from).equals(nodes.get(to))) {
                        expected.add(new Message(
                                from, to, shapes.get(from).source(to).bytes()));
                    }
                }
            }
            assertThat(between(tried)).as("%s", tried).containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
