// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Help;
import coterie.internal.launch.PeNumbers;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Finds collectives that threads wait in for a member that waits for something else.
///
/// A thread in a collective waits for one member at a time, which has sent nothing for it yet. If the thread of that
/// member waits elsewhere, it is not in the collective: it has not called it, or an exception has ended its call.
final class AbsentMembers {
    private final Set<String> causes = new LinkedHashSet<>();
    private final Set<String> suggestions = new LinkedHashSet<>();

    /// A collective that a member is not in, and what that member waits in.
    private record Absence(int member, String call, Node elsewhere) {}

    /// @param residue all operations that no schedule completes
    AbsentMembers(Model model, List<Node> residue) {
        Set<Node> stuck = new HashSet<>(residue);
        Map<Absence, List<Node>> absences = new LinkedHashMap<>();
        for (Node node : residue) {
            if (node.action() instanceof Help help
                    && help.isCall()
                    && !help.team().isEmpty()) {
                for (int member : help.pes()) {
                    Node elsewhere = elsewhere(model, node, member, stuck);
                    if (elsewhere != null) {
                        absences.computeIfAbsent(
                                        new Absence(member, node.operation.label(), elsewhere),
                                        key -> new ArrayList<>())
                                .add(node);
                    }
                }
            }
        }
        absences.forEach(this::note);
    }

    Set<String> causes() {
        return causes;
    }

    Set<String> suggestions() {
        return suggestions;
    }

    /// Returns what the thread of a member waits in that is not in the collective, or null.
    private static @Nullable Node elsewhere(Model model, Node node, int member, Set<Node> stuck) {
        List<LaneSnapshot> lanes = model.snapshot().pes().get(member).lanes();
        for (int lane = 0; lane < lanes.size(); lane++) {
            List<Node> nodes = model.lane(member, lane);
            if (lanes.get(lane).kind() == LaneSnapshot.Kind.HOST
                    && !nodes.isEmpty()
                    && stuck.contains(nodes.getLast())
                    && !isSameCall(node, nodes.getLast())) {
                return nodes.getLast();
            }
        }
        return null;
    }

    private static boolean isSameCall(Node node, Node other) {
        return node.action() instanceof Help mine
                && other.action() instanceof Help theirs
                && mine.team().equals(theirs.team())
                && node.operation.label().equals(other.operation.label());
    }

    private void note(Absence absence, List<Node> waiting) {
        Node first = waiting.getFirst();
        String sites =
                waiting.stream().map(each -> each.operation.site()).distinct().count() == 1
                                && !first.operation.site().isEmpty()
                        ? " at " + first.operation.site()
                        : "";
        String waiters = PeNumbers.text(waiting.stream().map(each -> each.pe).toList());
        causes.add("PE " + absence.member() + " is not in " + absence.call() + ", in which " + waiters
                + (waiting.size() == 1 ? " waits" : " wait") + sites);
        PendingOperation elsewhere = absence.elsewhere().operation;
        suggestions.add("let PE " + absence.member() + " call " + absence.call() + " before it waits "
                + (elsewhere.site().isEmpty() ? "in " + elsewhere.label() : "at " + elsewhere.site()));
    }
}
