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

/// Goes through all orders of a part of a program, one performance after another, depth first.
///
/// Two orders that differ in the places of things that commute are one. Those are left out by *sleep sets*: what was
/// tried at a decision needs not be tried again behind another choice there, until something comes that it does not
/// commute with.
///
/// ```
///  node           options, those tried, those asleep
///    │ choose e   asleep in the next node: who was tried or asleep here and commutes with e
///    ▼
///  node …         all asleep: somebody has had this order already
/// ```
///
/// The same explorer is the chooser of performance after performance while [#advance] says that there is another.
public final class Explorer implements SchedulingStrategy {
    /// Longer ways are those of a program that polls for ever.
    private static final int LONGEST = 100_000;

    private final List<Node> way = new ArrayList<>();
    private int depth;
    private boolean redundant;
    private int orders;

    /// A decision.
    private static final class Node {
        final List<String> labels;
        final Map<String, Option> asleep = new LinkedHashMap<>();
        final Map<String, Option> tried = new LinkedHashMap<>();
        String chosen = "";

        /// What was chosen, in the latest performance that came this way.
        @Nullable
        Option current;

        Node(List<String> labels) {
            this.labels = labels;
        }

        Option chosenOption() {
            return Objects.requireNonNull(current);
        }

        /// The first option that is neither tried nor asleep, or "".
        String untried() {
            return labels.stream()
                    .filter(label -> !tried.containsKey(label) && !asleep.containsKey(label))
                    .findFirst()
                    .orElse("");
        }
    }

    /// Orders that have been played whole so far.
    public int orders() {
        return orders;
    }

    /// The decisions of the latest performance.
    public String way() {
        return way.stream().limit(depth).map(node -> node.chosen).collect(Collectors.joining(" "));
    }

    @Override
    public int choose(List<Option> options) {
        List<String> labels = options.stream().map(Option::label).toList();
        if (redundant) {
            return 0; // to the end, whichever way
        }
        if (depth == LONGEST) {
            throw new IllegalStateException(
                    "exploring: more than " + LONGEST + " decisions; the program polls instead of waiting");
        }
        if (depth == way.size()) {
            Node node = new Node(labels);
            if (depth > 0) {
                fallAsleep(node, way.get(depth - 1));
            }
            node.chosen = node.untried();
            if (node.chosen.isEmpty()) {
                redundant = true;
                return 0;
            }
            way.add(node);
        }
        Node node = way.get(depth++);
        int chosen = labels.indexOf(node.chosen);
        if (chosen < 0) {
            throw new IllegalStateException("exploring: the program decides by something else than what arrives: \""
                    + node.chosen + "\" was possible here, and is not now; there are " + labels);
        }
        for (Option option : options) {
            // Options of this performance in the place of an earlier one's.
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

    /// Ends a performance; returns whether there is another order to be had.
    public boolean advance() {
        orders += redundant ? 0 : 1;
        redundant = false;
        depth = 0;
        while (!way.isEmpty()) {
            Node last = way.getLast();
            last.tried.put(last.chosen, last.chosenOption());
            last.chosen = last.untried();
            if (!last.chosen.isEmpty()) {
                return true;
            }
            way.removeLast();
        }
        return false;
    }
}
