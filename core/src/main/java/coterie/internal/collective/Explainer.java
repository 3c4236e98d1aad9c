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
final class Explainer {
    /// Why plans do not serve sums and products of floating-point numbers in blocking calls.
    static final String ROUNDING = "it groups operands otherwise than one by one in the order of the members";

    private final Membership membership;
    private final ComponentRegistry registry;
    private final TeamTopology topology;
    private final Map<String, GroupLevels> levels;

    /// @param levels what serves the groups of collective layers, by their names, as far as it is known
    Explainer(
            Membership membership, ComponentRegistry registry, TeamTopology topology, Map<String, GroupLevels> levels) {
        this.membership = membership;
        this.registry = registry;
        this.topology = topology;
        this.levels = levels;
    }

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
        List<Explanation.Candidate> candidates = new ArrayList<>();
        SelectedAlgorithm<CollectiveAlgorithm> selected = map.find(type, MemoryType.HOST, bytes);
        CollectiveShape shape = shape(
                type,
                membership.size(),
                membership.me(),
                root,
                bytes,
                operands == null ? 1 : operands.elements.byteSize(),
                operands != null && operands.areOrdered(),
                registry.radix(bytes, membership.size()));
        boolean goesByMessages = DirectAlgorithms.isShort(shape) && hasMessages(selected);
        for (Explanation.Candidate each : known.candidates()) {
            SelectableAlgorithm<CollectiveAlgorithm> algorithm = selected == null ? null : selected.algorithm();
            candidates.add(
                    algorithm == null
                            ? each
                            : new Explanation.Candidate(
                                    each.component(),
                                    each.algorithm(),
                                    each.score(),
                                    groups(each.component(), algorithm.factory(), shape),
                                    limits(algorithm, shape, operands, goesByMessages)));
            selected = selected == null ? null : selected.next();
        }
        return new Explanation(
                known.collective(),
                known.memory(),
                known.bytes(),
                known.teamSize(),
                known.from(),
                known.to(),
                candidates);
    }

    private static boolean hasMessages(@Nullable SelectedAlgorithm<CollectiveAlgorithm> first) {
        boolean has = false;
        for (SelectedAlgorithm<CollectiveAlgorithm> each = first; each != null; each = each.next()) {
            has |= !(each.algorithm().factory() instanceof CollectiveAlgorithm.Native);
        }
        return has;
    }

    private List<Explanation.Group> groups(String component, CollectiveAlgorithm algorithm, CollectiveShape shape) {
        GroupedAlgorithm grouped = grouped(algorithm);
        if (grouped != null) {
            GroupLevels known = levels.get(Hierarchy.COMPONENT);
            GroupDraft draft = new GroupDraft(
                    known == null ? registry.groups().plainLevels(topology, membership.me()) : known,
                    new GroupDraft.Answers());
            grouped.plan(shape, draft);
            return draft.served();
        }
        GroupLevels its = levels.get(component);
        return algorithm instanceof CollectiveAlgorithm.Plugged && its != null
                ? its.levels().values().stream()
                        .flatMap(level -> group(level, shape).stream())
                        .toList()
                : List.of();
    }

    private static @Nullable GroupedAlgorithm grouped(CollectiveAlgorithm algorithm) {
        return switch (algorithm) {
            case CollectiveAlgorithm.Planned planned ->
                planned.algorithm() instanceof GroupedAlgorithm grouped ? grouped : null;
            case CollectiveAlgorithm.Stacked stacked -> stacked.algorithm();
            case CollectiveAlgorithm.Native _, CollectiveAlgorithm.Plugged _ -> null;
        };
    }

    /// What would serve the same collective in a group of a layer that plugs in, whose compositions nobody knows
    /// before a call.
    private static Optional<Explanation.Group> group(GroupLevels.Level level, CollectiveShape shape) {
        SelectedAlgorithm<CollectiveAlgorithm> selected =
                level.map().find(shape.type(), MemoryType.HOST, shape.bytes());
        while (selected != null && selected.algorithm().factory() instanceof CollectiveAlgorithm.Native) {
            selected = selected.next();
        }
        return selected == null
                ? Optional.empty()
                : Optional.of(new Explanation.Group(
                        level.name(),
                        level.members().size(),
                        shape.type(),
                        selected.algorithm().component(),
                        selected.algorithm().algorithm()));
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
        if (algorithm instanceof CollectiveAlgorithm.Planned planned) {
            boolean declines = planned.algorithm().plan(shape).isEmpty();
            boolean isRounded = operands.areRounded() && shape.size() > 1;
            if (isRounded || declines) {
                limits.add(new Explanation.Limit(Explanation.Use.CALL, isRounded ? ROUNDING : declining(shape)));
            }
            if (declines) {
                limits.add(new Explanation.Limit(Explanation.Use.REQUEST, declining(shape)));
            }
        }
        if (algorithm instanceof CollectiveAlgorithm.Stacked && operands.areRounded() && shape.size() > 1) {
            limits.add(new Explanation.Limit(Explanation.Use.CALL, ROUNDING));
        }
        return limits;
    }

    static String declining(CollectiveShape shape) {
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
