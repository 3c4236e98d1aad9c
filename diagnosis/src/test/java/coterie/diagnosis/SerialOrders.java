// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.After;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/// Enumerates all orders in which the devices of a program may run their operations one after the other, and
/// runs each.
final class SerialOrders {
    private final Model model;
    private final List<List<List<Node>>> orders = new ArrayList<>();
    private int bad;
    private int total;

    /// How many combinations of the PEs' orders there are, and how many of them are deadlocks.
    record Count(int bad, int total) {}

    private SerialOrders(Model model) {
        this.model = model;
    }

    static Count count(Model model) {
        SerialOrders all = new SerialOrders(model);
        int pes = model.snapshot().pes().size();
        for (int pe = 0; pe < pes; pe++) {
            List<List<Node>> mine = new ArrayList<>();
            all.extend(pe, new ArrayList<>(), new BitSet(), mine);
            all.orders.add(mine);
        }
        all.combine(new ArrayList<>());
        return new Count(all.bad, all.total);
    }

    private void extend(int pe, List<Node> order, BitSet used, List<List<Node>> found) {
        boolean isWhole = true;
        for (Node node : model.nodes()) {
            if (node.pe != pe || used.get(node.index)) {
                continue;
            }
            isWhole = false;
            if (follows(node, used)) {
                order.add(node);
                used.set(node.index);
                extend(pe, order, used, found);
                order.removeLast();
                used.clear(node.index);
            }
        }
        if (isWhole) {
            found.add(List.copyOf(order));
        }
    }

    private boolean follows(Node node, BitSet used) {
        if (node.before != null && !used.get(node.before.index)) {
            return false;
        }
        return !(node.action() instanceof After after)
                || after.points().stream().allMatch(point -> {
                    Node last = model.lastBefore(node.pe, point);
                    return last == null || used.get(last.index);
                });
    }

    private void combine(List<List<Node>> chosen) {
        if (chosen.size() == orders.size()) {
            total++;
            bad += completes(chosen) ? 0 : 1;
            return;
        }
        for (List<Node> order : orders.get(chosen.size())) {
            chosen.add(order);
            combine(chosen);
            chosen.removeLast();
        }
    }

    /// Runs one order as one stream of each PE, which any schedule completes or none: the words only grow.
    private boolean completes(List<List<Node>> chosen) {
        SnapshotPrograms programs = new SnapshotPrograms(chosen.size());
        for (int pe = 0; pe < chosen.size(); pe++) {
            programs.lane(
                    pe,
                    LaneSnapshot.stream(
                            "S",
                            chosen.get(pe).stream()
                                    .map(node ->
                                            node.action() instanceof After ? SnapshotPrograms.local() : node.operation)
                                    .toArray(PendingOperation[]::new)));
        }
        Snapshot snapshot = programs.snapshot();
        Model serial =
                new Model(new Snapshot("order", snapshot.pes(), model.snapshot().words(), 0));
        return OrderSearch.serial(serial, 100_000).canComplete();
    }
}
