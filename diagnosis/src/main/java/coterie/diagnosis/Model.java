// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.OperationAction.Point;
import coterie.diagnosis.PeSnapshot.Collectives;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The pending operations of a snapshot as nodes of one graph.
final class Model {
    private final Snapshot snapshot;
    private final List<List<List<Node>>> lanes = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final Map<Arrival, Node> arrivals = new HashMap<>();
    private final List<List<Node>> runs = new ArrayList<>();

    /// By the 8 bytes in which the word lies.
    private final Map<Word, List<Node>> updates = new HashMap<>();

    private final Map<Integer, List<Node>> writes = new HashMap<>();

    /// An operation.
    static final class Node {
        final int index;
        final int pe;
        final int lane;
        final String id;
        final PendingOperation operation;

        /// The one before in its lane that is not over.
        final @Nullable Node before;

        Node(int index, int pe, int lane, String id, PendingOperation operation, @Nullable Node before) {
            this.index = index;
            this.pe = pe;
            this.lane = lane;
            this.id = id;
            this.operation = operation;
            this.before = before;
        }

        OperationAction action() {
            return operation.action();
        }

        /// Returns its id, and where the program has called it.
        String described() {
            return id + (operation.site().isEmpty() ? "" : " at " + operation.site());
        }

        @Override
        public String toString() {
            return id;
        }
    }

    /// Teams of which a PE has skipped a collective.
    private final Set<String> shifted = new HashSet<>();

    private record Arrival(String team, long sequence, int pe) {}

    Model(Snapshot snapshot) {
        this.snapshot = snapshot;
        for (PeSnapshot pe : snapshot.pes()) {
            pe.collectives().forEach((team, each) -> {
                if (each.skipped() > 0) {
                    shifted.add(team);
                }
            });
            List<List<Node>> mine = new ArrayList<>();
            runs.add(new ArrayList<>());
            for (int lane = 0; lane < pe.lanes().size(); lane++) {
                mine.add(nodesOf(pe, lane));
            }
            lanes.add(mine);
        }
    }

    private List<Node> nodesOf(PeSnapshot pe, int number) {
        LaneSnapshot lane = pe.lanes().get(number);
        List<Node> made = new ArrayList<>();
        Node before = null;
        for (PendingOperation operation : lane.pending()) {
            String id = "P" + pe.pe() + "." + lane.name() + "#" + (lane.completed() + made.size());
            Node node = new Node(nodes.size(), pe.pe(), number, id, operation, before);
            made.add(node);
            nodes.add(node);
            note(node);
            before = node;
        }
        return made;
    }

    private void note(Node node) {
        switch (node.action()) {
            case Meet meet -> {
                arrivals.putIfAbsent(new Arrival(meet.team(), meet.sequence(), node.pe), node);
                if (meet.hasData()) {
                    writes.computeIfAbsent(node.pe, _ -> new ArrayList<>()).add(node);
                }
            }
            case OperationAction.Update update ->
                updates.computeIfAbsent(cell(update.word()), _ -> new ArrayList<>())
                        .add(node);
            case OperationAction.Put put ->
                writes.computeIfAbsent(put.pe(), _ -> new ArrayList<>()).add(node);
            case OperationAction.Local _, OperationAction.Await _, OperationAction.After _, OperationAction.Help _ -> {}
            case OperationAction.Run _, OperationAction.Kernel _ ->
                runs.get(node.pe).add(node);
        }
    }

    Snapshot snapshot() {
        return snapshot;
    }

    List<Node> nodes() {
        return nodes;
    }

    List<Node> lane(int pe, int lane) {
        return lanes.get(pe).get(lane);
    }

    /// Returns the pending operations of a PE that run code of the program, or would.
    List<Node> runs(int pe) {
        return runs.get(pe);
    }

    LaneSnapshot laneOf(Node node) {
        return snapshot.pes().get(node.pe).lanes().get(node.lane);
    }

    /// Returns the node by which a member comes to a collective, or null if it is not among the pending ones.
    @Nullable
    Node arrival(Meet meet, int pe) {
        return arrivals.get(new Arrival(meet.team(), meet.sequence(), pe));
    }

    /// Returns whether a collective is over on a member.
    boolean isOver(Meet meet, int pe) {
        return collectives(meet, pe).called() > meet.sequence();
    }

    /// Returns the collectives of a team that the lanes of a PE have got.
    Collectives collectives(Meet meet, int pe) {
        return snapshot.pes().get(pe).collectives().getOrDefault(meet.team(), Collectives.NONE);
    }

    /// Returns whether a member has skipped a collective of the team. Then the numbers of its later ones are not
    /// those by which members match.
    boolean isShifted(Meet meet) {
        return shifted.contains(meet.team());
    }

    /// Returns all pending collectives of the team on a PE.
    List<Node> arrivals(Meet meet, int pe) {
        List<Node> all = new ArrayList<>();
        arrivals.forEach((arrival, node) -> {
            if (arrival.pe() == pe && arrival.team().equals(meet.team())) {
                all.add(node);
            }
        });
        return all;
    }

    /// Returns the last operation before a place, or null if all are over.
    @Nullable
    Node lastBefore(int pe, Point point) {
        LaneSnapshot lane = snapshot.pes().get(pe).lanes().get(point.lane());
        long pending =
                Math.min(point.position() - lane.completed(), lane.pending().size());
        return pending <= 0 ? null : lane(pe, point.lane()).get((int) pending - 1);
    }

    private static Word cell(Word word) {
        return new Word(word.pe(), word.offset() & -Long.BYTES);
    }

    /// Returns the pending operations that change the word of a condition, or may.
    List<Node> producers(OperationAction.Condition condition) {
        List<Node> all = new ArrayList<>(updates.getOrDefault(cell(condition.word()), List.of()));
        all.removeIf(each -> each.action() instanceof OperationAction.Update update && !update.overlaps(condition));
        for (Node each : writes.getOrDefault(condition.word().pe(), List.of())) {
            if (!(each.action() instanceof OperationAction.Put put) || put.covers(condition)) {
                all.add(each);
            }
        }
        return all;
    }

    /// Returns a word's value; 0 if it is not known.
    long value(Word word) {
        return snapshot.words().getOrDefault(word, 0L);
    }
}
