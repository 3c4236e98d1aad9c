// SPDX-License-Identifier: Apache-2.0
package coterie.sim.explore;

import coterie.sim.schedule.SchedulingStrategy;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Executes a section of a program in all orders, one run for each, depth first.
///
/// Two orders are equivalent if they differ only in the positions of events that commute. *Sleep sets* omit
/// equivalent orders: an option that was tried at a decision is not tried again after another choice at that
/// decision, until an event occurs with which it does not commute.
///
/// ```
///  node           options; those tried; those asleep
///    │ choose e   asleep in the next node: each option that was tried or asleep here and commutes with e
///    ▼
///  node …         all options asleep: an earlier run had an equivalent order
/// ```
///
/// One explorer is the strategy of one run after another, while [#advance] returns true.
public final class Explorer implements SchedulingStrategy {
    /// A run with more decisions is taken to poll without end.
    private static final int MAX_DECISIONS = 100_000;

    private final List<Node> path = new ArrayList<>();
    private int depth;
    private boolean redundant;

    /// A decision.
    private static final class Node {
        final List<String> labels;
        final Map<String, Option> asleep = new LinkedHashMap<>();
        final Map<String, Option> tried = new LinkedHashMap<>();
        String chosen = "";

        /// The chosen option, as an object of the latest run through this node.
        @Nullable
        Option current;

        Node(List<String> labels) {
            this.labels = labels;
        }

        Option chosenOption() {
            return Objects.requireNonNull(current);
        }

        /// Returns the first option that is neither tried nor asleep, or "".
        String untried() {
            return labels.stream()
                    .filter(label -> !tried.containsKey(label) && !asleep.containsKey(label))
                    .findFirst()
                    .orElse("");
        }
    }

    /// Returns the decisions of the latest run.
    public String path() {
        return path.stream().limit(depth).map(node -> node.chosen).collect(Collectors.joining(" "));
    }

    @Override
    public int choose(List<Option> options) {
        List<String> labels = options.stream().map(Option::label).toList();
        if (redundant) {
            return 0; // the rest of the run has no effect on the result
        }
        if (depth == MAX_DECISIONS) {
            throw new IllegalStateException("exploration: more than " + MAX_DECISIONS
                    + " decisions in one run; the program polls where it should wait");
        }
        if (depth == path.size()) {
            Node node = new Node(labels);
            if (depth > 0) {
                fallAsleep(node, path.get(depth - 1));
            }
            node.chosen = node.untried();
            if (node.chosen.isEmpty()) {
                redundant = true;
                return 0;
            }
            path.add(node);
        }
        Node node = path.get(depth++);
        int chosen = labels.indexOf(node.chosen);
        if (chosen < 0) {
            throw new IllegalStateException("exploration: the program depends on more than the order of arrivals:"
                    + " option \"" + node.chosen + "\" was possible at this decision in an earlier run; now the options"
                    + " are " + labels);
        }
        for (Option option : options) {
            // Replace the options of the earlier run by those of this run.
            node.tried.computeIfPresent(option.label(), (label, old) -> option);
            node.asleep.computeIfPresent(option.label(), (label, old) -> option);
        }
        node.current = options.get(chosen);
        return chosen;
    }

    private static void fallAsleep(Node node, Node before) {
        before.asleep.forEach((label, option) -> sleepOn(node, before, label, option));
        before.tried.forEach((label, option) -> sleepOn(node, before, label, option));
    }

    private static void sleepOn(Node node, Node before, String label, Option option) {
        if (option.commutes(before.chosenOption())) {
            node.asleep.put(label, option);
        }
    }

    @Override
    public String toString() {
        return path();
    }

    /// Ends a run. Returns whether another order remains.
    public boolean advance() {
        redundant = false;
        depth = 0;
        while (!path.isEmpty()) {
            Node last = path.getLast();
            last.tried.put(last.chosen, last.chosenOption());
            last.chosen = last.untried();
            if (!last.chosen.isEmpty()) {
                return true;
            }
            path.removeLast();
        }
        return false;
    }
}
