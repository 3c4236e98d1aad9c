// SPDX-License-Identifier: Apache-2.0
package coterie.diagnosis;

import coterie.diagnosis.Model.Node;
import coterie.diagnosis.OperationAction.Help;
import coterie.diagnosis.OperationAction.Meet;
import coterie.diagnosis.PeSnapshot.Collectives;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// Finds members of a team that have called different collectives.
///
/// Members match the collectives of streams and kernels by their order, and those that threads call without a stream
/// by an order of their own. So a collective in a stream never meets one without a stream.
final class MismatchCheck {
    private final Model model;

    /// What was found, as sentences.
    private final Set<String> causes = new LinkedHashSet<>();

    private final Set<String> suggestions = new LinkedHashSet<>();

    MismatchCheck(Model model) {
        this.model = model;
    }

    Set<String> causes() {
        return causes;
    }

    Set<String> suggestions() {
        return suggestions;
    }

    /// Compares the collectives of lanes that have the same place in the order of their team.
    ///
    /// @return whether some differ
    boolean hasDifferent() {
        for (Node node : model.nodes()) {
            if (node.action() instanceof Meet mine
                    && !model.isShifted(mine)
                    && model.laneOf(node).isSteady()) {
                for (int member : mine.members()) {
                    Node other = model.arrival(mine, member);
                    if (other != null
                            && node.index < other.index
                            && model.laneOf(other).isSteady()
                            && other.action() instanceof Meet theirs
                            && !mine.signature().equals(theirs.signature())) {
                        causes.add("collective " + mine.sequence() + " of team \"" + mine.team() + "\" is "
                                + mine.signature() + " in " + node.described() + ", and " + theirs.signature() + " in "
                                + other.described());
                        suggestions.add("let all members of a team call its collectives in one order");
                    }
                }
            }
        }
        return !causes.isEmpty();
    }

    /// Looks at collectives that no schedule completes: whether a member has skipped them, or has called one without
    /// a stream instead.
    ///
    /// @param residue all operations that no schedule completes
    /// @return whether there are such members
    boolean hasMissed(List<Node> residue) {
        Set<Node> stuck = new HashSet<>(residue);
        for (Node node : residue) {
            boolean isNext = node.before == null || !stuck.contains(node.before);
            if (isNext && node.action() instanceof Meet meet) {
                for (int member : meet.members()) {
                    if (member != node.pe) {
                        lookAt(node, meet, member, residue);
                    }
                }
            }
        }
        return !causes.isEmpty();
    }

    private void lookAt(Node node, Meet meet, int member, List<Node> residue) {
        Collectives theirs = model.collectives(meet, member);
        if (theirs.skipped() > 0) {
            causes.add("PE " + member + " has skipped " + theirs.skipped() + " of the collectives of team \""
                    + meet.team() + "\": its " + theirs.cause());
            suggestions.add("let PE " + member + " synchronize the stream that has failed, which throws the cause");
        } else if (model.arrival(meet, member) == null && !hasCalled(meet, node.pe, residue)) {
            for (Node other : residue) {
                if (other.pe == member
                        && other.action() instanceof Help help
                        && meet.isOfTeam(help)
                        && help.pes().contains(node.pe)) {
                    causes.add(node.described() + " is " + node.operation.label() + " in a stream or kernel, and "
                            + other + " is " + other.operation.label()
                            + " of the same team without one: they never meet");
                    suggestions.add("let all members call a collective in streams, or all without one");
                }
            }
        }
    }

    /// Returns whether a thread of a PE waits in a collective of the team without a stream.
    private static boolean hasCalled(Meet meet, int pe, List<Node> residue) {
        return residue.stream()
                .anyMatch(each -> each.pe == pe && each.action() instanceof Help help && meet.isOfTeam(help));
    }
}
