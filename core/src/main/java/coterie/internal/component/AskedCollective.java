// SPDX-License-Identifier: Apache-2.0
package coterie.internal.component;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import coterie.collective.Explanation.Use;
import coterie.internal.plan.Action;
import coterie.internal.plan.CollectiveShape;
import coterie.internal.plan.Plan;
import coterie.internal.rma.PeMemory;
import coterie.internal.sync.KnownOperators;
import coterie.internal.wait.OperationKind;
import coterie.layer.Arguments.Order;
import coterie.spi.ReductionKind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A collective that a member has asked for, by a call or by a request, with checked arguments: a shape, where its
/// buffers are, and what they are views of.
///
/// @param elements of both buffers; BYTE where there are none
/// @param operator null where nothing is reduced
/// @param from where the source buffer begins in each PE's heap, 0 if there is none
/// @param to the same of the target buffer
/// @param blocks of memory that must live at each post of a request
public record AskedCollective(
        OperationKind kind,
        CollectiveShape shape,
        ElementType elements,
        @Nullable ReductionOperator<?> operator,
        long from,
        long to,
        List<PeMemory> blocks) {

    /// Returns the order in which members must be reduced for one result: that of the members where it shows,
    /// since it rounds, or the first NaN is the result, whose bits may differ from those of others, or since that
    /// is unknown; one by one where intermediate results are wider than elements.
    public static Order order(@Nullable ReductionOperator<?> operator, ElementType elements) {
        return switch (operator) {
            case null -> Order.ANY;
            case Reduction known -> order(KnownOperators.kind(known), elements);
            case IntegerReduction _ -> Order.ANY;
            case CustomReduction _ -> Order.MEMBERS;
            case ScaledSum _ -> order(ReductionKind.SUM, elements);
            case ExtendedReduction extended ->
                extended == ExtendedReduction.AVERAGE ? order(ReductionKind.SUM, elements) : Order.ANY;
        };
    }

    private static Order order(@Nullable ReductionKind kind, ElementType elements) {
        if (kind != null && kind.widens(elements)) {
            return Order.SEQUENTIAL;
        }
        return elements == ElementType.FLOAT || elements == ElementType.DOUBLE ? Order.MEMBERS : Order.ANY;
    }

    /// Returns whether all members know that nothing moves.
    public boolean isEmpty() {
        return switch (shape.type()) {
            case BARRIER, FAN_IN, FAN_OUT, ALL_TO_ALL_V, GATHER_V, SCATTER_V -> false;
            default -> shape.bytes() == 0;
        };
    }

    /// Returns how operands are to be combined. Where their grouping shows, calls have them one by one.
    Order order(Use use) {
        if (operator == null) {
            return Order.ANY;
        }
        boolean isRounding = CollectiveAlgorithm.isRounding(KnownOperators.kind(operator), elements);
        return use == Use.CALL && isRounding ? Order.SEQUENTIAL : shape.order();
    }

    /// Returns a collective of which this one is made in part.
    ///
    /// @param source where its source begins in each PE's heap
    /// @param target the same of its target
    public AskedCollective part(CollectiveShape part, long source, long target) {
        ReductionOperator<?> its = part.type().isReduction() ? operator : null;
        return new AskedCollective(kind, part, elements, its, source, target, blocks);
    }

    /// Returns a plan of it with what makes results of what has been folded, where these differ.
    public Plan finished(Plan plan) {
        boolean isLogical = operator instanceof IntegerReduction && KnownOperators.kind(operator) == null;
        boolean differ = isLogical || operator == ExtendedReduction.AVERAGE || operator instanceof ScaledSum;
        return differ && shape.target().count() == 1 && shape.target().bytes(0) > 0
                ? plan.then(new Action.Finish(shape.target(0)))
                : plan;
    }
}
