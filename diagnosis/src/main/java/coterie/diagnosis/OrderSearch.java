// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.LaneSnapshot.Kind;
import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.OperationAction.Update;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs the operations of a small snapshot in all orders.
///
/// A put of anything is taken to store what its receiver waits for.
final class OrderSearch {
    /// Operations of a snapshot beyond which the search finds nothing within its budget: a state has a bit for each,
    /// and its steps look at all.
    private static final int MOST_NODES = 2_000;

    private final Model model;
    private final Device device;
    private final int budget;
    private final Map<Word, Integer> words = new HashMap<>();
    private final List<Word> wordList = new ArrayList<>();
    private final Set<State> seen = new HashSet<>();
    private boolean isComplete;
    private boolean isCut;
    private @Nullable List<Node> deadlock;

    /// What the search has found.
    ///
    /// @param canComplete whether an order completes all
    /// @param deadlock the operations that have started before a deadlock, in order, or null if there is none
    /// @param isCut whether there were more states than the search may look at
    record Result(boolean canComplete, @Nullable List<Node> deadlock, boolean isCut) {}

    /// @param started and `done` operations; `values` of words
    private record State(BitSet started, BitSet done, List<Long> values) {}

    /// What may run at the same time.
    private enum Device {
        /// one operation
        SERIAL,
        /// all streams
        CONCURRENT,
        /// what queues and slots allow
        LIMITED
    }

    private OrderSearch(Model model, Device device, int budget) {
        this.model = model;
        this.device = device;
        this.budget = budget;
        for (Node node : model.nodes()) {
            switch (node.action()) {
                case Update update -> add(update.word());
                case Await await -> await.conditions().forEach(each -> add(each.word()));
                case OperationAction.Local _,
                        OperationAction.Put _,
                        Meet _,
                        OperationAction.After _,
                        OperationAction.Run _,
                        OperationAction.Kernel _,
                        OperationAction.Help _ -> {}
            }
        }
    }

    /// Runs devices that run one operation at a time.
    static Result serial(Model model, int budget) {
        return new OrderSearch(model, Device.SERIAL, budget).run();
    }

    /// Runs devices that run all their streams at the same time.
    static Result concurrent(Model model, int budget) {
        return new OrderSearch(model, Device.CONCURRENT, budget).run();
    }

    /// Runs devices with the queues and slots of the snapshot.
    static Result limited(Model model, int budget) {
        return new OrderSearch(model, Device.LIMITED, budget).run();
    }

    private void add(Word word) {
        if (words.putIfAbsent(word, wordList.size()) == null) {
            wordList.add(word);
        }
    }

    private Result run() {
        List<Long> values = wordList.stream().map(model::value).toList();
        if (model.nodes().size() > MOST_NODES) {
            isCut = true;
        } else {
            search(new State(held(), new BitSet(), values));
        }
        return new Result(isComplete, deadlock, isCut);
    }

    /// Returns the operations that have started and hold slots.
    private BitSet held() {
        BitSet held = new BitSet();
        for (Node node : model.nodes()) {
            held.set(node.index, device == Device.LIMITED && node.operation.slot() == PendingOperation.Slot.HELD);
        }
        return held;
    }

    /// A state on the way that the search follows now: a stack of its own, since a way can be as long as the budget.
    private static final class Visit {
        final State state;

        /// The node that has started on the way to this state, or null.
        final @Nullable Node startedBy;

        int next;
        boolean hasMoved;

        Visit(State state, @Nullable Node startedBy) {
            this.state = state;
            this.startedBy = startedBy;
        }
    }

    private void search(State first) {
        Deque<Visit> way = new ArrayDeque<>();
        enter(way, first, null);
        while (!way.isEmpty() && !isCut && (deadlock == null || !isComplete)) {
            Visit visit = way.getLast();
            if (visit.next < model.nodes().size()) {
                follow(way, visit, model.nodes().get(visit.next++));
            } else {
                leave(way, visit);
            }
        }
    }

    private void follow(Deque<Visit> way, Visit visit, Node node) {
        State state = visit.state;
        boolean isStarted = state.started.get(node.index);
        if (!isStarted && canStart(state, node)) {
            visit.hasMoved = true;
            enter(way, started(state, node), node);
        } else if (isStarted && !state.done.get(node.index) && canEnd(state, node)) {
            visit.hasMoved = true;
            enter(way, ended(state, node, state.values), null);
        }
    }

    private void enter(Deque<Visit> way, State state, @Nullable Node startedBy) {
        if (seen.add(state)) {
            isCut = seen.size() > budget;
            way.add(new Visit(state, startedBy));
        }
    }

    private void leave(Deque<Visit> way, Visit visit) {
        if (!visit.hasMoved) {
            if (visit.state.done.cardinality() == model.nodes().size()) {
                isComplete = true;
            } else if (deadlock == null) {
                deadlock = way.stream()
                        .map(each -> each.startedBy)
                        .filter(Objects::nonNull)
                        .toList();
            }
        }
        way.removeLast();
    }

    private boolean canStart(State state, Node node) {
        if (node.before != null && !state.done.get(node.before.index)) {
            return false;
        }
        if (device == Device.LIMITED && !hasTurn(state, node)) {
            return false;
        }
        if (device == Device.SERIAL && isDevice(node)) {
            if (node.action() instanceof OperationAction.After after && !isOver(state, node, after)) {
                return false; // a device does not start it before
            }
            for (Node other : model.nodes()) {
                boolean isRunning = state.started.get(other.index) && !state.done.get(other.index);
                if (isRunning && other.pe == node.pe && isDevice(other)) {
                    return false;
                }
            }
        }
        return true;
    }

    /// Returns whether the queue of an operation has come to it, and a slot is free.
    private boolean hasTurn(State state, Node node) {
        for (Node other : Limits.queuedBefore(model, node)) {
            boolean letsPass = Limits.of(model, node).order() == QueueLimits.Order.DISPATCH
                    && state.started.get(other.index)
                    && !(other.action() instanceof OperationAction.After);
            if (!letsPass && !state.done.get(other.index)) {
                return false;
            }
        }
        int slots = Limits.of(model, node).slots();
        if (slots == 0 || node.operation.slot() == PendingOperation.Slot.NONE) {
            return true;
        }
        int taken = 0;
        for (Node other : model.nodes()) {
            boolean isRunning = state.started.get(other.index) && !state.done.get(other.index);
            taken += isRunning && other.pe == node.pe && other.operation.slot() != PendingOperation.Slot.NONE ? 1 : 0;
        }
        return taken < slots;
    }

    private boolean isDevice(Node node) {
        return model.laneOf(node).kind() == Kind.DEVICE;
    }

    private State started(State state, Node node) {
        BitSet started = (BitSet) state.started.clone();
        started.set(node.index);
        State next = new State(started, state.done, state.values);
        return switch (node.action()) {
            case OperationAction.Local _, OperationAction.Help _, OperationAction.Run _, OperationAction.Kernel _ ->
                ended(next, node, state.values);
            case OperationAction.Put put -> ended(next, node, written(state.values, put));
            case Update update -> ended(next, node, updated(state.values, update));
            case Await _, Meet _, OperationAction.After _ -> next;
        };
    }

    private static State ended(State state, Node node, List<Long> values) {
        BitSet done = (BitSet) state.done.clone();
        done.set(node.index);
        return new State(state.started, done, values);
    }

    private List<Long> updated(List<Long> values, Update update) {
        Long[] next = values.toArray(Long[]::new);
        int word = words.getOrDefault(update.word(), 0);
        next[word] = update.isAdd() ? next[word] + update.value() : update.value();
        return Arrays.asList(next);
    }

    private List<Long> written(List<Long> values, OperationAction.Put put) {
        Long[] next = values.toArray(Long[]::new);
        for (Node node : model.nodes()) {
            if (node.action() instanceof Await await) {
                for (Condition condition : await.conditions()) {
                    if (put.covers(condition)) {
                        next[words.getOrDefault(condition.word(), 0)] = satisfying(condition);
                    }
                }
            }
        }
        return Arrays.asList(next);
    }

    private static long satisfying(Condition condition) {
        for (long delta = -1; delta <= 1; delta++) {
            if (condition.holds(condition.operand() + delta)) {
                return condition.operand() + delta;
            }
        }
        return condition.operand();
    }

    private boolean canEnd(State state, Node node) {
        return switch (node.action()) {
            case OperationAction.Local _,
                    OperationAction.Put _,
                    Update _,
                    OperationAction.Help _,
                    OperationAction.Run _,
                    OperationAction.Kernel _ -> true;
            case Await await -> {
                int held = 0;
                for (Condition condition : await.conditions()) {
                    held += condition.holds(state.values.get(words.getOrDefault(condition.word(), 0))) ? 1 : 0;
                }
                yield held >= await.needed();
            }
            case Meet meet ->
                meet.members().stream().allMatch(member -> {
                    Node arrival = model.arrival(meet, member);
                    return arrival == null ? model.isOver(meet, member) : state.started.get(arrival.index);
                });
            case OperationAction.After after -> isOver(state, node, after);
        };
    }

    private boolean isOver(State state, Node node, OperationAction.After after) {
        return after.points().stream().allMatch(point -> {
            Node last = model.lastBefore(node.pe, point);
            return last == null || state.done.get(last.index);
        });
    }
}
