// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.LaneSnapshot.Kind;
import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Await;
import coterie.diagnosis.OperationAction.Condition;
import coterie.diagnosis.OperationAction.Meet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Finds operations that some legal order of their devices can't complete: a device may run the operations of its
/// streams one after the other, in any order that streams and events allow.
///
/// A wait is safe if enough of what it waits for is sure to happen. An operation is sure to happen if all waits
/// that its device might run before it are safe. The waits that are not safe in the least solution are the
/// hazard: in a deadlock each device that can't go on is at a wait, and none of these can be the first to be safe.
///
/// The check misses no order. It may name waits for which there is none; [OrderSearch] finds out.
final class HazardCheck {
    private final Model model;

    /// For each node, those of its PE that are before it in each order.
    private final BitSet[] before;

    private final BitSet safe = new BitSet();

    private HazardCheck(Model model) {
        this.model = model;
        this.before = new BitSet[model.nodes().size()];
    }

    /// Returns the waits that are not safe.
    static List<Node> unsafe(Model model) {
        return new HazardCheck(model).run();
    }

    private List<Node> run() {
        for (Node node : model.nodes()) {
            before(node);
        }
        boolean moved = true;
        while (moved) {
            moved = false;
            for (Node node : model.nodes()) {
                if (!safe.get(node.index) && isSafe(node)) {
                    safe.set(node.index);
                    moved = true;
                }
            }
        }
        List<Node> unsafe = new ArrayList<>();
        for (Node node : model.nodes()) {
            if (!safe.get(node.index)) {
                unsafe.add(node);
            }
        }
        return unsafe;
    }

    private BitSet before(Node node) {
        BitSet known = before[node.index];
        if (known != null) {
            return known;
        }
        BitSet made = new BitSet();
        before[node.index] = made;
        if (node.before != null) {
            made.or(before(node.before));
            made.set(node.before.index);
        }
        if (node.action() instanceof OperationAction.After after) {
            for (OperationAction.Point point : after.points()) {
                Node last = model.lastBefore(node.pe, point);
                if (last != null) {
                    made.or(before(last));
                    made.set(last.index);
                }
            }
        }
        return made;
    }

    private boolean isSafe(Node node) {
        return switch (node.action()) {
            case OperationAction.Local _,
                    OperationAction.Update _,
                    OperationAction.Put _,
                    OperationAction.Help _,
                    OperationAction.Run _,
                    OperationAction.Kernel _ -> true;
            case OperationAction.After after -> isHostWaitSafe(node, after);
            case Await await -> isSafe(await);
            case Meet meet -> meet.members().stream().allMatch(member -> isSureToCome(node, meet, member));
        };
    }

    /// Within a device the order of events is part of each legal order; a host waits for the device.
    private boolean isHostWaitSafe(Node node, OperationAction.After after) {
        for (OperationAction.Point point : after.points()) {
            Node last = model.lastBefore(node.pe, point);
            if (last != null && device(last) != device(node) && !isSure(last, node)) {
                return false;
            }
        }
        return true;
    }

    private boolean isSafe(Await await) {
        int sure = 0;
        for (Condition condition : await.conditions()) {
            List<Node> all = model.producers(condition);
            List<Node> happening = new ArrayList<>();
            for (Node each : all) {
                if (isSure(each, each)) {
                    happening.add(each);
                }
            }
            sure += WordRange.mustHold(condition, model.value(condition.word()), happening, all) ? 1 : 0;
        }
        return sure >= await.needed();
    }

    private boolean isSureToCome(Node node, Meet meet, int member) {
        if (member == node.pe) {
            return true;
        }
        Node arrival = model.arrival(meet, member);
        return arrival == null ? model.isOver(meet, member) : isSure(arrival, arrival);
    }

    /// Returns whether an operation is sure to start: all waits are safe that its device may run before it.
    private boolean isSure(Node node, Node except) {
        for (Node other : model.nodes()) {
            if (other.pe == node.pe
                    && other.index != node.index
                    && other.index != except.index
                    && !safe.get(other.index)
                    && mayRunBefore(other, node)) {
                return false;
            }
        }
        // The last operation before a place must itself complete, and not only start.
        return node.index == except.index || safe.get(node.index);
    }

    private boolean mayRunBefore(Node other, Node node) {
        boolean isAlways = before(node).get(other.index);
        return isAlways || (device(other) == device(node) && !before(other).get(node.index));
    }

    /// Streams share the device of their PE; each host is on its own.
    private int device(Node node) {
        return model.laneOf(node).kind() == Kind.DEVICE ? -1 : node.lane;
    }
}
