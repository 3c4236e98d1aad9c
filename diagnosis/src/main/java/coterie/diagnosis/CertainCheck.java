// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.LaneSnapshot.Agent;
import coterie.diagnosis.LaneSnapshot.Kind;
import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.OperationAction.Point;
import coterie.diagnosis.PeSnapshot.Collectives;
import coterie.diagnosis.PeSnapshot.Status;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Completes operations as far as any schedule could, and has what is left: the operations that no schedule
/// completes.
///
/// It is greedy: an operation that is complete never keeps another one from completing, since what an update may
/// do to a word is taken at its best.
final class CertainCheck {
    /// What code outside the operations is taken to do.
    enum Helpers {
        /// nothing
        NONE,
        /// anything, if it does not poll
        ACTIVE,
        /// anything that needs no deadline
        UNTIMED,
        /// anything
        ALL,
        /// anything, also that of PEs that are over
        DEAD
    }

    private final Model model;
    private final Helpers helpers;
    private final boolean withLimits;
    private final Set<Node> unordered;
    private final BitSet ready = new BitSet();
    private final BitSet done = new BitSet();

    private CertainCheck(Model model, Helpers helpers, boolean withLimits, Set<Node> unordered) {
        this.model = model;
        this.helpers = helpers;
        this.withLimits = withLimits;
        this.unordered = unordered;
    }

    /// Returns the operations that are left, with no limits of queues and slots.
    static List<Node> residue(Model model, Helpers helpers) {
        return new CertainCheck(model, helpers, false, Set.of()).run();
    }

    /// Returns the operations that are left on devices with their limits.
    static List<Node> limitedResidue(Model model, Helpers helpers) {
        return new CertainCheck(model, helpers, true, Set.of()).run();
    }

    /// Returns the operations that would be left if some of them did not come after the ones before in their
    /// lanes.
    static List<Node> residueWithout(Model model, Helpers helpers, Set<Node> unordered) {
        return new CertainCheck(model, helpers, false, unordered).run();
    }

    private List<Node> run() {
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Node node : model.nodes()) {
                if (!ready.get(node.index) && isReady(node)) {
                    ready.set(node.index);
                    moved = true;
                }
                if (ready.get(node.index) && !done.get(node.index) && isMet(node)) {
                    done.set(node.index);
                    moved = true;
                }
            }
        }
        List<Node> left = new ArrayList<>();
        for (Node node : model.nodes()) {
            if (!done.get(node.index)) {
                left.add(node);
            }
        }
        return left;
    }

    private boolean isReady(Node node) {
        Node before = node.before;
        boolean isNext = before == null || done.get(before.index) || unordered.contains(node);
        return isNext && (!withLimits || (hasQueue(node) && hasSlot(node)));
    }

    private boolean hasQueue(Node node) {
        return Limits.queuedBefore(model, node).stream()
                .allMatch(other -> switch (Limits.of(model, node).order()) {
                    case COMPLETION -> done.get(other.index);
                    case DISPATCH -> ready.get(other.index);
                });
    }

    private boolean hasSlot(Node node) {
        if (node.operation.slot() != PendingOperation.Slot.NEEDED
                || Limits.of(model, node).slots() == 0) {
            return true;
        }
        long held = Limits.holders(model, node.pe).stream()
                .filter(other -> !done.get(other.index))
                .count();
        return held < Limits.of(model, node).slots();
    }

    /// Returns whether an operation runs code of the program now, or could.
    private boolean acts(Node node) {
        return ready.get(node.index)
                && switch (node.action()) {
                    case OperationAction.Run run -> helpers != Helpers.ACTIVE || !run.isPolling();
                    case OperationAction.Kernel kernel -> kernel.blockThreads() > 0 && hasRoom(node, kernel);
                    default -> false;
                };
    }

    /// Returns whether the device has room for a block more.
    private boolean hasRoom(Node node, OperationAction.Kernel kernel) {
        int all = Limits.of(model, node).threads();
        if (!withLimits || all == 0) {
            return true;
        }
        int held = 0;
        for (Node other : Limits.kernels(model, node.pe)) {
            if (!done.get(other.index) && other.action() instanceof OperationAction.Kernel holder) {
                held += holder.heldThreads();
            }
        }
        return held + kernel.blockThreads() <= all;
    }

    /// Returns whether an operation may go on by itself: at its deadline, since what it waits for may have come already
    /// and
    /// its PE has not looked, or since its lane has just moved.
    private boolean mayGoOn(Node node) {
        return switch (helpers) {
            case NONE -> false;
            case UNTIMED -> isUnknown(node);
            case ACTIVE, ALL, DEAD -> node.operation.hasDeadline() || isUnknown(node);
        };
    }

    private boolean isUnknown(Node node) {
        return !model.laneOf(node).isSteady()
                || model.snapshot().pes().get(node.pe).status() == Status.UNREAD;
    }

    private boolean isMet(Node node) {
        return mayGoOn(node)
                || switch (node.action()) {
                    case OperationAction.Local _,
                            OperationAction.Update _,
                            OperationAction.Put _,
                            OperationAction.Run _ -> true;
                    case OperationAction.Kernel _ -> acts(node) || canHelp(node.pe);
                    case OperationAction.Help help -> help.pes().stream().anyMatch(this::canHelp);
                    case Await await -> isMet(await);
                    case Meet meet -> {
                        for (int member : meet.members()) {
                            if (!hasCome(node, meet, member)) {
                                yield false;
                            }
                        }
                        yield true;
                    }
                    case OperationAction.After after -> {
                        for (Point point : after.points()) {
                            Node last = model.lastBefore(node.pe, point);
                            if (last != null && !done.get(last.index)) {
                                yield false;
                            }
                        }
                        yield true;
                    }
                };
    }

    private boolean hasCome(Node node, Meet meet, int member) {
        if (model.isShifted(meet)) {
            return node.pe == member || mayHaveCome(node, meet, member);
        }
        Node arrival = model.arrival(meet, member);
        return arrival == null ? model.isOver(meet, member) || canHelp(member) : ready.get(arrival.index);
    }

    /// Members have skipped collectives, so that any collective of this team may match which is next in its lane, or
    /// over.
    private boolean mayHaveCome(Node node, Meet meet, int member) {
        List<Node> pending = model.arrivals(meet, member);
        Collectives theirs = model.collectives(meet, member);
        long least = meet.sequence() - model.collectives(meet, node.pe).skipped();
        return theirs.called() - theirs.skipped() - pending.size() > least
                || pending.stream().anyMatch(each -> ready.get(each.index))
                || canHelp(member);
    }

    private boolean isMet(Await await) {
        int held = 0;
        for (Condition condition : await.conditions()) {
            held += mayHold(condition, await.senders()) ? 1 : 0;
        }
        return held >= await.needed();
    }

    private boolean mayHold(Condition condition, List<Integer> senders) {
        for (int pe = 0; pe < model.snapshot().pes().size(); pe++) {
            if ((senders.isEmpty() || senders.contains(pe)) && canHelp(pe)) {
                return true;
            }
        }
        List<Node> happened = model.producers(condition);
        happened.removeIf(each -> !done.get(each.index));
        return WordRange.mayHold(condition, model.value(condition.word()), happened);
    }

    /// Returns whether code of a PE outside the operations may do what an operation waits for.
    private boolean canHelp(int pe) {
        return helpers != Helpers.NONE && helper(pe) != null;
    }

    /// Returns what may help, for people, or null.
    private @Nullable String helper(int number) {
        PeSnapshot pe = model.snapshot().pes().get(number);
        if (pe.status() == Status.ENDED || pe.status() == Status.FAILED) {
            return helpers == Helpers.DEAD ? pe.detail() : null;
        }
        if (pe.status() == Status.UNREAD) {
            return pe.detail();
        }
        for (int i = 0; i < pe.lanes().size(); i++) {
            LaneSnapshot lane = pe.lanes().get(i);
            boolean isAgent = lane.agent() == Agent.ACTIVE
                    || (lane.agent() == Agent.POLLING && helpers != Helpers.ACTIVE)
                    || (lane.kind() == Kind.HOST && hasReturned(number, i))
                    || lane.isOverflowed();
            if (isAgent) {
                return lane.name();
            }
        }
        for (Node each : model.runs(number)) {
            if (acts(each)) {
                return each.id;
            }
        }
        return null;
    }

    /// Returns whether a host that waits now goes on later.
    private boolean hasReturned(int pe, int lane) {
        List<Node> nodes = model.lane(pe, lane);
        return !nodes.isEmpty() && done.get(nodes.getLast().index);
    }
}
