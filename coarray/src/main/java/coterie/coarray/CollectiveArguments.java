// SPDX-License-Identifier: Apache-2.0
package coterie.coarray;

import coterie.CustomReduction;
import coterie.ElementType;
import coterie.ElementView;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/// What an image passes to a collective, in one word beside the number of elements, so that images whose calls
/// differ can say how: `image << 16 | operator << 8 | type`.
final class CollectiveArguments {
    private static final int OPERATOR_SHIFT = 8;
    private static final int IMAGE_SHIFT = 16;
    private static final int MASK = 0xFF;
    private static final int CUSTOM = 0xFF;
    private static final ElementType[] TYPES = ElementType.values();

    /// The operators that all images know, in the order of their codes, from 1.
    private static final List<ReductionOperator<?>> OPERATORS = Stream.<ReductionOperator<?>[]>of(
                    Reduction.values(), IntegerReduction.values(), ExtendedReduction.values())
            .flatMap(Arrays::stream)
            .toList();

    private CollectiveArguments() {}

    static long of(ElementType type) {
        return type.ordinal();
    }

    static long of(ElementType type, ReductionOperator<?> operator) {
        int code = operator instanceof CustomReduction || operator instanceof ScaledSum
                ? CUSTOM
                : 1 + OPERATORS.indexOf(operator);
        return of(type) | (long) code << OPERATOR_SHIFT;
    }

    /// Returns an operator for views whose type is known only now; [ReductionOperator#width] has checked it.
    @SuppressWarnings("unchecked")
    static ReductionOperator<ElementView> ofAnyView(ReductionOperator<?> operator) {
        return (ReductionOperator<ElementView>) operator;
    }

    /// Adds the source or result image.
    static long with(long arguments, int image) {
        return arguments | (long) image << IMAGE_SHIFT;
    }

    /// Returns a text such as "SUM of 10 LONG" or "10 LONG with image 2".
    static String text(long count, long arguments) {
        int operator = (int) (arguments >>> OPERATOR_SHIFT) & MASK;
        long image = arguments >>> IMAGE_SHIFT;
        String elements = count + " " + TYPES[(int) arguments & MASK];
        String reduced = operator == 0
                ? elements
                : (operator == CUSTOM
                                ? "a reduction"
                                : OPERATORS.get(operator - 1).name()) + " of " + elements;
        return image == 0 ? reduced : reduced + " with image " + image;
    }
}
