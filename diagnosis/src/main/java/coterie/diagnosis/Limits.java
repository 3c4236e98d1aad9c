// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import java.util.ArrayList;
import java.util.List;

/// Which operations keep others from a queue or a slot of their device.
final class Limits {
    private Limits() {}

    static QueueLimits of(Model model, Node node) {
        return model.snapshot().pes().get(node.pe).limits();
    }

    private static int queue(Model model, Node node) {
        return of(model, node).queues().get(node.lane);
    }

    /// Returns the operations of other lanes that are before one in its queue.
    static List<Node> queuedBefore(Model model, Node node) {
        List<Node> before = new ArrayList<>();
        if (of(model, node).hasQueues() && model.laneOf(node).kind() == LaneSnapshot.Kind.DEVICE) {
            for (Node other : model.nodes()) {
                if (other.pe == node.pe
                        && other.lane != node.lane
                        && model.laneOf(other).kind() == LaneSnapshot.Kind.DEVICE
                        && queue(model, other) == queue(model, node)
                        && other.operation.queued() < node.operation.queued()) {
                    before.add(other);
                }
            }
        }
        return before;
    }

    /// Returns the operations of a PE that have slots.
    static List<Node> holders(Model model, int pe) {
        List<Node> holders = new ArrayList<>();
        for (Node other : model.nodes()) {
            if (other.pe == pe && other.operation.slot() == PendingOperation.Slot.HELD) {
                holders.add(other);
            }
        }
        return holders;
    }

    /// Returns the kernels of a PE that hold threads of the device.
    static List<Node> kernels(Model model, int pe) {
        List<Node> holders = new ArrayList<>();
        for (Node other : model.runs(pe)) {
            if (other.action() instanceof OperationAction.Kernel kernel && kernel.heldThreads() > 0) {
                holders.add(other);
            }
        }
        return holders;
    }

    static int queueOf(Model model, Node node) {
        return queue(model, node);
    }
}
