// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.Comparison;
import coterie.diagnosis.CertainCheck.Helpers;
import coterie.diagnosis.Diagnosis.Link;
import coterie.diagnosis.LaneSnapshot.Agent;
import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.PeSnapshot.Status;
import coterie.diagnosis.WaitGraph.Edge;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Comes from a snapshot to a verdict, the root cause first: collectives that do not match, PEs that are over, a
/// deadlock, limits of the device, code that could still act, and last what another order would do.
final class Diagnostician {
    /// States that the search for an order looks at: some milliseconds.
    private static final int SEARCH_STATES = 20_000;

    private static final String RUNS = " runs code of the program";
    private static final String POLLS = " polls";

    private static final int MOST_CAUSES = 8;
    private static final int MOST_WAITING = 3;

    /// Swaps that are tried, and operations of all their reductions: some tenths of a second.
    private static final int MOST_SWAPS = 200;

    private static final int MOST_REDUCED = 1_000_000;

    /// Operations of a snapshot that are looked at for another order: the time for it grows with their square.
    private static final int MOST_ORDERED = 2_000;

    private final Snapshot snapshot;
    private final Model model;
    private final Set<String> causes = new LinkedHashSet<>();
    private final Set<String> suggestions = new LinkedHashSet<>();

    /// Suggestions that come after the others.
    private final Set<String> alternatives = new LinkedHashSet<>();

    private List<Diagnosis.Cut> cut = List.of();

    Diagnostician(Snapshot snapshot) {
        this.snapshot = snapshot;
        this.model = new Model(snapshot);
    }

    /// Diagnoses all.
    Diagnosis diagnose() {
        Diagnosis stuck = stuck();
        if (stuck != null) {
            return stuck;
        }
        List<Node> idle = CertainCheck.residue(model, Helpers.NONE);
        if (!idle.isEmpty()) {
            listAgents();
            boolean canAct = CertainCheck.residue(model, Helpers.ACTIVE).isEmpty();
            return result(canAct ? Verdict.STALLED : Verdict.NO_PROGRESS, idle, false, List.of());
        }
        return hazard();
    }

    /// Looks for verdicts of jobs that can't go on, which takes less time; and for jobs that only a deadline lets go
    /// on.
    ///
    /// @param patienceNanos a deadline that is nearer is no news
    Optional<Diagnosis> diagnoseFinal(long patienceNanos) {
        Diagnosis stuck = stuck();
        return Optional.ofNullable(stuck == null ? timed(patienceNanos) : stuck);
    }

    private @Nullable Diagnosis timed(long patienceNanos) {
        List<Node> residue = CertainCheck.residue(model, Helpers.UNTIMED);
        boolean isSoon = residue.stream().anyMatch(each -> each.operation.leftNanos() < patienceNanos);
        if (residue.isEmpty() || isSoon) {
            return null;
        }
        listAgents();
        return result(Verdict.STALLED, residue, false, List.of());
    }

    private @Nullable Diagnosis stuck() {
        MismatchCheck calls = new MismatchCheck(model);
        if (calls.hasDifferent()) {
            note(calls);
            return result(Verdict.MISMATCH, CertainCheck.residue(model, Helpers.NONE), false, List.of());
        }
        List<Node> certain = CertainCheck.residue(model, Helpers.ALL);
        if (!certain.isEmpty()) {
            return certain(certain);
        }
        List<Node> limited = CertainCheck.limitedResidue(model, Helpers.ALL);
        if (!limited.isEmpty()) {
            return result(Verdict.FALSE_DEPENDENCY, limited, true, List.of());
        }
        return null;
    }

    private Diagnosis certain(List<Node> residue) {
        boolean isDead = CertainCheck.residue(model, Helpers.DEAD).size() < residue.size();
        MismatchCheck calls = new MismatchCheck(model);
        if (!isDead && calls.hasMissed(residue)) {
            note(calls);
            return result(Verdict.MISMATCH, residue, false, List.of());
        }
        if (!isDead) {
            AbsentMembers absent = new AbsentMembers(model, residue);
            causes.addAll(absent.causes());
            alternatives.addAll(absent.suggestions());
            suggestSwaps(residue);
            return result(Verdict.DEADLOCK, residue, false, List.of());
        }
        for (PeSnapshot pe : snapshot.pes()) {
            if (pe.status() == Status.FAILED || pe.status() == Status.ENDED) {
                String how = pe.status() == Status.FAILED ? " has failed" : " has ended";
                causes.add("PE " + pe.pe() + how + (pe.detail().isEmpty() ? "" : ": " + pe.detail()));
            }
        }
        suggestions.add("let the living members leave the team: revoke it, and go on with its survivors");
        return result(Verdict.PE_DEAD, residue, false, List.of());
    }

    private void note(MismatchCheck calls) {
        causes.addAll(calls.causes());
        suggestions.addAll(calls.suggestions());
    }

    private void listAgents() {
        for (PeSnapshot pe : snapshot.pes()) {
            if (pe.status() == Status.UNREAD) {
                causes.add("PE " + pe.pe() + " can't be read: " + pe.detail());
            }
            for (LaneSnapshot lane : pe.lanes()) {
                if (lane.agent() != Agent.NONE && causes.size() < MOST_CAUSES) {
                    String does = lane.agent() == Agent.ACTIVE ? RUNS : POLLS;
                    causes.add("\"" + lane.name() + "\" of PE " + pe.pe() + does);
                }
            }
            for (Node node : model.nodes()) {
                if (node.pe == pe.pe() && node.operation.hasDeadline() && causes.size() < MOST_CAUSES) {
                    causes.add(node.described() + ", " + node.operation.label() + ", ends in "
                            + ReportText.seconds(node.operation.leftNanos()) + " at the latest");
                }
            }
            for (Node node : model.runs(pe.pe())) {
                if (node.before == null && causes.size() < MOST_CAUSES) {
                    boolean isPolling = node.action() instanceof OperationAction.Run run && run.isPolling();
                    causes.add(node.described() + ", " + node.operation.label() + "," + (isPolling ? POLLS : RUNS));
                }
            }
        }
    }

    /// Finds operations that would have to come earlier in their lanes, the most useful first: on a cycle, or
    /// anywhere if none there helps.
    private void suggestSwaps(List<Node> residue) {
        Set<Node> earlier = new LinkedHashSet<>();
        List<Node> left = residue;
        while (!left.isEmpty() && earlier.size() < MOST_CAUSES) {
            List<Node> cycle = new WaitGraph(model, left, false)
                    .cycle().stream().map(Edge::from).toList();
            Swap swap = bestSwap(cycle, left, earlier);
            if (swap == null) {
                swap = bestSwap(left, left, earlier);
            }
            if (swap == null) {
                return;
            }
            Node best = swap.node;
            earlier.add(best);
            suggestions.add("enqueue " + best + " (" + best.operation.label() + "), and what comes after it, before "
                    + best.before + " (" + (best.before == null ? "" : best.before.operation.label()) + ")");
            left = swap.left;
        }
        if (left.isEmpty()) {
            cut = needed(earlier);
        }
    }

    /// Leaves out those of a set of swaps without which the others are enough.
    private List<Diagnosis.Cut> needed(Set<Node> swaps) {
        Set<Node> needed = new LinkedHashSet<>(swaps);
        for (Node each : swaps) {
            Set<Node> others = new LinkedHashSet<>(needed);
            others.remove(each);
            if (CertainCheck.residueWithout(model, Helpers.ALL, others).isEmpty()) {
                needed = others;
            }
        }
        return needed.stream()
                .map(each -> new Diagnosis.Cut(each.id, each.before == null ? "" : each.before.id))
                .toList();
    }

    /// An operation that comes earlier, and what is stuck then.
    private record Swap(Node node, List<Node> left) {}

    private @Nullable Swap bestSwap(List<Node> candidates, List<Node> left, Set<Node> earlier) {
        Swap best = null;
        int tried = 0;
        int most = Math.clamp(MOST_REDUCED / model.nodes().size(), 1, MOST_SWAPS);
        Set<Node> stuck = new HashSet<>(left);
        for (Node each : candidates) {
            if (isWait(each.before, stuck) && tried < most) {
                tried++;
                Set<Node> unordered = new LinkedHashSet<>(earlier);
                unordered.add(each);
                List<Node> after = CertainCheck.residueWithout(model, Helpers.ALL, unordered);
                int before = best == null ? left.size() : best.left.size();
                if (after.size() < before || (best != null && after.size() == before && isUpdate(each))) {
                    best = new Swap(each, after);
                }
            }
        }
        return best;
    }

    /// Returns whether an operation waits for more than the one before it.
    private static boolean isWait(@Nullable Node node, Set<Node> stuck) {
        return node != null && stuck.contains(node) && (node.before == null || !stuck.contains(node.before));
    }

    /// Others wait for an update, so people see at once why it should come earlier.
    private static boolean isUpdate(Node node) {
        return node.action() instanceof OperationAction.Update || node.action() instanceof OperationAction.Put;
    }

    private Diagnosis hazard() {
        if (model.nodes().size() > MOST_ORDERED) {
            return result(Verdict.NONE, List.of(), false, List.of());
        }
        List<Node> unsafe = HazardCheck.unsafe(model);
        if (unsafe.isEmpty()) {
            return result(Verdict.NONE, List.of(), false, List.of());
        }
        OrderSearch.Result search = OrderSearch.serial(model, SEARCH_STATES);
        List<Node> deadlock = search.deadlock();
        if (deadlock == null && !search.isCut()) {
            return result(Verdict.NONE, List.of(), false, List.of());
        }
        if (deadlock == null) {
            causes.add("there are too many orders to find one that is a deadlock");
        }
        suggestions.add(
                "order the streams: record an event after the operation that others wait for, and let the stream"
                        + " of the wait wait for the event");
        return result(Verdict.HAZARD, unsafe, false, deadlock == null ? List.of() : ids(deadlock));
    }

    private static List<String> ids(List<Node> nodes) {
        return nodes.stream().map(Node::toString).toList();
    }

    private Diagnosis result(Verdict verdict, List<Node> residue, boolean withLimits, List<String> order) {
        boolean isStuck = verdict != Verdict.HAZARD;
        WaitGraph graph = new WaitGraph(model, isStuck ? residue : List.of(), withLimits);
        List<StuckOperation> stuck = new ArrayList<>();
        List<Node> unmet = new ArrayList<>();
        for (Node node : residue) {
            List<Blocker> blockers =
                    graph.edges(node).stream().map(Edge::blocker).toList();
            stuck.add(new StuckOperation(
                    node.id,
                    node.pe,
                    model.laneOf(node).name(),
                    node.operation.label(),
                    node.operation.site(),
                    node.operation.waitedNanos(),
                    blockers,
                    OperationFields.of(model, node)));
            if (verdict != Verdict.STALLED) {
                suggest(node, blockers);
                if (node.action() instanceof Await
                        && blockers.stream().anyMatch(each -> each.kind() == Blocker.Kind.NOBODY)) {
                    unmet.add(node);
                }
            }
        }
        suggestUpdates(unmet);
        suggestions.addAll(alternatives);
        List<Link> cycle = graph.cycle().stream()
                .map(edge -> new Link(edge.from().id, edge.from().operation.label(), edge.blocker()))
                .toList();
        return new Diagnosis(
                snapshot.job(),
                snapshot.pes().size(),
                snapshot.stalledNanos(),
                verdict,
                List.copyOf(causes),
                stuck,
                cycle,
                cut,
                order,
                List.copyOf(suggestions),
                unknown(),
                Source.of(snapshot));
    }

    /// Says once what to look for where words are not updated.
    private void suggestUpdates(List<Node> unmet) {
        if (unmet.isEmpty()) {
            return;
        }
        String waiting = unmet.stream().map(Node::described).limit(MOST_WAITING).collect(Collectors.joining(", "));
        String wait = unmet.size() > MOST_WAITING ? " and others wait" : unmet.size() == 1 ? " waits" : " wait";
        suggestions.add("send what " + waiting + wait + " for: to this PE and this word, before the sender waits itself"
                + (unmet.stream().anyMatch(Diagnostician::needsOneValue)
                        ? "; if several PEs send, let each add to the word instead of setting it, and wait for GE"
                        : ""));
        unmet.stream()
                .filter(this::isOldReplay)
                .findFirst()
                .ifPresent(node -> suggestions.add("if the graph of " + node + " is launched several times, let it wait"
                        + " for a larger value each time: call advancing on it"));
    }

    /// Returns whether an operation of a launched graph, which has a lane of its own, waits for a value that the word
    /// has passed.
    private boolean isOldReplay(Node node) {
        return model.laneOf(node).name().matches(".*\\.graph(~\\d+)?")
                && node.action() instanceof OperationAction.Await await
                && await.conditions().stream()
                        .anyMatch(each ->
                                each.comparison() == Comparison.EQ && model.value(each.word()) > each.operand());
    }

    /// Returns whether an operation waits for one value of a word of the program, which a later update may overwrite.
    private static boolean needsOneValue(Node node) {
        return node.action() instanceof Await await
                && await.name().isEmpty()
                && await.conditions().stream().anyMatch(each -> each.comparison() == Comparison.EQ);
    }

    private void suggest(Node node, List<Blocker> blockers) {
        for (Blocker blocker : blockers) {
            switch (blocker.kind()) {
                case QUEUE -> {
                    causes.add(node + " " + blocker.text());
                    suggestions.add(
                            "let the stream of " + blocker.operation() + " wait for an event after what it waits"
                                    + " for, or ask for more queues, which not each device has");
                }
                case SLOT -> {
                    causes.add(node + " " + blocker.text());
                    suggestions.add("wait in the stream and not in a kernel, or let the stream of "
                            + blocker.operation() + " wait for an event after what it waits for");
                }
                case THREADS -> {
                    causes.add(node + " " + blocker.text());
                    suggestions.add(
                            blocker.operation().isEmpty()
                                    ? "launch the kernel of " + node + " with collectiveLaunch, for which all blocks"
                                            + " fit the device, if its blocks wait for each other"
                                    : "let the stream of " + blocker.operation() + " wait for an event after " + node
                                            + ", or wait in the stream and not in a kernel");
                }
                case ORDER, EVENT, COLLECTIVE, SIGNAL, PE, NOBODY -> {}
            }
        }
    }

    private List<String> unknown() {
        List<String> unknown = new ArrayList<>();
        if (model.nodes().size() > MOST_ORDERED) {
            unknown.add("whether another order of the device is a deadlock: more than " + MOST_ORDERED
                    + " operations are pending");
        }
        for (PeSnapshot pe : snapshot.pes()) {
            if (pe.status() == Status.UNREAD) {
                unknown.add("what PE " + pe.pe() + " does (" + pe.detail() + ")");
            }
            for (LaneSnapshot lane : pe.lanes()) {
                if (lane.isOverflowed() && lane.completed() + lane.pending().size() == 0) {
                    unknown.add("the operations of \"" + lane.name() + "\" of PE " + pe.pe());
                } else if (lane.isOverflowed()) {
                    unknown.add("the operations of \"" + lane.name() + "\" of PE " + pe.pe() + " after "
                            + (lane.completed() + lane.pending().size()));
                }
            }
        }
        return unknown;
    }
}
