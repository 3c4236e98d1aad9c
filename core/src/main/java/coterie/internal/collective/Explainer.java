// SPDX-License-Identifier: Apache-2.0
package coterie.internal.collective;

import coterie.ElementType;
import coterie.Reduction;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.hier.GroupedAlgorithm;
import coterie.internal.hier.Hierarchy;
import coterie.internal.plan.BufferForm;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.Membership;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Explains which algorithms serve a collective of a team, what serves their groups, and what they can't serve.
///
/// @param levels what serves the groups of collective layers, by their names, as far as it is known
record Explainer(
        Membership membership, ComponentRegistry registry, TeamTopology topology, Map<String, GroupLevels> levels) {
    /// Why plans do not serve sums and products of floating-point numbers in blocking calls.
    static final String ROUNDING = "it groups operands otherwise than one by one in the order of the members";

    /// What is reduced.
    record Operands(Reduction reduction, ElementType elements) {
        boolean areRounded() {
            return CollectiveArgs.isRounding(reduction, elements);
        }

        boolean areOrdered() {
            return elements == ElementType.FLOAT || elements == ElementType.DOUBLE;
        }
    }

    /// @param operands null if the question does not have them
    Explanation explain(
            ScoreMap<CollectiveAlgorithm> map, CollectiveType type, @Nullable Operands operands, long bytes, int root) {
        if (bytes < 0) {
            throw new IllegalArgumentException(membership.messagePrefix("explain") + bytes + " bytes of " + type.label()
                    + " are outside [0, 2^63)");
        }
        Explanation known = map.explain(type, MemoryType.HOST, bytes);
        SelectedAlgorithm<CollectiveAlgorithm> first = map.find(type, MemoryType.HOST, bytes);
        CollectiveShape shape = shape(
                type,
                membership.size(),
                membership.me(),
                root,
                bytes,
                operands == null ? 1 : operands.elements.byteSize(),
                operands != null && operands.areOrdered(),
                registry.radix(bytes, membership.size()));
        boolean goesByMessages = DirectAlgorithms.isShort(shape) && hasMessages(first);
        List<Explanation.Candidate> candidates = new ArrayList<>();
        for (SelectedAlgorithm<CollectiveAlgorithm> each = first; each != null; each = each.next()) {
            SelectableAlgorithm<CollectiveAlgorithm> algorithm = each.algorithm();
            candidates.add(new Explanation.Candidate(
                    algorithm.component(),
                    algorithm.algorithm(),
                    each.score(),
                    groups(algorithm.factory(), shape),
                    limits(algorithm, shape, operands, goesByMessages)));
        }
        return new Explanation(type, MemoryType.HOST, bytes, membership.size(), known.from(), known.to(), candidates);
    }

    private static boolean hasMessages(@Nullable SelectedAlgorithm<CollectiveAlgorithm> first) {
        boolean has = false;
        for (SelectedAlgorithm<CollectiveAlgorithm> each = first; each != null; each = each.next()) {
            has |= !(each.algorithm().factory() instanceof CollectiveAlgorithm.Native);
        }
        return has;
    }

    private List<Explanation.Group> groups(CollectiveAlgorithm algorithm, CollectiveShape shape) {
        return switch (algorithm) {
            case CollectiveAlgorithm.Planned(GroupedAlgorithm grouped) -> groups(grouped, shape);
            case CollectiveAlgorithm.Stacked(GroupedAlgorithm grouped) -> groups(grouped, shape);
            case CollectiveAlgorithm.Plugged plugged -> groups(levels.get(plugged.layer()), shape);
            case CollectiveAlgorithm.Planned _, CollectiveAlgorithm.Native _ -> List.of();
        };
    }

    private List<Explanation.Group> groups(GroupedAlgorithm grouped, CollectiveShape shape) {
        GroupLevels known = levels.get(Hierarchy.COMPONENT);
        GroupDraft draft = new GroupDraft(
                known == null ? registry.groups().plainLevels(topology, membership.me()) : known,
                new GroupDraft.Answers());
        grouped.plan(shape, draft);
        return draft.served();
    }

    private static List<Explanation.Group> groups(@Nullable GroupLevels its, CollectiveShape shape) {
        return its == null
                ? List.of()
                : its.levels().values().stream()
                        .flatMap(level -> group(level, shape).stream())
                        .toList();
    }

    /// What would serve the same collective in a group of a layer that plugs in, whose compositions nobody knows
    /// before a call.
    private static Optional<Explanation.Group> group(GroupLevels.Level level, CollectiveShape shape) {
        SelectedAlgorithm<CollectiveAlgorithm> selected = level.find(shape);
        while (selected != null && selected.algorithm().factory() instanceof CollectiveAlgorithm.Native) {
            selected = selected.next();
        }
        return selected == null ? Optional.empty() : Optional.of(level.served(shape.type(), selected.algorithm()));
    }

    private List<Explanation.Limit> limits(
            SelectableAlgorithm<CollectiveAlgorithm> selectable,
            CollectiveShape shape,
            @Nullable Operands operands,
            boolean goesByMessages) {
        CollectiveAlgorithm algorithm = selectable.factory();
        if (operands == null) {
            return List.of();
        }
        List<Explanation.Limit> limits = new ArrayList<>();
        if (!CollectiveAlgorithm.servesRequests(shape.type(), selectable)) {
            limits.add(new Explanation.Limit(Explanation.Use.REQUEST, "it works over memory, in calls alone"));
        } else if (algorithm instanceof CollectiveAlgorithm.Native && goesByMessages) {
            limits.add(new Explanation.Limit(Explanation.Use.REQUEST, "so few bytes go by messages"));
        }
        boolean isPlanned = algorithm instanceof CollectiveAlgorithm.Planned;
        boolean declines = algorithm instanceof CollectiveAlgorithm.Planned planned
                && planned.algorithm().plan(shape).isEmpty();
        boolean isRounded = (isPlanned || algorithm instanceof CollectiveAlgorithm.Stacked)
                && operands.areRounded()
                && shape.size() > 1;
        if (isRounded || declines) {
            limits.add(new Explanation.Limit(Explanation.Use.CALL, isRounded ? ROUNDING : declining(shape)));
        }
        if (declines) {
            limits.add(new Explanation.Limit(Explanation.Use.REQUEST, declining(shape)));
        }
        return limits;
    }

    private static String declining(CollectiveShape shape) {
        return "it declines " + shape.size() + " members" + (shape.ordered() ? " in their order" : "");
    }

    /// A collective of a size, with blocks of one length.
    static CollectiveShape shape(
            CollectiveType type, int size, int me, int root, long bytes, int width, boolean isOrdered, int radix) {
        long length = hasBlocks(type) && type != CollectiveType.REDUCE_SCATTER ? bytes / size : bytes;
        return CollectiveShape.even(type, size, me, root, length, width, isOrdered, false, radix);
    }

    private static boolean hasBlocks(CollectiveType type) {
        return BufferForm.source(type, true).isDivided()
                || BufferForm.target(type, true).isDivided();
    }
}
