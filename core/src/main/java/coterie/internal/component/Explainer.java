// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.ElementType;
import coterie.ReductionOperator;
import coterie.collective.CollectiveType;
import coterie.collective.Explanation;
import coterie.collective.MemoryType;
import coterie.internal.hier.GroupedAlgorithm;
import coterie.internal.hier.Hierarchy;
import coterie.internal.plan.Algorithm;
import coterie.internal.plan.BufferForm;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.DirectAlgorithms;
import coterie.internal.score.ScoreMap;
import coterie.internal.score.SelectableAlgorithm;
import coterie.internal.score.SelectedAlgorithm;
import coterie.internal.sync.KnownOperators;
import coterie.internal.sync.Membership;
import coterie.layer.Arguments.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Explains which algorithms serve a collective of a team, what serves their groups, and what they can't serve.
///
/// @param components the layers that plug in, which the team may not have opened yet
record Explainer(Membership membership, ComponentRegistry registry, TeamTopology topology, TeamComponents components) {
    /// What is reduced.
    record Operands(ReductionOperator<?> reduction, ElementType elements) {}

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
                operands == null ? 1 : width(operands),
                operands == null ? Order.ANY : AskedCollective.order(operands.reduction, operands.elements),
                registry.radix(bytes, membership.size()));
        boolean goesByMessages =
                DirectAlgorithms.isShort(shape) && byMessages(first).isPresent();
        List<Explanation.Candidate> candidates = SelectedAlgorithm.stream(first)
                .map(each -> new Explanation.Candidate(
                        each.algorithm().component(),
                        each.algorithm().algorithm(),
                        each.score(),
                        groups(each.algorithm().factory(), shape),
                        limits(each.algorithm(), shape, operands, goesByMessages)))
                .toList();
        return new Explanation(type, MemoryType.HOST, bytes, membership.size(), known.from(), known.to(), candidates);
    }

    private int width(Operands operands) {
        try {
            return operands.reduction.width(operands.elements);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(membership.messagePrefix("explain") + e.getMessage(), e);
        }
    }

    /// Returns the best that goes by messages.
    private static Optional<SelectableAlgorithm<CollectiveAlgorithm>> byMessages(
            @Nullable SelectedAlgorithm<CollectiveAlgorithm> best) {
        return SelectedAlgorithm.stream(best)
                .map(SelectedAlgorithm::algorithm)
                .filter(each -> !(each.factory() instanceof CollectiveAlgorithm.Native))
                .findFirst();
    }

    private List<Explanation.Group> groups(CollectiveAlgorithm algorithm, CollectiveShape shape) {
        return switch (algorithm) {
            case CollectiveAlgorithm.Planned(GroupedAlgorithm grouped) -> groups(grouped, shape);
            case CollectiveAlgorithm.Stacked(GroupedAlgorithm grouped) -> groups(grouped, shape);
            case CollectiveAlgorithm.Plugged plugged ->
                groups(components.levels().get(plugged.layer()), shape);
            case CollectiveAlgorithm.Planned _, CollectiveAlgorithm.Native _ -> List.of();
        };
    }

    private List<Explanation.Group> groups(GroupedAlgorithm grouped, CollectiveShape shape) {
        GroupLevels known = components.levels().get(Hierarchy.COMPONENT);
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

    /// What would serve the same collective in a group of a layer that plugs in, whose compositions are
    /// unknown before a call.
    private static Optional<Explanation.Group> group(GroupLevels.Level level, CollectiveShape shape) {
        return byMessages(level.find(shape)).map(each -> level.served(shape.type(), each));
    }

    private List<Explanation.Limit> limits(
            SelectableAlgorithm<CollectiveAlgorithm> selectable,
            CollectiveShape shape,
            @Nullable Operands operands,
            boolean goesByMessages) {
        List<Explanation.Limit> limits = new ArrayList<>();
        Optional<Algorithm> plans = plans(shape.type(), selectable);
        boolean declines = plans.isPresent() && plans.get().plan(shape).isEmpty();
        String call = whyNotCalls(selectable.factory(), shape, operands, declines);
        if (call != null) {
            limits.add(new Explanation.Limit(Explanation.Use.CALL, call));
        }
        String request = whyNotRequests(selectable, shape, goesByMessages, declines);
        if (request != null) {
            limits.add(new Explanation.Limit(Explanation.Use.REQUEST, request));
        }
        return limits;
    }

    /// Returns what makes an algorithm's plans for requests; empty if the algorithm serves calls alone, or if layers
    /// that plug in have a part in it.
    private static Optional<Algorithm> plans(CollectiveType type, SelectableAlgorithm<CollectiveAlgorithm> selectable) {
        return selectable.factory() instanceof CollectiveAlgorithm.Planned(Algorithm algorithm)
                ? Optional.of(algorithm)
                : CollectiveAlgorithm.direct(type, selectable);
    }

    private @Nullable String whyNotCalls(
            CollectiveAlgorithm algorithm, CollectiveShape shape, @Nullable Operands operands, boolean declines) {
        if (!CollectiveAlgorithm.isCalled(shape.type())) {
            return "a team has no method for " + shape.type().label();
        }
        if (algorithm instanceof CollectiveAlgorithm.Native) {
            return null;
        }
        if (isShort(algorithm, shape)) {
            return CollectiveAlgorithm.SHORT;
        }
        if (!topology.isFlat()) {
            return "the team synchronizes along a tree";
        }
        if (!CollectiveAlgorithm.isCalledByPlans(shape.type())) {
            return "calls of " + shape.type().label() + " work over memory alone";
        }
        boolean isRounding = operands != null
                && CollectiveAlgorithm.isRounding(KnownOperators.kind(operands.reduction), operands.elements);
        if (isRounding && shape.size() > 1 && regroups(algorithm)) {
            return CollectiveAlgorithm.ROUNDING;
        }
        return declines ? declining(shape) : null;
    }

    /// Whether it never combines operands one by one in the order of the members. A transport layer's own task may.
    private boolean regroups(CollectiveAlgorithm algorithm) {
        return !(algorithm instanceof CollectiveAlgorithm.Plugged plugged) || components.areComposed(plugged.layer());
    }

    private static @Nullable String whyNotRequests(
            SelectableAlgorithm<CollectiveAlgorithm> selectable,
            CollectiveShape shape,
            boolean goesByMessages,
            boolean declines) {
        if (!CollectiveAlgorithm.servesRequests(shape.type(), selectable)) {
            return "it works over memory, in calls alone";
        }
        if (selectable.factory() instanceof CollectiveAlgorithm.Native && goesByMessages) {
            return "so few bytes go by messages";
        }
        if (isShort(selectable.factory(), shape)) {
            return CollectiveAlgorithm.SHORT;
        }
        return declines ? declining(shape) : null;
    }

    private static boolean isShort(CollectiveAlgorithm algorithm, CollectiveShape shape) {
        return algorithm instanceof CollectiveAlgorithm.Plugged && CollectiveAlgorithm.needsAccumulators(shape);
    }

    private static String declining(CollectiveShape shape) {
        return "it declines " + shape.size() + (shape.size() == 1 ? " member" : " members")
                + (shape.isSequential() ? " one by one" : shape.ordered() ? " in their order" : "");
    }

    /// A collective of a size, with blocks of one length.
    static CollectiveShape shape(
            CollectiveType type, int size, int me, int root, long bytes, int width, Order order, int radix) {
        long length = hasBlocks(type) && type != CollectiveType.REDUCE_SCATTER ? bytes / size : bytes;
        return CollectiveShape.even(type, size, me, root, length, width, order, false, radix);
    }

    private static boolean hasBlocks(CollectiveType type) {
        return BufferForm.source(type, true).isDivided()
                || BufferForm.target(type, true).isDivided();
    }
}
