// SPDX-License-Identifier: Apache-2.0
package coterie.internal.sync;

import coterie.CustomReduction;
import coterie.ExtendedReduction;
import coterie.IntegerReduction;
import coterie.Reduction;
import coterie.ReductionOperator;
import coterie.ScaledSum;
import coterie.spi.ReductionKind;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The operators that all members know, by numbers that members compare.
public final class KnownOperators {
    private static final List<ReductionOperator<?>> ALL = Stream.<ReductionOperator<?>[]>of(
                    Reduction.values(), IntegerReduction.values(), ExtendedReduction.values())
            .flatMap(Arrays::stream)
            .toList();

    /// The number of an operator that only its program knows; those of known operators are lower.
    public static final int CUSTOM = 1 + ALL.size();

    private KnownOperators() {}

    /// Returns the number of an operator: 0 for none, [#CUSTOM] for a program's own.
    public static int number(@Nullable ReductionOperator<?> operator) {
        return switch (operator) {
            case null -> 0;
            case CustomReduction _, ScaledSum _ -> CUSTOM;
            case Reduction _, IntegerReduction _, ExtendedReduction _ -> 1 + ALL.indexOf(operator);
        };
    }

    /// Returns what the properties of a program's own operator come to, a number of 32 bits; 0 for known operators.
    public static long own(@Nullable ReductionOperator<?> operator) {
        return switch (operator) {
            case CustomReduction custom -> Integer.toUnsignedLong((custom.name() + " " + custom.bytes()).hashCode());
            case ScaledSum scaled -> Integer.toUnsignedLong(scaled.name().hashCode());
            case null -> 0;
            case Reduction _, IntegerReduction _, ExtendedReduction _ -> 0;
        };
    }

    /// Returns the name of an operator.
    ///
    /// @param number in `[1, CUSTOM)`
    public static String name(int number) {
        return ALL.get(number - 1).name();
    }

    /// Returns the kind of an operator, or null if there is none, or kernels don't compute it.
    public static @Nullable ReductionKind kind(@Nullable ReductionOperator<?> operator) {
        return operator == null ? null : ReductionKind.of(operator).orElse(null);
    }
}
