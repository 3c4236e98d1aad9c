// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.PeSnapshot.Collectives;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Which operations of a residue wait for which.
final class WaitGraph {
    private final Model model;
    private final boolean withLimits;
    private final Set<Node> stuck;
    private final Map<Node, List<Edge>> edges = new HashMap<>();

    /// @param to null if no pending operation does what is missing
    record Edge(Node from, @Nullable Node to, Blocker blocker) {}

    WaitGraph(Model model, List<Node> residue, boolean withLimits) {
        this.model = model;
        this.withLimits = withLimits;
        this.stuck = new HashSet<>(residue);
        for (Node node : residue) {
            edges.put(node, edgesOf(node));
        }
    }

    List<Edge> edges(Node node) {
        return edges.getOrDefault(node, List.of());
    }

    private static Edge edge(Node from, Blocker.Kind kind, Node to, String text) {
        return new Edge(from, to, new Blocker(kind, to.id, text));
    }

    private static Edge nobody(Node from, String text) {
        return new Edge(from, null, new Blocker(Blocker.Kind.NOBODY, "", text));
    }

    private List<Edge> edgesOf(Node node) {
        if (node.before != null && stuck.contains(node.before)) {
            return List.of(edge(node, Blocker.Kind.ORDER, node.before, "comes after " + node.before + " in its lane"));
        }
        List<Edge> made = new ArrayList<>();
        if (withLimits) {
            limits(node, made);
        }
        if (made.isEmpty()) {
            switch (node.action()) {
                case OperationAction.Local _,
                        OperationAction.Update _,
                        OperationAction.Put _,
                        OperationAction.Run _ -> {}
                case OperationAction.Kernel kernel -> kernel(node, kernel, made);
                case Await await -> await.conditions().forEach(each -> await(node, each, made));
                case Meet meet -> meet.members().forEach(member -> meet(node, meet, member, made));
                case OperationAction.After after -> after(node, after, made);
                case OperationAction.Help help -> help.pes().forEach(pe -> help(node, pe, made));
            }
        }
        return made;
    }

    private void limits(Node node, List<Edge> made) {
        for (Node other : Limits.queuedBefore(model, node)) {
            if (stuck.contains(other)) {
                made.add(edge(
                        node,
                        Blocker.Kind.QUEUE,
                        other,
                        "shares queue " + Limits.queueOf(model, node) + " with " + other + ", which is before it"));
                return;
            }
        }
        if (node.operation.slot() == PendingOperation.Slot.NEEDED) {
            for (Node other : Limits.holders(model, node.pe)) {
                if (stuck.contains(other)) {
                    made.add(edge(node, Blocker.Kind.SLOT, other, "needs the slot that " + other + " holds"));
                }
            }
        }
    }

    /// A kernel waits for room for its next block, and for what its threads wait for.
    private void kernel(Node node, OperationAction.Kernel kernel, List<Edge> made) {
        if (withLimits && kernel.blockThreads() > 0) {
            String wanted = "needs " + kernel.blockThreads() + " of the device's "
                    + Limits.of(model, node).threads() + " threads, of which ";
            for (Node other : Limits.kernels(model, node.pe)) {
                if (stuck.contains(other) && other.action() instanceof OperationAction.Kernel holder) {
                    boolean isOwn = other.equals(node);
                    String who = isOwn ? "its own blocks hold " : other + " holds ";
                    String text = wanted + who + holder.heldThreads();
                    made.add(
                            isOwn
                                    ? new Edge(node, null, new Blocker(Blocker.Kind.THREADS, "", text))
                                    : edge(node, Blocker.Kind.THREADS, other, text));
                }
            }
        }
        if (made.isEmpty()) {
            help(node, node.pe, made);
        }
    }

    private void await(Node node, Condition condition, List<Edge> made) {
        if (condition.holds(model.value(condition.word()))) {
            return;
        }
        String wanted = name(node, condition) + ", which is "
                + text(model.value(condition.word()), condition) + ", to be " + condition.comparison() + " "
                + text(condition.operand(), condition);
        boolean isFound = false;
        for (Node producer : model.producers(condition)) {
            if (stuck.contains(producer) && !producer.equals(node)) {
                made.add(edge(node, Blocker.Kind.SIGNAL, producer, "waits for " + wanted + " by " + producer));
                isFound = true;
            }
        }
        if (!isFound && withLimits) {
            for (Node code : stuckCode()) {
                made.add(edge(node, Blocker.Kind.SIGNAL, code, "waits for " + wanted + ", perhaps by code of " + code));
                isFound = true;
            }
        }
        if (!isFound) {
            made.add(nobody(
                    node, "waits for " + wanted + ", and no pending operation changes it" + elsewhere(condition)));
        }
    }

    /// Returns what the word of a condition is: the name, which the first word may have, or its place.
    private static String name(Node node, Condition condition) {
        boolean hasName = node.action() instanceof Await await
                && !await.name().isEmpty()
                && await.conditions().indexOf(condition) == 0;
        return hasName ? ((Await) node.action()).name() + " (" + condition.word() + ")" : condition.where();
    }

    /// Says on which other PE the same word is as wanted: the update may have gone to a wrong one.
    private String elsewhere(Condition condition) {
        for (int pe = 0; pe < model.snapshot().pes().size(); pe++) {
            Word other = new Word(pe, condition.word().offset());
            Long value = model.snapshot().words().get(other);
            if (pe != condition.word().pe() && value != null && condition.holds(value)) {
                return "; on PE " + pe + " it is " + text(value, condition);
            }
        }
        return "";
    }

    /// Returns the operations that would run code of the program and have no turn on their device.
    private List<Node> stuckCode() {
        List<Node> code = new ArrayList<>();
        for (Node node : model.nodes()) {
            boolean isCode = node.action() instanceof OperationAction.Run
                    || (node.action() instanceof OperationAction.Kernel kernel && kernel.blockThreads() > 0);
            if (isCode && stuck.contains(node)) {
                code.add(node);
            }
        }
        return code;
    }

    private static String text(long value, Condition condition) {
        return condition.isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value);
    }

    private void meet(Node node, Meet meet, int member, List<Edge> made) {
        Node arrival = model.arrival(meet, member);
        Collectives theirs = model.collectives(meet, member);
        if (theirs.skipped() > 0 && member != node.pe) {
            made.add(nobody(
                    node,
                    "waits for PE " + member + ", which has skipped " + theirs.skipped()
                            + " of the team's collectives: " + theirs.cause()));
        } else if (arrival == null) {
            if (!model.isOver(meet, member)) {
                PeSnapshot pe = model.snapshot().pes().get(member);
                String why = pe.detail().isEmpty() ? "" : ": " + pe.detail();
                made.add(nobody(node, "waits for PE " + member + ", which has not called it" + why));
            }
        } else if (!arrival.equals(node) && arrival.before != null && stuck.contains(arrival.before)) {
            made.add(edge(
                    node, Blocker.Kind.COLLECTIVE, arrival, "waits for PE " + member + ", which comes in " + arrival));
        }
    }

    private void help(Node node, int pe, List<Edge> made) {
        PeSnapshot other = model.snapshot().pes().get(pe);
        boolean isFound = false;
        for (int lane = 0; lane < other.lanes().size(); lane++) {
            List<Node> nodes = model.lane(pe, lane);
            if (other.lanes().get(lane).kind() == LaneSnapshot.Kind.HOST
                    && !nodes.isEmpty()
                    && stuck.contains(nodes.getLast())
                    && !nodes.getLast().equals(node)
                    && !isEndOf(nodes.getLast(), node)) {
                Node to = nodes.getLast();
                made.add(edge(node, Blocker.Kind.PE, to, "waits for PE " + pe + ", which is in " + to));
                isFound = true;
            }
        }
        if (!isFound && pe != node.pe) {
            String why = other.detail().isEmpty() ? "" : ": " + other.detail();
            made.add(nobody(node, "waits for PE " + pe + why));
        }
    }

    /// Returns whether a thread waits for the lane of an operation, so that the operation does not wait for it.
    private static boolean isEndOf(Node thread, Node node) {
        return thread.pe == node.pe
                && thread.action() instanceof OperationAction.After after
                && after.points().stream().anyMatch(point -> point.lane() == node.lane);
    }

    private void after(Node node, OperationAction.After after, List<Edge> made) {
        for (OperationAction.Point point : after.points()) {
            Node last = model.lastBefore(node.pe, point);
            if (last != null && stuck.contains(last)) {
                made.add(edge(node, Blocker.Kind.EVENT, last, "waits for the end of " + last));
            }
        }
    }

    /// Returns a shortest cycle, as its edges, beginning with a wait that is no order of a lane; empty if there is
    /// none.
    List<Edge> cycle() {
        List<Edge> best = List.of();
        // A cycle is more than the order of a lane, so that one of its links is a wait of another kind.
        List<Node> starts = new ArrayList<>(stuck);
        starts.removeIf(
                each -> edges(each).stream().allMatch(edge -> edge.blocker().kind() == Blocker.Kind.ORDER));
        starts.sort((a, b) -> Integer.compare(a.index, b.index));
        for (Node start : starts) {
            List<Edge> found = cycleFrom(start);
            if (!found.isEmpty() && (best.isEmpty() || found.size() < best.size())) {
                best = found;
            }
        }
        return rotated(best);
    }

    private List<Edge> cycleFrom(Node start) {
        Map<Node, Edge> reached = new HashMap<>();
        Deque<Node> queue = new ArrayDeque<>(List.of(start));
        while (!queue.isEmpty()) {
            Node node = queue.remove();
            for (Edge edge : edges(node)) {
                Node to = edge.to();
                if (to == null || reached.containsKey(to)) {
                    continue;
                }
                reached.put(to, edge);
                if (to.equals(start)) {
                    return path(start, reached);
                }
                queue.add(to);
            }
        }
        return List.of();
    }

    private static List<Edge> path(Node start, Map<Node, Edge> reached) {
        List<Edge> path = new ArrayList<>();
        Node at = start;
        do {
            Edge edge = reached.get(at);
            if (edge == null) {
                return List.of();
            }
            path.add(edge);
            at = edge.from();
        } while (!at.equals(start));
        Collections.reverse(path);
        return path;
    }

    private static List<Edge> rotated(List<Edge> cycle) {
        int first = 0;
        while (first < cycle.size() && cycle.get(first).blocker().kind() == Blocker.Kind.ORDER) {
            first++;
        }
        if (first == cycle.size()) {
            return cycle;
        }
        List<Edge> turned = new ArrayList<>(cycle);
        Collections.rotate(turned, -first);
        return turned;
    }
}
